/* SPDX-License-Identifier: MIT */
/* The keys of holdfast.yml for what runs at events of the client: commands, prompts, notifications. Holds no logic. */
#include "conf/holdfast_schema.h"

const struct field holdfast_pattern_item = { .type = FIELD_PATH_GLOB };

/* ---- commands ---- */

#define COMMAND(member, key, type, ...) FIELD(struct policy_command, member, key, type, __VA_ARGS__)
static const char *const outputs[] = { "true", "false", "stdout", "stderr", NULL };
/* The keys of every command. */
#define COMMAND_ROWS(message_, timeout_, output_, max_lines_)                                      \
	COMMAND(message, "message", FIELD_TEXT, DOC(NULL, message_)),                              \
		COMMAND(timeout_ms, "timeout", FIELD_DURATION, DOC(NULL, timeout_)),               \
		COMMAND(output, "output", FIELD_CHOICE, .choices = outputs, DOC("true", output_)), \
		COMMAND(max_lines, "max_lines", FIELD_INTEGER, .least = 0, .most = 10000,          \
			DOC("50", max_lines_)),                                                    \
		COMMAND(shows_command, "show_command", FIELD_BOOL,                                 \
			DOC("true", "Whether messages about it name the command.")),               \
		COMMAND(notifies, "notify", FIELD_BOOL,                                            \
			DOC("false", "Whether notify-send tells how it ended, at the events of notify.at."))
#define TOLD_WHEN_IT_FAILS "What the agent is told when it fails, before its output."
#define ENDED_AFTER "After this time it is ended and has failed; 90s or 5m."

const struct policy_command holdfast_command_defaults = { .output = STR("true"),
							  .max_lines = 50,
							  .shows_command = true };
static const struct field command_fields[] = {
	COMMAND(run, "run", FIELD_TEXT, .is_required = true,
		DOC(NULL, "The script, run by bash in the project's root.")),
	COMMAND_ROWS(TOLD_WHEN_IT_FAILS, ENDED_AFTER,
		     "Whether the agent is shown what it printed: all, nothing, stdout or stderr.",
		     "The largest number of lines of each output that the agent is shown; 0: no limit."),
};
const struct field holdfast_command_item = OBJECT(command_fields, .short_key = "run");

