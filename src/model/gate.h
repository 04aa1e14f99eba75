/* SPDX-License-Identifier: MIT */
/* Gates as they are configured, and jobs. A check is a command, a review is a prompt for a reviewer. */
#ifndef MODEL_GATE_H
#define MODEL_GATE_H

#include "model/dialect.h"

enum gate_kind { GATE_CHECK, GATE_REVIEW };

struct gate {
	struct str name; /* its key, or that of its file without the extension */
	enum gate_kind kind;
	struct str file;       /* its path, for messages */
	struct str definition; /* gate_definition_digest() */
	bool is_parallel, runs_locally, runs_in_ci;
	int64_t timeout_ms;    /* 0: none; of a review, the default */
	struct str_list files; /* see gate_is_for(); empty: every file */
	bool reuses;           /* a pass counts again for the content that passed */
	struct str_list needs; /* gates that must have passed in this run, if they are in it */
	/* of a check */
	struct str command, rerun_command; /* absent: the same */
	struct str working_directory;      /* absent or "entrypoint": the entry point's path */
	bool fails_fast;
	struct str fix_instructions; /* the text; absent: none */
	struct str fix_command;      /* run once if the check fails, before it is run again; absent: none */
	int64_t retries;             /* how often it is run again if it fails */
	bool is_exclusive;           /* nothing else runs at the same time */
	/* of a review */
	struct str prompt;
	struct str_list cli_preference; /* never empty */
	int64_t num_reviews;
	bool is_enabled;
	struct str model; /* absent: the reviewer's default */
};

/* A reviewer under cli.adapters. */
struct reviewer_config {
	struct str name;
	struct str_list command;    /* empty: that of the built-in reviewer of this name */
	struct str prompt;          /* "arg": the prompt is its last argument; else it is on stdin */
	struct str model;           /* absent: its default */
	struct str thinking_budget; /* absent: its default */
	int64_t allows_tool_use;    /* 0 or 1; -1: its default */
};

struct entry_point {
	struct str path;
	struct str_list exclude, checks, reviews;
};
static inline const struct str_list *
entry_point_gates(const struct entry_point *e, enum gate_kind kind)
{
	return kind == GATE_CHECK ? &e->checks : &e->reviews;
}
static inline bool
entry_point_names(const struct entry_point *e, enum gate_kind kind, struct str name)
{
	const struct str_list *gates = entry_point_gates(e, kind);

	return str_is_among(name, gates->items, gates->count);
}

/* Where a value came from, for `holdfast config`. */
enum value_source { SOURCE_DEFAULT, SOURCE_GLOBAL, SOURCE_PROJECT, SOURCE_ENVIRONMENT };

struct sourced_int {
	int64_t value;
	enum value_source source;
};

/* Values that more than one source may set. */
struct sourced_values {
	struct sourced_int stop_hook_enabled, reverifies, debug_log_enabled; /* 0 or 1 */
	struct sourced_int run_interval_minutes, debug_log_max_bytes;
};

/* What is suspicious in a configuration, and where: `FILE:LINE:COL: `. */
struct config_warning {
	struct str position, text;
};

struct gates_config {
	struct str root; /* the directory that has the configuration, absolute */
	const struct dialect *dialect;
	struct str base_branch; /* absent: holdfast.yml has none; find_base_branch() finds it */
	struct str log_dir;     /* as configured, relative to root or absolute */
	bool allows_parallel;
	int64_t max_parallel; /* gates in parallel; 0: see runner_places() */
	int64_t max_retries;
	struct str rerun_threshold;         /* critical, high, medium or low */
	struct str_list default_preference; /* never empty */
	bool checks_usage_limit;
	struct reviewer_config *reviewers; /* in the order of the file */
	size_t reviewer_count;
	struct entry_point *entry_points;
	size_t entry_point_count;
	struct gate *checks; /* sorted by name; of holdfast.yml, in its order */
	size_t check_count;
	struct gate *reviews; /* the same */
	size_t review_count;
	struct sourced_values sourced;
	struct config_warning *warnings;
	size_t warning_count;
};

/* The built-in reviewers and their programs, in the order in which they are offered. */
struct known_reviewer {
	const char *name, *program;
};
extern const struct known_reviewer known_reviewers[];
extern const size_t known_reviewer_count;
/* NULL: not one of them. */
const struct known_reviewer *known_reviewer(struct str name);
/* Their names. */
struct str_list known_reviewer_list(struct arena *a);

/* "default", "global", "project", "environment" */
const char *value_source_name(enum value_source source);

struct gate_list {
	struct gate *items;
	size_t count;
};
static inline struct gate_list
gates_config_list(const struct gates_config *c, enum gate_kind kind)
{
	return kind == GATE_CHECK ? (struct gate_list){ c->checks, c->check_count }
				  : (struct gate_list){ c->reviews, c->review_count };
}
/* NULL: there is none of this name. */
const struct gate *gates_config_gate(const struct gates_config *c, enum gate_kind kind, struct str name);
const struct reviewer_config *gates_config_reviewer(const struct gates_config *c, struct str name);

/* Does an entry point name the gate? Otherwise it never runs. */
bool gates_config_uses(const struct gates_config *c, enum gate_kind kind, struct str name);

/* Is a gate with these patterns for this file, a path from the root? A pattern without a slash is the name of a file or
 * directory anywhere, another one is a path from the root, and either stands for everything below it, as in .gitignore. The
 * last pattern that matches decides, and one with a leading ! takes out; where that is the first, it takes out of all
 * files. */
bool gate_is_for(const struct str_list *files, struct str path);
/* The same for many files. */
struct gate_patterns {
	struct gate_pattern *items;
	size_t count;
};
struct gate_patterns gate_patterns_of(struct arena *a, const struct str_list *files);
bool gate_patterns_have(const struct gate_patterns *g, struct str path);

/* "check" or "review" */
struct str gate_kind_name(enum gate_kind kind);

/* A gate in one directory. */
struct job {
	enum gate_kind kind;
	struct str id;          /* check:<working directory>:<name>, review:<entry point>:<name> */
	struct str file_part;   /* the id in a form for file names */
	struct str entry_point; /* the expanded path */
	struct str dir;         /* where a check runs, relative to the root */
	const struct gate *gate;
	struct str reason;     /* why it applies: "src/a.c changed" */
	bool is_for_all_files; /* not only for those that changed */
	struct str key;        /* of its definition and the files that it covers; absent: not known */
};
struct job_list {
	struct job *items;
	size_t count;
};

#endif
