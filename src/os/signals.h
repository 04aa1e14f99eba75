/* SPDX-License-Identifier: MIT */
/* Signals wait while something is done that must not be left half done. */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include <signal.h>

/* From here until the release no handler runs and no signal but KILL ends us. It must be short:
 *
 *     CLEANUP(signals_release) sigset_t held = signals_hold();
 */
sigset_t signals_hold(void);
/* The CLEANUP function; keeps errno. A signal that came meanwhile takes its effect in it. */
void signals_release(sigset_t *held);

#endif
