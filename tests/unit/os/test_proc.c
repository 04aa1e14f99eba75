/* SPDX-License-Identifier: MIT */
/* Running programs, with real ones. Several at once are in test_procset.c, what happens to them when we end in
 * test_warden.c. */
#include "base/path.h"
#include "sandbox.h"
#include "shell_program.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct proc_result
sh(struct arena *a, const char *script, int64_t timeout_ms)
{
	return run(a, (struct proc_spec){ .argv = SH(script), .timeout_ms = timeout_ms, .grace_ms = 500 });
}

static struct str
out(struct arena *a, const struct proc_result *r)
{
	return capture_text(&r->out, a, 0);
}

/* Is any process of the group in the first line of the output left? */
static bool
is_group_of_output_gone(struct arena *a, const struct proc_result *r)
{
	pid_t group = (pid_t)strtol(str_copy(a, out(a, r)).s, NULL, 10);

	CHECK(group > 1);
	return kill(-group, 0) == -1 && errno == ESRCH;
}

TEST(output_and_exit_code_are_those_of_the_program)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(&a, "echo one; echo two >&2; exit 3", 0);

	CHECK(r.end == PROC_EXITED && r.code == 3);
	CHECK_STR(out(&a, &r), "one");
	CHECK_STR(capture_text(&r.err, &a, 0), "two");
	r = sh(&a, "kill -USR1 $$", 0);
	CHECK(r.end == PROC_SIGNALED && r.code == SIGUSR1);
	r = sh(&a, "exit 255", 10000);
	CHECK(r.end == PROC_EXITED && r.code == 255);
}

TEST(a_program_that_can_not_be_run_is_named)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_join(&a, str_from(dir), STR("plain")).s;
	struct proc_result r;
	struct err err = { 0 };
	const char *const none[] = { "no-such-program", NULL }, *const plain[] = { file, NULL };

	CHECK(fs_create(file, STR("x"), 0600, &err) == 0);
	CHECK(proc_run(&a, &(struct proc_spec){ .argv = none }, &r, &err) == -1 && err.sys == ENOENT);
	CHECK(strstr(err.msg, "'no-such-program'"));
	CHECK(proc_run(&a, &(struct proc_spec){ .argv = plain }, &r, &err) == -1 && err.sys == EACCES);
	CHECK(strstr(err.msg, file));
	CHECK(proc_run(&a, &(struct proc_spec){ .argv = SH("exit 0"), .dir = "/nowhere" }, &r, &err) == -1);
	CHECK(strstr(err.msg, "'sh'") && strstr(err.msg, "'/nowhere'"));
}

TEST(a_script_without_a_first_line_is_run_by_the_shell)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_join(&a, str_from(test_dir()), STR("script")).s;
	const char *const argv[] = { file, "x", NULL };
	struct err err;

	CHECK(fs_create(file, STR("echo got $1\n"), 0700, &err) == 0);
	struct proc_result r = run(&a, (struct proc_spec){ .argv = argv });

	CHECK_STR(out(&a, &r), "got x");
}

TEST(a_program_runs_in_its_directory_with_its_environment)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = fs_real(&a, test_dir()).s;
	const char *const env[] = { "OF_TEST_A=new", "OF_TEST_C=c=d", NULL };
	const char *const unset[] = { "OF_TEST_B", NULL };

	(void)setenv("OF_TEST_A", "old", 1);
	(void)setenv("OF_TEST_B", "b", 1);
	(void)setenv("OF_TEST_BB", "bb", 1);
	struct proc_result r = run(&a, (struct proc_spec){
					       .argv = SH("pwd; env | grep ^OF_TEST_ | sort"),
					       .dir = dir,
					       .env = env,
					       .unset = unset,
				       });

	(void)unsetenv("OF_TEST_A");
	(void)unsetenv("OF_TEST_B");
	(void)unsetenv("OF_TEST_BB");
	CHECK_STR(out(&a, &r), str_fmt(&a, "%s\nOF_TEST_A=new\nOF_TEST_BB=bb\nOF_TEST_C=c=d", dir).s);
}

TEST(stdin_is_empty_and_no_descriptor_of_ours_is_passed_on)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int leaked = fcntl(2, F_DUPFD, 50); /* as our parent may have left one open */
	struct proc_result r = sh(&a, "cat; ls /proc/self/fd | tr '\\n' ' '", 5000);

	(void)close(leaked);
	CHECK_STR(out(&a, &r), "0 1 2 3 "); /* 3 is the directory that ls reads */
}

