/* SPDX-License-Identifier: MIT */
/* The prepared answer: each case is a process that ends in some way. */
#include "test.h"

#include "base/path.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/exit_reply.h"
#include "os/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS "{\"words\":1}\n"
#define ANSWER "{\"answer\":1}\n"

struct outcome {
	struct str out;
	int status;
};

static void
no_core_files(void)
{
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
}

/* Runs body in a process whose stdout is collected. */
static struct outcome
run(struct arena *a, void (*body)(void))
{
	struct outcome o;
	struct err err;
	int ends[2];

	CHECK(pipe2(ends, O_CLOEXEC) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		no_core_files();
		(void)dup2(ends[1], 1);
		(void)close(ends[0]);
		(void)close(ends[1]);
		body();
		_exit(99);
	}
	(void)close(ends[1]);
	CHECK(fd_read_all(a, ends[0], MIB(16), &o.out, &err) == 0);
	(void)close(ends[0]);
	CHECK(waitpid(pid, &o.status, 0) == pid);
	return o;
}

static void
answer_or_die(struct str answer)
{
	struct err err;

	if (exit_reply_send(answer, &err) < 0)
		_exit(98);
}

static int signal_to_raise;

static void
prepare_and_raise(void)
{
	exit_reply_prepare(STR(WORDS), 7);
	(void)raise(signal_to_raise);
}

static void
answer_and_raise(void)
{
	exit_reply_prepare(STR(WORDS), 7);
	answer_or_die(STR(ANSWER));
	(void)raise(signal_to_raise);
}

static const int ends_us[] = { SIGTERM, SIGINT,  SIGHUP,    SIGQUIT, SIGALRM, SIGXCPU,   SIGUSR1,
			       SIGUSR2, SIGPOLL, SIGVTALRM, SIGPROF, SIGPWR,  SIGSTKFLT, SIGSEGV,
			       SIGBUS,  SIGABRT, SIGFPE,    SIGILL,  SIGSYS,  SIGTRAP };

TEST(every_signal_that_ends_us_sends_the_words)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(ends_us); i++) {
		signal_to_raise = ends_us[i];
		struct outcome o = run(&a, prepare_and_raise);

		CHECK_STR(o.out, WORDS);
		CHECK_ROW(strsignal(ends_us[i]), WIFEXITED(o.status) && WEXITSTATUS(o.status) == 7);
	}
}

TEST(after_the_answer_no_words_are_sent)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(ends_us); i++) {
		signal_to_raise = ends_us[i];
		struct outcome o = run(&a, answer_and_raise);

		CHECK_STR(o.out, ANSWER);
		CHECK_ROW(strsignal(ends_us[i]), WIFEXITED(o.status) && WEXITSTATUS(o.status) == 7);
	}
}

static void
raise_ignored(void)
{
	exit_reply_prepare(STR(WORDS), 7);
	(void)raise(SIGPIPE);
	(void)raise(SIGXFSZ);
	_exit(5);
}

TEST(a_broken_pipe_and_a_file_too_large_do_not_end_us)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct outcome o = run(&a, raise_ignored);

	CHECK_STR(o.out, "");
	CHECK(WEXITSTATUS(o.status) == 5);
}

static void
read_from_nowhere(void)
{
	exit_reply_prepare(STR(WORDS), 7);
	volatile char *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)!write(2, "", *nowhere == 1);
}

__attribute__((noinline)) static int
go_deeper(volatile int *depth)
{
	volatile char frame[4096];

	frame[0] = (char)++*depth;
	return *depth < 0 ? 0 : go_deeper(depth) + frame[0];
}

static void
overflow_the_stack(void)
{
	volatile int depth = 0;

	exit_reply_prepare(STR(WORDS), 7);
	_exit(go_deeper(&depth));
}

static void
use_up_memory(void)
{
	struct arena a = { 0 };

	exit_reply_prepare(STR(WORDS), 7);
	(void)arena_bytes(&a, SIZE_MAX);
}

TEST(a_crash_or_the_end_of_memory_sends_the_words)
{
	static void (*const bodies[])(void) = { read_from_nowhere, overflow_the_stack, use_up_memory, abort };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < 3; i++) {
		struct outcome o = run(&a, bodies[i]);

		CHECK_STR(o.out, WORDS);
		CHECK(WIFEXITED(o.status) && WEXITSTATUS(o.status) == 7);
	}
	CHECK(WIFSIGNALED(run(&a, bodies[3]).status)); /* nothing was prepared */
}

static void
prepare_twice(void)
{
	exit_reply_prepare(STR("first"), 6);
	exit_reply_prepare(STR(WORDS), 7);
	(void)raise(SIGTERM);
}

