/* SPDX-License-Identifier: MIT */
/* Starts another program. */
#ifndef OS_LAUNCH_H
#define OS_LAUNCH_H

#include "base/base.h"

#include <sys/types.h>

struct launch {
	const char *const *argv; /* argv[0] is searched for in our PATH */
	const char *const *env;  /* as in struct proc_spec */
	const char *const *unset;
	const char *dir;
	int in, out, err; /* become 0, 1 and 2; all above 2 */
};

/* The process leads a new session and group, has default signal handlers, an empty mask and none of our other descriptors, and
 * is guarded by the warden. On success it runs the program; on failure there is no process, and the message names argv[0]. */
int launch(struct arena *scratch, const struct launch *l, pid_t *ret_pid, struct err *err) MUST_CHECK;

#endif
