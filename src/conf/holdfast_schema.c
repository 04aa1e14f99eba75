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
	     DOC(NULL, "The command, run by sh; ${BASE_BRANCH} in it is the base branch.")),
	GATE(review, "review", FIELD_TEXT,
	     DOC(NULL, "Instead of a command: a file with the prompt of a review, from the project's root.")),
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

#define ROOT(member, key, type, ...) FIELD(struct holdfast_draft, member, key, type, __VA_ARGS__)
static const struct field root_fields[] = {
	ROOT(base, "base", FIELD_TEXT,
	     DOC(NULL,
		 "The branch that changes are compared with; by default origin's, else main or master.")),
	FIELD_ITEMS(struct holdfast_draft, gates, gate_count, "gates", FIELD_MAP, .item = &gate_item,
		    .size = sizeof(struct holdfast_gate), .defaults = &gate_defaults, .is_required = true,
		    DOC(NULL, "What must pass before the agent may stop, by name; a string is a command.")),
	ROOT(tries, "tries", FIELD_INTEGER, .least = 1, .most = 1000,
	     DOC("3", "How many times failed gates hold the agent back before it may stop.")),
};

const struct holdfast_draft holdfast_draft_defaults = { .tries = 3 };

const struct schema holdfast_schema = {
	.file = HOLDFAST_FILE,
	.root = { .type = FIELD_OBJECT, KEYS(root_fields) },
	.null_is_unset = true,
};
