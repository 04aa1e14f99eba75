/* SPDX-License-Identifier: MIT */
/* A lock file that contains the process id of its holder. What counts is the kernel's lock on the file, which ends with the
 * process. The number is for people, and for programs that use no kernel lock: a file of theirs is held while its process
 * lives, if that is a process of agent-gauntlet and not clearly younger than the file, so that the number was reused. Never follows a link, never
 * waits on a FIFO. */
#ifndef OS_PIDFILE_H
#define OS_PIDFILE_H

#include "base/base.h"

/* An empty file counts as held for this long: its creator may be about to write the number. Any other text than a number
 * holds nobody. */
#define PIDFILE_EMPTY_S 10
/* A process that is younger than the file by more than this did not write it, even if the clock was adjusted a little. */
#define PIDFILE_YOUNGER_S 600

enum pidfile_state { PIDFILE_FREE, PIDFILE_HELD, PIDFILE_STALE };

/* Without taking it. A file that can't be opened, or is not a regular one, counts as stale: pidfile_take() then fails and
 * names the problem. */
enum pidfile_state pidfile_state(const char *path);
/* ERR_BUSY: a live process holds it. A stale file is taken over by exactly one of the processes that try. The file is removed
 * if a signal ends us (os/exit_reply.h). */
int pidfile_take(struct arena *scratch, const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* Sleeps in the kernel until nobody holds it; false: the time is over. left_ms() is as for lock_take(). */
bool pidfile_wait(const char *path, int64_t (*left_ms)(void *context), void *context);
/* Removes the file if it is still ours; does nothing for -1. */
void pidfile_release(const char *path, int *fd);

#endif
