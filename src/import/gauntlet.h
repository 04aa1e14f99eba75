/* SPDX-License-Identifier: MIT */
/* agent-gauntlet's configuration, and that of agent-validator, as it is called now: .gauntlet/config.yml or .validator/config.yml, checks/, reviews/, ci.yml, the user's own file and the
 * environment. Field by field, the environment overrides the project, and the project the user. */
#ifndef IMPORT_GAUNTLET_H
#define IMPORT_GAUNTLET_H

#include "conf/holdfast.h"

/* Of a root; where it has both, the old name counts, and where it has neither, too. */
const struct dialect *gauntlet_dialect(struct str root);

/* Reads config.yml and no other file of the project. An invalid value counts as not set; fails only if the file is missing or
 * does not parse. */
int gauntlet_load_hook(struct arena *a, struct str root, struct stop_settings *ret,
		       struct err *err) MUST_CHECK;
/* The same for a text that was read before. */
int gauntlet_parse_hook(struct arena *a, struct str root, const struct dialect *dialect, struct str text,
			struct stop_settings *ret, struct err *err) MUST_CHECK;
/* Loads and checks everything, without reading config.yml again. The error is the first one found,
 * `FILE:LINE:COL: path: the problem, the value, the nearest names`. */
int gauntlet_load_rest(struct arena *a, const struct stop_settings *hook, struct gates_config *ret,
		       struct err *err) MUST_CHECK;
/* The same for commands that list every problem, including those of ci.yml. False: loading would fail. */
bool gauntlet_check_all(struct arena *a, struct str root, struct gates_config *ret,
			struct config_problems *ret_problems, struct str *ret_warning);

/* The user's own file, agent-gauntlet/config.yml under XDG_CONFIG_HOME or ~/.config; absent without a home. */
struct str gauntlet_global_path(struct arena *a);

/* Without a project, `root` is absent, and only values that can be set without one are listed. Fails as loading does. */
int gauntlet_values(struct arena *a, struct str root, struct config_values *ret, struct str *ret_warning,
		    struct err *err) MUST_CHECK;

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
	const struct node *list; /* of the checks, for their places */
};
int gauntlet_load_ci(struct arena *a, struct str root, struct ci_config *ret, struct err *err) MUST_CHECK;

#endif
