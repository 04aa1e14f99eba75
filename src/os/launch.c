/* SPDX-License-Identifier: MIT */
/* Starts a program. posix_spawn can't register the child with the warden before the program runs, and later is too late if we
 * are killed in between. So this does what posix_spawn does: the child shares our memory while we are suspended, has its own
 * stack and makes only system calls. */
#include "os/proc.h"

#include "os/env.h"
#include "os/fd.h"
#include "os/signals.h"
#include "os/syscalls.h"
#include "os/warden.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Enough for execvpe, which needs room for a path and, in some C libraries, for the arguments. */
#define STACK_BYTES KIB(64)
/* Of the marks of commands around us. */
#define AROUND_BYTES 1000
/* The shortest that the kernel allows. */
#define SLICE_NS 100000

enum step { STEP_NONE, STEP_GUARD, STEP_FILES, STEP_DIR, STEP_EXEC };

struct child {
	const char *program;
	char *const *argv, *const *env;
	char *const *by_shell; /* runs a script without #! */
	const char *dir;
	const int *fds;
	bool is_brief;
	char *mark; /* the MARK_DIGITS digits of its environment that are its own */
	/* Written by the child, in our memory. */
	enum step failed;
	int sys;
};

/* A group of its own, without a terminal, marked by its number. A session of its own would do the same, but where the kernel
 * schedules by session (autogroup), each short command would begin behind everything else on a busy machine. */
NOT_SANITIZED static void
leave_group(const struct child *c)
{
	char *digit = c->mark + MARK_DIGITS;
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	(void)setpgid(0, 0);
	if (tty >= 0)
		(void)ioctl(tty, TIOCNOTTY);
	/* Our parent, whose memory this is, waits. */
	for (pid_t rest = getpid(); digit > c->mark; rest /= 10)
		*--digit = (char)('0' + rest % 10);
}

/* Runs in the child. All signals are blocked until just before exec. */
NOT_SANITIZED static int
run_child(void *arg)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	struct child *c = arg;
	sigset_t none;

	(void)sigemptyset(&none);
	leave_group(c);
	if (c->is_brief ? prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 : !warden_guard(getpid())) {
		c->failed = STEP_GUARD;
	} else if (dup2(c->fds[0], 0) < 0 || dup2(c->fds[1], 1) < 0 || dup2(c->fds[2], 2) < 0) {
		c->failed = STEP_FILES;
	} else if (c->dir && chdir(c->dir) < 0) {
		c->failed = STEP_DIR;
	} else {
		sys_close_from(3, true); /* ours are close-on-exec; our parent may have left others open */
		fd_restore_limit();
		/* Handlers as well as what is ignored: a handler that ran in the child before exec would run in our memory, and
		 * take the answer that we are to send for sent. */
		for (int i = 1; i < NSIG; i++)
			(void)sigaction(i, &normal,
					NULL); /* fails for KILL and STOP, which have no handlers */
		(void)sigprocmask(SIG_SETMASK, &none, NULL);
		(void)execvpe(c->program, c->argv, c->env);
		if (errno == ENOEXEC && c->by_shell)
			(void)execve("/bin/sh", c->by_shell, c->env);
		c->failed = STEP_EXEC;
	}
	c->sys = errno;
	_exit(127);
}

