/* SPDX-License-Identifier: MIT */
/* Which gates apply to a set of changes. Pure. */
#ifndef GATES_PLAN_H
#define GATES_PLAN_H

#include "model/gate.h"

struct plan_facts {
	const struct gauntlet_config *config;
	const struct str *changes; /* relative to the root */
	size_t change_count;
	bool is_ci;
	struct str gate;              /* only gates of this name; absent: all */
	bool has_checks, has_reviews; /* which kinds are wanted */
	/* Is the path a directory? For entry points that end in one star, not two: they stand for
	 * each directory that they match and that has a change in it. NULL: whatever has a change below it is one. */
	bool (*is_directory)(const void *context, struct str path);
	const void *context;
};

/* In the order of the entry points, the root first; of one, its checks and then its reviews. A check that several
 * entry points bring to one working directory is there once, and so is a review that they bring to one path. Several
 * entries for one path each count, with their own exclusions. */
struct job_list plan_jobs(struct arena *a, const struct plan_facts *f);

#endif
