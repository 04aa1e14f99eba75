/* SPDX-License-Identifier: MIT */
/* holdfast hook EVENT: handles the events that matter, and answers all others with silence. */
#include "base/nearest.h"
#include "cmd/commands.h"
#include "cmd/hook/hook_io.h"
#include "os/exit_reply.h"
#include "policy/block_limit.h"
#include "policy/gates.h"
#include "policy/policies.h"

/* An error here must not disturb the client: it goes to stderr, and the exit code is 0. */
static int
report(struct arena *a, const char *what)
{
	hook_stderr(a, "holdfast: %s\n", what);
	return 0;
}

static int
report_warnings(const struct stop_context *s)
{
	struct str warnings = buf_str(&s->warnings), line;

	while (str_next(&warnings, '\n', &line))
		(void)report(s->arena, str_fmt(s->arena, "warning: " STR_FMT, STR_ARG(line)).s);
	return 0;
}

/* At a prompt and at the start of a session, which has no prompt yet. */
static int
on_work(struct arena *a, const struct invocation *inv, const struct event *event)
{
	const struct stop_call call = { .front_end = FRONT_END_HOLDFAST,
					.is_for_all_projects = option_has(inv, "plugin") };
	struct stop_context stop;

	if (event->is_subagent)
		return 0;
	stop_context_init(&stop, a, event, call);
	bool has_prompt = !str_is(inv->args[0], "SessionStart");

	for (size_t i = 0; has_prompt && i < stop.config_count; i++) {
		stop.conclaude = stop.configs[i];
		follow_up_store_prompt(&stop);
	}
	if (has_prompt)
		block_limit_prompt(&stop);
	gates_note_start(&stop);
	return report_warnings(&stop);
}

static int
on_session_end(struct arena *a, const struct invocation *inv, const struct event *event)
{
	(void)inv;
	struct err err;

	if (event->session_id.n == 0 || event->is_subagent)
		return 0;
	/* Files that could not be removed are small and harmless. */
	if (hook_forget_session(a, event->session_id, &err) < 0)
		return report(a, err.msg);
	return 0;
}

static const struct {
	const char *name;
	int (*act)(struct arena *a, const struct invocation *inv, const struct event *event);
} actions[] = {
	{ "UserPromptSubmit", on_work },
	{ "SessionStart", on_work },
	{ "SessionEnd", on_session_end },
};

static int
run(struct arena *a, const struct invocation *inv)
{
	struct str name = inv->args[0];
	struct event event;
	struct err err;

	if (str_is(name, "Stop"))
		return stop_hook_run(a, inv, FRONT_END_HOLDFAST);
	if (!str_is_among(name, event_names, event_name_count)) {
		struct str near[NEAREST_MAX];

		if (nearest(name, event_names, event_name_count, near) == 0)
			return command_misuse(inv, "unknown event '" STR_FMT "'", STR_ARG(name));
		return command_misuse(inv, "unknown event '" STR_FMT "'; did you mean '" STR_FMT "'?",
				      STR_ARG(name), STR_ARG(near[0]));
	}
	for (size_t i = 0; i < COUNT_OF(actions); i++) {
		if (!str_is(name, actions[i].name))
			continue;
		if (!hook_is_called_by_client(inv))
			return 1;
		if (hook_is_nested())
			return 0;
		exit_reply_prepare(STR(""), 0);
		return hook_read_event(a, inv, NULL, &event, &err) < 0 ? report(a, err.msg)
								       : actions[i].act(a, inv, &event);
	}
	return 0;
}

static const struct option_row options[] = {
	CLIENT_OPTION,
	DEADLINE_OPTION,
	{ .name = "plugin", .help = "for the plugin, which is registered for all projects" },
};
static const char *const choices[] = {
#define EVENT(name) #name,
#include "model/event.def"
#undef EVENT
	NULL,
};

const struct command hook_command = {
	.name = "hook",
	.summary = "handle any hook event of the client",
	.details =
		"Stop is the same as `holdfast stop-hook`. UserPromptSubmit stores a session's "
		"first prompt for the follow-up messages, resets the tries of the gates, and, like "
		"SessionStart, notes where work on the branch starts. SessionEnd removes what was stored for "
		"the session. For the client's other events, prints nothing and exits with 0.",
	.args = "EVENT",
	.least_args = 1,
	.most_args = 1,
	.arg_choices = choices,
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
