/* SPDX-License-Identifier: MIT */
/* Work that outlives us: nobody waits for it, and it holds none of our descriptors, above all not a hook's stdout. */
#ifndef OS_DETACH_H
#define OS_DETACH_H

#include "base/base.h"

/* Does the work in a process of its own, which has its own session, /dev/null as stdin, stdout and stderr, and ends when
 * the work returns. The work must have an end. Call it last: our own commands are not waited for after it. */
int detach(void (*work)(void *context), void *context, struct err *err) MUST_CHECK;

#endif