static bool
has_name(const char *const *list, struct str name)
{
	for (; list && *list; list++)
		if (str_eq(str_before(str_from(*list), '='), name))
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
make_env(struct arena *a, const struct proc_spec *spec, char **ret_mark)
{
	const char *const *ours = (const char *const *)environ;
	size_t n = 0, added = count_of(spec->env), length = STR(GROUP_MARK).n;
	/* We may be part of a command ourselves. */
	struct str around = str_sub(env_get(GROUP_NAME), 0, AROUND_BYTES);
	const char **env = arena_array(a, count_of(ours) + added + 2, const char *);
	char *mark = arena_alloc(a, 1, length + MARK_DIGITS + 1 + around.n + 1);

	memcpy(mark, GROUP_MARK, length);
	*ret_mark = mark + length;
	if (around.n > 0)
		(void)snprintf(mark + length + MARK_DIGITS, 1 + around.n + 1, MARK_END STR_FMT,
			       STR_ARG(around));
	env[n++] = mark;
	for (; ours && *ours; ours++) {
		struct str name = str_before(str_from(*ours), '=');

		if (!has_name(spec->unset, name) && !has_name(spec->env, name) &&
		    !str_starts(str_from(*ours), STR(GROUP_MARK)))
			env[n++] = *ours;
	}
	for (size_t i = 0; i < added; i++)
		env[n++] = spec->env[i];
	return env;
}

/* `sh PROGRAM ARGUMENT...`: glibc's execvpe does this by itself, musl's does not. NULL for a name without a path, which
 * the shell would look for in the working directory. */
static const char **
make_shell_line(struct arena *a, const char *program, const char *const *argv)
{
	size_t n = count_of(argv);

	if (!strchr(program, '/'))
		return NULL;
	const char **line = arena_array(a, n + 2, const char *);

	line[0] = "sh";
	line[1] = program;
	for (size_t i = 1; i < n; i++)
		line[i + 1] = argv[i];
	return line;
}

/* Which file to run. An empty or relative directory in PATH would mean one in the project, whose files are not the user's:
 * such entries are skipped, and those that the spec excludes. */
static const char *
find_program(struct arena *a, const char *name, const struct str_list *outside)
{
	struct str rest = env_get("PATH"), dir;
	bool is_safe = true;

	if (strchr(name, '/') || !rest.s)
		return name;
	while (str_next(&rest, ':', &dir))
		is_safe &= str_starts(dir, STR("/"));
	if (is_safe && outside->count == 0 && !str_ends(env_get("PATH"), STR(":")))
		return name;
	struct str found = env_find_program_outside(a, name, outside);

	/* a name that the child can't run either */
	return found.s ? str_copy(a, found).s : str_cat(a, "/nonexistent/", name).s;
}

int
launch(struct arena *scratch, const struct proc_spec *spec, const int fds[3], pid_t *ret_pid, struct err *err)
{
	static bool has_short_slice;

	/* On a busy machine we wait for each program twice: until it begins, since we are suspended until then, and until we are
	 * told that it has ended. */
	if (!has_short_slice)
		(void)sys_shorten_slice(SLICE_NS);
	has_short_slice = true;
	if (!spec->is_brief && warden_start(err) < 0)
		return err_wrap(err, "'%s' can't be run", spec->argv[0]);
	/* The casts drop const: the exec functions do not declare it, but change nothing. */
	struct child c = {
		.program = find_program(scratch, spec->argv[0], &spec->outside),
		.argv = (char *const *)(uintptr_t)spec->argv,
		.dir = spec->dir,
		.fds = fds,
		.is_brief = spec->is_brief,
	};

	c.env = (char *const *)(uintptr_t)make_env(scratch, spec, &c.mark);
	c.by_shell = (char *const *)(uintptr_t)make_shell_line(scratch, c.program, spec->argv);
	/* The stack grows down from an aligned end. */
	size_t n = STACK_BYTES + count_of(spec->argv) * sizeof(char *);
	char *end = arena_bytes(scratch, n) + n;
	/* A handler that ran in the child would write to our memory. */
	sigset_t held = signals_hold();
	pid_t pid = clone(run_child, end - ((uintptr_t)end & 15), CLONE_VM | CLONE_VFORK | SIGCHLD, &c);

	signals_release(&held);
	if (pid < 0)
		return err_sys(err, "'%s' can't be run: no process", spec->argv[0]);
	if (c.failed != STEP_NONE) {
		warden_release(pid);
		(void)waitpid(pid, NULL, 0);
		errno = c.sys;
		if (c.failed == STEP_DIR)
			return err_sys(err, "'%s' can't be run in '%s'", spec->argv[0], spec->dir);
		return err_sys(err, "'%s' can't be run%s", spec->argv[0],
			       c.failed == STEP_GUARD ? ": too many commands" : "");
	}
	*ret_pid = pid;
	return 0;
}
