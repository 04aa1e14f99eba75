/* SPDX-License-Identifier: MIT */
/* Putting jobs together: for the plan, and for gates that must be run whatever has changed. Pure. */
#ifndef GATES_PLAN_BUILD_H
#define GATES_PLAN_BUILD_H

#include "gates/plan.h"

struct plan_builder {
	struct arena *arena;
	const struct plan_facts *facts;
	struct job_list jobs;
	size_t capacity;
};

/* The gates of an entry point at a path, those that are there already left out. */
void plan_add_entry(struct plan_builder *b, const struct entry_point *e, struct str path, struct str reason);

/* A pattern for directories, each of which is an entry point then: it ends in one star. */
bool plan_is_for_directories(struct str path);

/* Where the check runs for an entry point, relative to the root. */
struct str plan_check_directory(const struct check_gate *c, struct str entry);

/* The id as part of a file name: what is not a letter, digit, dot, dash or underscore becomes an underscore. A very
 * long one is cut, and ends in a number made of all of it. */
struct str plan_file_part(struct arena *a, struct str id);

#endif
