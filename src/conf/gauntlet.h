/* SPDX-License-Identifier: MIT */
/* agent-gauntlet's configuration, and that of agent-validator, as it is called now: .gauntlet/config.yml or .validator/config.yml, checks/, reviews/, ci.yml, the user's own file and the
 * environment. Field by field, the environment overrides the project, and the project the user. */
#ifndef CONF_GAUNTLET_H
#define CONF_GAUNTLET_H

#include "conf/schema.h"
#include "model/gate.h"

/* The default of log_dir. */
#define GAUNTLET_LOG_DIR "gauntlet_logs"

/* The directory, under its old name or its new one. */
struct gauntlet_kind {
	const char *dir, *config, *checks, *reviews, *ci; /* from the root */
	const char *log_dir;                              /* unless it is configured */
	/* The defaults of agent-validator. It has no stop hook, so fixes are verified and there is no interval. */
	bool is_validator;
};
#define GAUNTLET_KINDS 2
extern const struct gauntlet_kind gauntlet_kinds[GAUNTLET_KINDS];
/* Of a root; where it has both, the old name counts, and where it has neither, too. */
const struct gauntlet_kind *gauntlet_kind_of(struct str root);
/* Does the root have either? */
bool gauntlet_is_in(struct str root);

/* What the stop hook needs before it loads gates. */
struct gauntlet_hook_config {
	struct str root;
	struct str project;               /* of which `root` is a pinned copy; absent: it is no copy */
	bool is_native;                   /* it is holdfast.yml */
	const struct gauntlet_kind *kind; /* unless it is */
	struct sourced_values sourced;
	struct str log_dir;
	struct str warning;   /* about the user's own file, which is then ignored; absent: none */
	struct node document; /* the file, for gauntlet_load_rest() */
};
/* Reads config.yml and no other file of the project. An invalid value counts as not set; fails only if the file is missing or
 * does not parse. */
int gauntlet_load_hook(struct arena *a, struct str root, struct gauntlet_hook_config *ret,
		       struct err *err) MUST_CHECK;
/* The same for a text that was read before. */
int gauntlet_parse_hook(struct arena *a, struct str root, const struct gauntlet_kind *kind, struct str text,
			struct gauntlet_hook_config *ret, struct err *err) MUST_CHECK;
/* Loads and checks everything, without reading config.yml again. The error is the first one found,
 * `FILE:LINE:COL: path: the problem, the value, the nearest names`. */
int gauntlet_load_rest(struct arena *a, const struct gauntlet_hook_config *hook, struct gates_config *ret,
		       struct err *err) MUST_CHECK;
/* Both in one. *ret_warning is about the user's own file; absent: none. */
int gauntlet_load(struct arena *a, struct str root, struct gates_config *ret, struct str *ret_warning,
		  struct err *err) MUST_CHECK;

/* The same for commands that list every problem, including those of ci.yml. False: gauntlet_load() would fail. */
bool gauntlet_check_all(struct arena *a, struct str root, struct gates_config *ret,
			struct config_problems *ret_problems, struct str *ret_warning);

/* The user's own file, agent-gauntlet/config.yml under XDG_CONFIG_HOME or ~/.config; absent without a home. */
struct str gauntlet_global_path(struct arena *a);

/* CI=true or GITHUB_ACTIONS=true. */
bool gauntlet_is_ci(void);
/* The branch that changes are compared with: `given` on the command line (may be absent), else in CI GITHUB_BASE_REF, else the
 * configured one. */
struct str gauntlet_base_branch(const struct gates_config *c, struct str given);

/* For `holdfast config`: every value and its origin, in the order of the files. */
struct gauntlet_value {
	struct str key;  /* stop_hook.enabled, checks.lint.timeout */
	struct str json; /* the value as JSON; null: none */
	enum value_source source;
	struct str origin; /* FILE:LINE, a file or a variable; empty: the default */
};
struct gauntlet_values {
	struct gauntlet_value *items;
	size_t count, capacity;
};
/* Without a project, `root` is absent, and only values that can be set without one are listed. Fails as gauntlet_load(). */
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
	const struct node *runtimes, *services; /* unread; NULL: none */
	struct ci_step *setup;
	size_t setup_count;
	struct ci_check *checks;
	size_t check_count;
};
int gauntlet_load_ci(struct arena *a, struct str root, struct ci_config *ret, struct err *err) MUST_CHECK;

#endif
