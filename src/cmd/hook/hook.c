/* SPDX-License-Identifier: MIT */
/* holdfast stop-hook: decides on a stop, from stdin to stdout. Whatever goes wrong lets the agent stop, with the reason. holdfast hook
 * EVENT: handles this event and the others that matter, and answers all others with silence. */
#include "client/tool.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/hook/hook_io.h"
#include "import/gates.h"
#include "os/env.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "policy/chain.h"
#include "policy/events.h"
#include "policy/policies.h"
#include "record/logdir.h"

/* agent-gauntlet registers its hook with a timeout of 300 seconds, whatever the client would allow. */
#define REGISTERED_DEADLINE_S 290

/* ---- a dry run ---- */

static struct str
dry_text(const struct stop_context *s, const struct verdict *v)
{
	bool runs = s->would_run.n > 0, blocks = status_blocks(v->status);
	/* What commands and gates would come to is not known. */
	bool is_open = runs && (v->status == STATUS_PASSED || v->status == STATUS_COMMANDS_PASSED);
	struct str message = verdict_message(v);
	struct buf b = BUF(s->arena, SIZE_MAX);

	buf_cat(&b, runs ? "This stop would run:\n" : "");
	buf_lines(&b, "  ", buf_str(&s->would_run));
	buf_cat(&b, runs ? "If all of it passes, the stop" : "The stop",
		blocks ? " would be blocked" : " would be allowed");
	if (is_open)
		buf_cat(&b, ".\n");
	else
		buf_cat(&b, " (", status_rows[v->status].name, "): ", strip_escapes(s->arena, message), "\n");
	if (blocks) {
		buf_cat(&b, "The agent would be told:\n");
		buf_lines(&b, "  ", strip_escapes(s->arena, v->reason));
	}
	buf_cat(&b, "Nothing was run, counted or written.\n");
	return buf_str(&b);
}

/* The event on stdin; where there is none, the stop of a session in this directory. */
static int
dry_event(struct arena *a, const struct invocation *inv, struct event *ret, struct err *err)
{
	struct node none = { .kind = NODE_MAP };
	struct str session = client_session(env_get);
	bool is_sent = !tty_is(STDIN_FILENO);

	if (is_sent && hook_read_event(a, inv, NULL, ret, err) == 0)
		return 0;
	if (is_sent && !str_is(str_from(err->msg), EVENT_EMPTY))
		return -1;
	*ret = client_event(hook_client(inv, &none), &none);
	ret->session_id = session.n > 0 ? session : STR("dry-run");
	return 0;
}

/* ---- answers ---- */

/* The answer to the client; of a dry run, what it would be, for people. */
static int
answer_with(const struct stop_context *s, const struct verdict *v)
{
	struct reply_notes notes = hook_notes(s);
	struct buf warnings = BUF(s->arena, SIZE_MAX);
	struct str lines = notes.warnings, line;

	while (s->is_dry && str_next(&lines, '\n', &line))
		buf_cat(&warnings, "holdfast: warning: ", strip_escapes_line(s->arena, line), "\n");
	struct reply r = s->is_dry ? (struct reply){ dry_text(s, v), buf_str(&warnings), 0 }
				   : stop_reply(s, v, &notes);

	return hook_answer(&r);
}

static int
answer(const struct stop_context *s, enum status status, struct str message)
{
	return answer_with(s, &(struct verdict){ .status = status, .message = message });
}

/* Allows the stops that no policy is asked about; false where the policies must decide. */
static bool
is_settled(struct arena *a, const struct event *e, struct verdict *ret)
{
	uint64_t cap = e->client->block_cap;

	if (e->is_subagent)
		*ret = verdict_of(STATUS_SUBAGENT, STR_NONE);
	else if (e->name.n > 0 && !str_is(e->name, "Stop"))
		*ret = verdict_of(STATUS_INVALID_INPUT,
				  str_cat(a, "the hook's input is the event '", e->name, "', not a stop"));
	else if (e->is_given_up)
		*ret = verdict_of(STATUS_NO_CONFIG, STR("the turn was ended by the user or by an error"));
	else if (cap > 0 && e->follow_ups >= cap)
		*ret = verdict_of(STATUS_RETRY_LIMIT_EXCEEDED,
				  str_cat(a, e->client->title, " allows ", cap,
					  " follow-ups per turn, and all of them are used"));
	else
		return false;
	return true;
}

