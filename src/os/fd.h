/* SPDX-License-Identifier: MIT */
/* File descriptors: closing, whole reads with a bound, whole writes. */
#ifndef OS_FD_H
#define OS_FD_H

#include "base/base.h"

/* The CLEANUP function of a descriptor; -1 is the empty value. Keeps errno. */
void fd_close(int *fd);

/* All that is left to read; more than limit bytes is ERR_LIMIT. */
int fd_read_all(struct arena *a, int fd, size_t limit, struct str *ret, struct err *err) MUST_CHECK;
/* Up to n bytes at an offset; the count read, 0 at the end of the file. */
int fd_read_at(int fd, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err) MUST_CHECK;
/* What there is to read, up to n bytes, as soon as there is anything; deadline_ms is on clock_mono_ms(). Does not change
 * the descriptor, which is shared with the process that gave it to us. */
enum input_state { INPUT_BYTES, INPUT_END, INPUT_TIMEOUT };
int fd_read_until(int fd, char *to, size_t n, int64_t deadline_ms, size_t *ret_n, enum input_state *ret_state,
		  struct err *err) MUST_CHECK;
int fd_write_all(int fd, struct str x, struct err *err) MUST_CHECK;
/* What is nice to know: as much of it as the other side takes, which is nothing where it does not read for a second.
 * A pipe that is ready takes a piece of PIPE_BUF at once. */
void fd_tell(int fd, struct str x);

/* The error of a lock: is it that this file system has none, as network ones may? */
bool fd_has_no_locks(int error);

/* Raises the limit on open descriptors to `wanted`, as far as the system allows. Programs that we start get the old limit
 * back: one that uses select() fails on numbers beyond it. */
void fd_raise_limit(size_t wanted);
/* Only makes a system call: for a child between clone and exec. */
void fd_restore_limit(void);
/* Can this many more descriptors be opened? */
bool fd_has_room(size_t count);

/* Fills those of 0, 1 and 2 that are closed, so that no file of ours ever gets one of these numbers and an
 * answer to stdout can't land in it. What is put there can't be written to. */
void fd_reserve_stdio(void);

#endif