static void
prepare_silence(void)
{
	exit_reply_prepare(STR(""), 0);
	(void)raise(SIGTERM);
}

static void
prepare_with_signals_blocked(void)
{
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)raise(SIGTERM);
	exit_reply_prepare(STR(WORDS), 7);
}

TEST(later_words_replace_earlier_ones_and_empty_words_are_silence)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct outcome o = run(&a, prepare_twice);

	CHECK_STR(o.out, WORDS);
	CHECK(WEXITSTATUS(o.status) == 7);
	o = run(&a, prepare_silence);
	CHECK_STR(o.out, "");
	CHECK(WIFEXITED(o.status) && WEXITSTATUS(o.status) == 0);
	o = run(&a, prepare_with_signals_blocked);
	CHECK_STR(o.out, WORDS);
	CHECK(WEXITSTATUS(o.status) == 7);
}

static void
answer_twice(void)
{
	struct err err;

	exit_reply_prepare(STR(WORDS), 7);
	answer_or_die(STR(ANSWER));
	_exit(exit_reply_send(STR("more"), &err) == -1 ? 0 : 1);
}

static void
answer_large(void)
{
	static char large[1 << 20];

	memset(large, 'x', sizeof(large));
	exit_reply_prepare(STR(WORDS), 7);
	(void)fcntl(1, F_SETFL, O_NONBLOCK);
	answer_or_die((struct str){ large, sizeof(large) });
	_exit(0);
}

TEST(one_answer_is_written_completely)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct outcome o = run(&a, answer_twice);

	CHECK_STR(o.out, ANSWER);
	CHECK(o.status == 0);
	o = run(&a, answer_large);
	CHECK(o.out.n == 1 << 20 && o.status == 0);
}

static void
answer_to_nobody(void)
{
	struct err err = { 0 };
	int ends[2];

	exit_reply_prepare(STR(WORDS), 7);
	if (pipe2(ends, O_CLOEXEC) < 0 || dup2(ends[1], 1) < 0 || close(ends[0]) < 0)
		_exit(1);
	_exit(exit_reply_send(STR(ANSWER), &err) == -1 && err.sys == EPIPE ? 0 : 2);
}

static void
answer_to_closed(void)
{
	struct err err = { 0 };

	(void)close(1);
	fd_reserve_stdio();
	exit_reply_prepare(STR(WORDS), 7);
	int file = open("/dev/null", O_WRONLY | O_CLOEXEC);

	_exit(file > 2 && exit_reply_send(STR(ANSWER), &err) == -1 && err.sys == EBADF ? 0 : 2);
}

static void
answer_to_full_disk(void)
{
	struct err err = { 0 };

	exit_reply_prepare(STR(WORDS), 7);
	if (dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), 1) < 0)
		_exit(1);
	_exit(exit_reply_send(STR(ANSWER), &err) == -1 && err.sys == ENOSPC ? 0 : 2);
}

TEST(an_answer_that_can_not_be_written_is_an_error)
{
	static void (*const bodies[])(void) = { answer_to_nobody, answer_to_closed, answer_to_full_disk };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(bodies); i++) {
		struct outcome o = run(&a, bodies[i]);

		CHECK_STR(o.out, "");
		CHECK(o.status == 0);
	}
}

static void
answer_while_signals_come(void)
{
	exit_reply_prepare(STR(WORDS), 0);
	pid_t parent = getpid();

	if (fork() == 0) {
		(void)close(1);
		(void)kill(parent, SIGTERM);
		_exit(0);
	}
	for (volatile int i = 0; i < signal_to_raise * 500; i++)
		;
	answer_or_die(STR(ANSWER));
	_exit(0);
}

TEST(a_signal_at_any_moment_leaves_exactly_one_answer)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (int i = 0; i < 150; i++) {
		signal_to_raise = i;
		struct outcome o = run(&a, answer_while_signals_come);

		CHECK(o.status == 0);
		CHECK(str_is(o.out, WORDS) || str_is(o.out, ANSWER));
	}
}

static const char *path_a, *path_b, *path_c;

static void
remove_two_and_spare_one(void)
{
	exit_register_file(path_a);
	exit_register_file(path_b);
	exit_register_file(path_c);
	exit_unregister_file(path_b);
	/* checks stderr: only a hook answers on stdout */
	if (dup2(1, 2) < 0 || dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 1) < 0)
		_exit(52);
	exit_reply_prepare(STR(WORDS), EXIT_BY_SIGNAL);
	(void)raise(signal_to_raise);
}

