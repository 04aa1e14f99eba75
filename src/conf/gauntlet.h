/* SPDX-License-Identifier: MIT */
/* agent-gauntlet's configuration: .gauntlet/config.yml, checks/, reviews/, ci.yml, the user's own file and the
 * environment. Field by field, the environment overrides the project, and the project the user. */
#ifndef CONF_GAUNTLET_H
#define CONF_GAUNTLET_H

#include "conf/schema.h"
#include "model/gate.h"

/* Where logs are kept by default. */
#define GAUNTLET_LOG_DIR "gauntlet_logs"

/* The first of the directories that has .gauntlet/config.yml; absent: none. */
struct str gauntlet_find(struct arena *a, const struct str *dirs, size_t count);

/* What the stop hook must know before it loads any gate. */
struct gauntlet_hook_config {
	struct str root;
	struct sourced_values sourced;
	struct str log_dir;
	struct str warning;   /* about the user's own file, which is ignored then; absent: none */
	struct node document; /* config.yml, for gauntlet_load_rest() */
};
/* Reads config.yml and no other file of the project. A value that is wrong counts as not set; it fails only where the
 * file is not there or does not parse. */
int gauntlet_load_hook(struct arena *a, struct str root, struct gauntlet_hook_config *ret,
		       struct err *err) MUST_CHECK;
/* Everything, checked, without reading config.yml again. The error is the first one found,
 * `FILE:LINE:COL: path: what is wrong, the value, the nearest names`. */
int gauntlet_load_rest(struct arena *a, const struct gauntlet_hook_config *hook, struct gates_config *ret,
		       struct err *err) MUST_CHECK;
/* Both. *ret_warning: about the user's own file; absent: none. */
int gauntlet_load(struct arena *a, struct str root, struct gates_config *ret, struct str *ret_warning,
		  struct err *err) MUST_CHECK;

/* The same for commands that list every problem, ci.yml's too. False: gauntlet_load() would fail. */
bool gauntlet_check_all(struct arena *a, struct str root, struct gates_config *ret,
			struct config_problems *ret_problems, struct str *ret_warning);

/* The user's own file: agent-gauntlet/config.yml under XDG_CONFIG_HOME or ~/.config; absent without a home. */
struct str gauntlet_global_path(struct arena *a);

/* CI=true or GITHUB_ACTIONS=true. */
bool gauntlet_is_ci(void);
/* What changes are compared with: `given` on the command line (absent: nothing was), else in CI GITHUB_BASE_REF, else
 * the configured branch. */
struct str gauntlet_base_branch(const struct gates_config *c, struct str given);

/* Every value and where it came from, in the order of the files: for `holdfast config`. */
struct gauntlet_value {
	struct str key;  /* stop_hook.enabled, checks.lint.timeout */
	struct str json; /* the value, written as JSON; null: none */
	enum value_source source;
	struct str origin; /* FILE:LINE, a file or a variable; empty: the default */
};
struct gauntlet_values {
	struct gauntlet_value *items;
	size_t count, capacity;
};
/* `root` absent: there is no project, and only what can be set without one is listed. Fails as gauntlet_load(). */
int gauntlet_values(struct arena *a, struct str root, struct gauntlet_values *ret, struct str *ret_warning,
		    struct err *err) MUST_CHECK;

/* Every key of every file, for the documentation. */
struct schema_keys gauntlet_keys(struct arena *a);

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
