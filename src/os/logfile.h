/* SPDX-License-Identifier: MIT */
/* A file that is only ever added to, as long as a run lasts. */
#ifndef OS_LOGFILE_H
#define OS_LOGFILE_H

#include "base/base.h"

/* A new file, open for writing at its end; fails (ERR_SYS, EEXIST) if anything is at the path. Its mode is what the
 * umask leaves of rw for all. */
int logfile_create(const char *path, int *ret_fd, struct err *err) MUST_CHECK;

#endif
