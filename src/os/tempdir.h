/* SPDX-License-Identifier: MIT */
/* A directory that only we can look into, for a file that other programs work on by its name. */
#ifndef OS_TEMPDIR_H
#define OS_TEMPDIR_H

#include "base/base.h"

struct tempdir {
	const char *path; /* absolute; NULL: none */
	const char *file; /* a path in it, where nothing is yet */
	const char *lock; /* the same with .lock behind it, as many programs name theirs */
};

/* In TMPDIR, else in /tmp or another usual place, the first where it can be made. It is gone when it is cleared, and also
 * when a signal ends us, be it KILL (os/warden.h). */
int tempdir_make(struct tempdir *d, struct arena *a, const char *name, struct err *err) MUST_CHECK;
/* Removes the directory and the files in it. Also the CLEANUP function; a zeroed one is none. */
void tempdir_clear(struct tempdir *d);

#endif
