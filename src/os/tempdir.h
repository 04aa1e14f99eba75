/* SPDX-License-Identifier: MIT */
/* A private temporary directory, for a file that other programs open by its name. */
#ifndef OS_TEMPDIR_H
#define OS_TEMPDIR_H

#include "base/base.h"

struct tempdir {
	const char *path; /* absolute; NULL: none */
	const char *file; /* a path in it; not created yet */
	const char *lock; /* file.lock, as git and other programs name their lock files */
};

/* In TMPDIR, else in the first usual directory where it can be created. It is removed by tempdir_clear(), and also when a signal
 * ends us, even KILL (os/warden.h). */
int tempdir_make(struct tempdir *d, struct arena *a, const char *name, struct err *err) MUST_CHECK;
/* Removes the directory and its two files. Also the CLEANUP function; zeroed means none. */
void tempdir_clear(struct tempdir *d);

#endif
