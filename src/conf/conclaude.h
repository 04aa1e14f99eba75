/* SPDX-License-Identifier: MIT */
/* Finds, reads and checks conclaude's configuration, .conclaude.yaml, with every key of every version of conclaude. */
#ifndef CONF_CONCLAUDE_H
#define CONF_CONCLAUDE_H

#include "conf/schema.h"
#include "model/guard.h"
#include "model/event.h"

/* One entry of a list of commands. */
struct conclaude_command {
	struct str run;
	struct str message; /* absent: none */
	bool shows_stdout, shows_stderr, shows_command;
	int64_t max_output_lines; /* 0: no limit */
	int64_t timeout_s;        /* 0: none */
	bool notifies;            /* a desktop notification for this command */
	struct str pattern;       /* of prompts: a regular expression; absent: every prompt */
	bool ignores_case;
	struct str tool;       /* a glob; absent: every tool */
	struct str_list files; /* patterns: only if a changed file matches; none: always */
	bool is_background;    /* nobody waits for it */
	struct str subject;    /* a glob for the event's subject; absent: any */
	bool is_gate;          /* any failure blocks, as often as `tries` says */
};

/* The commands of an event: a list, or lists by a glob for the event's subject. */
struct conclaude_patterns {
	struct str pattern;
	struct conclaude_command *commands;
	size_t count;
};
struct conclaude_section {
	struct conclaude_command *commands;
	size_t count;
	struct conclaude_patterns *patterns;
	size_t pattern_count;
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
	bool prevents_root_additions, prevents_ignored, prevents_generated;
	struct str root_message, generated_message; /* absent: the usual ones */
	struct str_list prevented_additions;        /* globs */
	struct {
		struct conclaude_uneditable *items;
		size_t count;
	} uneditable_files;
	struct {
		struct conclaude_tool_rule *items;
		size_t count;
	} tool_rules;
};

struct conclaude_permissions {
	struct str otherwise; /* deny; or allow, in holdfast.yml ask: the client asks */
	struct str_list allow, deny;
};

struct conclaude_context_rule {
	struct str pattern, prompt;
	bool is_enabled, ignores_case;
};

struct conclaude_notifications {
	bool is_enabled, shows_errors, shows_success, shows_system_events;
	struct str_list hooks;
};

struct conclaude_database {
	bool is_enabled;
	struct str path; /* as written; absent: the default */
};

/* How the user is told what has happened at a stop. */
struct notify_config {
	struct str_list on;  /* loop_ended, gate_failed, stop_allowed */
	struct str terminal; /* true, false, osc9, osc99, osc777 or bell */
	bool is_on_desktop;
	struct str command;       /* absent: none */
	struct str_list at, show; /* events by their names in holdfast.yml, or all; failed, passed, started */
};

struct conclaude_config {
	struct str path;                    /* of the file, as found */
	struct str dir;                     /* its directory */
	struct node root;                   /* the document, for positions and keys that are not stored */
	bool is_native;                     /* it was read from holdfast.yml, whose guards decide on tools */
	int64_t tries;                      /* of the gates at events, and of open todos */
	bool needs_todos_done;              /* of holdfast.yml */
	const struct notify_config *notify; /* of holdfast.yml; NULL: nobody is told */
	bool resumes_after_limit;           /* of holdfast.yml: loops do, so StopFailure matters */
	const struct guards_config *guards; /* of holdfast.yml; NULL: none */
	struct conclaude_stop stop;
	struct conclaude_pre_tool_use pre_tool_use;
	struct conclaude_database database;
	struct conclaude_section sections[EVENT_COUNT]; /* commands by event; those of Stop are in `stop` */
	struct conclaude_section slash_commands;
	struct {
		struct conclaude_context_rule *items;
		size_t count;
	} context_rules;
	struct conclaude_permissions *permissions; /* NULL: none */
	struct conclaude_notifications notifications;
	struct str worktree_command; /* absent: none */
	int64_t worktree_timeout_s;
	bool shows_only_final;           /* of MessageDisplay */
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

/* Does the configuration have anything to do at this event? Every stop counts, and every prompt that may be the first of a session
 * with follow-ups. */
bool conclaude_uses(const struct conclaude_config *c, enum event_id event);
/* The keys that are set and that a migration to holdfast.yml leaves out: sections, and keys of sections that it takes over in
 * part. Warnings without a text. */
void conclaude_inactive(struct arena *a, const struct conclaude_config *c, struct config_problems *ret);
/* The names that the event's matcher must let through, such as tools: `Edit|Write`; absent: all of them. */
struct str conclaude_matcher(struct arena *a, const struct conclaude_config *c, enum event_id event);

/* A warning. */
#define ROUNDS_AND_INFINITE                                                                      \
	"rounds and infinite are both set: after the last round infinite mode blocks the stop, " \
	"and the stop after that is round 1 again"

/* Are there commands for the event, and does nobody wait for any of them? */
bool conclaude_is_background(const struct conclaude_config *c, enum event_id event);

#endif
