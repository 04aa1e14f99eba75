/* SPDX-License-Identifier: MIT */
/* All loops of a project, for the commands that people use. */
#ifndef LOOP_FIND_H
#define LOOP_FIND_H

#include "project/project.h"
#include "loop/state.h"

struct loop_ref {
	struct str path;
	struct loop_state state; /* as it is just now; not locked */
	bool is_corrupt;
	struct err why_corrupt;
};

struct loop_refs {
	struct loop_ref *items;
	size_t count;
};

/* Every .claude/ralph-loop*.local.md in the directories, nearest first. Directories that can't be read have none. */
void loops_find(struct arena *a, const struct project_dirs *where, struct loop_refs *ret);

#endif
