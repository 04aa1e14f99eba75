/* SPDX-License-Identifier: MIT */
/* The commands of an event: which of them run, with what, and what their end means for the event. */
#include "base/escapes.h"
#include "base/glob.h"
#include "base/path.h"
#include "base/regex.h"
#include "client/shell_words.h"
#include "client/tool.h"
#include "model/gate.h"
#include "os/clock.h"
#include "policy/commands.h"
#include "policy/events.h"
#include "store/session.h"

#include <stdlib.h>

#define BLOCK_CODE 2
#define FILES_MARK "{files}"

/* ---- reports ---- */

/* Observers of conclaude's first versions, and prompts, say it in the words of stop commands. */
static bool
is_plain(const struct event_call *c)
{
	return c->row->id == EVENT_SubagentStop || c->row->id == EVENT_UserPromptSubmit;
}

static void
add_output(struct buf *to, const char *mark, struct str text)
{
	struct str line;

	while (text.s && str_next(&text, '\n', &line))
		buf_addf(to, "%s" STR_FMT "\n", mark, STR_ARG(line));
}

/* At a prompt stdout becomes part of the conversation, as the context of the answer. */
static void
report_output(const struct event_call *c, struct command_shown shown, struct event_answer *answer)
{
	struct stop_context *s = c->stop;

	if (c->row->id == EVENT_UserPromptSubmit && shown.out.s) {
		struct str text = str_trim(shown.out);

		answer->context = answer->context.s ? str_fmt(s->arena, STR_FMT "\n\n" STR_FMT,
							      STR_ARG(answer->context), STR_ARG(text))
						    : text;
	} else if (is_plain(c)) {
		if (shown.out.s)
			buf_addf(&s->progress, "Stdout: " STR_FMT "\n", STR_ARG(str_trim(shown.out)));
	} else {
		add_output(&s->progress, "[stdout] ", shown.out);
	}
	if (is_plain(c) && shown.err.s)
		buf_addf(&s->details, "Stderr: " STR_FMT "\n", STR_ARG(str_trim(shown.err)));
	else
		add_output(&s->details, "[stderr] ", shown.err);
}

static const char *
failed_title(const struct event_call *c)
{
	return c->row->id == EVENT_SubagentStop ? "Subagent stop command failed"
						: "User prompt submit command failed";
}

/* Somebody must see what failed, though it changes nothing. */
static void
report_failure(const struct event_call *c, const struct conclaude_command *command, struct str what)
{
	struct stop_context *s = c->stop;

	if (!is_plain(c)) {
		buf_addf(&s->details, STR_FMT " command failed (" STR_FMT ")%s" STR_FMT "\n",
			 STR_ARG(c->row->name), STR_ARG(what), command->message.s ? ": " : "",
			 STR_ARG(strip_escapes(s->arena, command->message)));
		return;
	}
	buf_addf(&s->details, "%s:\n", failed_title(c));
	if (command->shows_command)
		buf_addf(&s->details, "  Command: " STR_FMT "\n", STR_ARG(command_name(s, command)));
	buf_addf(&s->details, "  Status: Failed (" STR_FMT ")\n", STR_ARG(what));
	if (command->message.s)
		buf_addf(&s->details, "  Message: " STR_FMT "\n",
			 STR_ARG(strip_escapes(s->arena, command->message)));
}

static void
notify_of_command(const struct event_call *c, const struct conclaude_command *command, enum notice what,
		  const char *words)
{
	struct stop_context *s = c->stop;

	if (!command->notifies)
		return;
	struct str name = command->shows_command ? command_name(s, command) : STR("");

	notify(s, c->row, what,
	       str_fmt(s->arena, "%s%s" STR_FMT, words, name.n > 0 ? ": " : "", STR_ARG(name)));
}

