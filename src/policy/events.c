/* SPDX-License-Identifier: MIT */
/* An event: its deciders, asked about each configuration, and its commands: which of them run, with what, and what their end means
 * for the event. */
#include "base/glob.h"
#include "base/regex.h"
#include "client/shell_words.h"
#include "client/tool.h"
#include "model/gate.h"
#include "os/clock.h"
#include "policy/events.h"
#include "store/session.h"

#define BLOCK_CODE 2
#define FILES_MARK "{files}"

/* ---- reports ---- */

/* Observers of conclaude's first versions, and prompts, say it in the words of stop commands. */
static bool
is_plain(struct stop_context *s)
{
	return s->row->id == EVENT_SubagentStop || s->row->id == EVENT_UserPromptSubmit;
}

/* Somebody must see what failed, though it changes nothing. */
static void
report_failure(struct stop_context *s, const struct policy_command *command, struct str what)
{
	if (!is_plain(s)) {
		buf_cat(&s->details, s->row->name, " command failed (", what, ")",
			command->message.s ? ": " : "", strip_escapes(s->arena, command->message), "\n");
		return;
	}
	buf_cat(&s->details, s->row->id == EVENT_SubagentStop ? "Subagent stop command failed:\n"
							      : "User prompt submit command failed:\n");
	if (command->shows_command)
		buf_cat(&s->details, "  Command: ", command_name(s, command), "\n");
	buf_cat(&s->details, "  Status: Failed (", what, ")\n");
	if (command->message.s)
		buf_cat(&s->details, "  Message: ", strip_escapes(s->arena, command->message), "\n");
}

bool
event_command_blocks(struct stop_context *s, const struct policy_command *command, const char *const *env,
		     bool may_block, struct event_answer *answer)
{
	CLEANUP(command_end_close) struct command_end end;
	const struct proc_result *r = &end.process;
	struct err err;
	struct str what = STR_NONE;

	command_notify(s, s->row, command, NOTICE_OTHER, "Running");
	if (command_execute(s, command, env, &end, &err) < 0) {
		report_failure(s, command, str_cat(s->arena, err.msg));
		return false;
	}
	bool blocks = may_block && r->end == PROC_EXITED && r->code == BLOCK_CODE;

	/* At a prompt stdout becomes part of the conversation, as the context of the answer. */
	if (s->row->id == EVENT_UserPromptSubmit && end.out.s) {
		struct str text = str_trim(end.out);

		answer->context = answer->context.s ? str_cat(s->arena, answer->context, "\n\n", text) : text;
	} else if (is_plain(s)) {
		if (end.out.s)
			buf_cat(&s->progress, "Stdout: ", str_trim(end.out), "\n");
	} else {
		buf_lines(&s->progress, "[stdout] ", end.out);
	}
	if (is_plain(s) && end.err.s)
		buf_cat(&s->details, "Stderr: ", str_trim(end.err), "\n");
	else
		buf_lines(&s->details, "[stderr] ", end.err);
	if (r->end == PROC_TIMED_OUT)
		what = str_cat(s->arena, "timed out after ", command_timeout_s(command), " seconds");
	else if (r->end == PROC_DEADLINE || r->end == PROC_LOST)
		what = STR("it did not end before the hook's deadline");
	else if (!command_passed(r))
		what = str_cat(s->arena,
			       is_plain(s) || r->end == PROC_SIGNALED ? "exit code: " : "exit code ",
			       command_code(r));
	command_notify_end(s, s->row, &end);
	if (what.s && !blocks)
		report_failure(s, command, what);
	return blocks;
}

/* ---- which commands ---- */

/* Does the pattern match what the event is about, or where that is a tool, Claude Code's name for a tool of that kind? A subagent
 * has an id that nobody can know in advance, a type, and maybe a name; a changed file has an absolute path, and one from the
 * configuration's directory. */
