/* SPDX-License-Identifier: MIT */
/* The chain: the policies in their order, and which front ends ask them. Knows nothing about what they do. */
#include "policy/chain.h"

#include "os/clock.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "policy/block_limit.h"
#include "policy/policies.h"
#include "policy/sources.h"
#include "store/off.h"
#include "store/session.h"

#define FOR(front_end) (1u << (front_end))

/* Of two configurations, ASKS_FIRST asks the first that has something to say: what it counts belongs to the session.
 * ASKS_ALL asks both, and the stricter verdict counts. */
enum asks { ASKS_FIRST, ASKS_ALL };

static const struct policy {
	enum stop_policy id;
	policy_fn *decide;
	unsigned front_ends;
	enum asks asks;
} chain[] = {
	/* It costs little, and a loop may go on for long. */
	{ POLICY_PROTECTED, protected_policy, FOR(FRONT_END_HOLDFAST), ASKS_ALL },
	{ POLICY_LOOP, loop_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_RALPH), ASKS_FIRST },
	{ POLICY_FOLLOW_UPS, follow_up_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE),
	  ASKS_FIRST },
	{ POLICY_TODOS, todos_policy, FOR(FRONT_END_HOLDFAST), ASKS_FIRST },
	{ POLICY_COMMANDS, commands_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE), ASKS_ALL },
	{ POLICY_TESTS, tests_policy, FOR(FRONT_END_HOLDFAST), ASKS_ALL },
	{ POLICY_GATES, gates_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_GAUNTLET), ASKS_ALL },
	{ POLICY_ROUNDS, rounds_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE), ASKS_FIRST },
	{ POLICY_INFINITE, infinite_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE), ASKS_FIRST },
};

const char *const policy_names[] = {
	[POLICY_OFF] = "off",
	[POLICY_PROTECTED] = "protected",
	[POLICY_TESTS] = "tests",
	[POLICY_LOOP] = "loop",
	[POLICY_FOLLOW_UPS] = "follow_ups",
	[POLICY_TODOS] = "todos",
	[POLICY_COMMANDS] = "commands",
	[POLICY_GATES] = "gates",
	[POLICY_ROUNDS] = "rounds",
	[POLICY_INFINITE] = "infinite",
	[POLICY_TRUST] = "trust",
	[POLICY_BLOCK_LIMIT] = "block_limit",
	[POLICY_GUARDS] = "guards",
	[POLICY_EVENTS] = "events",
	[POLICY_COUNT] = NULL,
};

void
stop_context_init(struct stop_context *s, struct arena *a, const struct event *event, struct stop_call call)
{
	struct str start = event->cwd;

	if (!str_starts(start, STR("/")) || fs_kind(str_copy(a, start).s) != FS_DIR)
		start = fs_cwd(a);
	*s = (struct stop_context){
		.arena = a,
		.front_end = call.front_end,
		.is_for_all_projects = call.is_for_all_projects,
		.is_dry = call.is_dry,
		.client = event->client,
		.event = event,
		.is_main = !event->is_subagent,
		.progress = BUF(a, SIZE_MAX),
		.details = BUF(a, SIZE_MAX),
		.warnings = BUF(a, SIZE_MAX),
		.would_run = BUF(a, SIZE_MAX),
	};
	project_find(&s->where, start, WITHIN_REPOSITORY);
	if (call.front_end == FRONT_END_HOLDFAST || call.front_end == FRONT_END_GAUNTLET)
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
	struct reply r = stop_reply(s, v, &none);

	exit_reply_prepare(r.out, r.exit_code);
	if (s->event) /* else it is not known what is decided on */
		stop_note_prepare(s, v);
}

void
stop_prepare_interrupted(const struct stop_context *s)
{
	stop_prepare(s, &(struct verdict){
				.status = STATUS_ERROR,
				.message = STR(
					"⚠ Stop hook error — the hook was interrupted before it had decided"),
			});
}

struct str
stop_owner(const struct stop_context *s, struct str root)
{
	return s->event->session_id.n > 0 ? s->event->session_id : root;
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
stop_told_before(struct stop_context *s, enum stop_notice notice)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err ignored;

	if (s->event->session_id.n == 0 ||
	    session_open(s->arena, s->event->session_id, !s->is_dry, stop_wait_ms(s, SESSION_LOCK_MS),
			 &session, &ignored) < 0)
		return false;
	bool *is_told = notice == STOP_NOTICE_LOOP ? &session.is_told_of_loop : &session.is_told_untrusted;

	if (*is_told || s->is_dry)
		return *is_told;
	*is_told = true;
	(void)(session_save(s->arena, &session, &ignored) == 0); /* else the user is told once more */
	return false;
}

