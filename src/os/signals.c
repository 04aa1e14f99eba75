/* SPDX-License-Identifier: MIT */
/* Holding signals back. */
#include "os/signals.h"

#include <errno.h>

sigset_t
signals_hold(void)
{
	sigset_t all, held;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &held);
	return held;
}

void
signals_release(sigset_t *held)
{
	int saved = errno;

	(void)sigprocmask(SIG_SETMASK, held, NULL);
	errno = saved;
}