static bool
is_subject(struct stop_context *s, struct str pattern)
{
	struct arena *a = s->arena;
	const char *const *names = s->row->subject ? NULL : tool_aliases(&s->tool);
	struct str subject = names ? s->tool.name : event_value(a, s->payload, s->row->subject);

	if (glob_match(pattern, subject))
		return true;
	for (size_t i = 0; names && names[i]; i++)
		if (glob_match(pattern, str_from(names[i])))
			return true;
	if (s->row->id == EVENT_FileChanged)
		return glob_match(pattern, path_relative(a, s->policies->dir, subject));
	return s->row->id == EVENT_SubagentStop &&
	       (glob_match(pattern, event_value(a, s->payload, "subagent_type")) ||
		(s->agent.n > 0 && glob_match(pattern, s->agent)));
}

static bool
applies(struct stop_context *s, const struct policy_command *command)
{
	if (command_is_empty(command->run))
		return false;
	if (s->row->id == EVENT_UserPromptSubmit)
		return !command->slash.s &&
		       (!command->matches.s ||
			regex_match(s->arena, command->matches, s->event->prompt, command->ignores_case));
	if (command->match.s && !is_subject(s, command->match))
		return false;
	return s->row->id != EVENT_MessageDisplay || s->policies->shows_every_piece ||
	       node_get_bool(s->payload, "final");
}

/* Adds those of the list that apply. */
static void
pick(struct stop_context *s, const struct command_list *commands, struct command_list *ret)
{
	for (size_t i = 0; i < commands->count; i++)
		if (applies(s, &commands->items[i]))
			*arena_push(s->arena, ret->items, ret->count) = commands->items[i];
}

/* ---- changed files ---- */

struct changed {
	struct str_list files; /* relative to the configuration's directory, where they are below it */
	struct buf names;      /* of the tools of a batch */
	size_t calls;
};

static void
add_changed_path(struct stop_context *s, struct str path, struct changed *ret)
{
	struct str whole = path_from(s->arena, s->event->cwd.s ? s->event->cwd : s->policies->dir, path);
	struct str below = path_relative(s->arena, s->policies->dir, whole);

	path = below.s ? below : whole;
	str_list_add_new(s->arena, &ret->files, path);
}

static void
add_changed(struct stop_context *s, const struct tool_call *t, struct changed *ret)
{
	for (size_t i = 0; tool_writes(t) && i < t->paths.count; i++)
		add_changed_path(s, t->paths.items[i], ret);
}

static struct changed
changed_files(struct stop_context *s)
{
	const struct node *calls = node_get(s->payload, "tool_calls");
	struct changed all = { .names = BUF(s->arena, SIZE_MAX) };

	if (s->row->id == EVENT_FileChanged)
		add_changed_path(s, event_value(s->arena, s->payload, "file_path"), &all);
	add_changed(s, &s->tool, &all);
	for (size_t i = 0; calls && calls->kind == NODE_LIST && i < calls->count; i++) {
		struct tool_call t = tool_read(s->arena, &calls->items[i]);

		buf_cat(&all.names, i > 0 ? "," : "", t.name);
		all.calls++;
		add_changed(s, &t, &all);
	}
	return all;
}

/* Puts the changed files that the command is for into its script. False: it is for changed files, and none is. */
static bool
fill_in_files(struct stop_context *s, const struct changed *all, struct policy_command *command)
{
	struct arena *a = s->arena;
	struct buf words = BUF(a, SIZE_MAX);

	if (str_find(command->run, STR(FILES_MARK)) < 0 && command->files.count == 0)
		return true;
	for (size_t i = 0; i < all->files.count; i++)
		if (gate_is_for(&command->files, all->files.items[i]))
			buf_cat(&words, words.n > 0 ? " " : "", shell_quote(a, all->files.items[i]));
	if (words.n == 0)
		return false;
	command->run = str_replace(a, command->run, STR(FILES_MARK), buf_str(&words));
	return true;
}

