/* SPDX-License-Identifier: MIT */
/* conclaude's configuration, .conclaude.yaml: where it is, what it says, what is doubtful about it. Every key that
 * any version of conclaude knew is read and checked; the ones that holdfast does not act on are listed by
 * conclaude_inactive(). */
#ifndef CONF_CONCLAUDE_H
#define CONF_CONCLAUDE_H

#include "doc/decode.h"

/* One entry of a list of commands. */
struct conclaude_command {
	struct str run;
	struct str message; /* absent: none */
	bool shows_stdout, shows_stderr, shows_command, notifies;
	int64_t max_output_lines; /* 0: no limit */
	int64_t timeout_s;        /* 0: none */
	struct str pattern;       /* userPromptSubmit only; absent: every prompt */
	bool ignores_case;        /* userPromptSubmit only */
	struct str tool;          /* postToolUse only; absent: every tool */
};

struct conclaude_message {
	struct str text; /* never blank */
	int64_t times;   /* 0..INT32_MAX */
};

struct conclaude_prefix_blocking {
	struct decode_list prefixes; /* of struct str: globs, some of them perhaps malformed */
	struct decode_list messages; /* of struct conclaude_message */
};

struct conclaude_stop {
	struct decode_list commands; /* of struct conclaude_command */
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
	struct str root_additions_message;
	struct decode_list uneditable_files; /* of struct conclaude_uneditable */
	struct decode_list no_additions;     /* of struct str */
	bool prevents_git_ignored;
	struct decode_list tool_rules; /* of struct conclaude_tool_rule */
	bool prevents_generated;
	struct str generated_message;
};

struct conclaude_database {
	bool is_enabled;
	struct str path; /* as written; absent: the default place */
};

/* A section that has nothing but commands: a list, or a table from patterns to lists. */
struct conclaude_commands {
	struct decode_list commands;
};

struct conclaude_notifications {
	bool is_enabled, shows_errors, shows_success, shows_system_events;
	struct decode_list hooks; /* of struct str */
};

struct conclaude_permission_request {
	struct str otherwise;           /* allow or deny */
	struct decode_list allow, deny; /* of struct str */
};

struct conclaude_context_rule {
	struct str pattern, prompt;
	bool is_enabled, ignores_case;
};

struct conclaude_user_prompt_submit {
	struct decode_list context_rules; /* of struct conclaude_context_rule */
	struct decode_list commands;
	struct conclaude_commands *slash_commands; /* NULL: absent */
};

struct conclaude_worktree_create {
	struct str command;
	int64_t timeout_s; /* 0: the default of 60 */
};

struct conclaude_message_display {
	struct decode_list commands;
	bool is_only_final;
};

struct conclaude_config {
	struct str path;  /* of the file, as found */
	struct str dir;   /* its directory */
	struct node root; /* the document, for positions */
	struct conclaude_stop stop;
	struct conclaude_pre_tool_use pre_tool_use;
	struct conclaude_database database;
	struct conclaude_notifications notifications;
	struct conclaude_permission_request *permission_request; /* NULL: absent */
	struct conclaude_user_prompt_submit user_prompt_submit;
	struct conclaude_worktree_create worktree_create;
	struct conclaude_message_display message_display;
	struct conclaude_commands unheeded; /* of the sections that are checked and not acted on, the last */
};

/* The first .conclaude.yaml or .conclaude.yml, in this order in each of the directories. Only looks whether there is
 * something; absent: there is nothing. */
struct str conclaude_find(struct arena *a, const struct str *dirs, size_t count);

/* Reads and checks the file. Error: `FILE:LINE:COL: path.to.key: what is wrong, the value, the nearest names`.
 * Malformed globs and regular expressions do not fail here: see conclaude_check(). */
int conclaude_load(struct arena *a, struct str path, struct conclaude_config *ret,
		   struct err *err) MUST_CHECK;
/* The same for a text that is already there; `path` is only a name. */
int conclaude_parse(struct arena *a, struct str path, struct str text, struct conclaude_config *ret,
		    struct err *err) MUST_CHECK;

/* A prompt's first characters, which are all of it that is kept and matched. */
#define CONCLAUDE_PROMPT_CHARS 100
/* How often a queue of follow-ups can turn the agent back: 0 unless there are a pattern, something to send and a database to
 * count in. */
uint64_t conclaude_sends(const struct conclaude_config *c);
bool conclaude_has_follow_ups(const struct conclaude_config *c);

/* What a file that loads still has wrong or doubtful. An error makes `validate` fail; at hook time only the
 * pattern or rule that it is about is dropped. */
struct conclaude_finding {
	bool is_error;
	struct str path; /* stop.promptPrefixBlocking.prefixes[1] */
	int line, column;
	struct str text;
};
struct conclaude_findings {
	struct conclaude_finding *items;
	size_t count;
};
/* In the order of the document, then what concerns several keys. */
void conclaude_check(struct arena *a, const struct conclaude_config *c, struct conclaude_findings *ret);

/* The keys that are there, say something and are not acted on: sections, and the keys of sections of which only
 * some are. Findings that are no errors, without a text. */
void conclaude_inactive(struct arena *a, const struct conclaude_config *c, struct conclaude_findings *ret);

/* Every key, for the documentation: a section, then what is in it. The keys of an object that is used in several
 * places are listed at the first. */
struct conclaude_key {
	struct str path; /* stop.commands[].run */
	const struct field *field;
};
struct conclaude_keys {
	struct conclaude_key *items;
	size_t count;
};
struct conclaude_keys conclaude_keys(struct arena *a);

#endif
