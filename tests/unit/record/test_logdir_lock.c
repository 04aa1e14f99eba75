/* SPDX-License-Identifier: MIT */
/* The lock of a run, between real processes. */
#include "test.h"

#include "base/path.h"
#include "record/logdir.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/exit_reply.h"
#include "os/pidfile.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct logdir
new_logs(struct arena *a)
{
	return logdir_of(a, str_from(test_dir()), STR("gauntlet_logs"), &dialects[DIALECT_GAUNTLET]);
}

/* The log directory with a lock file of this content in it. */
static const char *
put_lock(struct arena *a, const struct logdir *d, struct str content)
{
	const char *path = logdir_file(a, d, d->dialect->lock).s;
	struct err err;

	CHECK(fs_make_dirs(d->path.s, 0777, &err) == 0);
	CHECK(fs_remove(path, &err) == 0 && fs_create(path, content, 0644, &err) == 0);
	return path;
}

static struct str
content_of(struct arena *a, const char *path)
{
	struct str text;
	struct err err;

	CHECK(fs_read(a, path, KIB(1), &text, &err) == 0);
	return text;
}

static void
make_older(const char *path, int64_t seconds)
{
	struct timespec now, then[2];

	CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
	then[0] = then[1] = (struct timespec){ .tv_sec = now.tv_sec - seconds };
	CHECK(utimensat(AT_FDCWD, path, then, 0) == 0);
}

/* The number of a process that has ended and been reaped. */
static pid_t
dead_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
	return pid;
}

struct other {
	pid_t pid;
	int go; /* closing it ends the process */
};

/* A process that waits: with the lock if it is given logs, else under the name of the original. */
static struct other
start_other(const struct logdir *d)
{
	int ready[2], go[2];
	char byte;

	CHECK(pipe2(ready, O_CLOEXEC) == 0 && pipe2(go, O_CLOEXEC) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		struct arena a = { 0 };
		struct err err;
		int fd = -1;

		(void)close(go[1]);
		if (!d && dup2(go[0], STDIN_FILENO) >= 0)
			(void)execlp("cat", "agent-gauntlet", (char *)NULL);
		if ((d && logdir_lock(&a, d, &fd, &err) < 0) || write(ready[1], "x", 1) != 1)
			_exit(1);
		(void)!read(go[0], &byte, 1);
		_exit(0); /* without giving the lock back */
	}
	(void)close(ready[1]);
	(void)close(go[0]);
	CHECK(read(ready[0], &byte, 1) == (d ? 1 : 0));
	(void)close(ready[0]);
	return (struct other){ pid, go[1] };
}

static void
end_other(struct other o)
{
	(void)close(o.go);
	CHECK(waitpid(o.pid, NULL, 0) == o.pid);
}

/* scenario: G13-25 */
TEST(the_lock_makes_its_directory_names_its_process_and_is_gone_after)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = logdir_of(&a, str_from(test_dir()), STR("deep/down/logs"),
				    &dialects[DIALECT_GAUNTLET]);
	const char *path = logdir_file(&a, &d, ".gauntlet-run.lock").s;
	struct err err;
	int fd = -1;

	CHECK(logdir_lock_state(&a, &d) == PIDFILE_FREE);
	CHECK(logdir_lock(&a, &d, &fd, &err) == 0 && fd >= 0);
	CHECK_STR(str_trim(content_of(&a, path)), str_fmt(&a, "%ld", (long)getpid()).s);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_HELD);
	logdir_unlock(&a, &d, &fd);
	CHECK(fd == -1 && fs_lkind(path) == FS_NOTHING && logdir_lock_state(&a, &d) == PIDFILE_FREE);
	logdir_unlock(&a, &d, &fd); /* once more does nothing */
	struct str_list left;

	CHECK(fs_list(&a, d.path.s, 10, &left, &err) == 0 && left.count == 0);
}

/* scenario: G13-26 */
TEST(a_second_run_is_busy_and_is_told_where_the_lock_is)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct other o = start_other(&d);
	struct err err = { 0 };
	int fd = -1;
	int64_t before = clock_mono_ms();

	CHECK(logdir_lock(&a, &d, &fd, &err) == -1 && err.code == ERR_BUSY && fd == -1);
	CHECK(clock_mono_ms() - before < 500);
	CHECK_STR(str_from(err.msg), str_fmt(&a,
					     "A gauntlet run is already in progress (lock file: " STR_FMT
					     "/.gauntlet-run.lock).\nIf no run is actually in progress, "
					     "delete the lock file manually.",
					     STR_ARG(d.path))
					     .s);
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_HELD);
	end_other(o);
}

