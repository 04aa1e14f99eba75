/* SPDX-License-Identifier: MIT */
/* Nothing outlives us: processes that run commands and are then ended in some way. */
#include "sandbox.h"
#include "shell_program.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs body in a process of its own which adopts all orphans; true when it returned true. */
static bool
in_own_process(bool (*body)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
		_exit(body() ? 0 : 1);
	}
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	return status == 0;
}

/* Reaps all children; false if one is left after ten seconds. */
static bool
has_nobody_left(void)
{
	int64_t give_up_at = clock_mono_ms() + 10000;

	while (clock_mono_ms() < give_up_at) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid < 0 && errno == ECHILD)
			return true;
		if (pid == 0)
			(void)poll(NULL, 0, 2);
	}
	return false;
}

/* A process that runs the script. We read its stdout, which shows which processes hold it. */
static pid_t
start_runner(const char *script, int *ret_stdout)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		_exit(9);
	pid_t pid = fork();

	if (pid == 0) {
		struct arena a = { 0 };
		struct proc_result r;
		struct err err;

		(void)dup2(ends[1], 1);
		(void)close(ends[0]);
		(void)close(ends[1]);
		struct proc_spec spec = { .argv = SH(script), .grace_ms = 500 };

		_exit(proc_run(&a, &spec, &r, &err) == 0 ? 0 : 1);
	}
	(void)close(ends[1]);
	*ret_stdout = ends[0];
	return pid;
}

static bool
wait_for_file(const char *path)
{
	int64_t give_up_at = clock_mono_ms() + 10000;

	while (fs_kind(path) == FS_NOTHING)
		if (clock_mono_ms() > give_up_at || poll(NULL, 0, 2) < 0)
			return false;
	return true;
}

static char flag_path[256];
static int signal_to_send;

static bool
end_a_runner(void)
{
	char script[1024], byte;
	int its_stdout;

	(void)snprintf(
		script, sizeof(script),
		"trap '' HUP; (trap '' TERM; sleep 60; sleep 60) & timeout 70 sleep 60 & : >%s; sleep 60",
		flag_path);
	pid_t pid = start_runner(script, &its_stdout);

	if (!wait_for_file(flag_path) || kill(pid, signal_to_send) < 0)
		return false;
	/* Nobody else holds the runner's stdout: it ends with the runner, before the commands are gone. */
	if (read(its_stdout, &byte, 1) != 0)
		return false;
	(void)close(its_stdout);
	return has_nobody_left();
}

TEST(when_we_are_killed_no_process_remains)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGINT };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		(void)snprintf(flag_path, sizeof(flag_path), "%s/flag", test_dir());
		signal_to_send = signals[i];
		CHECK_ROW(strsignal(signals[i]), in_own_process(end_a_runner));
	}
}

/* Sandboxes of agents forbid send() on any socket. */
static bool
end_a_runner_in_a_sandbox(void)
{
	return forbid_call(SYS_sendto, EPERM) && end_a_runner();
}

TEST(in_a_sandbox_that_forbids_sending_commands_run_and_none_is_left)
{
	(void)snprintf(flag_path, sizeof(flag_path), "%s/flag", test_dir());
	signal_to_send = SIGKILL;
	CHECK(in_own_process(end_a_runner_in_a_sandbox));
}

/* Kills a runner at some moment around the start of its command. */
static bool
kill_at_many_moments(void)
{
	for (int i = 0; i < 80; i++) {
		int its_stdout;
		pid_t pid = start_runner("sleep 60 & sleep 60", &its_stdout);

		(void)usleep((useconds_t)(i * 50));
		(void)kill(pid, SIGKILL);
		(void)close(its_stdout);
		if (!has_nobody_left())
			return false;
	}
	return true;
}

TEST(there_is_no_moment_in_which_a_kill_leaves_a_process)
{
	CHECK(in_own_process(kill_at_many_moments));
}

static bool
run_and_exit(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct arena a = { 0 };
		struct proc_result r;
		struct err err;
		struct proc_spec spec = { .argv = SH("exit 0") };

		/* Through exit(), which is where the warden is reaped: afterwards only the runner is. */
		int result = proc_run(&a, &spec, &r, &err);

		arena_free(&a);
		exit(result == 0 ? 0 : 1);
	}
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0 && waitpid(-1, NULL, WNOHANG) == -1;
}

TEST(at_a_normal_end_the_warden_is_gone_before_us)
{
	CHECK(in_own_process(run_and_exit));
}

/* Takes away the descriptors 0 to 2, as a careless client does. */
static bool
run_without_stdio(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct arena a = { 0 };
		struct proc_result r;
		struct err err;
		struct proc_spec spec = { .argv = SH("echo out; echo err >&2; cat") };

		(void)close(0);
		(void)close(1);
		(void)close(2);
		fd_reserve_stdio();
		_exit(proc_run(&a, &spec, &r, &err) == 0 && r.code == 0 &&
				      str_is(capture_text(&r.out, &a, 0), "out") &&
				      str_is(capture_text(&r.err, &a, 0), "err")
			      ? 0
			      : 1);
	}
	return waitpid(pid, &status, 0) == pid && status == 0 && has_nobody_left();
}

TEST(closed_standard_descriptors_of_ours_do_not_matter)
{
	CHECK(in_own_process(run_without_stdio));
}
