/* SPDX-License-Identifier: MIT */
/* Signals: block them, and send them to process groups. The warden uses this too, and it is not the parent of
 * the processes that it ends. */
#include "os/signals.h"

#include "os/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
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

void
signal_end_by(int signal_number)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t only;

	(void)sigaction(signal_number, &normal, NULL);
	(void)raise(signal_number);
	(void)sigemptyset(&only);
	(void)sigaddset(&only, signal_number);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
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

enum mark
group_mark_of(pid_t pid, pid_t group)
{
	char path[32], bytes[KIB(32)];
	struct str variable, number;
	uint64_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	CLEANUP(fd_close) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	struct str rest = { bytes, size > 0 ? (size_t)size : 0 };

	/* It is the first that we set; a program may have added others before it. */
	while (str_next(&rest, '\0', &variable)) {
		if (!str_skip(&variable, GROUP_MARK))
			continue;
		while (str_next(&variable, MARK_END[0], &number))
			if (number_parse(number, &n) && n == (uint64_t)group)
				return MARK_OURS;
		return MARK_OTHER;
	}
	return MARK_NONE;
}

/* Processes that were killed. One that is dying has no environment any more, and it may become our child only when its parent
 * has died: it is reaped by its number. More than these are left to the one who reaps orphans. */
#define KILLED_MAX 256
struct killed {
	pid_t items[KILLED_MAX];
	size_t count;
};

/* Kills the processes of the command that are in the session; false if there are none. */
static bool
sweep(pid_t group, pid_t session, struct killed *killed)
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

		if (pid == getpid() || (session != ANY_SESSION && getsid(pid) != session) ||
		    group_mark_of(pid, group) != MARK_OURS)
			continue;
		(void)kill(pid, SIGKILL);
		is_any = true;
		/* The leader is reaped by its owner. */
		if (pid != group && killed->count < KILLED_MAX)
			killed->items[killed->count++] = pid;
	}
	(void)closedir(proc);
	return is_any;
}

void
group_kill(pid_t group)
{
	(void)group_signal(group, SIGKILL);
	group_kill_rest(group, ANY_SESSION);
}

void
group_kill_rest(pid_t group, pid_t session)
{
	struct killed killed = { .count = 0 };

	for (int i = 0; i < SWEEPS; i++) {
		bool is_any = sweep(group, session, &killed);
		size_t left = 0;

		for (size_t k = 0; k < killed.count; k++) {
			pid_t pid = killed.items[k];

			if (waitpid(pid, NULL, WNOHANG) != pid && kill(pid, 0) == 0)
				killed.items[left++] = pid; /* it is not dead yet */
		}
		killed.count = left;
		if (left == 0 && !is_any)
			return;
		(void)poll(NULL, 0, 1);
	}
}
