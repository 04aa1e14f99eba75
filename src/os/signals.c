/* SPDX-License-Identifier: MIT */
/* Signals: block them, and send them to process groups and sessions. The warden uses this too, and it is not the parent of
 * the processes that it ends. */
#include "os/signals.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that forks during one sweep is found by the next. */
#define SWEEPS 20

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

bool
group_signal(pid_t group, int signal_number)
{
	return kill(-group, signal_number) == 0 || errno == EPERM;
}

void
group_terminate(pid_t group)
{
	(void)group_signal(group, SIGTERM);
	(void)group_signal(group, SIGCONT);
}

/* Kills the processes found in the session; false if there are none. */
static bool
sweep(pid_t session)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	bool is_any = false;

	if (!proc)
		return false;
	while ((entry = readdir(proc))) {
		uint64_t number;

		if (!number_parse(str_from(entry->d_name), &number) || number > INT32_MAX)
			continue;
		pid_t pid = (pid_t)number;

		if (getsid(pid) != session)
			continue;
		(void)kill(pid, SIGKILL);
		/* The leader is reaped by its owner. */
		if (pid != session && waitpid(pid, NULL, WNOHANG) != pid)
			is_any = true;
	}
	(void)closedir(proc);
	return is_any;
}

void
group_kill(pid_t group)
{
	(void)group_signal(group, SIGKILL);
	session_kill(group);
}

void
session_kill(pid_t session)
{
	for (int i = 0; i < SWEEPS && sweep(session); i++)
		(void)poll(NULL, 0, 1);
}
