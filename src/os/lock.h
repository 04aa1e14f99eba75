/* SPDX-License-Identifier: MIT */
/* Advisory locks by flock: the kernel gives them back when the process dies, so none is ever stale. */
#ifndef OS_LOCK_H
#define OS_LOCK_H

#include "base/base.h"

/* Exclusive, tried every few milliseconds up to timeout_ms; ERR_BUSY after that. Released by closing the fd. */
int lock_take(int fd, int timeout_ms, struct err *err) MUST_CHECK;

/* Opens (creating, 0600, never through a link) the lock file at path and takes it; retries when the file is
 * removed or replaced while waiting. The file stays: removing it would split the lock. */
int lock_open(const char *path, int timeout_ms, int *ret_fd, struct err *err) MUST_CHECK;

#endif