TEST(files_that_must_not_stay_are_removed_and_the_signal_is_what_ends_us)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir = str_from(test_dir());
	struct err err;

	path_a = path_join(&a, dir, STR("lock")).s;
	path_b = path_join(&a, dir, STR("spared")).s;
	path_c = path_join(&a, dir, STR("marker")).s;
	for (size_t i = 0; i < COUNT_OF(ends_us); i++) {
		CHECK(fs_append(path_a, STR("1"), 0600, &err) == 0);
		CHECK(fs_append(path_b, STR("1"), 0600, &err) == 0);
		CHECK(fs_append(path_c, STR("1"), 0600, &err) == 0);
		signal_to_raise = ends_us[i];
		struct outcome o = run(&a, remove_two_and_spare_one);

		CHECK_STR(o.out, WORDS);
		CHECK_ROW(strsignal(ends_us[i]), WIFSIGNALED(o.status) && WTERMSIG(o.status) == ends_us[i]);
		CHECK(fs_kind(path_a) == FS_NOTHING && fs_kind(path_c) == FS_NOTHING);
		CHECK(fs_kind(path_b) == FS_FILE);
	}
}

static void
remove_one_too_many(void)
{
	char too_long[PATH_LIMIT_BYTES + 1];

	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = '\0';
	exit_register_file(too_long);
	exit_register_file(path_a);
	for (size_t i = 1; i < EXIT_FILES; i++)
		exit_register_file("/nowhere/at/all");
	exit_register_file(path_b);
	exit_reply_prepare(STR(""), 7);
	(void)raise(SIGTERM);
}

TEST(files_beyond_the_limit_are_not_removed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir = str_from(test_dir());
	struct err err;

	path_a = path_join(&a, dir, STR("first")).s;
	path_b = path_join(&a, dir, STR("one-too-many")).s;
	CHECK(fs_create(path_a, STR(""), 0600, &err) == 0 && fs_create(path_b, STR(""), 0600, &err) == 0);
	CHECK(WEXITSTATUS(run(&a, remove_one_too_many).status) == 7);
	CHECK(fs_kind(path_a) == FS_NOTHING && fs_kind(path_b) == FS_FILE);
}

/* A command that ignores TERM, and writes its number, while we are ended. */
static void
run_a_command_and_be_ended(void)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *const argv[] = { "sh", "-c",
				     "trap \"\" TERM; echo $$ >pid; kill -TERM $PPID; sleep 60; sleep 60",
				     NULL };
	struct proc_result r;
	struct err err;

	exit_reply_prepare(STR(WORDS), EXIT_BY_SIGNAL);
	_exit(proc_run(&a, &(struct proc_spec){ .argv = argv, .dir = path_a }, &r, &err) == 0 ? 50 : 51);
}

TEST(when_a_signal_has_ended_us_the_commands_are_gone_too)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text;
	struct err err;

	path_a = test_dir();
	struct outcome o = run(&a, run_a_command_and_be_ended);

	CHECK(WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGTERM);
	CHECK(fs_read(&a, path_join(&a, str_from(path_a), STR("pid")).s, 100, &text, &err) == 0 &&
	      text.n > 1);
	pid_t group = (pid_t)strtol(text.s, NULL, 10);

	CHECK(group > 1 && kill(-group, 0) == -1 && errno == ESRCH);
}

static int64_t end_after_ms;

static void
prepare_and_never_end(void)
{
	exit_reply_prepare(STR(WORDS), 7);
	exit_at(clock_mono_ms() + 60000);
	exit_at(clock_mono_ms() + end_after_ms);
	for (;;)
		;
}

TEST(at_its_time_a_hook_ends_whatever_it_does)
{
	static const int64_t times[] = { -5, 0, 1, 1100 };

	for (size_t i = 0; i < COUNT_OF(times); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		int64_t began_ms = clock_mono_ms();

		end_after_ms = times[i];
		struct outcome o = run(&a, prepare_and_never_end);

		CHECK(str_is(o.out, WORDS) && WIFEXITED(o.status) && WEXITSTATUS(o.status) == 7);
		CHECK(clock_mono_ms() - began_ms >= times[i]);
	}
}

static void
outlast_the_first_of_two_times(void)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct proc_result r;
	struct err err;

	exit_reply_prepare(STR(WORDS), 7);
	const char *const argv[] = { "sh", "-c", "sleep 0.4; exit 5", NULL };

	exit_at(clock_mono_ms() + 100);
	exit_at(clock_mono_ms() + 60000);
	_exit(proc_run(&a, &(struct proc_spec){ .argv = argv }, &r, &err) == 0 ? r.code : 51);
}

TEST(a_time_that_was_replaced_ends_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct outcome o = run(&a, outlast_the_first_of_two_times);

	CHECK(o.out.n == 0 && WIFEXITED(o.status) && WEXITSTATUS(o.status) == 5);
}
