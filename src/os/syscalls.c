/* SPDX-License-Identifier: MIT */
/* The calls by their numbers, so that it does not matter which C library the program is linked with. */
#include "base/base.h"
#include "os/syscalls.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CLOSE_RANGE_MARKS 4 /* CLOSE_RANGE_CLOEXEC */
#define RENAME_NEW 1        /* RENAME_NOREPLACE */
#define RENAME_BOTH 2       /* RENAME_EXCHANGE */

void
sys_close_from(int first, bool marks)
{
	if (syscall(SYS_close_range, first, ~0u, marks ? CLOSE_RANGE_MARKS : 0) == 0)
		return;
	for (int i = first; i < DESCRIPTORS_MAX; i++)
		(void)(marks ? fcntl(i, F_SETFD, FD_CLOEXEC) : close(i));
}

int
sys_pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int
sys_rename_new(const char *from, const char *to)
{
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NEW);
}

int
sys_rename_exchange(const char *from, const char *to)
{
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_BOTH);
}

/* struct sched_attr, whose header can't be included next to <sched.h>. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t least, most;
};

int
sys_shorten_slice(uint64_t ns)
{
	struct scheduling s = { 0 };

	if (syscall(SYS_sched_getattr, 0, &s, sizeof(s), 0) < 0)
		return -1;
	if (s.policy != SCHED_OTHER)
		return 0;
	s.runtime = ns;
	return (int)syscall(SYS_sched_setattr, 0, &s, 0);
}

const char *
signal_name(int number)
{
	static const char names[][8] = {
		[SIGHUP] = "HUP",       [SIGINT] = "INT",   [SIGQUIT] = "QUIT",   [SIGILL] = "ILL",
		[SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT", [SIGBUS] = "BUS",     [SIGFPE] = "FPE",
		[SIGKILL] = "KILL",     [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV",   [SIGUSR2] = "USR2",
		[SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM", [SIGTERM] = "TERM",   [SIGSTKFLT] = "STKFLT",
		[SIGCHLD] = "CHLD",     [SIGCONT] = "CONT", [SIGSTOP] = "STOP",   [SIGTSTP] = "TSTP",
		[SIGTTIN] = "TTIN",     [SIGTTOU] = "TTOU", [SIGURG] = "URG",     [SIGXCPU] = "XCPU",
		[SIGXFSZ] = "XFSZ",     [SIGPROF] = "PROF", [SIGIO] = "POLL",     [SIGPWR] = "PWR",
		[SIGVTALRM] = "VTALRM", [SIGSYS] = "SYS",   [SIGWINCH] = "WINCH",
	};

	return number > 0 && (size_t)number < sizeof(names) / sizeof(names[0]) && names[number][0]
		       ? names[number]
		       : NULL;
}