static const struct field event_command_fields[] = {
	COMMAND(run, "run", FIELD_TEXT, .is_required = true,
		DOC(NULL, "The script, run by bash in the project's root; {files} in it is the files that "
			  "the tools changed.")),
	COMMAND(match, "match", FIELD_GLOB,
		DOC(NULL, "Only for this tool, agent type, task, teammate, source or server; a pattern.")),
	STRINGS(struct policy_command, files, "files", holdfast_pattern_item,
		DOC(NULL, "Only if a tool changed a file that matches; patterns as those of a gate.")),
	COMMAND(is_background, "background", FIELD_BOOL,
		DOC("false", "Whether the client goes on while it runs, where the client can do that.")),
	COMMAND(is_gate, "gate", FIELD_BOOL,
		DOC("false", "Whether a failure keeps the subagent, task or teammate at work, as often as "
			     "tries says; at subagent_stop, task_completed and teammate_idle.")),
	COMMAND_ROWS(TOLD_WHEN_IT_FAILS, ENDED_AFTER,
		     "What is shown of what it printed: all, nothing, stdout or stderr.",
		     "The largest number of lines of each output that is shown; 0: no limit."),
};
static const struct field event_command_item = OBJECT(event_command_fields, .short_key = "run");
const struct field holdfast_event_fields[EVENT_COUNT] = {
#define EVENT(name, native, ...)                                                                      \
	FIELD_ARRAY(struct holdfast_draft, policies.at[EVENT_##name], native, event_command_item,     \
		    struct policy_command, .takes_one = true, .defaults = &holdfast_command_defaults, \
		    DOC("[]", "Commands at " #name ".")),
#include "model/event.def"
};

/* ---- prompts ---- */

static const struct field prompt_fields[] = {
	COMMAND(add, "add", FIELD_TEXT,
		DOC(NULL, "The text that is added to the prompt; @PATH in it is the content of a file in the "
			  "project.")),
	COMMAND(run, "run", FIELD_TEXT,
		DOC(NULL, "Instead of a text: a script, run by bash in the project's root; what it prints is "
			  "added.")),
	COMMAND(matches, "matches", FIELD_REGEX,
		DOC(NULL, "Only for prompts in which this regular expression is found; by default all.")),
	COMMAND(ignores_case, "ignore_case", FIELD_BOOL, DOC("false", "Whether case does not matter to it.")),
	COMMAND(slash, "slash", FIELD_GLOB,
		DOC(NULL, "Only for this slash command, a pattern without the slash; exit code 2 of the "
			  "script rejects the prompt.")),
	COMMAND_ROWS("What you are told when the script rejects the prompt.",
		     "After this time the script is ended and has failed; 90s or 5m.",
		     "What counts of what it printed: all, nothing, stdout, which is added, or stderr, which "
		     "is reported.",
		     "The largest number of lines of each output; 0: no limit."),
};
static const char *const add_or_run[] = { "add", "run", NULL };
const struct field holdfast_prompt_item = OBJECT(prompt_fields, .any_of = add_or_run);

/* ---- notifications ---- */

static const char *const notify_events[] = { "loop_ended", "gate_failed", "stop_allowed", NULL };
static const struct field notify_event_item = { .type = FIELD_CHOICE, .choices = notify_events };
static const char *const terminals[] = { "true", "false", "osc9", "osc99", "osc777", "bell", NULL };
static const char *const event_choices[] = {
	"all",
#define EVENT(name, native, ...) native,
#include "model/event.def"
	NULL,
};
static const struct field event_name_item = { .type = FIELD_CHOICE, .choices = event_choices };
static const char *const event_ends[] = { "failed", "passed", "started", NULL };
static const struct field event_end_item = { .type = FIELD_CHOICE, .choices = event_ends };
const struct field holdfast_notify_fields[NOTIFY_KEY_COUNT] = {
	FIELD_ARRAY(struct notify_config, on, "on", notify_event_item, struct str, .takes_one = true,
		    DOC("[\"loop_ended\", \"gate_failed\"]",
			"What the user is told: that a loop has ended, that a gate has failed and none had "
			"before, that a stop was allowed.")),
	FIELD(struct notify_config, terminal, "terminal", FIELD_CHOICE, .choices = terminals,
	      DOC("false", "Whether the client's terminal shows it: true (OSC 9), or osc9, osc99, osc777 or "
			   "bell; with Claude Code 2.1.141 or newer.")),
	FIELD(struct notify_config, is_on_desktop, "desktop", FIELD_BOOL,
	      DOC("false", "Whether notify-send shows it, where there is a display.")),
	FIELD(struct notify_config, command, "command", FIELD_TEXT,
	      DOC(NULL, "A script, run by bash in the background; it gets HOLDFAST_EVENT, HOLDFAST_MESSAGE "
			"and others, and all of them as JSON on stdin.")),
	FIELD_ARRAY(struct notify_config, at, "at", event_name_item, struct str, .takes_one = true,
		    DOC("[]", "Events of the client that notify-send tells you about, or all.")),
	FIELD_ARRAY(struct notify_config, show, "show", event_end_item, struct str, .takes_one = true,
		    DOC("[\"failed\"]",
			"What it tells you of them: that something failed or was denied, that it passed, "
			"that the event came (not those of tools, permissions and stops).")),
};
static struct str notify_usual[] = { STR("loop_ended"), STR("gate_failed") };
static struct str notify_failures[] = { STR("failed") };
const struct notify_config holdfast_notify_defaults = { .on = { notify_usual, 2 },
							.show = { notify_failures, 1 },
							.terminal = STR("false") };