bool
event_command_blocks(const struct event_call *c, const struct conclaude_command *command,
		     const char *const *env, bool may_block, struct event_answer *answer)
{
	CLEANUP(command_output_close) struct command_output output = { .file = SPILL_NONE };
	struct stop_context *s = c->stop;
	struct proc_result r;
	struct err err;
	struct str what = STR_NONE;

	notify_of_command(c, command, NOTICE_OTHER, "Running");
	if (command_execute(s, command, env, &output, &r, &err) < 0) {
		report_failure(c, command, str_copy(s->arena, str_from(err.msg)));
		return false;
	}
	struct command_shown shown = command_shown(s, command, &r);
	bool blocks = may_block && r.end == PROC_EXITED && r.code == BLOCK_CODE;

	report_output(c, shown, answer);
	if (r.end == PROC_TIMED_OUT)
		what = str_fmt(s->arena, "timed out after %lld seconds", (long long)command->timeout_s);
	else if (r.end == PROC_DEADLINE || r.end == PROC_LOST)
		what = STR("it did not end before the hook's deadline");
	else if (r.end == PROC_SIGNALED || r.code != 0)
		what = str_fmt(s->arena, "exit code: %d", r.end == PROC_EXITED ? r.code : 1);
	if (what.s && !is_plain(c) && r.end == PROC_EXITED)
		what = str_fmt(s->arena, "exit code %d", r.code);
	notify_of_command(c, command, what.s ? NOTICE_FAILURE : NOTICE_SUCCESS,
			  !what.s                   ? "Command completed"
			  : r.end == PROC_TIMED_OUT ? "Command timed out"
						    : "Command failed");
	if (what.s && !blocks)
		report_failure(c, command, what);
	return blocks;
}

/* ---- which commands ---- */

/* Does the pattern match the tool's name, or Claude Code's name for a tool of that kind? */
static bool
is_for_tool(struct str pattern, const struct tool_call *t)
{
	const char *const *names = tool_aliases(t);
	bool is_match = !pattern.s || glob_match(pattern, t->name);

	for (size_t i = 0; names[i] && !is_match; i++)
		is_match = glob_match(pattern, str_from(names[i]));
	return is_match;
}

static bool
is_for_prompt(const struct event_call *c, const struct conclaude_command *command)
{
	return !command->pattern.s ||
	       regex_match(c->stop->arena, command->pattern, c->stop->event->prompt, command->ignores_case);
}

/* A subagent has an id that nobody can know in advance, a type, and maybe a name; a changed file has an absolute path, and one
 * from the configuration's directory. */
static bool
is_subject(const struct event_call *c, struct str pattern)
{
	struct arena *a = c->stop->arena;
	struct str subject = event_value(a, c->payload, c->row->subject);

	if (glob_match(pattern, subject))
		return true;
	if (c->row->id == EVENT_FileChanged)
		return glob_match(pattern, path_relative(a, c->stop->conclaude->dir, subject));
	return c->row->id == EVENT_SubagentStop &&
	       (glob_match(pattern, event_value(a, c->payload, "subagent_type")) ||
		(c->stop->agent.n > 0 && glob_match(pattern, c->stop->agent)));
}

static bool
applies(const struct event_call *c, const struct conclaude_command *command)
{
	if (command_is_empty(command->run))
		return false;
	if (c->row->id == EVENT_UserPromptSubmit)
		return is_for_prompt(c, command);
	if ((command->tool.s && !is_for_tool(command->tool, &c->tool)) ||
	    (command->subject.s && !is_subject(c, command->subject)))
		return false;
	return c->row->id != EVENT_MessageDisplay || !c->stop->conclaude->shows_only_final ||
	       node_get_bool(c->payload, "final");
}

/* * first, the others in the order of their bytes. */
static int
compare_patterns(const void *x, const void *y)
{
	const struct conclaude_patterns *const *p = x, *const *q = y;
	bool p_all = str_is((*p)->pattern, "*"), q_all = str_is((*q)->pattern, "*");

	return p_all != q_all ? (p_all ? -1 : 1) : str_cmp((*p)->pattern, (*q)->pattern);
}

struct picked {
	const struct conclaude_command **items;
	size_t count, capacity;
};

static void
pick(const struct event_call *c, struct picked *list, const struct conclaude_command *commands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!applies(c, &commands[i]))
			continue;
		arena_make_room(c->stop->arena, list->items, list->count, &list->capacity);
		list->items[list->count++] = &commands[i];
	}
}

static struct picked
pick_commands(const struct event_call *c)
{
	const struct conclaude_section *section = &c->stop->conclaude->sections[c->row->id];
	const struct conclaude_patterns **sorted = arena_array(c->stop->arena, section->pattern_count + 1,
							       const struct conclaude_patterns *);
	struct picked list = { 0 };
	size_t count = 0;

	pick(c, &list, section->commands, section->count);
	for (size_t i = 0; i < section->pattern_count; i++)
		if (is_subject(c, section->patterns[i].pattern))
			sorted[count++] = &section->patterns[i];
	qsort(sorted, count, sizeof(*sorted), compare_patterns);
	for (size_t i = 0; i < count; i++)
		pick(c, &list, sorted[i]->commands, sorted[i]->count);
	return list;
}

/* ---- changed files ---- */

