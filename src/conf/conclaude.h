/* SPDX-License-Identifier: MIT */
/* Finds, reads and checks conclaude's configuration, .conclaude.yaml. Every key of every version of conclaude is checked;
 * conclaude_inactive() lists those that holdfast does not act on. */
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
	struct str rounds_message;                         /* absent: the usual one */
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
	struct str path; /* as written; absent: the default */
};

struct conclaude_config {
	struct str path;  /* of the file, as found */
	struct str dir;   /* its directory */
	struct node root; /* the document, for positions and keys that are not stored */
	struct conclaude_stop stop;
	struct conclaude_pre_tool_use pre_tool_use;
	struct conclaude_database database;
	struct config_problems problems; /* of single keys; none of them fatal */
};

extern const struct schema conclaude_schema; /* struct conclaude_config */

/* The first .conclaude.yaml or .conclaude.yml, in this order in each directory; absent: none. */
struct str conclaude_find(struct arena *a, const struct str *dirs, size_t count);

/* Reads and checks the file. Error: `FILE:LINE:COL: path.to.key: the problem, the value, the nearest names`. A malformed glob or
 * regular expression is not an error: such a pattern never matches. */
int conclaude_load(struct arena *a, struct str path, struct conclaude_config *ret,
		   struct err *err) MUST_CHECK;
/* The same for a given text; `path` is only a name. *ret_problems, which may be NULL, gets all problems, even on failure. */
int conclaude_parse(struct arena *a, struct str path, struct str text, struct conclaude_config *ret,
		    struct config_problems *ret_problems, struct err *err) MUST_CHECK;
/* The content of the file; fails if there is none. */
int conclaude_read(struct arena *a, struct str path, struct str *ret, struct err *err) MUST_CHECK;

/* Only the first characters of a prompt are stored and matched. */
#define CONCLAUDE_PROMPT_CHARS 100
/* How many stops the queue of follow-ups can block: 0 without a pattern, a message or the database that counts them. */
uint64_t conclaude_follow_ups(const struct conclaude_config *c);

/* The problems of a configuration that loads: those of single keys in the order of the file, then those of several keys. An error
 * makes `validate` fail. */
void conclaude_check(struct arena *a, const struct conclaude_config *c, struct config_problems *ret);

/* The keys that are set and have no effect: sections, and keys of sections that have an effect in part. Warnings without a
 * text. */
void conclaude_inactive(struct arena *a, const struct conclaude_config *c, struct config_problems *ret);

#endif
