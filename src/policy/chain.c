/* SPDX-License-Identifier: MIT */
/* The chain: the policies in their order, and which front ends ask them. Knows nothing about what they do. */
#include "policy/chain.h"

#include "loop/loop.h"
#include "os/clock.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "policy/block_limit.h"
#include "policy/policies.h"

#define FOR(front_end) (1u << (front_end))

static bool
loop_policy(struct stop_context *s, struct verdict *ret)
{
	return s->is_main && loop_stop(s->arena, &s->where, s->event, ret);
}

static const struct {
	policy_fn *decide;
	unsigned front_ends;
} chain[] = {
	{ loop_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_RALPH) },
	{ follow_up_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE) },
	{ commands_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE) },
	{ gates_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_GAUNTLET) },
	{ rounds_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE) },
	{ infinite_policy, FOR(FRONT_END_HOLDFAST) | FOR(FRONT_END_CONCLAUDE) },
};

static void
load_conclaude(struct stop_context *s)
{
	struct conclaude_config *config = arena_new(s->arena, struct conclaude_config);
	struct str path = conclaude_find(s->arena, s->where.dirs, s->where.count);
	struct err err;

	if (!path.s)
		return;
	if (conclaude_load(s->arena, path, config, &err) < 0)
		stop_warn(s, "%s; its policies are skipped", err.msg);
	else
		s->conclaude = config;
}

void
stop_context_init(struct stop_context *s, struct arena *a, const struct event *event,
		  enum front_end front_end)
{
	struct str start = event->cwd;

	if (!str_starts(start, STR("/")) || fs_kind(str_copy(a, start).s) != FS_DIR)
		start = fs_cwd(a);
	*s = (struct stop_context){
		.arena = a,
		.front_end = front_end,
		.client = event->client,
		.event = event,
		.is_main = !event->is_subagent,
		.progress = BUF(a, SIZE_MAX),
		.details = BUF(a, SIZE_MAX),
		.warnings = BUF(a, SIZE_MAX),
	};
	project_find(&s->where, start, WITHIN_REPOSITORY);
	if (front_end == FRONT_END_HOLDFAST)
		load_conclaude(s);
}

struct reply
stop_reply(const struct stop_context *s, const struct verdict *v, const struct reply_notes *notes)
{
	/* `holdfast ralph hook` answers Claude Code in the older dialect of the Ralph plugin. */
	bool is_old = s->front_end == FRONT_END_RALPH && s->client == &client_claude;

	return (is_old ? reply_ralph : s->client->reply)(s->arena, v, notes);
}

void
stop_prepare(const struct stop_context *s, const struct verdict *v)
{
	struct reply_notes none = { 0 };
	struct reply r = stop_reply(s, v, &none);

	exit_reply_prepare(r.out, r.exit_code);
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

struct verdict
chain_decide(struct stop_context *s)
{
	struct verdict verdict = {
		.status = s->event->is_stop_hook_active ? STATUS_STOP_HOOK_ACTIVE : STATUS_NO_CONFIG,
	};
	struct str news = STR_NONE;

	for (size_t i = 0; i < COUNT_OF(chain); i++) {
		struct verdict v = { 0 };

		if (!(chain[i].front_ends & FOR(s->front_end)) || !chain[i].decide(s, &v))
			continue;
		v.message = with_news(s, &v, news);
		if (status_audience(v.status) != AUDIENCE_NONE)
			news = v.message.s ? v.message : status_message(v.status);
		verdict = v;
		if (is_final(v.status))
			break;
	}
	/* Some clients allow the stop if a block has no reason. */
	if (status_blocks(verdict.status) && is_blank_text(verdict.reason))
		verdict.reason = verdict.message.s ? verdict.message : status_message(verdict.status);
	return block_limit(s, verdict);
}