TEST(the_lock_is_free_again_however_its_process_ended)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct other o = start_other(&d);
	struct err err;
	int fd = -1;

	(void)kill(o.pid, SIGKILL);
	end_other(o);
	CHECK(fs_lkind(logdir_file(&a, &d, d.dialect->lock).s) == FS_FILE);
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_STALE);
	CHECK(logdir_lock(&a, &d, &fd, &err) == 0);
	logdir_unlock(&a, &d, &fd);
}

TEST(a_signal_takes_lock_and_marker_with_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct str_list left;
	struct err err;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int lock = -1, marker = -1;

		exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
		if (logdir_lock(&a, &d, &lock, &err) < 0 || logdir_mark(&a, &d, &marker, &err) < 0)
			_exit(1);
		(void)raise(SIGTERM);
		_exit(2);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK(fs_list(&a, d.path.s, 10, &left, &err) == 0 && left.count == 0 && fs_lkind(d.path.s) == FS_DIR);
}

TEST(a_process_that_has_ended_but_was_not_reaped_holds_no_lock)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	pid_t pid = fork();
	siginfo_t info;
	struct err err;
	int fd = -1;

	if (pid == 0)
		_exit(0);
	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	(void)put_lock(&a, &d, str_fmt(&a, "%ld", (long)pid));
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_STALE);
	CHECK(logdir_lock(&a, &d, &fd, &err) == 0);
	logdir_unlock(&a, &d, &fd);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

/* scenario: G13-27 */
TEST(a_lock_file_without_a_kernel_lock_is_judged_by_what_it_says)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct other o = start_other(NULL);
	long live = (long)o.pid, dead = (long)dead_process(), us = (long)getpid();
	const struct {
		const char *name;
		struct str content;
		int64_t age_s;
		enum pidfile_state state;
	} rows[] = {
		{ "a live process", str_fmt(&a, "%ld", live), 0, PIDFILE_HELD },
		{ "with a newline", str_fmt(&a, "%ld\n", live), 0, PIDFILE_HELD },
		{ "a live one, from before it began by the clock's doubt", str_fmt(&a, "%ld", live),
		  PIDFILE_YOUNGER_S - 30, PIDFILE_HELD },
		{ "a number that another process has got since", str_fmt(&a, "%ld", live),
		  PIDFILE_YOUNGER_S + 30, PIDFILE_STALE },
		{ "the same, long ago", str_fmt(&a, "%ld", live), 90000, PIDFILE_STALE },
		{ "a live one, but a lock of ours", str_fmt(&a, "%ld\n\n", live), 0, PIDFILE_STALE },
		{ "a live one of another program", STR("1"), 0, PIDFILE_STALE },
		{ "a dead process", str_fmt(&a, "%ld", dead), 0, PIDFILE_STALE },
		{ "our own number", str_fmt(&a, "%ld", us), 0, PIDFILE_STALE },
		{ "nothing, just now", STR(""), 0, PIDFILE_HELD },
		{ "nothing, for a moment", STR(""), PIDFILE_EMPTY_S - 5, PIDFILE_HELD },
		{ "nothing, for longer", STR(""), PIDFILE_EMPTY_S, PIDFILE_STALE },
		{ "nothing, from the future", STR(""), -2 * PIDFILE_EMPTY_S, PIDFILE_STALE },
		{ "a word", STR("held"), 0, PIDFILE_STALE },
		{ "zero", STR("0"), 0, PIDFILE_STALE },
		{ "a group", STR("-1"), 0, PIDFILE_STALE },
		{ "a number too large", STR("4294967297"), 0, PIDFILE_STALE },
		{ "a live number and more", str_fmt(&a, "%ld x", live), 0, PIDFILE_STALE },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *path = put_lock(&a, &d, rows[i].content);
		struct err err = { 0 };
		int fd = -1;

		make_older(path, rows[i].age_s);
		CHECK_ROW(rows[i].name, logdir_lock_state(&a, &d) == rows[i].state);
		int result = logdir_lock(&a, &d, &fd, &err);

		CHECK_ROW(rows[i].name, result == (rows[i].state == PIDFILE_HELD ? -1 : 0));
		CHECK_ROW(rows[i].name, result == 0 || err.code == ERR_BUSY);
		if (result < 0)
			CHECK_ROW(rows[i].name, str_eq(content_of(&a, path), rows[i].content));
		logdir_unlock(&a, &d, &fd);
	}
	end_other(o);
}

static int others[2]; /* a pipe: it ends when all others have ended */

