/* SPDX-License-Identifier: MIT */
/* Signals: block them around work that must not be interrupted, and send them to all processes of a command. */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include "base/base.h"

#include <signal.h>
#include <sys/types.h>

/* Until the release no handler runs and only KILL ends us. Keep it short:
 *
 *     CLEANUP(signals_release) sigset_t held = signals_hold();
 */
sigset_t signals_hold(void);
/* The CLEANUP function; keeps errno. A pending signal is delivered in it. */
void signals_release(sigset_t *held);

/* A command leads a session and a group; both have its process id as their number. */

/* Signals every process of the group; false if there is none. Signal 0 only asks. */
bool group_signal(pid_t group, int signal_number);
/* Sends TERM, and CONT so that stopped processes receive it. */
void group_terminate(pid_t group);
/* Sends KILL to the group and to processes that left it but not its session, as those of timeout(1) and of shells with job
 * control do. A daemon with its own session is not killed. Killed processes that are our children are reaped. */
void group_kill(pid_t group);
/* Only the session: sends KILL to its processes. Its number must not have been reused. */
void session_kill(pid_t session);

#endif
