/* SPDX-License-Identifier: MIT */
/* Signals to process groups and sessions. Used by the warden too, which is nobody's parent. */
#include "os/group.h"

#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that forks while it is looked for is found the next time. */
#define SWEEPS 20

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

/* Kills what is found of the session; false when nothing is. */
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
		/* The leader's status is its owner's to take. */
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