void
stop_warn(struct stop_context *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	buf_add(&s->warnings, str_vfmt(s->arena, fmt, args));
	va_end(args);
	buf_addc(&s->warnings, '\n');
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
	struct str message = v->message.s ? v->message : status_message(v->status);

	if (str_ends(news, STR(".")))
		news.n--;
	return news.n > 0 ? str_fmt(s->arena, STR_FMT "; " STR_FMT, STR_ARG(news), STR_ARG(message))
			  : v->message;
}

/* Only white space, and NUL bytes, which no answer carries. */
static bool
is_blank_text(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] != '\0' && !str_is_blank(text.s[i]))
			return false;
	return true;
}

static int
strictness(enum status s)
{
	return status_blocks(s) ? STATUS_COUNT : is_final(s) ? STATUS_COUNT - 1 : (int)status_audience(s);
}

/* Asks a policy about each configuration, until one blocks. */
static bool
ask(struct stop_context *s, const struct policy *p, struct verdict *ret)
{
	bool is_mine = false;

	s->asked = p->id;
	for (size_t i = 0; i < STOP_CONFIGS; i++) {
		struct verdict v = { 0 };

		if (i > 0 && i >= s->gates_count && i >= s->config_count)
			break;
		s->gates_source = i < s->gates_count ? s->gates[i] : NULL;
		if (s->config_count > 0)
			s->conclaude = i < s->config_count ? s->configs[i] : NULL;
		if (!p->decide(s, &v) || (is_mine && strictness(v.status) <= strictness(ret->status)))
			continue;
		*ret = v;
		is_mine = true;
		if (status_blocks(v.status) || p->asks == ASKS_FIRST)
			break;
	}
	return is_mine;
}

bool
chain_ask_gates(struct stop_context *s, struct verdict *ret)
{
	static const struct policy gates = { POLICY_GATES, gates_policy, 0, ASKS_ALL };
	const struct source *source = s->gates_source;
	const struct conclaude_config *conclaude = s->conclaude;
	bool is_mine = s->gates_count > 0 && ask(s, &gates, ret);

	s->gates_source = source;
	s->conclaude = conclaude;
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

	*ret = (struct verdict){
		.status = STATUS_OFF,
		.message = str_fmt(s->arena,
				   "holdfast is off in " STR_FMT " until " STR_FMT ", so nothing was checked",
				   STR_ARG(root), STR_ARG(end)),
	};
	return true;
}

struct verdict
chain_decide(struct stop_context *s)
{
	struct verdict verdict = {
		.status = s->event->is_stop_hook_active ? STATUS_STOP_HOOK_ACTIVE : STATUS_NO_CONFIG,
	};

	if (s->front_end == FRONT_END_HOLDFAST && verdict.status == STATUS_STOP_HOOK_ACTIVE)
		verdict.message = status_native_message(verdict.status);
	struct str news = STR_NONE;

	if (stop_is_off(s, &verdict)) {
		add_step(s, POLICY_OFF, &verdict);
		return verdict;
	}
	for (size_t i = 0; i < COUNT_OF(chain); i++) {
		struct verdict v = { 0 };

		if (!(chain[i].front_ends & FOR(s->front_end)) || !ask(s, &chain[i], &v))
			continue;
		add_step(s, chain[i].id, &v);
		v.message = with_news(s, &v, news);
		if (status_audience(v.status) != AUDIENCE_NONE && !v.is_quiet)
			news = v.message.s ? v.message : status_message(v.status);
		verdict = v;
		if (is_final(v.status))
			break;
	}
	if (s->untrusted_root.s && !status_blocks(verdict.status)) {
		struct verdict v = not_trusted_verdict(s);

		v.message = with_news(s, &v, news);
		add_step(s, POLICY_TRUST, &v);
		if (!v.is_quiet || news.n == 0)
			verdict = v;
	}
	/* Some clients allow the stop if a block has no reason. */
	if (status_blocks(verdict.status) && is_blank_text(verdict.reason))
		verdict.reason = verdict.message.s ? verdict.message : status_message(verdict.status);
	struct verdict limited = block_limit(s, verdict);

	if (limited.status != verdict.status)
		add_step(s, POLICY_BLOCK_LIMIT, &limited);
	return limited;
}