/* Prints nothing for the client. For people there is a line on stderr, and one in the debug log if that is enabled. */
static int
step_aside(const struct stop_context *s, const struct event *event, struct str line)
{
	struct arena *a = s->arena;
	struct str start = str_starts(event->cwd, STR("/")) ? event->cwd : fs_cwd(a), root;
	struct stop_settings config;
	struct project_dirs where;

	line = strip_escapes_line(a, line);
	project_find(&where, start, WITHIN_REPOSITORY);
	root = gates_find(a, where.dirs, where.count);
	if (root.s && gates_load_hook(a, root, &config, IGNORED) == 0) {
		struct logdir logs = logdir_of(a, root, config.log_dir, config.dialect);
		struct debug_log log = debug_log_of(a, &config.sourced, &logs);

		debug_log(a, &log, "STOP_HOOK decision=none reason=registered_twice: " STR_FMT,
			  STR_ARG(line));
	}
	struct reply silence = {
		STR(""), str_cat(a, "holdfast: another registration decides on this stop: ", line, "\n"), 0
	};

	return hook_answer(&silence);
}

/* One that is too large, too deep or has too many values is a stop all the same, of which nothing is known. */
static int
read_stop(struct stop_context *s, const struct invocation *inv, struct event *ret, struct err *err)
{
	struct node none = { .kind = NODE_MAP };
	int result = s->is_dry ? dry_event(s->arena, inv, ret, err)
			       : hook_read_event(s->arena, inv, NULL, ret, err);

	if (result == 0 || s->is_dry || err->code != ERR_LIMIT)
		return result;
	*ret = client_event(hook_client(inv, &none), &none);
	s->unread = str_cat(s->arena, "⚠ the event can't be read (", err->msg, "), so nothing was checked");
	return 0;
}

/* Reads the event, asks the policies of the front end that was called, and answers in its dialect. */
static int
run_stop_hook(struct arena *a, const struct invocation *inv)
{
	enum front_end front_end = inv->command == &ralph_hook_command           ? FRONT_END_RALPH
				   : inv->command == &gauntlet_stop_hook_command ? FRONT_END_GAUNTLET
										 : FRONT_END_HOLDFAST;
	struct stop_context s = {
		.arena = a,
		.front_end = front_end,
		.client = hook_client(inv, NULL),
		.names_client = option_has(inv, "client"),
		.is_from_user = option_has(inv, "user"),
		.is_from_plugin = option_has(inv, "plugin"),
		.is_dry = option_has(inv, "dry-run"),
	};
	int64_t deadline_ms = 0;
	struct event event;
	struct verdict v;
	struct err err;

	if (!s.is_dry && !hook_is_called_by_client(inv))
		return 1;
	stop_prepare_interrupted(&s);
	/* A gate or a reviewer runs this session; agent-gauntlet has words of its own. */
	if (hook_is_nested())
		return answer(&s, STATUS_STOP_HOOK_ACTIVE,
			      front_end == FRONT_END_HOLDFAST
				      ? STR("nothing is checked: a gate or a review runs this agent")
				      : STR_NONE);
	bool is_read = read_stop(&s, inv, &event, &err) == 0;

	if (!is_read && s.is_dry)
		return command_error(inv, "the event on stdin can't be read: ", err.msg);
	if (!is_read)
		return answer(&s, STATUS_INVALID_INPUT,
			      str_cat(a, status_rows[STATUS_INVALID_INPUT].message, " (", err.msg, ")"));
	if (event.client != s.client) {
		s.client = event.client;
		stop_prepare_interrupted(&s);
	}
	int64_t usual_s = s.client->deadline_s;

	if (front_end == FRONT_END_GAUNTLET && usual_s > REGISTERED_DEADLINE_S)
		usual_s = REGISTERED_DEADLINE_S;
	if (!s.is_dry && hook_deadline(inv, usual_s, &deadline_ms, &err) < 0)
		return answer(&s, STATUS_ERROR, str_cat(a, STOP_HOOK_ERROR, err.msg));
	if (is_settled(a, &event, &v))
		return answer_with(&s, &v);
	struct str other = s.is_dry ? STR_NONE : registered_elsewhere(&s, &event);

	if (other.s)
		return step_aside(&s, &event, other);
	stop_context_init(&s, a, &event);
	s.deadline_ms = deadline_ms;
	v = chain_decide(&s);
	if (s.is_dry)
		return answer_with(&s, &v);
	notices_find(&s, &v);
	int exit_code = answer_with(&s, &v);

	stop_note(&s, &v, inv->started_ms);
	notices_send(&s);
	return exit_code;
}

