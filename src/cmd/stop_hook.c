/* SPDX-License-Identifier: MIT */
/* holdfast stop-hook: the decision on a stop, from stdin to stdout. Any doubt lets the agent stop and says why. */
#include "cmd/stop_hook.h"

#include "cmd/commands.h"
#include "cmd/hook_io.h"

typedef struct reply reply_fn(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

static reply_fn *
dialect(enum door door)
{
	return door == DOOR_RALPH ? reply_ralph : reply_decision;
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
	return false;
}

static int
answer(struct arena *a, enum door door, struct verdict v, const struct reply_notes *notes)
{
	struct reply r = dialect(door)(a, &v, notes);

	return hook_answer(&r);
}

int
stop_hook_run(struct arena *a, const struct invocation *inv, enum door door)
{
	struct reply_notes none = { 0 };
	struct event event;
	int64_t deadline_ms;
	struct verdict v;
	struct err err;

	if (!hook_is_called_by_client(inv))
		return 1;
	v = verdict(STATUS_ERROR, STR("the hook was interrupted before it had decided"));
	hook_begin(dialect(door)(a, &v, &none).out, 0);
	if (hook_is_nested())
		return answer(a, door, verdict(STATUS_STOP_HOOK_ACTIVE, STR_NONE), &none);
	if (hook_deadline(inv, &deadline_ms, &err) < 0)
		return answer(a, door, verdict(STATUS_ERROR, str_from(err.msg)), &none);
	if (hook_read_event(a, NULL, &event, &err) < 0) {
		struct str why = status_message(STATUS_INVALID_INPUT);

		return answer(
			a, door,
			verdict(STATUS_INVALID_INPUT, str_fmt(a, STR_FMT ": %s", STR_ARG(why), err.msg)),
			&none);
	}
	if (is_settled(a, &event, &v))
		return answer(a, door, v, &none);
	struct stop stop;

	stop_prepare(&stop, a, &event, door);
	stop.deadline_ms = deadline_ms;
	v = chain_decide(&stop);
	struct reply_notes notes = hook_notes(&stop);

	return answer(a, door, v, &notes);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	return stop_hook_run(a, inv, DOOR_HOLDFAST);
}

static const struct option_row options[] = { DEADLINE_OPTION };

const struct command stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop: the hook itself",
	.details =
		"Reads a Stop event as JSON from stdin and answers with one line of JSON. The policies are "
		"asked in "
		"this order, and the first that blocks wins: the Ralph loop, queued follow-up messages, stop "
		"commands, gates, rounds, infinite mode.\n\n"
		"The exit code is 0 whatever happens. Any doubt lets the agent stop and says why in "
		"`message`.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

static int
run_gauntlet(struct arena *a, const struct invocation *inv)
{
	return stop_hook_run(a, inv, DOOR_GAUNTLET);
}

const struct command gauntlet_stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop, by the gates alone",
	.options = options,
	.option_count = COUNT_OF(options),
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
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run_ralph,
};
