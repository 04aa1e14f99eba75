/* SPDX-License-Identifier: MIT */
/* guards.protect by effect: takes the fingerprints of protected files when the user sends a prompt, and compares them after tools and
 * at the stop. */
#include "base/escapes.h"
#include "base/path.h"
#include "guards/protected.h"
#include "model/gate.h"
#include "os/clock.h"
#include "policy/block_limit.h"
#include "policy/events.h"
#include "policy/guards.h"
#include "policy/policies.h"
#include "store/session.h"

/* The room for the changes in a reason, and the lines of each. */
#define CHANGES_BYTES 6000
#define DIFF_LINES 24
#define ADVICE                                                                                             \
	"\nThey must be as they were when the user sent the prompt, however they were changed. `holdfast " \
	"restore` puts "                                                                                   \
	"them back. If one has to change, ask the user to do it.\n"

/* What this stop or event knows about protected files. */
struct guarded {
	struct protected_rules rules;
	struct protected_state state;
	struct protected_files now;
	struct protected_changes changes;
};

/* False: nothing is protected here, or it can't be compared, which the user is told. */
static bool
look(struct stop_context *s, bool is_quick, struct guarded *g)
{
	const struct guards_config *guards = stop_guards(s);
	struct err err;

	if (!guards || guards->protect.count == 0)
		return false;
	struct str root = s->gates_source->root;

	g->rules = protected_rules_of(s->arena, root, &guards->protect);
	if (g->rules.patterns->count == 0)
		return false;
	protected_load(s->arena, root, stop_owner(s, root), &g->state);
	if (protected_look(s->arena, &g->rules, g->state.exists ? &g->state.files : NULL, is_quick, &g->now,
			   &err) < 0) {
		stop_warn(s, "protected files were not compared: %s", err.msg);
		return false;
	}
	if (g->state.exists)
		g->changes = protected_compare(s->arena, &g->state.files, &g->now);
	return true;
}

static void
save(struct stop_context *s, const struct guarded *g)
{
	struct err err;

	if (!s->is_dry && protected_save(s->arena, &g->state, &err) < 0)
		stop_warn(s, "what protected files are can't be kept: %s", err.msg);
}

/* From here on they count as they are now, apart from those that were changed and not put back. */
static void
take(struct stop_context *s, struct guarded *g)
{
	g->state.files = g->state.exists ? protected_renew(s->arena, &g->state.files, &g->now) : g->now;
	g->state.taken_us = clock_real_us();
	g->state.told = STR_NONE;
	save(s, g);
}

/* ---- words ---- */

static struct str
content_now(struct arena *a, struct str root, const struct protected_file *f)
{
	struct str text = STR_NONE;
	struct err ignored;

	if (f && f->kind == FS_FILE)
		(void)(fs_read(a, path_join(a, root, f->path).s, CONTENT_LIMIT_BYTES, &text, &ignored) == 0);
	return text;
}

static void
add_change(struct stop_context *s, const struct guarded *g, const struct protected_change *c, struct buf *b)
{
	struct arena *a = s->arena;
	struct str path = protected_path(c), message = protected_message(&g->rules, path), diff = STR(""),
		   line;

	buf_addf(b, STR_FMT " " STR_FMT "\n", STR_ARG(strip_escapes_line(a, path)),
		 STR_ARG(strip_escapes_line(a, protected_words(a, c))));
	if (message.s)
		buf_addf(b, "    " STR_FMT "\n", STR_ARG(strip_escapes_line(a, message)));
	if (c->how == PROTECTED_CHANGED && c->then->digest.s && c->now->digest.s) {
		struct str then = protected_content(a, g->rules.root, c->then->digest);
		struct str now = content_now(a, g->rules.root, c->now);

		if (then.s && now.s)
			diff = protected_diff(a, then, now, DIFF_LINES);
	}
	while (str_next(&diff, '\n', &line))
		buf_addf(b, "    " STR_FMT "\n", STR_ARG(strip_escapes_line(a, line)));
}

