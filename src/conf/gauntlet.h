/* SPDX-License-Identifier: MIT */
/* The gates' configuration: .gauntlet/config.yml, checks/, reviews/, the user's own file and the environment. Per
 * field, the environment counts more than the project, the project more than the user. */
#ifndef CONF_GAUNTLET_H
#define CONF_GAUNTLET_H

#include "doc/node.h"
#include "model/gate.h"

/* Where logs are kept by default. */
#define GAUNTLET_LOG_DIR "gauntlet_logs"

/* The first of the directories that has .gauntlet/config.yml; absent: none. */
struct str gauntlet_find(struct arena *a, const struct str *dirs, size_t count);

/* What the stop hook must know before it loads any gate: cheap, and not hindered by a gate's error. */
struct gauntlet_hook_config {
	struct sourced_values sourced;
	struct str log_dir;
	struct str warning; /* about the user's own file, which is ignored then; absent: none */
};
/* Reads config.yml leniently: a value that can't be counts as not given. It fails only where that file is not there or
 * does not parse. */
int gauntlet_load_hook(struct arena *a, struct str root, struct gauntlet_hook_config *ret,
		       struct err *err) MUST_CHECK;

/* Everything, checked. The error is `FILE:LINE:COL: path: what is wrong, the value, the nearest names`; the first
 * one found. *ret_warning: about the user's own file; absent: none. */
int gauntlet_load(struct arena *a, struct str root, struct gauntlet_config *ret, struct str *ret_warning,
		  struct err *err) MUST_CHECK;

/* For validate and health: every problem and not only the first. */
struct gauntlet_problem {
	bool is_fatal;    /* gauntlet_load() fails by it */
	bool is_error;    /* wrong, if not fatal; else only doubtful */
	struct str file;  /* relative to the root */
	struct str field; /* entry_points[0].checks; empty: the whole file */
	struct str text;
	int line, column; /* 0: not of a line */
};
struct gauntlet_problems {
	struct gauntlet_problem *items;
	size_t count;
	struct str_list files; /* that were looked at, relative to the root */
};
void gauntlet_check_all(struct arena *a, struct str root, struct gauntlet_problems *ret);

/* The user's own file: agent-gauntlet/config.yml under XDG_CONFIG_HOME or ~/.config; absent without a home. */
struct str gauntlet_global_path(struct arena *a);

/* CI=true or GITHUB_ACTIONS=true. */
bool gauntlet_is_ci(void);
/* What changes are compared with: `given` on the command line (absent: nothing was), else in CI GITHUB_BASE_REF, else
 * the configured one. */
struct str gauntlet_base_branch(const struct gauntlet_config *c, struct str given);

/* Every value that counts and where it came from, in the order of the files: for `holdfast config`. */
struct gauntlet_value {
	struct str key;  /* stop_hook.enabled, checks.lint.timeout */
	struct str json; /* the value, written as JSON; null: none */
	enum value_source source;
	struct str origin; /* FILE:LINE, a file, a variable; empty: of the program */
};
struct gauntlet_values {
	struct gauntlet_value *items;
	size_t count;
};
/* `root` absent: there is no project, and only what can be said without one is listed. Fails as gauntlet_load(). */
int gauntlet_values(struct arena *a, struct str root, struct gauntlet_values *ret, struct str *ret_warning,
		    struct err *err) MUST_CHECK;

/* Every key, for the documentation. */
struct gauntlet_key {
	const char *file; /* "config.yml", "checks/NAME.yml" */
	struct str path;  /* entry_points[].path */
	const struct field *field;
};
struct gauntlet_keys {
	struct gauntlet_key *items;
	size_t count;
};
struct gauntlet_keys gauntlet_keys(struct arena *a);

/* .gauntlet/ci.yml */
struct ci_step {
	struct str name, run, working_directory, condition;
};
struct ci_check {
	struct str name;
	struct str_list runtimes, services;
	struct ci_step *setup;
	size_t setup_count;
};
struct ci_config {
	const struct node *runtimes, *services; /* as written; NULL: none */
	struct ci_step *setup;
	size_t setup_count;
	struct ci_check *checks;
	size_t check_count;
};
int gauntlet_load_ci(struct arena *a, struct str root, struct ci_config *ret, struct err *err) MUST_CHECK;

#endif