static const char *const *
environment(struct stop_context *s, const struct changed *changed)
{
	enum event_id id = s->row->id;
	bool is_batch = id == EVENT_PostToolBatch;
	bool is_unnamed = (id == EVENT_SubagentStop || id == EVENT_SubagentStart) && s->agent.n == 0;
	const struct command_variable more[] = {
		{ "TOOL_BATCH_SIZE", is_batch ? str_cat(s->arena, changed->calls) : STR_NONE },
		{ "TOOL_BATCH_NAMES", is_batch ? buf_str(&changed->names) : STR_NONE },
		{ "TOOL_TIMESTAMP",
		  id == EVENT_PostToolUse ? clock_format_seconds(s->arena, clock_real_us()) : STR_NONE },
		{ "AGENT_NAME", is_unnamed ? event_value(s->arena, s->payload, "agent_id") : STR_NONE },
	};

	return command_environment(s, more, COUNT_OF(more));
}

/* ---- gates ---- */

/* Whose tries are counted: the agent's, the task's or the teammate's, in this project. */
static struct str
gate_owner(struct stop_context *s)
{
	static const char *const ids[] = { "agent_id", "task_id", "teammate_name" };
	struct str id = STR("");

	for (size_t i = 0; i < COUNT_OF(ids) && id.n == 0; i++)
		id = node_get_str(s->payload, ids[i]);
	return str_cat(s->arena, s->event->session_id, " ", s->row->name, " ", id, " ", s->policies->dir);
}

/* A failure blocks, until the tries are used up, which start again at zero then. */
static void
run_gate(struct stop_context *s, const struct policy_command *command, const char *const *env,
	 struct event_answer *answer)
{
	CLEANUP(command_end_close) struct command_end end;
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct str owner = gate_owner(s);
	struct err err;

	if (command_execute(s, command, env, &end, &err) < 0) {
		stop_warn(s, "a gate could not run: ", err.msg);
		return;
	}
	if (command_passed(&end.process) || end.process.end == PROC_DEADLINE || end.process.end == PROC_LOST)
		return;
	struct verdict v = command_failure(s, &end);
	int result = session_open(s->arena, owner, true, stop_wait_ms(s, SESSION_LOCK_MS), &session, &err);
	int64_t *tries = session_tries(&session, s->policies->dir);

	if (result == 0 && *tries >= s->policies->tries) {
		stop_warn(s, "tries used: ", *tries, " of ", s->policies->tries, "; ", s->row->name,
			  " goes on though a gate fails");
		(void)(session_forget(s->arena, owner, &err) == 0); /* else it starts with no tries left */
		return;
	}
	++*tries;
	/* The count is on disk before the block that it bounds. */
	if (result < 0 || session_save(s->arena, &session, &err) < 0) {
		stop_warn(s, "the try can't be counted, so nothing is blocked: ", err.msg);
		return;
	}
	answer->is_blocked = true;
	answer->reason = v.reason;
}

/* ---- one decider: the commands ---- */

void
event_commands(struct stop_context *s, struct event_answer *answer)
{
	struct command_list list = { 0 };
	const struct command_list *own = &s->policies->at[s->row->id];
	struct verdict v;

	/* These fail as stop commands do. */
	if (s->row->id == EVENT_StopFailure) {
		if (!stop_commands_run(s, own, &v))
			return;
		answer->is_blocked = status_blocks(v.status);
		if (answer->is_blocked)
			answer->reason = v.reason;
		else
			stop_warn(s, v.message);
		return;
	}
	if (s->row->id == EVENT_UserPromptSubmit)
		pick(s, &s->policies->prompts, &list);
	pick(s, own, &list);
	if (list.count == 0)
		return;
	struct changed changed = changed_files(s);
	const char *const *env = environment(s, &changed);
	bool has_gate = false;
	/* The client applies a changed policy whatever the answer is. */
	bool is_policy = s->row->id == EVENT_ConfigChange &&
			 str_is(node_get_str(s->payload, "source"), "policy_settings");

	for (size_t i = 0; i < list.count && !answer->is_blocked; i++) {
		struct policy_command *command = &list.items[i];

		has_gate |= command->is_gate;
		if (!fill_in_files(s, &changed, command))
			continue;
		buf_cat(&s->progress, "Executing command ", i + 1, "/", list.count,
			command->shows_command ? ": " : "",
			command->shows_command ? strip_escapes_line(s->arena, str_trim(command->run))
					       : STR(""),
			"\n");
		if (command->is_gate) {
			run_gate(s, command, env, answer);
			continue;
		}
		if (!event_command_blocks(s, command, env, s->row->effect == EVENT_BLOCKS && !is_policy,
					  answer))
			continue;
		answer->is_blocked = true;
		answer->reason = command->message.s
					 ? strip_escapes(s->arena, command->message)
					 : str_cat(s->arena, s->row->name, " hook blocked by command");
		buf_cat(&s->progress, s->row->name, " hook BLOCKED: ", answer->reason, "\n");
	}

	/* All passed: the next failure has all tries again. */
	if (has_gate && !answer->is_blocked)
		(void)(session_forget(s->arena, gate_owner(s), IGNORED) == 0);
}

