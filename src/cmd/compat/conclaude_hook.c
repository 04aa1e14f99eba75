/* SPDX-License-Identifier: MIT */
/* conclaude EVENT and conclaude Hooks EVENT: the same policies with conclaude's payload checks, lines on stdout and exit
 * codes. */
#include "client/tool.h"
#include "cmd/commands.h"
#include "cmd/compat/compat.h"
#include "cmd/hook/hook_io.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/exit_reply.h"
#include "policy/events.h"

/* An error lets the action proceed: never exit code 2. */
static int
fail(struct arena *a, const char *what)
{
	hook_stderr(a, what, "\n");
	return 1;
}

static int
read_payload(struct arena *a, const struct invocation *inv, const struct event_row *row,
	     struct node *ret_payload, struct event *ret, struct err *err)
{
	static const char *const required[] = { "session_id", "transcript_path", "hook_event_name", "cwd" };
	bool is_read = hook_read_event(a, inv, ret_payload, ret, err) == 0;

	for (size_t i = 0; i < COUNT_OF(required) && is_read; i++)
		is_read = node_get_str(ret_payload, required[i]).s;
	if (!is_read)
		return err_set(err, ERR_VALUE, "Failed to parse JSON payload from stdin");
	for (size_t i = 0; i < COUNT_OF(required); i++)
		if (node_get_str(ret_payload, required[i]).n == 0)
			return err_set(err, ERR_VALUE, "Missing required field: %s", required[i]);
	return event_check(row, ret_payload, err);
}

/* Searches from the current directory up to the root, as conclaude does. */
static int
load_config(struct stop_context *s, struct err *err)
{
	struct policies *config = arena_new(s->arena, struct policies);
	struct source source;

	project_find(&s->where, fs_cwd(s->arena), ACROSS_REPOSITORIES);
	struct str path = conclaude_find(s->arena, s->where.dirs, s->where.count);

	if (!path.s) {
		/* The searched files are listed after the error. */
		conclaude_add_places(&s->details, &s->where);
		return err_set(err, ERR_VALUE, "Configuration file not found.");
	}
	source_find(s->arena, path_parent(path), &source);
	if (source.problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(source.problem));
	if (source.is_pinned)
		path = path_join(s->arena, source.dir, path_base(path));
	if (source.differs.s)
		stop_warn_pinned(s, source.differs, source.root);
	if (conclaude_load(s->arena, path, STR_NONE, config, NULL, err) < 0)
		return -1;
	config->dir = source.root;
	s->policies = config;
	return 0;
}

static void
print_processing(struct stop_context *s, const char *name)
{
	buf_cat(&s->progress, "Processing ", name, " hook: session_id=", s->event->session_id, "\n");
}

static int
answer(struct stop_context *s, struct verdict v)
{
	struct reply_notes notes = hook_notes(s);
	struct reply r = reply_conclaude(s->arena, &v, &notes);

	return hook_answer(&r);
}

static int
on_event(struct arena *a, const struct invocation *inv, const struct event *event,
	 const struct event_row *row, const struct node *payload)
{
	struct stop_context s = { .front_end = FRONT_END_CONCLAUDE };
	struct event_answer e = { .row = row };
	bool is_worktree = row->id == EVENT_WorktreeCreate;
	struct err err;

	stop_context_init(&s, a, event);
	if (row->id == EVENT_SessionEnd) {
		print_processing(&s, row->name.s);
		if (hook_forget_session(a, event->session_id, &err) < 0)
			stop_warn(&s, err.msg);
		return answer(&s, (struct verdict){ .status = STATUS_NO_CONFIG });
	}
	s.agent = option_str(inv, "agent");
	if (!s.agent.s && env_has("CONCLAUDE_AGENT"))
		s.agent = env_get("CONCLAUDE_AGENT");
	/* An agent's own hooks run with its parent's session id, and must not use up the parent's follow-ups and rounds. */
	s.is_main = !event->is_subagent && s.agent.n == 0 &&
		    str_eq(event->name, str_from(inv->command->name));
	if (load_config(&s, &err) < 0) {
		/* Events that only send notifications work without a configuration. */
		if (row->section && !is_worktree && row->id != EVENT_PostToolUse &&
		    row->id != EVENT_SubagentStart) {
			hook_stderr(a, err.msg, "\n", buf_str(&s.details));
			return 1;
		}
		if (!is_worktree)
			buf_cat(&s.details, "Failed to load config for notification: ", err.msg, "\n");
	}
	if (hook_deadline(inv, event->client->deadline_s, &s.deadline_ms, &err) < 0)
		return fail(a, err.msg);
	if (row->id != EVENT_MessageDisplay)
		print_processing(&s, row->name.s);
	if (row->id == EVENT_Stop) {
		struct verdict v = chain_decide(&s);
		int exit_code = answer(&s, v);

		stop_note(&s, &v, inv->started_ms);
		return exit_code;
	}
	if (s.policies) {
		s.row = row;
		s.payload = payload;
		s.tool = tool_read(a, payload);
		e = events_decide(&s);
		if (row->id == EVENT_UserPromptSubmit && !e.is_blocked)
			follow_up_store_prompt(&s);
	}
	/* The answer to this event must be the path of a new worktree, so silence would be an unexplained failure. */
	if (is_worktree && !e.output.s)
		return fail(a, e.reason.s ? e.reason.s
					  : "holdfast makes no worktrees without 'worktreeCreate.command': "
					    "take 'conclaude Hooks WorktreeCreate' out of the settings, and "
					    "Claude Code makes them itself");
	struct reply_notes notes = hook_notes(&s);
	struct reply r = reply_event_conclaude(a, &e, &notes);

	return hook_answer(&r);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	const struct event_row *row = event_find(str_from(inv->command->name));
	struct node payload;
	struct event event;
	struct err err;

	if (!hook_is_called_by_client(inv))
		return 1;
	if (hook_is_nested())
		return 0;
	exit_reply_prepare(STR(""), 1);
	if (read_payload(a, inv, row, &payload, &event, &err) < 0)
		return fail(a, err.msg);
	return on_event(a, inv, &event, row, &payload);
}

static const struct option_row options[] = {
	VALUE("agent", "NAME", "the agent that the hook belongs to"),
	DEADLINE_OPTION,
};

/* Two rows per event: `conclaude Hooks Stop`, and `conclaude Stop` of the first versions. */
#define ROW(event, hidden)                                                                              \
	{                                                                                               \
		.name = #event, .summary = "handle the " #event " event", OPTIONS(options), .run = run, \
		.is_hidden = (hidden),                                                                  \
	}
#define EVENT(event, ...)                                                \
	static const struct command event##_command = ROW(event, false); \
	const struct command conclaude_##event##_command = ROW(event, true);
#include "model/event.def"

static const struct command *const events[] = {
#define EVENT(event, ...) &event##_command,
#include "model/event.def"
};

const struct command conclaude_hooks_command = {
	.name = "Hooks",
	.summary = "handle a hook event of the client",
	.details = "Reads the event as JSON from stdin. Exit code 0 allows the action, and 2 blocks "
		   "it with the message on stderr. 1 is an error, which also allows it.",
	SUBCOMMANDS(events),
};