struct changed {
	struct str_list files; /* relative to the configuration's directory, where they are below it */
	size_t capacity;
	struct buf names; /* of the tools of a batch */
	size_t calls;
};

static void
add_changed_path(const struct event_call *c, struct str path, struct changed *ret)
{
	struct stop_context *s = c->stop;
	struct str whole = path_from(s->arena, s->event->cwd.s ? s->event->cwd : s->conclaude->dir, path);
	struct str below = path_relative(s->arena, s->conclaude->dir, whole);

	path = below.s ? below : whole;
	if (str_is_among(path, ret->files.items, ret->files.count))
		return;
	arena_make_room(s->arena, ret->files.items, ret->files.count, &ret->capacity);
	ret->files.items[ret->files.count++] = path;
}

static void
add_changed(const struct event_call *c, const struct tool_call *t, struct changed *ret)
{
	for (size_t i = 0; tool_writes(t) && i < t->paths.count; i++)
		add_changed_path(c, t->paths.items[i], ret);
}

static struct changed
changed_files(const struct event_call *c)
{
	const struct node *calls = node_get(c->payload, "tool_calls");
	struct changed all = { .names = BUF(c->stop->arena, SIZE_MAX) };

	if (c->row->id == EVENT_FileChanged)
		add_changed_path(c, event_value(c->stop->arena, c->payload, "file_path"), &all);
	add_changed(c, &c->tool, &all);
	for (size_t i = 0; calls && calls->kind == NODE_LIST && i < calls->count; i++) {
		struct tool_call t = tool_read(c->stop->arena, &calls->items[i]);

		buf_addf(&all.names, "%s" STR_FMT, i > 0 ? "," : "", STR_ARG(t.name));
		all.calls++;
		add_changed(c, &t, &all);
	}
	return all;
}

/* The script with the changed files that the command is for. False: it is for changed files, and none is. */
static bool
fill_in_files(const struct event_call *c, const struct conclaude_command *command, const struct changed *all,
	      struct conclaude_command *ret)
{
	struct arena *a = c->stop->arena;
	ptrdiff_t at = str_find(command->run, STR(FILES_MARK));
	struct buf words = BUF(a, SIZE_MAX), run = BUF(a, SIZE_MAX);
	struct str rest = command->run;

	*ret = *command;
	if (at < 0 && command->files.count == 0)
		return true;
	for (size_t i = 0; i < all->files.count; i++)
		if (gate_is_for(&command->files, all->files.items[i]))
			buf_addf(&words, "%s" STR_FMT, words.n > 0 ? " " : "",
				 STR_ARG(shell_quote(a, all->files.items[i])));
	if (words.n == 0)
		return false;
	for (; (at = str_find(rest, STR(FILES_MARK))) >= 0;
	     rest = str_sub(rest, (size_t)at + STR(FILES_MARK).n, rest.n)) {
		buf_add(&run, str_sub(rest, 0, (size_t)at));
		buf_add(&run, buf_str(&words));
	}
	buf_add(&run, rest);
	ret->run = buf_str(&run);
	return true;
}

/* ---- gates ---- */

/* Whose tries are counted: the agent's, the task's or the teammate's. */
static struct str
gate_owner(const struct event_call *c)
{
	static const char *const ids[] = { "agent_id", "task_id", "teammate_name" };
	struct stop_context *s = c->stop;
	struct str id = STR("");

	for (size_t i = 0; i < COUNT_OF(ids) && id.n == 0; i++)
		id = node_get_str(c->payload, ids[i]);
	return str_fmt(s->arena, STR_FMT " " STR_FMT " " STR_FMT, STR_ARG(s->event->session_id),
		       STR_ARG(c->row->name), STR_ARG(id));
}

/* The count is on disk before the block that it bounds. False: the tries are used up, and start again at zero. */
static bool
count_try(const struct event_call *c)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct stop_context *s = c->stop;
	struct str owner = gate_owner(c);
	struct err err;

	if (session_open(s->arena, owner, true, stop_wait_ms(s, SESSION_LOCK_MS), &session, &err) < 0) {
		stop_warn(s, "the try can't be counted, so nothing is blocked: %s", err.msg);
		return false;
	}
	if (session.tries >= s->conclaude->tries) {
		stop_warn(s, "tries used: %lld of %lld; " STR_FMT " goes on though a gate fails",
			  (long long)session.tries, (long long)s->conclaude->tries, STR_ARG(c->row->name));
		(void)(session_forget(s->arena, owner, &err) == 0); /* else it starts with no tries left */
		return false;
	}
	session.tries++;
	if (session_save(s->arena, &session, &err) == 0)
		return true;
	stop_warn(s, "the try can't be counted, so nothing is blocked: %s", err.msg);
	return false;
}

