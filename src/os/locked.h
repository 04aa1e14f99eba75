/* SPDX-License-Identifier: MIT */
/* A small state file that several processes change: opened, locked and verified to be the one that the path names. The lock
 * is on the file itself, so it never becomes stale. Changing a file that another process removed does not create it again. */
#ifndef OS_LOCKED_H
#define OS_LOCKED_H

#include "base/base.h"

#include <sys/types.h>

/* Locks the descriptor (flock(2)). Sleeps while another process has the lock: each one wakes the next. left_ms() says how long to
 * sleep before it is asked again; after a 0 the lock is not waited for any more, and the error is ERR_BUSY. Where a file system has
 * no locks, two writers may collide; but a loop that ends at once would be worse. */
int lock_take(int fd, int64_t (*left_ms)(void *context), void *context, struct err *err) MUST_CHECK;
/* The same for those who only wait until nobody has it: all of them wake at once. */
int lock_await(int fd, int64_t (*left_ms)(void *context), void *context, struct err *err) MUST_CHECK;

struct locked_how {
	bool creates;      /* creates an empty file, 0600, if there is none */
	bool is_in_shared; /* the directory is shared: only our own file with one link is accepted */
	int timeout_ms;    /* how long to wait for the lock; ERR_BUSY after that */
};

struct locked_file {
	int fd;            /* -1: there is no such file */
	bool is_read_only; /* can be read but not written */
	const char *path;
};

#define LOCKED_NONE ((struct locked_file){ .fd = -1 })

/* Never follows a link in the last component, never waits on a FIFO, and rejects anything but a regular file. */
int locked_open(const char *path, const struct locked_how *how, struct locked_file *ret,
		struct err *err) MUST_CHECK;
int locked_read(struct arena *a, const struct locked_file *f, size_t limit, struct str *ret,
		struct err *err) MUST_CHECK;
/* Changes the content from `old`, as locked_read() returned it, to `new`. If the length is the same, only the bytes that differ
 * are written, in place. Else a new file replaces the old one in one step, and only if the old one is still there.
 * *ret_is_gone: another process has removed, changed or replaced the file since it was read. */
int locked_change(struct arena *a, const struct locked_file *f, struct str old, struct str new,
		  bool *ret_is_gone, struct err *err) MUST_CHECK;
/* Overwrites the content in place: for files of a few bytes. */
int locked_overwrite(const struct locked_file *f, struct str content, struct err *err) MUST_CHECK;
/* Does nothing if there is no such file, or if another one is at the path now. */
int locked_remove(const struct locked_file *f, struct err *err) MUST_CHECK;
/* The new name must be free. Fails if another file is at the path now. */
int locked_rename(const struct locked_file *f, const char *to, struct err *err) MUST_CHECK;
/* Creates a file that is complete as soon as it is visible; fails (ERR_SYS, EEXIST) if anything is at the path. */
int locked_create(struct arena *a, const char *path, struct str content, mode_t mode,
		  struct err *err) MUST_CHECK;
/* Also releases the lock. The CLEANUP function. */
void locked_close(struct locked_file *f);

#endif