const struct command stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop (the Stop hook)",
	.details = "Reads a Stop event as JSON from stdin and prints one answer. Asks the policies for "
#define POLICY(id, name, front_ends, asks, in_help, in_words) in_help ", "
#define OTHER(...)
#include "policy/policy.def"
		   "in this order; the first one that blocks decides.\n\n"
		   "The client is recognized by the fields of the event and by the environment, and gets an "
		   "answer in its own format. Events that match no other client are treated as Claude "
		   "Code's. With --client generic, a block prints the reason as JSON on stdout and as text "
		   "on stderr, with exit code 2; no output allows the stop.\n\n"
		   "Otherwise the exit code is always 0. If holdfast cannot decide, it lets the agent stop "
		   "and says why, unless a gate is known to fail.\n\n"
		   "With --dry-run no gate and no stop command runs: it says which would, and what would be "
		   "decided if they pass. No try, iteration, follow-up or round is counted. Without an event "
		   "on stdin it plays the stop of a new session in the current directory.",
	TAKES(CLIENT_OPTION, DEADLINE_OPTION,
	      FLAG("user", "for your own settings: this registration decides, and the project's does not"),
	      FLAG("plugin", "for the plugin: do nothing if Claude Code's settings also register holdfast"),
	      FLAG("dry-run", "say what would be decided and run, for people; run, count and write nothing")),
	.run = run_stop_hook,
};

const struct command gauntlet_stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop, by the gates alone",
	TAKES(CLIENT_OPTION, DEADLINE_OPTION),
	.run = run_stop_hook,
};

const struct command ralph_hook_command = {
	.name = "hook",
	.summary = "decide whether the agent may stop, by the Ralph loop alone",
	.details = "For a client that runs only the Ralph loop's hook. A block prints decision, reason and "
		   "systemMessage; if the loop does not block, the output may be empty.",
	TAKES(CLIENT_OPTION, DEADLINE_OPTION),
	.run = run_stop_hook,
};

/* ---- every event ---- */

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
answer_event(const struct stop_context *s, const struct event_answer *e)
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
	int exit_code = answer_event(&s, &e);

	event_note(&s, &e, inv->started_ms);
	return exit_code;
}

static int
run_hook(struct arena *a, const struct invocation *inv)
{
	struct str name = inv->args[0];
	const struct event_row *row = event_find(name);
	struct node payload;
	struct event event;
	struct err err;

	if (str_is(name, "Stop"))
		return run_stop_hook(a, inv);
	if (!hook_is_called_by_client(inv))
		return 1;
	/* an event that came after this version; the agents of gates and reviewers have tools, and their guards stay on */
	if (!row || (hook_is_nested() && row->id != EVENT_PreToolUse))
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
	.run = run_hook,
};
