/* SPDX-License-Identifier: MIT */
/* Signals: holding them back while something must not be left half done, and sending them to all processes of a command. */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include "base/base.h"

#include <signal.h>
#include <sys/types.h>

/* From here until the release no handler runs and no signal but KILL ends us. It must be short:
 *
 *     CLEANUP(signals_release) sigset_t held = signals_hold();
 */
sigset_t signals_hold(void);
/* The CLEANUP function; keeps errno. A signal that came meanwhile takes its effect in it. */
void signals_release(sigset_t *held);

/* A command is started as the leader of a session and of a group in it: both have its process id as their number. */

/* To every process of the group; false when there is none. Signal 0 only asks. */
bool group_signal(pid_t group, int signal_number);
/* Ends the group's processes in an orderly way: those that are stopped are woken up for it. */
void group_terminate(pid_t group);
/* KILL to the group, and to those that left it but not its session, as timeout(1) and shells with job control do.
 * A daemon that began a session of its own is left alone. Those killed that are our children are reaped. */
void group_kill(pid_t group);
/* The second half of it: KILL to what is left of the session, whose number must not be in use again. */
void session_kill(pid_t session);

#endif
