/* SPDX-License-Identifier: MIT */
/* conclaude's configuration, .conclaude.yaml: finding, reading and checking it. Every key that any
 * version of conclaude knew is read and checked; conclaude_inactive() lists the ones that holdfast does not act on. */
#ifndef CONF_CONCLAUDE_H
#define CONF_CONCLAUDE_H

#include "conf/schema.h"

/* One entry of a list of commands. */
struct conclaude_command {
	struct str run;
	struct str message; /* absent: none */
	bool shows_stdout, shows_stderr, shows_command;
	int64_t max_output_lines; /* 0: no limit */
	int64_t timeout_s;        /* 0: none */
};

struct conclaude_message {
	struct str text; /* never blank */
	int64_t times;   /* 0..INT32_MAX */
};

struct conclaude_prefix_blocking {
	struct str_list prefixes; /* globs; some of them may be malformed */
	struct {
		struct conclaude_message *items;
		size_t count;
	} messages;
};

struct conclaude_stop {
	struct {
		struct conclaude_command *items;
		size_t count;
	} commands;
	bool is_infinite;
	struct str infinite_message;                       /* never blank */
	int64_t rounds;                                    /* 0: off */
	struct conclaude_prefix_blocking *prefix_blocking; /* NULL: off */
};

struct conclaude_uneditable {
	struct str pattern, message, agent;
};

struct conclaude_tool_rule {
	struct str tool, pattern, action, message, command_pattern, match_mode, agent;
};

struct conclaude_pre_tool_use {
	bool prevents_root_additions;
	struct {
		struct conclaude_uneditable *items;
		size_t count;
	} uneditable_files;
	struct {
		struct conclaude_tool_rule *items;
		size_t count;
	} tool_rules;
};

struct conclaude_database {
	bool is_enabled;
	struct str path; /* as written; absent: the default place */
};

struct conclaude_config {
	struct str path;  /* of the file, as found */
	struct str dir;   /* its directory */
	struct node root; /* the document, for positions and for keys that are not stored */
	struct conclaude_stop stop;
	struct conclaude_pre_tool_use pre_tool_use;
	struct conclaude_database database;
	struct config_problems problems; /* of single keys; none is fatal */
};

extern const struct schema conclaude_schema; /* struct conclaude_config */

/* The first .conclaude.yaml or .conclaude.yml, in this order in each of the directories; absent: there is none. */
struct str conclaude_find(struct arena *a, const struct str *dirs, size_t count);

/* Reads and checks the file. Error: `FILE:LINE:COL: path.to.key: what is wrong, the value, the nearest names`.
 * A malformed glob or regular expression is not an error here: only that pattern is dropped when it is used. */
int conclaude_load(struct arena *a, struct str path, struct conclaude_config *ret,
		   struct err *err) MUST_CHECK;
/* The same for a text that is already there; `path` is only a name. *ret_problems has all that is wrong, also where
 * it fails; NULL: not wanted. */
int conclaude_parse(struct arena *a, struct str path, struct str text, struct conclaude_config *ret,
		    struct config_problems *ret_problems, struct err *err) MUST_CHECK;
/* The content of the file; an error where there is none. */
int conclaude_read(struct arena *a, struct str path, struct str *ret, struct err *err) MUST_CHECK;

/* Only a prompt's first characters are kept and matched. */
#define CONCLAUDE_PROMPT_CHARS 100
/* How many stops a queue of follow-ups can block: 0 unless there are a pattern, a message and a database to count in. */
uint64_t conclaude_sends(const struct conclaude_config *c);
bool conclaude_has_follow_ups(const struct conclaude_config *c);

/* What is wrong in a configuration that loads: the problems of single keys in the order of the file, then those of
 * several keys. An error makes `validate` fail. */
void conclaude_check(struct arena *a, const struct conclaude_config *c, struct config_problems *ret);

/* The keys that are set and have no effect: sections, and the keys of sections of which only some have one. Warnings
 * without a text. */
void conclaude_inactive(struct arena *a, const struct conclaude_config *c, struct config_problems *ret);

#endif
