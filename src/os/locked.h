/* SPDX-License-Identifier: MIT */
/* A small state file that several processes change: opened, locked and known to be the one that the path names.
 * The lock is on the file itself, so nothing is left behind and none is ever stale. A file that somebody removed
 * is never created again by a change to it. */
#ifndef OS_LOCKED_H
#define OS_LOCKED_H

#include "base/base.h"

#include <sys/types.h>

struct locked_how {
	bool creates;      /* an empty file, 0600, where there is none */
	bool is_in_shared; /* the directory is everybody's: only our own file with one link counts */
	int timeout_ms;    /* for the lock, which is tried for every few milliseconds; ERR_BUSY after that */
};

struct locked_file {
	int fd;            /* -1: there is no such file */
	bool is_read_only; /* it can be read, but not written */
	const char *path;
};

#define LOCKED_NONE ((struct locked_file){ .fd = -1 })

/* Never follows a link in the last component, never waits on a FIFO, and refuses what is no regular file. */
int locked_open(const char *path, const struct locked_how *how, struct locked_file *ret,
		struct err *err) MUST_CHECK;
int locked_read(struct arena *a, const struct locked_file *f, size_t limit, struct str *ret,
		struct err *err) MUST_CHECK;
/* Changes the content from `old`, which is what locked_read() gave, to `new`. Where the length stays, only the
 * bytes that differ are written, in place. Else a new file takes the old one's place in one step, and only if
 * the old one is still there: *ret_is_gone tells that somebody removed it, wrote to it, or put another in its
 * place, meanwhile. */
int locked_change(struct arena *a, const struct locked_file *f, struct str old, struct str new,
		  bool *ret_is_gone, struct err *err) MUST_CHECK;
/* The whole content in place: for files of a few bytes. */
int locked_overwrite(const struct locked_file *f, struct str content, struct err *err) MUST_CHECK;
/* A file that somebody else put in its place stays, also from being renamed. */
int locked_remove(const struct locked_file *f, struct err *err) MUST_CHECK;
/* Gives it another name, which must be free. */
int locked_rename(const struct locked_file *f, const char *to, struct err *err) MUST_CHECK;
/* A new file that nobody sees before it is whole; fails (ERR_SYS, EEXIST) if anything is at the path. */
int locked_create(struct arena *a, const char *path, struct str content, mode_t mode,
		  struct err *err) MUST_CHECK;
/* The CLEANUP function; also releases the lock. */
void locked_close(struct locked_file *f);

#endif