static struct str
reason_of(struct stop_context *s, const struct guarded *g)
{
	struct buf b = BUF(s->arena, SIZE_MAX);

	buf_add(&b, STR("Files that guards.protect in holdfast.yml protects are not as they were:\n\n"));
	for (size_t i = 0; i < g->changes.count; i++) {
		if (b.n > CHANGES_BYTES) {
			buf_addf(&b, "and %zu more: `holdfast restore --list` shows all\n",
				 g->changes.count - i);
			break;
		}
		add_change(s, g, &g->changes.items[i], &b);
	}
	buf_add(&b, STR(ADVICE));
	return str_sub(buf_str(&b), 0, REASON_LIMIT_BYTES);
}

static struct str
names_of(struct stop_context *s, const struct guarded *g)
{
	struct str first = strip_escapes_line(s->arena, protected_path(&g->changes.items[0]));

	return g->changes.count == 1
		       ? str_fmt(s->arena, "a protected file is not as it was: " STR_FMT, STR_ARG(first))
		       : str_fmt(s->arena, "protected files are not as they were: " STR_FMT " and %zu more",
				 STR_ARG(first), g->changes.count - 1);
}

/* ---- the events ---- */

/* All are as they were: what was found before has been put back. */
static void
settle(struct stop_context *s, struct guarded *g)
{
	bool is_known = g->state.told.n == 0;

	for (size_t i = 0; i < g->state.files.count; i++)
		is_known &= !g->state.files.items[i].is_violated;
	if (is_known)
		return;
	protected_mark(s->arena, &g->state.files, &g->changes);
	g->state.told = STR_NONE;
	save(s, g);
}

bool
protected_policy(struct stop_context *s, struct verdict *ret)
{
	struct guarded g = { 0 };

	if (!look(s, false, &g))
		return false;
	if (!g.state.exists) {
		take(s, &g);
		return false;
	}
	if (g.changes.count == 0) {
		settle(s, &g);
		return false;
	}
	*ret = guard_block(s, STATUS_PROTECTED_CHANGED, names_of(s, &g), reason_of(s, &g));
	protected_mark(s->arena, &g.state.files, &g.changes);
	save(s, &g);
	return true;
}

/* Is it the user who sends this prompt? Some clients send the reason of a block, or a notice, as a prompt. */
static bool
is_users_prompt(struct stop_context *s)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err ignored;

	if (s->event->session_id.n == 0 ||
	    session_open(s->arena, s->event->session_id, false, SESSION_LOCK_MS, &session, &ignored) < 0)
		return true;
	return prompt_is_users(s->arena, s->event, session.file.fd < 0 ? STR_NONE : session.reason);
}

void
guarded_note_work(struct stop_context *s, bool has_prompt)
{
	for (size_t i = 0; i < s->gates_count; i++) {
		struct guarded g = { 0 };

		s->gates_source = s->gates[i];
		/* A session may begin again in the middle of the work, as after its context was compacted. */
		if (look(s, false, &g) && (!g.state.exists || (has_prompt && is_users_prompt(s))))
			take(s, &g);
	}
}

void
guarded_after_tool(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;

	if (c->tool.kind == TOOL_READ)
		return;
	for (size_t i = 0; i < s->gates_count && !answer->is_blocked; i++) {
		struct guarded g = { 0 };

		s->gates_source = s->gates[i];
		if (!look(s, true, &g) || !g.state.exists)
			continue;
		if (g.changes.count == 0) {
			settle(s, &g);
			continue;
		}
		struct str reason = reason_of(s, &g), told = reason_hash(s->arena, reason);

		/* To say it after each tool would not make it more true. */
		if (str_eq(told, g.state.told))
			continue;
		protected_mark(s->arena, &g.state.files, &g.changes);
		g.state.told = told;
		save(s, &g);
		answer->is_blocked = true;
		answer->reason = reason;
	}
}
