/* SPDX-License-Identifier: MIT */
/* File descriptors: close, read with a bound, write completely. */
#ifndef OS_FD_H
#define OS_FD_H

#include "base/base.h"

/* Also the CLEANUP function; -1 means none. Keeps errno. */
void fd_close(int *fd);

/* Reads to the end; more than limit bytes is ERR_LIMIT. */
int fd_read_all(struct arena *a, int fd, size_t limit, struct str *ret, struct err *err) MUST_CHECK;
/* Reads up to n bytes at an offset; *ret_n is 0 at the end of the file. */
int fd_read_at(int fd, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err) MUST_CHECK;
/* The same with a pointer to the descriptor: a read_at_fn of doc/reverse_lines.h. */
int fd_read_at_of(void *fd, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err) MUST_CHECK;
/* Reads up to n bytes, as soon as there are any; deadline_ms is on clock_mono_ms(). Does not change the descriptor's flags,
 * which are shared with the process that gave it to us. */
enum input_state { INPUT_BYTES, INPUT_END, INPUT_TIMEOUT };
int fd_read_until(int fd, char *to, size_t n, int64_t deadline_ms, size_t *ret_n, enum input_state *ret_state,
		  struct err *err) MUST_CHECK;
int fd_write_all(int fd, struct str x, struct err *err) MUST_CHECK;
/* Writes as much as the reader takes, for text that may be lost: gives up if the reader does not read for a second. */
void fd_write_some(int fd, struct str x);

/* Does the errno of a failed lock mean that the file system has no locks, as on some network file systems? */
bool fd_has_no_locks(int error);

/* Raises the limit on open descriptors to `wanted`, as far as the system allows. Programs that we start get the old limit,
 * because select() fails with higher numbers. */
void fd_raise_limit(size_t wanted);
/* Only makes a system call: for a child between clone and exec. */
void fd_restore_limit(void);
/* Can this many more descriptors be opened? */
bool fd_has_room(size_t count);

/* Opens /dev/null, read-only, for each of 0, 1 and 2 that is closed. Otherwise a file of ours could get one of these numbers,
 * and an answer to stdout would go into it. Called first of all. */
void fd_reserve_stdio(void);

#endif