TEST(on_a_kernel_that_can_not_close_them_at_once_no_descriptor_is_passed_on_either)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct arena a = { 0 };

		if (!forbid_call(SYS_close_range, ENOSYS) || fcntl(2, F_DUPFD, 50) < 0)
			_exit(2);
		struct proc_result r = sh(&a, "ls /proc/self/fd | tr '\\n' ' '", 5000);

		_exit(str_is(out(&a, &r), "0 1 2 3 ") ? 0 : 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

TEST(signals_are_as_a_fresh_program_expects_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	sigset_t all, old;
	struct sigaction ignore = { .sa_handler = SIG_IGN }, pipe, chld;
	const char *const argv[] = { "sed", "-n", "/^Sig[BIC]/p", "/proc/self/status", NULL };

	(void)sigfillset(&all);
	(void)sigaction(SIGPIPE, &ignore, &pipe);
	(void)sigaction(SIGCHLD, &ignore, &chld);
	(void)sigprocmask(SIG_SETMASK, &all, &old);
	struct proc_result r = run(&a, (struct proc_spec){ .argv = argv });
	struct proc_result failing = sh(&a, "exit 4", 0);

	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	(void)sigaction(SIGPIPE, &pipe, NULL);
	(void)sigaction(SIGCHLD, &chld, NULL);
	/* Whoever was started by posix_spawn, as by make, ignores the C library's own two, 32 and 33, and can't change it. */
	struct str seen = out(&a, &r);

	CHECK(str_is(seen,
		     "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nSigCgt:\t0000000000000000") ||
	      str_is(seen,
		     "SigBlk:\t0000000000000000\nSigIgn:\t0000000180000000\nSigCgt:\t0000000000000000"));
	CHECK(failing.end == PROC_EXITED && failing.code == 4);
}

TEST(a_program_has_a_group_of_its_own_and_no_terminal)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(&a,
				  "set -- $(cat /proc/$$/stat); [ $1 = $5 ] && [ $1 != $6 ] && "
				  "[ $(expr $HOLDFAST_GROUP + 0) = $1 ] "
				  "&& echo own",
				  0);

	CHECK_STR(out(&a, &r), "own");
	r = sh(&a, "exec 2>/dev/null; : </dev/tty || echo no terminal", 0);
	CHECK_STR(out(&a, &r), "");
	CHECK(r.code != 0);
}

TEST(a_background_child_that_holds_the_pipe_does_not_hang_us)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(&a, "echo $$; sleep 60 & exit 0", 30000);

	CHECK(r.end == PROC_EXITED && r.code == 0);
	CHECK(r.elapsed_ms < 10000);
	CHECK(is_group_of_output_gone(&a, &r));
}

TEST(a_background_child_that_never_stops_writing_does_not_hang_us)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(&a, "echo $$; yes & exit 0", 30000);

	CHECK(r.end == PROC_EXITED && r.elapsed_ms < 10000);
	r = sh(&a, "echo begin; setsid yes & exit 0",
	       30000); /* not even one that left the group: its pipe breaks */
	CHECK(r.end == PROC_EXITED && r.elapsed_ms < 10000);
}

/* A job in a group of its own, which it has when the loop ends. */
#define OWN_GROUP                               \
	"timeout 60 sleep 50 & p=$!; echo $p; " \
	"until set -- $(cat /proc/$p/stat); [ $5 = $p ]; do :; done; "

TEST(a_job_that_left_the_group_but_not_the_session_is_ended_too)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(&a, OWN_GROUP "exit 0", 30000);

	CHECK(r.end == PROC_EXITED);
	CHECK(is_group_of_output_gone(&a, &r));
	r = sh(&a, OWN_GROUP "wait", 300);
	CHECK(r.end == PROC_TIMED_OUT);
	CHECK(is_group_of_output_gone(&a, &r));
}

TEST(a_child_that_closes_its_pipes_early_is_still_waited_for)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(&a, "echo x; exec >&- 2>&-; sleep 0.2; exit 9", 10000);

	CHECK(r.end == PROC_EXITED && r.code == 9);
	CHECK(r.elapsed_ms >= 200);
	CHECK_STR(out(&a, &r), "x");
}

