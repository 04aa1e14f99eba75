/* SPDX-License-Identifier: MIT */
/* The keeper and the worker are in one process group, so the terminal sends its signals to both. The worker acts on them; the
 * keeper passes on those that were sent to it alone, and stops when the worker has stopped. */
#include "os/job.h"

#include "os/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How often we are continued in the background before we give up. */
#define STOPS_MAX 100
/* How long a program that is told to end has for that. */
#define GRACE_MS 1000

/* SIGTTOU is ignored: if the keeper is killed, the shell has the terminal, which the worker still has to restore. */
static const int handled[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH, SIGCHLD };

static sigset_t
handled_set(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < COUNT_OF(handled); i++)
		(void)sigaddset(&set, handled[i]);
	return set;
}

void
job_end_by(int signal_number)
{
	struct rlimit none = { 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	signal_end_by(signal_number);
}

/* Where there is no terminal, nobody waits for it. */
static bool
has_terminal(void)
{
	pid_t group = tcgetpgrp(STDIN_FILENO);

	return group < 0 || group == getpgrp();
}

bool
job_wait_for_terminal(void)
{
	/* In a group that no shell controls the signal has no effect. */
	for (int i = 0; i < STOPS_MAX && !has_terminal(); i++)
		(void)kill(0, SIGTTIN);
	return has_terminal();
}

void
job_stop(void)
{
	do
		(void)raise(SIGSTOP);
	while (!has_terminal()); /* `bg` continued us */
}

/* Keeps until the worker has ended; returns its status. */
static int
keep(pid_t worker, const sigset_t *set)
{
	for (;;) {
		siginfo_t info;
		int number = sigwaitinfo(set, &info), status = 0;
		pid_t pid = waitpid(worker, &status, WNOHANG | WUNTRACED);

		if (pid == worker && WIFSTOPPED(status))
			job_stop();
		else if (pid == worker || (pid < 0 && errno != EINTR))
			return status;
		/* The terminal has sent its own signals to the worker, too. */
		if (number > 0 && number != SIGCHLD && info.si_code <= 0)
			(void)kill(worker, number);
	}
}

bool
job_divide(void (*restore)(void), int *ret_code)
{
	sigset_t set = handled_set();
	pid_t keeper = getpid();

	/* Before the fork: a signal that comes early waits for the one that handles it. */
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	pid_t worker = fork();

	if (worker < 0)
		return true; /* then nobody keeps the terminal */
	if (worker == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != keeper)
			(void)raise(SIGTERM);
		return true;
	}
	int status = keep(worker, &set);

	*ret_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	if (*ret_code != 0)
		restore();
	if (WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGHUP))
		job_end_by(WTERMSIG(status));
	return false;
}

int
job_open_signals(int *ret_fd, struct err *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t set = handled_set();

	(void)sigaction(SIGTTOU, &ignore, NULL);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	*ret_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return *ret_fd < 0 ? err_sys(err, "signalfd") : 0;
}

int
job_next_signal(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

/* Signals are to the program what they were to us. */
static int
spawn(const char *const *argv, short flags, const posix_spawn_file_actions_t *actions, pid_t *ret_pid)
{
	posix_spawnattr_t attributes;
	sigset_t none, set = handled_set();
	char *const *words;

	(void)sigaddset(&set, SIGTTOU);
	(void)sigemptyset(&none);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setsigdefault(&attributes, &set);
	(void)posix_spawnattr_setflags(&attributes,
				       (short)(flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
	memcpy(&words, &argv, sizeof(words)); /* posix_spawn() does not change them */
	int result = posix_spawnp(ret_pid, argv[0], actions, &attributes, words, environ);

	(void)posix_spawnattr_destroy(&attributes);
	return result;
}

int
job_run(const char *const *argv, int signals, struct err *err)
{
	struct pollfd fds[] = { { .fd = signals, .events = POLLIN }, { .fd = STDIN_FILENO } };
	int status, ends_us = 0, ready = 1;
	pid_t pid, got;

	errno = spawn(argv, 0, NULL, &pid);
	if (errno != 0)
		return err_sys(err, "%s", argv[0]);
	while ((got = waitpid(pid, &status, WNOHANG | WUNTRACED)) == 0 ||
	       (got == pid && WIFSTOPPED(status))) {
		if (got == pid && ends_us == 0) {
			job_stop();
			continue;
		}
		if (ends_us != 0) {
			(void)kill(pid, ready == 0 ? SIGKILL : SIGTERM);
			(void)kill(pid, SIGCONT);
		}
		ready = poll(fds, COUNT_OF(fds), ends_us != 0 ? GRACE_MS : -1);
		/* Ctrl-C was for the program. */
		for (int number; (number = job_next_signal(signals)) != 0;)
			if (number == SIGTERM || number == SIGHUP)
				ends_us = number;
		if (ready > 0 && fds[1].revents != 0) {
			ends_us = SIGHUP;
			fds[1].fd = -1; /* that it is gone is said again and again */
		}
	}
	if (ends_us != 0)
		(void)raise(ends_us);
	(void)raise(SIGCHLD); /* another program may have ended meanwhile */
	return 0;
}

int
job_start(const char *const *argv, const char *dir, int fd, pid_t *ret_pid, struct err *err)
{
	posix_spawn_file_actions_t actions;

	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	(void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&actions, fd, 2);
	(void)posix_spawn_file_actions_addchdir_np(&actions, dir);
	errno = spawn(argv, POSIX_SPAWN_SETSID, &actions, ret_pid);
	(void)posix_spawn_file_actions_destroy(&actions);
	return errno != 0 ? err_sys(err, "%s", argv[0]) : 0;
}

bool
job_has_ended(pid_t pid, bool *ret_is_ok)
{
	int status = 0;
	pid_t got = waitpid(pid, &status, WNOHANG);

	*ret_is_ok = got == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return got == pid || (got < 0 && errno != EINTR);
}
