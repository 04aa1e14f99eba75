/* SPDX-License-Identifier: MIT */
/* Where a project is: the directories from a starting point upwards in which its files are looked for. */
#ifndef OS_UPWARD_H
#define OS_UPWARD_H

#include "base/base.h"

struct upward {
	struct str dirs[REPOSITORY_LEVELS + 1]; /* innermost first, absolute */
	size_t count;
	struct str repository; /* the first of them that has .git in it; absent if none has */
};

/* From `start` (absolute; anything else gives no directories) up to and with the repository's root, or, where there is
 * none within REPOSITORY_LEVELS, PROJECT_LEVELS directories; but not to one above `start` in which everybody may put
 * files of his own (/tmp), nor beyond. `project_dir`, if it is absolute and not among them, comes last. */
void upward_find(struct upward *u, struct str start, struct str project_dir);
/* Without the boundary of a repository: PROJECT_LEVELS. */
void upward_find_all(struct upward *u, struct str start, struct str project_dir);

#endif
