/* SPDX-License-Identifier: MIT */
/* Runs the program as its users do: by name, with its input and nothing else. This process is the subreaper, so it finds every
 * process that the program leaves running. Input and output are files, so that no pipe can block. */
#include "model.h"

#include "os/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Only reached by a process that never ends. */
#define HANG_MS 60000

static struct str
stream_path(const struct world *w, const char *name, int number)
{
	return str_fmt(w->arena, STR_FMT "/%s.%d", STR_ARG(w->dir), name, number);
}

static void
redirect(struct str path, int flags, int to)
{
	int fd = open(path.s, flags | O_CLOEXEC, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		_exit(126);
}

void
call_start(const struct world *w, struct call *c, int number)
{
	struct str in = stream_path(w, "in", number), out = stream_path(w, "out", number);
	struct str err = stream_path(w, "err", number);

	c->number = number;
	world_write(w, in.s, c->input);
	/* The call may be ended before it opens them. */
	(void)unlink(out.s);
	(void)unlink(err.s);
	c->pid = fork();
	if (c->pid == 0) {
		redirect(in, O_RDONLY, 0);
		redirect(out, O_WRONLY | O_CREAT | O_TRUNC, 1);
		redirect(err, O_WRONLY | O_CREAT | O_TRUNC, 2);
		if (chdir(w->project.s) == 0)
			(void)execve(w->binary, (char *const *)(uintptr_t)c->argv,
				     (char *const *)(uintptr_t)w->env);
		_exit(126);
	}
	c->pidfd = sys_pidfd_open(c->pid);
	if (c->pid < 0 || c->pidfd < 0) {
		perror("model: no process");
		exit(1);
	}
}

/* For tests/model/against, which compares the answers of two programs. */
static void
print_answer(const struct call *c)
{
	struct str texts[] = { c->out, c->err }, line;

	printf("#> %s %s: %#x\n", c->argv[0], c->argv[1], (unsigned)c->status);
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		while (str_next(&texts[i], '\n', &line))
			printf("#%zu " STR_FMT "\n", i + 1, STR_ARG(line));
}

void
call_wait(const struct world *w, struct call *c)
{
	struct pollfd poll_fd = { c->pidfd, POLLIN, 0 };
	struct timespec wait = { c->after_us / 1000000, c->after_us % 1000000 * 1000 };

	if (c->signal && ppoll(&poll_fd, 1, &wait, NULL) == 0)
		(void)kill(c->pid, c->signal);
	c->hangs = poll(&poll_fd, 1, HANG_MS) == 0;
	if (c->hangs)
		(void)kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
		;
	(void)close(c->pidfd);
	c->out = world_read(w, stream_path(w, "out", c->number).s);
	c->err = world_read(w, stream_path(w, "err", c->number).s);
	if (getenv("MODEL_ANSWERS"))
		print_answer(c);
	if (!c->out.s)
		c->out = STR("");
	if (!c->err.s)
		c->err = STR("");
}

bool
call_is_idle(const struct call *c)
{
	struct pollfd poll_fd = { c->pidfd, POLLIN, 0 };
	char path[64], text[64] = "";

	if (poll(&poll_fd, 1, 0) == 1)
		return true;
	(void)snprintf(path, sizeof(path), "/proc/%ld/syscall", (long)c->pid);
	FILE *f = fopen(path, "r");
	bool is_read = f && fgets(text, sizeof(text), f);

	if (f)
		(void)fclose(f);
	long number = is_read ? strtol(text, NULL, 10) : -1;

#ifdef SYS_nanosleep
	/* C libraries differ. */
	if (number == SYS_nanosleep)
		return true;
#endif
	return number == SYS_clock_nanosleep;
}

static void
kill_children(void)
{
	FILE *list = fopen("/proc/thread-self/children", "r");
	int pid;

	while (list && fscanf(list, "%d", &pid) == 1)
		(void)kill(pid, SIGKILL);
	if (list)
		(void)fclose(list);
}

bool
call_reap(void)
{
	static const struct timespec moment = { 0, 2000000 };

	for (int waited_ms = 0; waited_ms < HANG_MS / 4; waited_ms += 2) {
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid < 0)
			return true;
		(void)nanosleep(&moment, NULL);
	}
	kill_children();
	while (waitpid(-1, NULL, 0) > 0)
		;
	return false;
}