/* Many processes at once, each in the role that is given; how many of them ended with 0. */
static int
race(int count, int (*role)(const struct logdir *), const struct logdir *d)
{
	int gate[2], winners = 0, status;
	pid_t pids[64];
	char byte;

	CHECK(count <= (int)COUNT_OF(pids) && pipe2(gate, O_CLOEXEC) == 0);
	CHECK(pipe2(others, O_CLOEXEC) == 0);
	for (int i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			(void)close(gate[1]);
			(void)!read(gate[0], &byte, 1); /* all begin at once */
			_exit(role(d));
		}
	}
	(void)close(gate[0]);
	(void)close(gate[1]);
	(void)close(others[1]);
	for (int i = 0; i < count; i++) {
		CHECK(waitpid(pids[i], &status, 0) == pids[i]);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
		winners += WEXITSTATUS(status) == 0;
	}
	(void)close(others[0]);
	return winners;
}

/* 0: had the lock, and kept it until all others had tried. 1: it was busy. */
static int
take_and_keep(const struct logdir *d)
{
	struct arena a = { 0 };
	struct err err;
	int fd = -1;
	char byte;

	(void)logdir_lock_state(&a, d); /* lookers are in the way of takers */
	if (logdir_lock(&a, d, &fd, &err) < 0)
		return err.code == ERR_BUSY ? 1 : 2;
	(void)close(others[1]);
	(void)!read(others[0], &byte, 1);
	if (logdir_lock_state(&a, d) != PIDFILE_HELD)
		return 3;
	logdir_unlock(&a, d, &fd);
	return 0;
}

TEST(of_many_who_take_over_a_stale_lock_at_once_exactly_one_has_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	for (int round = 0; round < 3; round++) {
		(void)put_lock(&a, &d, str_fmt(&a, "%ld", (long)dead_process()));
		CHECK(race(24, take_and_keep, &d) == 1);
	}
}

TEST(of_many_who_take_a_free_lock_at_once_exactly_one_has_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct str_list left;
	struct err err;

	for (int round = 0; round < 3; round++)
		CHECK(race(24, take_and_keep, &d) == 1);
	CHECK(fs_list(&a, d.path.s, 10, &left, &err) == 0 && left.count == 0);
}

/* 0: had it alone, many times over. A counter file tells whether another was in at the same time. */
static int
take_often(const struct logdir *d)
{
	struct arena a = { 0 };
	const char *inside = logdir_file(&a, d, "inside").s;
	struct err err;

	for (int taken = 0; taken < 20;) {
		int fd = -1;

		if (logdir_lock(&a, d, &fd, &err) < 0) {
			if (err.code != ERR_BUSY)
				return 2;
			(void)poll(NULL, 0, 1);
			continue;
		}
		if (fs_create(inside, STR(""), 0600, &err) < 0 || fs_remove(inside, &err) < 0)
			return 3;
		taken++;
		logdir_unlock(&a, d, &fd);
	}
	return 0;
}

/* So many looks, then the time is over. */
static int64_t
count_down(void *looks)
{
	int *left = looks;

	return *left > 0 ? (*left)-- : 0;
}

TEST(a_wait_for_the_lock_ends_when_it_is_free_or_the_time_is_over)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct err err;
	int looks = 5, fd = -1, status;

	CHECK(logdir_await(&a, &d, count_down, &looks));
	(void)put_lock(&a, &d, STR("1\n\n"));
	CHECK(logdir_await(&a, &d, count_down, &looks));
	/* A program without kernel locks, as ours is called here. */
	(void)put_lock(&a, &d, str_fmt(&a, "%ld\n", (long)getppid()));
	if (logdir_lock_state(&a, &d) == PIDFILE_HELD) {
		looks = 1;
		CHECK(!logdir_await(&a, &d, count_down, &looks));
	}
	CHECK(fs_remove(logdir_file(&a, &d, d.dialect->lock).s, &err) == 0);
	CHECK(logdir_lock(&a, &d, &fd, &err) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		looks = 3;
		_exit(logdir_await(&a, &d, count_down, &looks));
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	logdir_unlock(&a, &d, &fd);
	looks = 1;
	CHECK(logdir_await(&a, &d, count_down, &looks));
}

TEST(two_runs_are_never_inside_the_lock_at_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	CHECK(race(6, take_often, &d) == 6);
}

