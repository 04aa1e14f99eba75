/* SPDX-License-Identifier: MIT */
/* Where a project is: the directories in which its files are searched for. */
#ifndef PROJECT_PROJECT_H
#define PROJECT_PROJECT_H

#include "base/base.h"

struct project_dirs {
	struct str dirs[REPOSITORY_LEVELS + 1]; /* innermost first, absolute */
	size_t count;
	struct str repository; /* the first of them that contains .git; absent if none does */
};

enum project_bound {
	WITHIN_REPOSITORY,   /* up to the repository's root, or PROJECT_LEVELS directories if there is none */
	ACROSS_REPOSITORIES, /* PROJECT_LEVELS directories, whatever repositories there are */
};

/* `start` and its parents, then the directory that the client names as its project, if it is absolute and not among them. A
 * `start` that is not absolute adds no directories. A parent such as /tmp, or one that belongs to another user, ends the
 * search. Whether the files in a directory may be used is another question: see trust.h. */
void project_find(struct project_dirs *p, struct str start, enum project_bound bound);
/* The same without the directory that the client names. */
void project_find_above(struct project_dirs *p, struct str start, enum project_bound bound);

/* The repository; without one, the directory that the search began in. Absent: that was not absolute. */
struct str project_root(const struct project_dirs *p);

/* The directory that the client (NULL: not known) names as its project in our environment, else the one that Claude Code's
 * variable names, which other clients set too; absent: none. */
struct client;
struct str project_named_by(const struct client *c);

#endif
