/* SPDX-License-Identifier: MIT */
/* Starts a program. posix_spawn can't register the child with the warden before the program runs, and later is too late if we
 * are killed in between. So this does what posix_spawn does: the child shares our memory while we are suspended, has its own
 * stack and makes only system calls. */
#include "os/launch.h"

#include "os/fd.h"
#include "os/signals.h"
#include "os/warden.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* Enough for execvpe, which needs room for a path and, for a script without #!, for the arguments. */
#define STACK_BYTES KIB(64)

enum step { STEP_GUARD, STEP_FILES, STEP_DIR, STEP_EXEC };

/* Sent by a child that failed, through a pipe that closes without data when the program runs. */
struct failure {
	enum step step;
	int sys;
};

struct child {
	const struct launch *l;
	char *const *argv, *const *env;
	int report;
};

static void
reset_signals(void)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &normal, NULL); /* fails for KILL and STOP, which have no handlers */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool
set_files(const struct launch *l)
{
	if (dup2(l->in, 0) < 0 || dup2(l->out, 1) < 0 || dup2(l->err, 2) < 0)
		return false;
	/* Ours are close-on-exec; our parent may have left others open. Before Linux 5.11 they are marked one by one. */
	if (close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) < 0)
		for (int i = 3; i < DESCRIPTORS_MAX; i++)
			(void)fcntl(i, F_SETFD, FD_CLOEXEC);
	return true;
}

/* Runs in the child. All signals are blocked until just before exec. */
NOT_SANITIZED static int
run_child(void *arg)
{
	const struct child *c = arg;
	struct failure failure;

	(void)setsid();
	if (!warden_guard(getpid())) {
		failure.step = STEP_GUARD;
	} else if (!set_files(c->l)) {
		failure.step = STEP_FILES;
	} else if (c->l->dir && chdir(c->l->dir) < 0) {
		failure.step = STEP_DIR;
	} else {
		fd_restore_limit();
		reset_signals();
		(void)execvpe(c->argv[0], c->argv, c->env);
		failure.step = STEP_EXEC;
	}
	failure.sys = errno;
	(void)!write(c->report, &failure, sizeof(failure));
	_exit(127);
}

static struct str
name_of(const char *variable)
{
	struct str x = str_from(variable);
	ptrdiff_t at = str_find_char(x, '=');

	return at < 0 ? x : str_sub(x, 0, (size_t)at);
}

static bool
has_name(const char *const *list, struct str name)
{
	for (; list && *list; list++)
		if (str_eq(name_of(*list), name))
			return true;
	return false;
}

static size_t
count_of(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static const char **
make_env(struct arena *a, const struct launch *l)
{
	const char *const *ours = (const char *const *)environ;
	size_t n = 0, added = count_of(l->env);
	const char **env = arena_array(a, count_of(ours) + added + 1, const char *);

	for (; ours && *ours; ours++)
		if (!has_name(l->unset, name_of(*ours)) && !has_name(l->env, name_of(*ours)))
			env[n++] = *ours;
	for (size_t i = 0; i < added; i++)
		env[n++] = l->env[i];
	return env;
}

static pid_t
start_child(struct arena *a, struct child *c)
{
	size_t n = STACK_BYTES + count_of(c->l->argv) * sizeof(char *);
	char *stack = arena_bytes(a, n);
	/* The stack grows down from an aligned end. */
	char *top = stack + n - ((uintptr_t)(stack + n) & 15);
	/* A handler that ran in the child would write to our memory. */
	CLEANUP(signals_release) sigset_t held = signals_hold();

	return clone(run_child, top, CLONE_VM | CLONE_VFORK | SIGCHLD, c);
}

static int
explain(const struct launch *l, const struct failure *failure, struct err *err)
{
	errno = failure->sys;
	switch (failure->step) {
	case STEP_DIR:
		return err_sys(err, "'%s' can't be run in '%s'", l->argv[0], l->dir);
	case STEP_GUARD:
		return err_sys(err, "'%s' can't be run: no warden", l->argv[0]);
	default:
		return err_sys(err, "'%s' can't be run", l->argv[0]);
	}
}

int
launch(struct arena *scratch, const struct launch *l, pid_t *ret_pid, struct err *err)
{
	int ends[2];
	struct failure failure;
	ssize_t n;

	if (warden_start(err) < 0)
		return err_wrap(err, "'%s' can't be run", l->argv[0]);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_sys(err, "'%s' can't be run: no pipe", l->argv[0]);
	CLEANUP(fd_close) int report = ends[0];
	CLEANUP(fd_close) int theirs = ends[1];
	/* The casts drop const: the exec functions do not declare it, but change nothing. */
	struct child c = {
		.l = l,
		.argv = (char *const *)(uintptr_t)l->argv,
		.env = (char *const *)(uintptr_t)make_env(scratch, l),
		.report = theirs,
	};
	pid_t pid = start_child(scratch, &c);

	if (pid < 0)
		return err_sys(err, "'%s' can't be run: no process", l->argv[0]);
	fd_close(&theirs);
	do
		n = read(report, &failure, sizeof(failure));
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof(failure)) {
		warden_release(pid);
		(void)waitpid(pid, NULL, 0);
		return explain(l, &failure, err);
	}
	*ret_pid = pid;
	return 0;
}