TEST(only_our_own_lock_file_is_removed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct err err;
	int fd = -1;

	CHECK(logdir_lock(&a, &d, &fd, &err) == 0);
	const char *path = put_lock(&a, &d, STR("4711")); /* a person removed ours, and another run began */

	logdir_unlock(&a, &d, &fd);
	CHECK(fd == -1);
	CHECK_STR(content_of(&a, path), "4711");
}

TEST(the_lock_is_never_a_link_a_fifo_or_a_directory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	const char *target = logdir_file(&a, &d, "target").s, *path = put_lock(&a, &d, STR(""));
	struct err err = { 0 };
	int fd = -1;

	CHECK(fs_remove(path, &err) == 0 && symlink(target, path) == 0);
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_STALE);
	CHECK(logdir_lock(&a, &d, &fd, &err) == -1 && err.code == ERR_VALUE && strstr(err.msg, path));
	CHECK(fs_lkind(target) == FS_NOTHING && fs_lkind(path) == FS_LINK);

	CHECK(fs_remove(path, &err) == 0 && mkfifo(path, 0600) == 0);
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_STALE);
	CHECK(logdir_lock(&a, &d, &fd, &err) == -1 && err.code == ERR_VALUE && strstr(err.msg, path));

	CHECK(fs_remove(path, &err) == 0 && mkdir(path, 0700) == 0);
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_STALE);
	CHECK(logdir_lock(&a, &d, &fd, &err) == -1 && err.code != ERR_BUSY && fd == -1);
}

TEST(a_log_directory_that_cannot_be_made_is_an_error_and_not_busy)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir();
	struct err err = { 0 };
	int fd = -1;

	CHECK(fs_create(path_join(&a, str_from(dir), STR("file")).s, STR(""), 0600, &err) == 0);
	struct logdir d = logdir_of(&a, str_from(dir), STR("file"), &dialects[DIALECT_GAUNTLET]);

	CHECK(logdir_lock(&a, &d, &fd, &err) == -1 && err.code == ERR_SYS && strstr(err.msg, d.path.s));
	CHECK(logdir_lock_state(&a, &d) == PIDFILE_FREE);
}

TEST(a_lock_that_cannot_be_opened_is_an_error_and_not_busy)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char name[400] = { 0 };
	struct err err = { 0 };
	int fd = -1;

	memset(name, 'x', sizeof(name) - 1); /* longer than a name may be */
	const char *path = str_fmt(&a, "%s/%s", test_dir(), name).s;

	CHECK(pidfile_state(path) != PIDFILE_HELD);
	CHECK(pidfile_take(&a, path, &fd, &err) == -1 && err.code == ERR_SYS && strstr(err.msg, path));
}

TEST(a_marker_counts_while_its_process_lives)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	const char *path = logdir_file(&a, &d, ".stop-hook-active").s;
	struct other o = start_other(NULL);
	struct err err;
	int fd = -1;

	CHECK(!logdir_has_live_marker(&a, &d));
	CHECK(logdir_mark(&a, &d, &fd, &err) == 0); /* where there was no directory */
	CHECK_STR(str_trim(content_of(&a, path)), str_fmt(&a, "%ld", (long)getpid()).s);
	CHECK(logdir_has_live_marker(&a, &d));
	logdir_unmark(&a, &d, &fd);
	CHECK(fd == -1 && fs_lkind(path) == FS_NOTHING && !logdir_has_live_marker(&a, &d));

	/* Those of the original have no lock. */
	CHECK(fs_create(path, str_fmt(&a, "%ld", (long)o.pid), 0644, &err) == 0);
	CHECK(logdir_has_live_marker(&a, &d));
	end_other(o);
	CHECK(!logdir_has_live_marker(&a, &d));
	CHECK(logdir_mark(&a, &d, &fd, &err) == 0);
	logdir_unmark(&a, &d, &fd);
}

/* Takes it and gives it back until it is ended. */
static _Noreturn void
lock_for_ever(const char *path)
{
	bool is_well = true;

	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	while (is_well) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct err err;
		int fd = -1;

		is_well = pidfile_take(&a, path, &fd, &err) == 0;
		pidfile_release(path, &fd);
	}
	_exit(1);
}

TEST(a_signal_at_any_moment_leaves_no_lock)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *path = path_join(&a, str_from(test_dir()), STR("lock")).s;

	for (useconds_t i = 0; i < 300; i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			lock_for_ever(path);
		while (access(path, F_OK) < 0 && waitpid(pid, &status, WNOHANG) == 0)
			;
		(void)usleep(i * 7);
		CHECK(kill(pid, SIGTERM) == 0 && waitpid(pid, &status, 0) == pid);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
		CHECK(access(path, F_OK) < 0);
	}
}
