/* SPDX-License-Identifier: MIT */
/* The checks as jobs of a CI system: one for each directory, whatever has changed. Pure: the facts list the
 * directories. */
#ifndef GATES_CI_MATRIX_H
#define GATES_CI_MATRIX_H

#include "import/gauntlet.h"

struct ci_facts {
	const struct gates_config *config;
	const struct ci_config *ci;
	/* The directories, relative to the root, that a pattern for directories stands for. */
	struct str_list (*expand)(const void *context, struct arena *a, struct str pattern);
	const void *context;
};

struct ci_job {
	struct str id; /* <name>-<entry point, / as ->, unique */
	struct str entry_point, working_directory;
	const struct gate *check;
	const struct ci_check *ci;
};

struct ci_matrix {
	struct ci_job *items;
	size_t count;
	struct str_list warnings; /* about parts of ci.yml that have no effect */
};

/* Entry points in the order of config.yml, the checks of each in the order of ci.yml, without those that do not run in
 * CI. A check has one job for each working directory. */
void ci_matrix(struct arena *a, const struct ci_facts *f, struct ci_matrix *ret);

#endif
