/* SPDX-License-Identifier: MIT */
/* The processes of one command. It is started as the leader of a session and of a group in it, and both have its
 * process id as their number. */
#ifndef OS_GROUP_H
#define OS_GROUP_H

#include "base/base.h"

#include <sys/types.h>

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
