/* SPDX-License-Identifier: MIT */
/* A directory for objects that git is about to write. Inside git/ only. */
#ifndef GIT_OBJECTS_H
#define GIT_OBJECTS_H

#include "base/base.h"

struct object_dir {
	struct arena *arena;
	struct str path;     /* absent: none */
	struct str objects;  /* the repository's own */
	const char *guarded; /* as the warden knows it */
};

/* Inside the repository's own, so that objects can be moved there by renaming. Git finds the repository's objects, too. */
int object_dir_make(struct object_dir *d, struct arena *a, struct str objects, struct err *err) MUST_CHECK;
/* Moves what was written to the repository. */
int object_dir_merge(const struct object_dir *d, struct err *err) MUST_CHECK;
/* Removes the directory. Also the CLEANUP function; zeroed means none. */
void object_dir_clear(struct object_dir *d);

#endif
