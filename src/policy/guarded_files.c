/* SPDX-License-Identifier: MIT */
/* guards.protect by effect: takes the fingerprints of protected files when the user sends a prompt, and compares them after tools and
 * at the stop. */
#include "guards/protected/protected.h"
#include "os/clock.h"
#include "policy/events.h"

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
		stop_warn(s, "protected files were not compared: ", err.msg);
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
		stop_warn(s, "what protected files are can't be kept: ", err.msg);
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

static void
add_change(struct stop_context *s, const struct guarded *g, const struct protected_change *c, struct buf *b)
{
	struct arena *a = s->arena;
	struct str path = protected_path(c), message = protected_message(&g->rules, path), diff = STR(""),
		   line;

	buf_cat(b, strip_escapes_line(a, path), " ", strip_escapes_line(a, protected_words(a, c)), "\n");
	if (message.s)
		buf_cat(b, "    ", strip_escapes_line(a, message), "\n");
	if (c->how == PROTECTED_CHANGED && c->then->digest.s && c->now->digest.s) {
		struct str then = protected_content(a, g->rules.root, c->then->digest);
		struct str file = path_join(a, g->rules.root, c->now->path), now = STR_NONE;

		if (then.s && c->now->kind == FS_FILE &&
		    fs_read(a, file.s, CONTENT_LIMIT_BYTES, &now, IGNORED) == 0 && now.s)
			diff = protected_diff(a, then, now, DIFF_LINES);
	}
	while (str_next(&diff, '\n', &line))
		buf_cat(b, "    ", strip_escapes_line(a, line), "\n");
}

static struct str
reason_of(struct stop_context *s, const struct guarded *g)
{
	struct buf b = BUF(s->arena, SIZE_MAX);

	buf_cat(&b, "Files that guards.protect in holdfast.yml protects are not as they were:\n\n");
	for (size_t i = 0; i < g->changes.count; i++) {
		if (b.n > CHANGES_BYTES) {
			buf_cat(&b, "and ", g->changes.count - i,
				" more: `holdfast restore --list` shows all\n");
			break;
		}
		add_change(s, g, &g->changes.items[i], &b);
	}
	buf_add(&b, STR(ADVICE));
	return str_sub(buf_str(&b), 0, REASON_LIMIT_BYTES);
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
	struct str first = strip_escapes_line(s->arena, protected_path(&g.changes.items[0]));
	struct str names = g.changes.count == 1
				   ? str_cat(s->arena, "a protected file is not as it was: ", first)
				   : str_cat(s->arena, "protected files are not as they were: ", first,
					     " and ", g.changes.count - 1, " more");

	*ret = guard_block(s, STATUS_PROTECTED_CHANGED, names, reason_of(s, &g));
	protected_mark(s->arena, &g.state.files, &g.changes);
	save(s, &g);
	return true;
}

void
guarded_note_work(struct stop_context *s, bool is_users_prompt)
{
	for (size_t i = 0; i < s->gates.count; i++) {
		struct guarded g = { 0 };

		s->gates_source = s->gates.items[i];
		/* A session may begin again in the middle of the work, as after its context was compacted. */
		if (look(s, false, &g) && (!g.state.exists || is_users_prompt))
			take(s, &g);
	}
}

void
guarded_after_tool(struct stop_context *s, struct event_answer *answer)
{
	if (s->tool.kind == TOOL_READ)
		return;
	for (size_t i = 0; i < s->gates.count && !answer->is_blocked; i++) {
		struct guarded g = { 0 };

		s->gates_source = s->gates.items[i];
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
