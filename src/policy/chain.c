/* SPDX-License-Identifier: MIT */
/* The chain: the policies in their order, and which front ends ask them. Knows nothing about what they do. */
#include "policy/chain.h"

#include "os/clock.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "policy/policies.h"
#include "store/off.h"

#define FOR_NONE 0u
#define FOR_GAUNTLET (1u << FRONT_END_GAUNTLET)
#define FOR_CONCLAUDE (1u << FRONT_END_CONCLAUDE)
#define FOR_RALPH (1u << FRONT_END_RALPH)

static const struct policy {
	enum stop_policy id;
	policy_fn *decide;
	unsigned front_ends;
	bool asks_all;
} chain[] = {
#define ASKS_FIRST false
#define ASKS_ALL true
#define POLICY(id, name, front_ends, asks, ...) \
	{ POLICY_##id, name##_policy, 1u << FRONT_END_HOLDFAST | FOR_##front_ends, ASKS_##asks },
#define OTHER(...)
#include "policy/policy.def"
};

const char *const policy_names[] = {
#define POLICY(id, name, ...) #name,
#define OTHER(id, name, ...) #name,
#include "policy/policy.def"
	NULL,
};

void
stop_context_init(struct stop_context *s, struct arena *a, const struct event *event)
{
	struct str start = event->cwd;

	if (!str_starts(start, STR("/")) || fs_kind(str_copy(a, start).s) != FS_DIR)
		start = fs_cwd(a);
	s->arena = a;
	s->client = event->client;
	s->event = event;
	s->is_main = !event->is_subagent;
	s->progress = s->details = s->warnings = s->would_run = BUF(a, SIZE_MAX);
	project_find(&s->where, start, WITHIN_REPOSITORY);
	if (s->front_end == FRONT_END_HOLDFAST || s->front_end == FRONT_END_GAUNTLET)
		stop_find_sources(s, start);
}

struct reply
stop_reply(const struct stop_context *s, const struct verdict *v, const struct reply_notes *notes)
{
	/* `holdfast ralph hook` answers Claude Code in the older dialect of the Ralph plugin. */
	bool is_old = s->front_end == FRONT_END_RALPH && s->client == &client_claude;
	struct reply_notes all = *notes;

	all.speaker = s->front_end == FRONT_END_HOLDFAST ? "holdfast" : NULL;
	return (is_old ? reply_ralph : s->client->reply)(s->arena, v, &all);
}

void
stop_prepare(const struct stop_context *s, const struct verdict *v)
{
	struct reply_notes none = { 0 };

	if (s->is_dry)
		return;
	struct reply r = stop_reply(s, v, &none);

	exit_reply_prepare(r.out, r.exit_code);
	if (s->event) /* else it is not known what is decided on */
		stop_note_prepare(s, v);
}

void
stop_prepare_interrupted(const struct stop_context *s)
{
	stop_prepare(s,
		     &(struct verdict){
			     .status = STATUS_ERROR,
			     .message = STR(STOP_HOOK_ERROR "the hook was interrupted before it had decided"),
		     });
}

struct str
stop_owner(const struct stop_context *s, struct str root)
{
	return s->event->session_id.n > 0 ? s->event->session_id : root;
}

int
stop_session(const struct stop_context *s, struct str root, bool creates, struct session *ret,
	     struct err *err)
{
	return session_open(s->arena, stop_owner(s, root), creates && !s->is_dry,
			    stop_wait_ms(s, SESSION_LOCK_MS), ret, err);
}

int64_t
stop_wait_ms(const struct stop_context *s, int64_t most)
{
	int64_t left = s->deadline_ms - clock_mono_ms();

	if (s->deadline_ms == 0 || left > most)
		return most;
	return left > 0 ? left : 0;
}

bool
stop_told_before(struct stop_context *s, enum session_told what)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };

	if (s->event->session_id.n == 0 || stop_session(s, STR_NONE, true, &session, IGNORED) < 0)
		return false;
	if (session.is_told[what] || s->is_dry)
		return session.is_told[what];
	session.is_told[what] = true;
	(void)(session_save(s->arena, &session, IGNORED) == 0); /* else the user is told once more */
	return false;
}

void
stop_add_warning(struct stop_context *s, struct str text)
{
	buf_cat(&s->warnings, text, "\n");
}

void
stop_warn_pinned(struct stop_context *s, struct str differs, struct str root)
{
	stop_warn(s, "the definitions differ from the pinned ones, which are used: ", differs,
		  "; 'holdfast trust ", root, "' accepts the change");
}

/* An error ends the chain too: no later policy is asked after a question that has no answer. */
static bool
is_final(enum status s)
{
	return status_blocks(s) || s == STATUS_INFRASTRUCTURE_ERROR || s == STATUS_ERROR;
}

