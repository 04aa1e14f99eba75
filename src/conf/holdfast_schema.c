/* SPDX-License-Identifier: MIT */
/* Every key of holdfast.yml, with type, range, default and help. An unknown key is an error. Holds no logic. */
#include "conf/holdfast.h"

#define STRINGS(struct_, member_, key_, item_, ...)                                            \
	FIELD_ITEMS(struct_, member_.items, member_.count, key_, FIELD_LIST, .item = &(item_), \
		    .size = sizeof(struct str), .least = 1, __VA_ARGS__)

static const struct field name_item = { .type = FIELD_TEXT };
static const struct field pattern_item = { .type = FIELD_PATH_GLOB };

#define GATE(member, key, type, ...) FIELD(struct holdfast_gate, member, key, type, __VA_ARGS__)
static const struct field gate_fields[] = {
	GATE(run, "run", FIELD_TEXT,
	     DOC(NULL, "The command, run by sh; ${BASE_BRANCH} in it is the base branch, and {files} the "
		       "changed files that the gate is for.")),
	GATE(review, "review", FIELD_TEXT,
	     DOC(NULL, "Instead of a command: a built-in prompt (code-quality, security, error-handling, "
		       "test-integrity, task-compliance), or a file with the prompt of a review, from the "
		       "project's root.")),
	STRINGS(struct holdfast_gate, by, "by", name_item,
		DOC(NULL,
		    "Who reviews, in order of preference: the first of them that works. By default every "
		    "reviewer that holdfast knows.")),
	STRINGS(struct holdfast_gate, files, "files", pattern_item,
		DOC(NULL,
		    "The gate applies when a changed file matches; by default every change. Patterns are "
		    "those of .gitignore, with {a,b} too.")),
	GATE(in, "in", FIELD_TEXT,
	     DOC(".", "Where it runs: a directory, or dir/* for each directory in it that has changes.")),
	GATE(timeout_ms, "timeout", FIELD_DURATION,
	     DOC(NULL, "After this time it is ended and has failed; a number with a unit, 90s or 5m.")),
	GATE(fix, "fix", FIELD_TEXT,
	     DOC(NULL, "A command that is run once if the gate fails, and then the gate again, before the "
		       "agent is told; such a gate runs alone.")),
	GATE(retries, "retries", FIELD_INTEGER, .least = 0, .most = 10,
	     DOC(NULL, "How often a command that failed is run again, by default not at all; a pass then is "
		       "reported as flaky.")),
	STRINGS(struct holdfast_gate, needs, "needs", name_item,
		DOC(NULL, "Gates that must have passed before it starts; else it is skipped.")),
	GATE(is_exclusive, "exclusive", FIELD_BOOL,
	     DOC(NULL, "Whether no other gate may run at the same time.")),
	GATE(reuses, "reuse", FIELD_BOOL,
	     DOC("true", "Whether it is skipped at a stop while its files are those it passed for.")),
};
static const char *const run_or_review[] = { "run", "review", NULL };
static const struct field gate_item = {
	.type = FIELD_OBJECT,
	KEYS(gate_fields),
	.short_key = "run",
	.any_of = run_or_review,
};
static const struct holdfast_gate gate_defaults = { .in = STR("."), .reuses = true };

/* ---- what else keeps the agent at work ---- */

#define COMMAND(member, key, type, ...) FIELD(struct holdfast_command, member, key, type, __VA_ARGS__)
static const struct field command_fields[] = {
	COMMAND(run, "run", FIELD_TEXT, .is_required = true,
		DOC(NULL, "The script, run by bash in the project's root.")),
	COMMAND(message, "message", FIELD_TEXT,
		DOC(NULL, "What the agent is told when it fails, before its output.")),
	COMMAND(timeout_ms, "timeout", FIELD_DURATION,
		DOC(NULL, "After this time it is ended and has failed; 90s or 5m.")),
	COMMAND(shows_output, "output", FIELD_BOOL, DOC("true", "Show the agent what it printed.")),
	COMMAND(max_lines, "max_lines", FIELD_INTEGER, .least = 1, .most = 10000,
		DOC("50", "The largest number of lines of each output that the agent is shown.")),
};
static const struct field command_item = { .type = FIELD_OBJECT, .short_key = "run", KEYS(command_fields) };
static const struct holdfast_command command_defaults = { .shows_output = true, .max_lines = 50 };

