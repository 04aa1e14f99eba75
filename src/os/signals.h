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
 * found, its environment has a variable with that number, of MARK_DIGITS digits, and the numbers of the commands in which it
 * runs itself. */
#define GROUP_NAME "HOLDFAST_GROUP"
#define GROUP_MARK GROUP_NAME "="
#define MARK_DIGITS 10
#define MARK_END ":" /* between numbers */
/* The mark in the environment of a process; NONE also if that can't be read. */
enum mark { MARK_NONE, MARK_OTHER, MARK_OURS };
enum mark group_mark_of(pid_t pid, pid_t group);

/* Signals every process of the group; false if there is none. Signal 0 only asks. */
bool group_signal(pid_t group, int signal_number);
/* Sends TERM, and CONT so that stopped processes receive it. */
void group_terminate(pid_t group);
/* Sends KILL to the group and to marked processes that left it, as those of timeout(1), those of shells with job control
 * and daemons do. Killed processes that are our children are reaped. */
void group_kill(pid_t group);
/* Only those that left the group and are in the session. Its number must not have been reused. */
#define ANY_SESSION (-1)
void group_kill_rest(pid_t group, pid_t session);

#endif