static void
run_gate(const struct event_call *c, const struct conclaude_command *command, const char *const *env,
	 struct event_answer *answer)
{
	CLEANUP(command_output_close) struct command_output output = { .file = SPILL_NONE };
	struct stop_context *s = c->stop;
	struct proc_result r;
	struct err err;

	if (command_execute(s, command, env, &output, &r, &err) < 0) {
		stop_warn(s, "a gate could not run: %s", err.msg);
		return;
	}
	if ((r.end == PROC_EXITED && r.code == 0) || r.end == PROC_DEADLINE || r.end == PROC_LOST)
		return;
	struct verdict v = command_failure(s, &output, &r);

	if (!count_try(c))
		return;
	answer->is_blocked = true;
	answer->reason = v.reason;
}

/* ---- the decider ---- */

/* The agent is told what the command said, as far as it may be shown. */
static void
block(const struct event_call *c, const struct conclaude_command *command, struct event_answer *answer)
{
	struct stop_context *s = c->stop;

	answer->is_blocked = true;
	answer->reason = command->message.s ? strip_escapes(s->arena, command->message)
					    : str_fmt(s->arena, STR_FMT " hook blocked by command",
						      STR_ARG(c->row->name));
	buf_addf(&s->progress, STR_FMT " hook BLOCKED: " STR_FMT "\n", STR_ARG(c->row->name),
		 STR_ARG(answer->reason));
}

/* Fails as stop commands do. */
static void
run_as_stop_commands(const struct event_call *c, struct event_answer *answer)
{
	const struct conclaude_section *section = &c->stop->conclaude->sections[c->row->id];
	struct verdict v = { 0 };

	if (!stop_commands_run(c->stop, c, section->commands, section->count, &v))
		return;
	if (status_blocks(v.status)) {
		answer->is_blocked = true;
		answer->reason = v.reason;
	} else {
		stop_warn(c->stop, STR_FMT, STR_ARG(v.message));
	}
}

void
event_commands(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	struct picked list;

	if (c->row->id == EVENT_StopFailure) {
		run_as_stop_commands(c, answer);
		return;
	}
	list = pick_commands(c);
	if (list.count == 0)
		return;
	struct changed changed = changed_files(c);
	bool is_subagent = c->row->id == EVENT_SubagentStop || c->row->id == EVENT_SubagentStart;
	/* The client applies a changed policy whatever the answer is. */
	bool is_policy = c->row->id == EVENT_ConfigChange &&
			 str_is(node_get_str(c->payload, "source"), "policy_settings");
	const struct command_variable more[] = {
		{ "TOOL_BATCH_SIZE",
		  c->row->id == EVENT_PostToolBatch ? str_fmt(s->arena, "%zu", changed.calls) : STR_NONE },
		{ "TOOL_BATCH_NAMES",
		  c->row->id == EVENT_PostToolBatch ? buf_str(&changed.names) : STR_NONE },
		{ "TOOL_TIMESTAMP", c->row->id == EVENT_PostToolUse
					    ? clock_format_seconds(s->arena, clock_real_us())
					    : STR_NONE },
		{ "AGENT_NAME",
		  is_subagent && s->agent.n == 0 ? event_value(s->arena, c->payload, "agent_id") : STR_NONE },
	};
	const char *const *env = command_environment(s, c, more, COUNT_OF(more));

	bool has_gate = false;

	for (size_t i = 0; i < list.count && !answer->is_blocked; i++) {
		struct conclaude_command command;

		has_gate |= list.items[i]->is_gate;
		if (!fill_in_files(c, list.items[i], &changed, &command))
			continue;
		buf_addf(&s->progress, "Executing command %zu/%zu%s" STR_FMT "\n", i + 1, list.count,
			 command.shows_command ? ": " : "",
			 STR_ARG(command.shows_command ? strip_escapes_line(s->arena, str_trim(command.run))
						       : STR("")));
		if (command.is_gate)
			run_gate(c, &command, env, answer);
		else if (event_command_blocks(c, &command, env, c->row->effect == EVENT_BLOCKS && !is_policy,
					      answer))
			block(c, &command, answer);
	}
	struct err ignored;

	/* All passed: the next failure has all tries again. */
	if (has_gate && !answer->is_blocked)
		(void)(session_forget(s->arena, gate_owner(c), &ignored) == 0);
}