static const struct field message_fields[] = {
	FIELD(struct conclaude_message, text, "text", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "The message to the agent that keeps it working.")),
	FIELD(struct conclaude_message, times, "times", FIELD_INTEGER, .least = 1, .most = INT32_MAX,
	      DOC("1", "How often it is sent before the next one.")),
};
static const struct field message_item = { .type = FIELD_OBJECT, .short_key = "text", KEYS(message_fields) };
static const struct conclaude_message message_defaults = { .times = 1 };
static const struct field glob_item = { .type = FIELD_GLOB };
static const struct field follow_up_fields[] = {
	STRINGS(struct conclaude_prefix_blocking, prefixes, "when", glob_item,
		DOC("[\"*\"]", "Only in sessions whose first prompt begins with a match of one of these.")),
	FIELD_ITEMS(struct conclaude_prefix_blocking, messages.items, messages.count, "messages", FIELD_LIST,
		    .item = &message_item, .size = sizeof(struct conclaude_message),
		    .defaults = &message_defaults, .is_required = true, .least = 1,
		    DOC(NULL, "What is sent, one at each stop, in this order; a string is sent once.")),
};

static struct str every_prompt[] = { STR("*") };
static const struct conclaude_prefix_blocking follow_up_defaults = { .prefixes = { every_prompt, 1 } };

static const struct field round_fields[] = {
	FIELD(struct holdfast_draft, rounds, "count", FIELD_INTEGER, .is_required = true, .least = 1,
	      .most = UINT32_MAX, DOC(NULL, "The stop of a session that is allowed, counted from 1.")),
	FIELD(struct holdfast_draft, rounds_message, "message", FIELD_TEXT,
	      DOC(NULL, "What the agent is told before that; {round} and {rounds} are filled in.")),
};

#define ROOT(member, key, type, ...) FIELD(struct holdfast_draft, member, key, type, __VA_ARGS__)
static const struct field root_fields[] = {
	ROOT(base, "base", FIELD_TEXT,
	     DOC(NULL,
		 "The branch that changes are compared with; by default origin's, else main or master.")),
	FIELD_ITEMS(struct holdfast_draft, gates, gate_count, "gates", FIELD_MAP, .item = &gate_item,
		    .size = sizeof(struct holdfast_gate), .defaults = &gate_defaults,
		    DOC(NULL, "What must pass before the agent may stop, by name; a string is a command.")),
	ROOT(tries, "tries", FIELD_INTEGER, .least = 1, .most = 1000,
	     DOC("3", "How many times failed gates hold the agent back before it may stop.")),
	FIELD_ITEMS(struct holdfast_draft, commands, command_count, "commands", FIELD_LIST,
		    .item = &command_item, .size = sizeof(struct holdfast_command),
		    .defaults = &command_defaults,
		    DOC("[]", "Run at every stop, in this order; the first that fails blocks the stop.")),
	ROOT(follow_ups, "follow_ups", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct conclaude_prefix_blocking), .defaults = &follow_up_defaults,
	     KEYS(follow_up_fields),
	     DOC(NULL, "Messages that are sent one after another when the agent stops.")),
	CHECKED("rounds", FIELD_OBJECT, .short_key = "count", KEYS(round_fields),
		DOC(NULL, "A fixed number of rounds: a number, or a map with a message.")),
	ROOT(is_infinite, "infinite", FIELD_BOOL, DOC("false", "Never let the agent stop.")),
	ROOT(infinite_message, "infinite_message", FIELD_TEXT,
	     DOC("continue working on the task", "What the agent is told then.")),
};

const struct holdfast_draft holdfast_draft_defaults = {
	.tries = 3,
	.infinite_message = STR("continue working on the task"),
};

/* A file with none of these would silently check nothing. */
static const char *const any_policy[] = { "gates", "commands", "follow_ups", "rounds", "infinite", NULL };

const struct schema holdfast_schema = {
	.file = HOLDFAST_FILE,
	.root = { .type = FIELD_OBJECT, KEYS(root_fields), .any_of = any_policy },
	.null_is_unset = true,
};
