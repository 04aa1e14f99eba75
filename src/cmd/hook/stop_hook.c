/* SPDX-License-Identifier: MIT */
/* holdfast stop-hook: the decision on a stop, from stdin to stdout. Any doubt lets the agent stop and says why. */
#include "cmd/hook/stop_hook.h"

#include "cmd/commands.h"
#include "cmd/hook/hook_double.h"
#include "cmd/hook/hook_io.h"
#include "os/clock.h"
#include "os/lastwords.h"

#define GAUNTLET_DEADLINE_S 290
/* How the gates' policy begins, too. */
#define ERROR_WORDS "⚠ Stop hook error — "

/* One stop under way: who asks, and whom. */
struct asked {
	struct arena *arena;
	enum door door;
	const struct client *client;
};

/* The Ralph loop's own door has an older dialect, for the client that it was made for. */
static reply_fn *
dialect(const struct asked *q)
{
	return q->door == DOOR_RALPH && q->client == &client_claude ? reply_ralph : q->client->reply;
}

static struct verdict
verdict(enum status status, struct str message)
{
	return (struct verdict){ .status = status, .message = message };
}

/* What is known before the chain is asked; false: nothing is. */
static bool
is_settled(struct arena *a, const struct event *e, struct verdict *ret)
{
	if (e->is_subagent) {
		*ret = verdict(STATUS_SUBAGENT, STR_NONE);
		return true;
	}
	if (e->name.n > 0 && !str_is(e->name, "Stop")) {
		*ret = verdict(STATUS_INVALID_INPUT,
			       str_fmt(a, "the hook's input is the event '" STR_FMT "', not a stop",
				       STR_ARG(e->name)));
		return true;
	}
	if (e->is_given_up) {
		*ret = verdict(STATUS_NO_CONFIG, STR("the turn was ended by the user or by an error"));
		return true;
	}
	if (e->client->block_cap > 0 && e->follow_ups >= e->client->block_cap) {
		*ret = verdict(STATUS_RETRY_LIMIT_EXCEEDED,
			       str_fmt(a, "%s allows %llu follow-ups in a turn, and there were as many",
				       e->client->title, (unsigned long long)e->client->block_cap));
		return true;
	}
	return false;
}

static int
answer(const struct asked *q, struct verdict v, const struct reply_notes *notes)
{
	struct reply r = dialect(q)(q->arena, &v, notes);

	return hook_answer(&r);
}

/* What is said if we are ended before there is a decision. */
static void
begin(const struct asked *q)
{
	struct verdict v = verdict(STATUS_ERROR,
				   STR(ERROR_WORDS "the hook was interrupted before it had decided"));
	struct reply_notes none = { 0 };

	lastwords_prepare(dialect(q)(q->arena, &v, &none).out, 0);
}

/* agent-gauntlet registers its hook with a timeout of 300 seconds, whatever the client would allow. */
static int64_t
usual_deadline_s(const struct asked *q)
{
	int64_t allowed_s = q->client->deadline_s;

	return q->door == DOOR_GAUNTLET && allowed_s > GAUNTLET_DEADLINE_S ? GAUNTLET_DEADLINE_S : allowed_s;
}

static int
decide(const struct asked *q, const struct event *event, int64_t deadline_ms)
{
	struct stop stop;

	stop_prepare(&stop, q->arena, event, q->door);
	stop.deadline_ms = deadline_ms;
	struct verdict v = chain_decide(&stop);
	struct reply_notes notes = hook_notes(&stop);

	return answer(q, v, &notes);
}

/* Does the same stop reach another registration of ours, which is the one that decides? */
static bool
is_decided_elsewhere(struct arena *a, const struct invocation *inv, const struct event *event, enum door door)
{
	return (!option_has(inv, "client") && hook_is_double(a, event, door)) ||
	       (option_has(inv, "plugin") && hook_is_in_settings(a, event)) ||
	       (door == DOOR_HOLDFAST && !option_has(inv, "user") && hook_is_users(a, event));
}

int
stop_hook_run(struct arena *a, const struct invocation *inv, enum door door)
{
	int64_t started_ms = clock_mono_ms(), deadline_ms;
	struct asked q = { a, door, hook_client(inv, NULL) };
	struct reply_notes none = { 0 };
	struct event event;
	struct verdict v;
	struct err err;

	if (!hook_is_called_by_client(inv))
		return 1;
	begin(&q);
	if (hook_is_nested())
		return answer(&q, verdict(STATUS_STOP_HOOK_ACTIVE, STR_NONE), &none);
	if (hook_read_event(a, inv, NULL, &event, &err) < 0) {
		struct str why = status_message(STATUS_INVALID_INPUT);

		return answer(
			&q, verdict(STATUS_INVALID_INPUT, str_fmt(a, STR_FMT " (%s)", STR_ARG(why), err.msg)),
			&none);
	}
	if (event.client != q.client) {
		q.client = event.client;
		begin(&q);
	}
	if (hook_deadline(inv, usual_deadline_s(&q), started_ms, &deadline_ms, &err) < 0)
		return answer(&q, verdict(STATUS_ERROR, str_fmt(a, ERROR_WORDS "%s", err.msg)), &none);
	if (is_settled(a, &event, &v))
		return answer(&q, v, &none);
	if (is_decided_elsewhere(a, inv, &event, door)) {
		struct reply silence = { STR(""), STR(""), 0 };

		return hook_answer(&silence);
	}
	return decide(&q, &event, deadline_ms);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	return stop_hook_run(a, inv, DOOR_HOLDFAST);
}

static const struct option_row options[] = {
	CLIENT_OPTION,
	DEADLINE_OPTION,
	{ .name = "user",
	  .help = "for your own settings: a project's registration leaves the decision to this one" },
	{ .name = "plugin",
	  .help = "for the plugin: say nothing where holdfast is in Claude Code's settings, too" },
};

const struct command stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop: the hook itself",
	.details =
		"Reads a Stop event as JSON from stdin and answers with one line of JSON. The policies are "
		"asked in "
		"this order, and the first that blocks wins: the Ralph loop, queued follow-up messages, stop "
		"commands, gates, rounds, infinite mode.\n\n"
		"The client is told by the event's own fields and by the environment; what bears no other "
		"client's marks is Claude Code's. Each gets the answer that it understands. With --client "
		"generic the reason of a block is in JSON on stdout and alone on stderr, and the exit code "
		"is 2; silence lets the agent stop.\n\n"
		"Otherwise the exit code is 0 whatever happens. Any doubt lets the agent stop and says why.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

static const struct option_row one_policy_options[] = { CLIENT_OPTION, DEADLINE_OPTION };

static int
run_gauntlet(struct arena *a, const struct invocation *inv)
{
	return stop_hook_run(a, inv, DOOR_GAUNTLET);
}

const struct command gauntlet_stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop, by the gates alone",
	.options = one_policy_options,
	.option_count = COUNT_OF(one_policy_options),
	.run = run_gauntlet,
};

static int
run_ralph(struct arena *a, const struct invocation *inv)
{
	return stop_hook_run(a, inv, DOOR_RALPH);
}

const struct command ralph_hook_command = {
	.name = "hook",
	.summary = "decide whether the agent may stop, by the Ralph loop alone",
	.details = "For a client that runs only the Ralph loop's hook: the answer has decision, reason and "
		   "systemMessage, "
		   "and is empty where there is nothing to say.",
	.options = one_policy_options,
	.option_count = COUNT_OF(one_policy_options),
	.run = run_ralph,
};