/* ---- worktrees: the answer is the path of a new one, which the configured command makes ---- */

#define WORKTREE_TIMEOUT_MS 60000

void
worktree_command(struct stop_context *s, struct event_answer *answer)
{
	const struct command_list *list = &s->policies->at[EVENT_WorktreeCreate];
	const struct policy_command *first = list->items;
	struct policy_command command = { .timeout_ms = WORKTREE_TIMEOUT_MS };
	CLEANUP(command_end_close) struct command_end end = { .file = SPILL_NONE };
	const char *key = s->policies->dialect->worktree_key;
	const struct proc_result *r = &end.process;
	struct err err;

	if (list->count == 0 || command_is_empty(first->run))
		return;
	command.run = first->run;
	if (first->timeout_ms > 0)
		command.timeout_ms = first->timeout_ms;
	if (command_execute(s, &command, command_environment(s, NULL, 0), &end, &err) < 0)
		answer->reason = str_cat(s->arena, err.msg);
	else if (r->end == PROC_TIMED_OUT)
		answer->reason = str_cat(s->arena, "the command of ", key, " timed out after ",
					 command_timeout_s(&command), " seconds");
	else if (!command_passed(r))
		answer->reason = str_cat(s->arena, "the command of ", key, " failed with exit code ",
					 command_code(r), ": ",
					 str_trim(capture_text(&r->err, s->arena, 20)));
	else
		answer->output = str_trim(capture_text(&r->out, s->arena, 0));
	if (answer->output.s && answer->output.n == 0) {
		answer->output = STR_NONE;
		answer->reason = str_cat(s->arena, "the command of ", key, " printed no path");
	}
}

/* ---- all of them ---- */

static const struct {
	enum event_id event;
	event_fn *decide;
} deciders[] = {
	{ EVENT_PreToolUse, guard_rules },         { EVENT_PermissionRequest, permission_rules },
	{ EVENT_UserPromptSubmit, prompt_rules },  { EVENT_WorktreeCreate, worktree_command },
	{ EVENT_PostToolUse, guarded_after_tool },
};

/* The first block ends it; all decisions on a tool are asked for. */
static void
decide(struct stop_context *s, struct event_answer *answer)
{
	notify(s, s->row, NOTICE_OTHER, s->event->session_id);
	for (size_t i = 0; i < COUNT_OF(deciders); i++)
		if (deciders[i].event == s->row->id && !answer->is_blocked)
			deciders[i].decide(s, answer);
	if (!answer->is_blocked && answer->decision != TOOL_DENY)
		event_commands(s, answer);
}

struct event_answer
events_decide(struct stop_context *s)
{
	struct event_answer answer = { .row = s->row };
	struct verdict off;

	if (s->config_count > 0 && stop_is_off(s, &off))
		return answer;
	if (s->front_end == FRONT_END_CONCLAUDE) {
		decide(s, &answer);
		return answer;
	}
	for (size_t i = 0; i < s->config_count && !answer.is_blocked; i++) {
		s->policies = s->configs[i];
		decide(s, &answer);
	}
	return answer;
}
