/* SPDX-License-Identifier: MIT */
/* The projects whose definitions the user has agreed to run: one file each in holdfast/trust/ under the state directory,
 * and, of a pinned project, a copy of its definitions beside it. */
#ifndef STORE_TRUST_H
#define STORE_TRUST_H

#include "base/base.h"

struct trust {
	struct str project;     /* absolute, without links; absent: there is no such record */
	struct str root;        /* a directory that has its files: the project, or a work tree of it */
	struct str definitions; /* a line for each file: its digest, a blank, its name */
	struct str since;       /* when, as a text */
	struct str copy;        /* the directory with the pinned copy; absent: not pinned */
	struct str from; /* the branch that the copy is of, where no user has agreed; absent: one has */
};
struct trust_list {
	struct trust *items;
	size_t count;
};

/* Without a project in *ret this one is not trusted. An error where that could not be found out. */
int trust_find(struct arena *a, struct str project, struct trust *ret, struct err *err) MUST_CHECK;
/* All of them, in the order of their file names. One that can't be read is left out. */
int trust_list(struct arena *a, struct trust_list *ret, struct err *err) MUST_CHECK;
/* Is any project pinned? Costs one look where none ever was. */
bool trust_has_pins(struct arena *a);
/* Is this the first time that the user is told where the copy is from? Notes that it was. */
bool trust_tell_first(struct arena *a, struct str copy);

struct trust_copied_file {
	struct str path, content; /* path: relative to the project */
};
/* Records the project, in place of what was recorded before. `files` are copied; NULL: it is not pinned. The date and the copy of *t
 * do not matter. */
int trust_record(struct arena *a, const struct trust *t, const struct trust_copied_file *files, size_t count,
		 struct err *err) MUST_CHECK;
/* Forgets it; *ret_was_there false: it was not trusted. */
int trust_revoke(struct arena *a, struct str project, bool *ret_was_there, struct err *err) MUST_CHECK;

#endif
