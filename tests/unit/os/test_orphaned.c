/* SPDX-License-Identifier: MIT */
/* A hook whose client was killed: it and its commands end, because nobody reads the answer. */
#include "test.h"

#include "os/exit_reply.h"
#include "os/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDED 7
#define WENT_ON 5

enum channel { PIPE, SOCKET, NOTHING };

/* What stdout is, and a listener at its other end or none any more. */
static void
set_stdout(enum channel channel, bool is_heard)
{
	int ends[2] = { -1, -1 };

	if (channel == PIPE     ? pipe2(ends, O_CLOEXEC) < 0
	    : channel == SOCKET ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0
				: (ends[1] = open("/dev/null", O_WRONLY | O_CLOEXEC)) < 0)
		_exit(90);
	if (dup2(ends[1], 1) < 0)
		_exit(91);
	if (!is_heard && ends[0] >= 0)
		(void)close(ends[0]);
}

static const struct {
	const char *name;
	enum channel channel;
	bool is_heard;
	int exit_code; /* as prepared; 0: nothing is */
	bool has_answered;
	int expected;
} rows[] = {
	{ "a pipe that is read", PIPE, true, ENDED, false, WENT_ON },
	{ "a pipe without a reader", PIPE, false, ENDED, false, ENDED },
	{ "a socket with a peer", SOCKET, true, ENDED, false, WENT_ON },
	{ "a socket whose peer has gone", SOCKET, false, ENDED, false, ENDED },
	{ "/dev/null", NOTHING, false, ENDED, false, WENT_ON },
	{ "no reader, no hook", PIPE, false, EXIT_BY_SIGNAL, false, WENT_ON },
	{ "no reader, nothing prepared", PIPE, false, 0, false, WENT_ON },
	{ "no reader after the answer", PIPE, false, ENDED, true, WENT_ON },
};

static void
be_row(size_t i)
{
	struct err ignored;

	if (rows[i].exit_code != 0)
		exit_reply_prepare(STR("words\n"), rows[i].exit_code);
	set_stdout(rows[i].channel, rows[i].is_heard);
	if (rows[i].has_answered)
		(void)(exit_reply_send(STR("answer\n"), &ignored) == 0);
	exit_if_orphaned();
	_exit(WENT_ON);
}

TEST(a_hook_without_a_reader_ends)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			be_row(i);
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK_ROW(rows[i].name, WIFEXITED(status) && WEXITSTATUS(status) == rows[i].expected);
	}
}

/* A hook that runs a command for a minute; the command's number is on `report`. */
static _Noreturn void
be_hook(int report)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char script[64];
	struct proc_result result;
	struct err err;

	(void)snprintf(script, sizeof(script), "echo $$ >/proc/%d/fd/%d; exec sleep 60", getpid(), report);
	exit_reply_prepare(STR("words\n"), ENDED);
	_exit(proc_run(&a, &(struct proc_spec){ .argv = (const char *[]){ "sh", "-c", script, NULL } },
		       &result, &err) < 0
		      ? 92
		      : WENT_ON);
}

TEST(a_command_ends_when_its_hooks_client_is_killed)
{
	char number[32] = { 0 };
	int out[2], report[2], status = 0;

	CHECK(pipe2(out, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		(void)dup2(out[1], 1);
		(void)close(out[0]);
		(void)close(out[1]);
		(void)close(report[0]);
		be_hook(report[1]);
	}
	(void)close(out[1]);
	(void)close(report[1]);
	CHECK(read(report[0], number, sizeof(number) - 1) > 0);
	pid_t command = (pid_t)strtol(number, NULL, 10);

	CHECK(command > 1 && kill(command, 0) == 0);
	(void)close(out[0]); /* as when the client is killed */
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == ENDED);
	CHECK(kill(command, 0) < 0 && errno == ESRCH);
	(void)close(report[0]);
}
