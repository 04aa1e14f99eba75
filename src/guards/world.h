/* SPDX-License-Identifier: MIT */
/* The world of files as it is: the file system, and git for what a deletion would lose. */
#ifndef GUARDS_WORLD_H
#define GUARDS_WORLD_H

#include "guards/rules.h"

struct guard_files {
	struct str root;
	int64_t deadline_ms; /* for questions to git, on clock_mono_ms() */
	size_t names;        /* that were looked at below directories */
};
struct guard_world guard_world_of(struct guard_files *files);

#endif
