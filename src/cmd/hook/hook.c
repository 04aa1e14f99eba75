/* SPDX-License-Identifier: MIT */
/* holdfast hook EVENT: handles the events that matter, and answers all others with silence. */
#include "base/nearest.h"
#include "client/tool.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/hook/hook_io.h"
#include "os/exit_reply.h"
#include "policy/events.h"

/* An error here must not disturb the client: it goes to stderr, and the exit code is 0. */
static int
report(struct arena *a, const char *what)
{
	hook_stderr(a, "holdfast: ", what, "\n");
	return 0;
}

static bool
is_work(const struct event_row *row)
{
	return row->id == EVENT_UserPromptSubmit || row->id == EVENT_SessionStart;
}

/* The client takes what it does not understand for silence. */
static int
answer(const struct stop_context *s, const struct event_answer *e)
{
	struct reply_notes notes = hook_notes(s);
	struct reply r;

	notes.speaker = "holdfast";
	if (e->row->id == EVENT_WorktreeCreate && !e->output.s) {
		hook_stderr(s->arena, "holdfast: ",
			    e->reason.s ? e->reason
					: STR("no command for worktrees is configured; remove this "
					      "hook, and the client makes them itself"),
			    "\n");
		return 1;
	}
	r = s->client->event_reply(s->arena, e, &notes);
	return hook_answer(&r);
}

static int
on_event(struct arena *a, const struct invocation *inv, const struct event *event,
	 const struct event_row *row, const struct node *payload)
{
	struct stop_context s = { .front_end = FRONT_END_HOLDFAST,
				  .is_from_plugin = option_has(inv, "plugin"),
				  .row = row,
				  .payload = payload,
				  .tool = tool_read(a, payload) };
	struct err err;

	if (is_work(row) && event->is_subagent)
		return 0;
	stop_context_init(&s, a, event);
	if (hook_deadline(inv, event->client->deadline_s, &s.deadline_ms, &err) < 0)
		return report(a, err.msg);
	struct event_answer e = events_decide(&s);

	if (is_work(row) && !e.is_blocked) {
		/* At a prompt, and at the start of a session, which has no prompt yet. */
		bool has_prompt = row->id == EVENT_UserPromptSubmit;

		for (size_t i = 0; has_prompt && i < s.config_count; i++) {
			s.policies = s.configs[i];
			follow_up_store_prompt(&s);
		}
		bool is_users = has_prompt && block_limit_prompt(&s);

		if (has_prompt)
			loop_hear(&s, /* error= */ STR_NONE);
		gates_note_start(&s);
		guarded_note_work(&s, is_users);
	}
	struct str error = row->id == EVENT_StopFailure ? node_get_str(payload, "error") : STR_NONE;

	if (error.s)
		loop_hear(&s, error);
	int exit_code = answer(&s, &e);

	event_note(&s, &e, inv->started_ms);
	return exit_code;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct str name = inv->args[0];
	const struct event_row *row = event_find(name);
	struct node payload;
	struct event event;
	struct err err;

	if (str_is(name, "Stop"))
		return stop_hook_run(a, inv, FRONT_END_HOLDFAST);
	if (!row) {
		struct str near[NEAREST_MAX] = { 0 };
		bool has_near = nearest(name, event_names, event_name_count, near) > 0;

		return usage_error(inv, "unknown event '", name, has_near ? "'; did you mean '" : "'",
				   near[0], has_near ? "'?" : "");
	}
	if (!hook_is_called_by_client(inv))
		return 1;
	if (hook_is_nested())
		return 0;
	exit_reply_prepare(STR(""), 0);
	if (hook_read_event(a, inv, &payload, &event, &err) < 0)
		return report(a, err.msg);
	int exit_code = on_event(a, inv, &event, row, &payload);

	/* The commands may still have wanted what is stored for the session. Files that can't be removed are small and harmless. */
	if (row->id == EVENT_SessionEnd && event.session_id.n > 0 && !event.is_subagent &&
	    hook_forget_session(a, event.session_id, &err) < 0)
		return report(a, err.msg);
	return exit_code;
}

static const char *const choices[] = {
#define EVENT(name, ...) #name,
#include "model/event.def"
	NULL,
};

const struct command hook_command = {
	.name = "hook",
	.summary = "handle any hook event of the client",
	.details = HELP_HOOK,
	.args = "EVENT",
	.least_args = 1,
	.most_args = 1,
	.arg_choices = choices,
	TAKES(CLIENT_OPTION, DEADLINE_OPTION,
	      FLAG("plugin", "for the plugin, which is registered for all projects")),
	.run = run,
};
