/* SPDX-License-Identifier: MIT */
/* The rules of `guards` in holdfast.yml, as they are written. What they mean is decided in guards/. */
#ifndef MODEL_GUARD_H
#define MODEL_GUARD_H

#include "doc/node.h"

/* A rule about paths or commands. */
struct guard_rule {
	struct str text; /* a pattern of paths as in .gitignore, or the leading words of a command */
	const struct node
		*by; /* a glob of agent types, or a list of them; NULL: every agent, and the main one */
	struct str message; /* what to do instead; absent: the usual one */
};
/* Rules stay in the document, where most are only a text: a copy of a thousand would take longer to make than to use. */
struct guard_rule_list {
	const struct node *items; /* texts and maps, which the schema has checked */
	size_t count;
};
struct guard_rule guard_rule_of(const struct node *n);
/* Its text alone. */
static inline struct str
guard_rule_text(const struct node *n)
{
	return n->kind == NODE_STRING ? n->text : guard_rule_of(n).text;
}

/* A change of tests that is allowed. */
struct guard_exception {
	struct str file; /* a pattern of paths */
	struct str reason;
};

struct guard_tests {
	bool is_enabled;
	struct {
		struct guard_exception *items;
		size_t count;
	} allow;
};

/* A rule by names: of a tool, of the file that it is used on, of the command line as it is written. It looks into no command line;
 * `protect`, `create` and `commands` do. */
struct guard_tool_rule {
	struct str
		tool; /* its name, or * for every tool; absent: every tool that may change the file or has the command */
	struct str path;    /* a glob, compared with all spellings of the path; absent: every file */
	struct str command; /* a glob, compared with the complete line; absent: the rule is about files */
	struct str match;   /* prefix: the command is any number of the first words of the line */
	struct str file;    /* any, new, root (new, in the project's root), ignored, generated; absent: any */
	struct str_list by; /* globs of agent types; none: every agent, and the main one */
	struct str action;  /* deny, ask; only: denies whatever does not match; anything else: nothing */
	struct str message; /* absent: the usual one */
};
struct guard_tool_rules {
	struct guard_tool_rule *items;
	size_t count;
};

/* What the agent is told when such a rule denies. */
enum guard_text {
	GUARD_TEXT_COMMAND,
	GUARD_TEXT_COMMAND_ONLY,
	GUARD_TEXT_PATH,
	GUARD_TEXT_PATH_ONLY,
	GUARD_TEXT_FILE, /* this and the following: of a rule without a tool, by `file` */
	GUARD_TEXT_NEW,
	GUARD_TEXT_ROOT,
	GUARD_TEXT_IGNORED,
	GUARD_TEXT_GENERATED,
	GUARD_TEXT_COUNT
};
struct guard_words {
	const char *key; /* where the rule stands; NULL: guards.rules */
	const char *
		text; /* {command}, {denied}, {file_path}, {marker}, {name}, {pattern}, {scope} and {tool} are filled in */
};

/* Rules of the built-in sets, and sets, that have another verdict than usual, by name. */
struct guard_verdicts {
	struct str_list allow, ask, deny;
};

struct guards_config {
	struct str_list use; /* built-in sets; destructive: all but secrets and settings */
	struct guard_verdicts verdicts;
	struct guard_rule_list protect, create;
	struct guard_tool_rules rules; /* those with a tool come first, then the others, each in this order */
	const struct guard_words
		*words; /* GUARD_TEXT_COUNT of them, of the dialect; NULL: those of holdfast.yml */
	struct {
		struct guard_rule_list deny, ask, allow;
	} commands;
	struct str unknown;        /* allow, ask or deny: what an unknown command means */
	struct guard_tests *tests; /* NULL: off */
};

#endif
