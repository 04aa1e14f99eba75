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

/* Ends us by this signal, whatever handles it. Only makes system calls. */
void signal_end_by(int signal_number);

/* A command leads a group, which has its process id as its number. So that those of its processes that leave the group can be
 * found, its environment has a variable with that number: GROUP_MARK and MARK_DIGITS digits. */
#define GROUP_MARK "HOLDFAST_GROUP="
#define MARK_DIGITS 10

/* Signals every process of the group; false if there is none. Signal 0 only asks. */
bool group_signal(pid_t group, int signal_number);
/* Sends TERM, and CONT so that stopped processes receive it. */
void group_terminate(pid_t group);
/* Sends KILL to the group and to processes that left it but not our session, as those of timeout(1) and of shells with job
 * control do. A daemon with its own session is not killed. Killed processes that are our children are reaped. */
void group_kill(pid_t group);
/* Only those that left the group. Its number must not have been reused. */
void group_kill_rest(pid_t group);
/* Notes the session in which commands run; for the warden, which has its own. */
void signals_note_session(void);

#endif