/* A policy that allowed the stop may have news, such as that the loop is complete. A later verdict must not hide it. */
static struct str
with_news(struct stop_context *s, const struct verdict *v, struct str news)
{
	if (str_ends(news, STR(".")))
		news.n--;
	return news.n > 0 ? str_cat(s->arena, news, "; ", verdict_message(v)) : v->message;
}

static int
strictness(enum status s)
{
	return status_blocks(s) ? STATUS_COUNT
	       : is_final(s)    ? STATUS_COUNT - 1
				: (int)status_rows[s].audience;
}

/* Asks a policy about each configuration, until one blocks. */
static bool
ask(struct stop_context *s, const struct policy *p, struct verdict *ret)
{
	bool is_mine = false;

	s->asked = p->id;
	for (size_t i = 0; i < STOP_CONFIGS; i++) {
		struct verdict v = { 0 };

		if (i > 0 && i >= s->gates.count && i >= s->config_count)
			break;
		s->gates_source = i < s->gates.count ? s->gates.items[i] : NULL;
		if (s->config_count > 0)
			s->policies = i < s->config_count ? s->configs[i] : NULL;
		if (!p->decide(s, &v) || (is_mine && strictness(v.status) <= strictness(ret->status)))
			continue;
		*ret = v;
		is_mine = true;
		if (status_blocks(v.status) || !p->asks_all)
			break;
	}
	return is_mine;
}

bool
chain_ask_gates(struct stop_context *s, struct verdict *ret)
{
	static const struct policy gates = { POLICY_GATES, gates_policy, .asks_all = true };
	const struct source *source = s->gates_source;
	const struct policies *policies = s->policies;
	bool is_mine = s->gates.count > 0 && ask(s, &gates, ret);

	s->gates_source = source;
	s->policies = policies;
	return is_mine;
}

static void
add_step(struct stop_context *s, enum stop_policy policy, const struct verdict *v)
{
	if (s->step_count < COUNT_OF(s->steps))
		s->steps[s->step_count++] = (struct stop_step){ policy, *v };
}

bool
stop_is_off(struct stop_context *s, struct verdict *ret)
{
	struct str root = project_root(&s->where);
	int64_t until_ms;

	if (!off_is_set(s->arena, root, clock_real_us() / 1000, &until_ms))
		return false;
	struct str end = until_ms == OFF_NO_END ? STR("you type 'holdfast on'")
						: clock_format_seconds(s->arena, until_ms * 1000);

	*ret = verdict_of(STATUS_OFF, str_cat(s->arena, "holdfast is off in ", root, " until ", end,
					      ", so nothing was checked"));
	return true;
}

struct verdict
chain_decide(struct stop_context *s)
{
	struct verdict verdict = {
		.status = s->unread.s                     ? STATUS_INVALID_INPUT
			  : s->event->is_stop_hook_active ? STATUS_STOP_HOOK_ACTIVE
							  : STATUS_NO_CONFIG,
		.message = s->unread,
	};

	if (s->front_end == FRONT_END_HOLDFAST && verdict.status == STATUS_STOP_HOOK_ACTIVE)
		verdict.message = status_text(verdict.status, &dialects[DIALECT_HOLDFAST]);
	struct str news = STR_NONE;

	if (stop_is_off(s, &verdict)) {
		add_step(s, POLICY_OFF, &verdict);
		return verdict;
	}
	for (size_t i = 0; i < COUNT_OF(chain); i++) {
		struct verdict v = { 0 };

		bool is_asked = chain[i].front_ends & 1u << s->front_end &&
				(!s->unread.s || chain[i].id == POLICY_GATES);

		if (!is_asked || !ask(s, &chain[i], &v))
			continue;
		add_step(s, chain[i].id, &v);
		v.message = with_news(s, &v, news);
		if (status_rows[v.status].audience != AUDIENCE_NONE && !v.is_quiet)
			news = verdict_message(&v);
		verdict = v;
		if (is_final(v.status))
			break;
	}
	/* The journal ends with what has really happened: a stop that nothing holds any more is in it, too. */
	if (s->step_count == 0 && s->gates.count + s->config_count > 0) {
		if (s->front_end == FRONT_END_HOLDFAST)
			verdict.message = STR("nothing here blocks the stop: no policy applies now");
		add_step(s, POLICY_NONE, &verdict);
	}
	if (s->untrusted_root.s && !status_blocks(verdict.status)) {
		struct verdict v = not_trusted_verdict(s);

		v.message = with_news(s, &v, news);
		add_step(s, POLICY_TRUST, &v);
		if (!v.is_quiet || news.n == 0)
			verdict = v;
	}
	/* Some clients allow the stop if a block has no reason. No answer carries NUL bytes. */
	if (status_blocks(verdict.status) &&
	    str_trim(str_replace(s->arena, verdict.reason, STR("\0"), STR(""))).n == 0)
		verdict.reason = verdict_message(&verdict);
	struct verdict limited = block_limit(s, verdict);

	if (limited.status != verdict.status)
		add_step(s, POLICY_BLOCK_LIMIT, &limited);
	return limited;
}
