/* SPDX-License-Identifier: MIT */
/* Which gates a project asks for: its own scripts and targets first, then what is usual for its languages. Reads files and
 * runs nothing. */
#ifndef RECOGNISE_RECOGNISE_H
#define RECOGNISE_RECOGNISE_H

#include "base/base.h"

/* A file of the project. The name is relative to its root; that of a directory ends in a slash. */
struct project_file {
	struct str name;
	struct str text; /* absent: it was not read, because nothing in it matters */
};
struct project_files {
	struct project_file *items;
	size_t count;
};

/* What is in the root, the CI files, and the package.json of each workspace. Texts of the files that matter. What can't be
 * read is not there. */
void project_files_read(struct arena *a, struct str root, struct project_files *ret);

struct proposed_gate {
	struct str name, command;
	struct str pattern; /* of its files; absent: every change */
	const char *role;
	const char *ecosystem; /* NULL: of a runner, which speaks for the whole project */
};
struct proposals {
	struct proposed_gate *items;
	size_t count;
};

/* Each gate has another name. Pure. */
void recognise(struct arena *a, const struct project_files *files, struct proposals *ret);

#endif
