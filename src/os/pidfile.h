/* SPDX-License-Identifier: MIT */
/* A lock file with the number of the process that holds it in it. What counts is the kernel's lock on the file, which
 * ends with the process however that ends; the number is for people, and for programs that know no other lock. A file
 * of theirs has no kernel lock: it holds as long as its process lives, if that is not plainly younger than the file: then
 * the number has become another's. Never follows a link, never waits on a FIFO. */
#ifndef OS_PIDFILE_H
#define OS_PIDFILE_H

#include "base/base.h"

/* A file without a number: somebody may be about to write it, but not for so long. So much younger than the file, a process
 * has not written it, whoever may have set the clock a little. */
#define PIDFILE_UNREADABLE_S 600

enum pidfile_state { PIDFILE_FREE, PIDFILE_HELD, PIDFILE_STALE };

/* Without taking it. A file that can't be opened, or is not a regular one, counts as stale: pidfile_take() then fails and
 * names the problem. */
enum pidfile_state pidfile_state(const char *path);
/* ERR_BUSY: a live process holds it. One that was left behind is taken over, by exactly one of those who try. The file
 * is removed when we are ended by a signal (os/exit_reply.h). */
int pidfile_take(struct arena *scratch, const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* Removes the file if it is still ours; -1 is nothing to do. */
void pidfile_release(const char *path, int *fd);

#endif