TEST(at_the_timeout_the_group_is_ended)
{
	static const struct {
		const char *name, *script;
	} rows[] = {
		{ "obedient", "echo $$; sleep 60" },
		{ "grandchildren", "echo $$; (sleep 60 & sleep 60) & sleep 60" },
		{ "ignores TERM", "trap '' TERM; echo $$; sleep 60 & while :; do sleep 1; done" },
		{ "stopped", "echo $$; kill -STOP $$" },
		{ "ignores TERM and is stopped",
		  "trap '' TERM; echo $$; kill -STOP $$; while :; do sleep 1; done" },
		{ "exits with 0 on TERM", "trap 'exit 0' TERM; echo $$; while :; do sleep 0.05; done" },
		{ "closed its pipes", "echo $$; exec >&- 2>&-; sleep 60" },
		{ "writes for ever", "echo $$; exec yes" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct proc_result r = sh(&a, rows[i].script, 150);

		CHECK_ROW(rows[i].name, r.end == PROC_TIMED_OUT);
		CHECK_ROW(rows[i].name, r.elapsed_ms >= 150 && r.elapsed_ms < 150 + 1000);
		CHECK_ROW(rows[i].name, is_group_of_output_gone(&a, &r));
	}
}

TEST(in_the_grace_a_child_can_tidy_up_even_when_the_leader_is_gone)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = sh(
		&a,
		"echo $$; sh -c 'trap \"echo tidy; exit\" TERM; echo ready; while :; do sleep 0.02; done' &"
		"wait",
		200);

	CHECK(r.end == PROC_TIMED_OUT);
	CHECK(str_ends(out(&a, &r), STR("ready\ntidy")));
	CHECK(r.elapsed_ms < 700); /* without waiting for the rest of the grace time */
}

TEST(without_grace_the_kill_comes_at_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r = run(&a, (struct proc_spec){
					       .argv = SH("trap '' TERM; while :; do sleep 1; done"),
					       .timeout_ms = 100,
				       });

	CHECK(r.end == PROC_TIMED_OUT && r.elapsed_ms < 600);
}

TEST(the_nearer_of_timeout_and_deadline_counts)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_spec spec = { .argv = SH("sleep 60"),
				  .timeout_ms = 100,
				  .deadline_ms = clock_mono_ms() + 30000 };

	CHECK(run(&a, spec).end == PROC_TIMED_OUT);
	spec.timeout_ms = 30000;
	spec.deadline_ms = clock_mono_ms() + 100;
	CHECK(run(&a, spec).end == PROC_DEADLINE);
	spec.timeout_ms = 0;
	spec.deadline_ms = clock_mono_ms() + 100;
	CHECK(run(&a, spec).end == PROC_DEADLINE);
	spec.timeout_ms = INT64_MAX;
	spec.argv = SH("exit 0");
	spec.deadline_ms = 0;
	CHECK(run(&a, spec).end == PROC_EXITED);
}

TEST(after_the_deadline_nothing_is_started)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_join(&a, str_from(test_dir()), STR("ran")).s;
	const char *const argv[] = { "touch", file, NULL };
	struct proc_result r = run(&a, (struct proc_spec){ .argv = argv, .deadline_ms = clock_mono_ms() });

	CHECK(r.end == PROC_DEADLINE && fs_kind(file) == FS_NOTHING);
	CHECK_STR(out(&a, &r), "");
}

static long
peak_kib(void)
{
	struct rusage usage;

	CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
	return usage.ru_maxrss;
}

TEST(a_hundred_megabytes_of_output_are_kept_in_bounded_memory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	long before = peak_kib();
	struct proc_result r = sh(&a, "echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last",
				  60000);

	CHECK(r.end == PROC_EXITED && r.code == 0);
	CHECK(r.out.bytes == 100000000 + 12);
	CHECK_STR(out(&a, &r), "first\n... (1 lines omitted)\nlast");
	CHECK(peak_kib() - before < 8 * 1024);
}

static int
count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	CHECK(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n;
}

TEST(nothing_is_left_open_or_unreaped_after_many_runs)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *const none[] = { "no-such-program", NULL };
	struct proc_result r = sh(&a, "exit 0", 0); /* starts the warden */
	struct err err;
	int before = count_fds();

	while (waitpid(-1, NULL, WNOHANG) > 0)
		; /* a daemon that an earlier test let go */
	for (int i = 0; i < 20; i++) {
		struct arena_mark mark = arena_mark(&a);

		r = sh(&a, "sleep 60 & exit 0", 10000);
		CHECK(proc_run(&a, &(struct proc_spec){ .argv = none }, &r, &err) == -1);
		arena_reset(&a, mark);
	}
	CHECK(count_fds() == before);
	int subreaper = 1;

	CHECK(prctl(PR_GET_CHILD_SUBREAPER, &subreaper, 0, 0, 0) == 0 && subreaper == 0);
	CHECK(waitpid(-1, NULL, WNOHANG) == 0); /* only the warden, alive */
}
