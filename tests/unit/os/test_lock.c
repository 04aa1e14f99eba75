/* SPDX-License-Identifier: MIT */
/* Locks between real processes. */
#include "test.h"

#include "base/path.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/locked.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int
take(const char *path, int timeout_ms, int *ret_fd, struct err *err)
{
	struct locked_how how = { .creates = true, .timeout_ms = timeout_ms };
	struct locked_file f = LOCKED_NONE;

	if (locked_open(path, &how, &f, err) < 0)
		return -1;
	*ret_fd = f.fd;
	return 0;
}

struct holder {
	pid_t pid;
	int go; /* closing it lets the holder's file be released */
};

/* A process that has taken the lock when this returns. */
static struct holder
hold(const char *path)
{
	int ready[2], go[2];
	char byte;

	CHECK(pipe2(ready, O_CLOEXEC) == 0 && pipe2(go, O_CLOEXEC) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		struct err err;
		int fd = -1;

		(void)close(go[1]);
		if (take(path, 0, &fd, &err) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		_exit(read(go[0], &byte, 1) == 0 ? 0 : 1);
	}
	(void)close(ready[1]);
	(void)close(go[0]);
	CHECK(read(ready[0], &byte, 1) == 1);
	(void)close(ready[0]);
	return (struct holder){ pid, go[1] };
}

static void
let_go(struct holder h)
{
	(void)close(h.go);
	(void)waitpid(h.pid, NULL, 0);
}

TEST(a_held_lock_is_busy_after_the_timeout_and_free_when_its_holder_ends)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int fd = -1;
	const char *path = path_join(&a, str_from(test_dir()), STR("lock")).s;
	struct holder h = hold(path);
	struct err err = { 0 };
	int64_t before = clock_mono_ms();

	CHECK(take(path, 0, &fd, &err) == -1 && err.code == ERR_BUSY && fd == -1);
	CHECK(strstr(err.msg, path));
	CHECK(take(path, 50, &fd, &err) == -1 && err.code == ERR_BUSY);
	CHECK(clock_mono_ms() - before >= 50);
	let_go(h);
	CHECK(take(path, 0, &fd, &err) == 0 && fd >= 0);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

TEST(a_lock_is_free_when_its_holder_is_killed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int fd = -1;
	const char *path = path_join(&a, str_from(test_dir()), STR("lock")).s;
	struct holder h = hold(path);
	struct err err;

	(void)kill(h.pid, SIGKILL);
	CHECK(take(path, 5000, &fd, &err) == 0);
	let_go(h);
}

TEST(a_lock_file_that_is_replaced_during_the_wait_is_opened_again)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int fd = -1;
	const char *path = path_join(&a, str_from(test_dir()), STR("lock")).s;
	struct holder h = hold(path);
	struct err err;
	struct stat ours, there;
	/* The waiter has the old file open when it is removed: its pipe of progress is the lock itself. */
	pid_t waiter = fork();

	if (waiter == 0) {
		(void)close(h.go);
		_exit(take(path, 10000, &fd, &err) == 0 && fstat(fd, &ours) == 0 && stat(path, &there) == 0 &&
				      ours.st_ino == there.st_ino
			      ? 0
			      : 1);
	}
	for (int i = 0; i < 20; i++)
		(void)poll(NULL, 0, 1); /* long enough to be waiting, and right if it is not */
	CHECK(unlink(path) == 0);
	let_go(h);
	int status;

	CHECK(waitpid(waiter, &status, 0) == waiter && status == 0);
}

TEST(a_lock_file_is_private_and_never_a_link_or_a_fifo)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int fd = -1;
	struct str dir = str_from(test_dir());
	const char *path = path_join(&a, dir, STR("lock")).s, *link = path_join(&a, dir, STR("link")).s,
		   *fifo = path_join(&a, dir, STR("fifo")).s;
	struct err err;
	struct stat st;

	CHECK(take(path, 0, &fd, &err) == 0 && stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	fd_close(&fd);
	CHECK(fs_kind(path) == FS_FILE);
	CHECK(symlink(path, link) == 0 && mkfifo(fifo, 0600) == 0);
	CHECK(take(link, 0, &fd, &err) == -1);
	CHECK(take(fifo, 0, &fd, &err) == -1);
	CHECK(take(path_join(&a, dir, STR("none/lock")).s, 0, &fd, &err) == -1);
	CHECK(fd == -1);
}

TEST(two_hundred_takers_are_never_inside_together)
{
	enum { TAKERS = 20, ROUNDS = 10 };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir = str_from(test_dir());
	const char *path = path_join(&a, dir, STR("lock")).s, *inside = path_join(&a, dir, STR("inside")).s;

	for (int i = 0; i < TAKERS; i++) {
		if (fork() != 0)
			continue;
		for (int k = 0; k < ROUNDS; k++) {
			CLEANUP(fd_close) int fd = -1;
			struct err err;

			if (take(path, 20000, &fd, &err) < 0 || fs_create(inside, STR(""), 0600, &err) < 0 ||
			    unlink(inside) < 0)
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < TAKERS; i++) {
		int status;

		CHECK(wait(&status) > 0 && status == 0);
	}
}

/* What others do to a file between the moment in which it was read and that in which it is changed. */
enum meddling { LEAVES_IT, REMOVES_IT, PUTS_ANOTHER_THERE, WRITES_TO_IT };

static void
meddle(const char *path, enum meddling how)
{
	struct err err;

	if (how == REMOVES_IT || how == PUTS_ANOTHER_THERE)
		CHECK(unlink(path) == 0);
	if (how == PUTS_ANOTHER_THERE)
		CHECK(fs_create(path, STR("theirs"), 0600, &err) == 0);
	if (how == WRITES_TO_IT) {
		CLEANUP(fd_close) int fd = open(path, O_WRONLY | O_CLOEXEC);

		CHECK(pwrite(fd, "theirs", 6, 0) == 6);
	}
}

TEST(a_change_neither_brings_a_file_back_nor_takes_away_what_others_put_there)
{
	static const struct {
		const char *name;
		enum meddling how;
		const char *new, *after; /* NULL: there is nothing */
		bool is_gone;
	} rows[] = {
		{ "nobody, as long", LEAVES_IT, "pass 2", "pass 2", false },
		{ "nobody, longer", LEAVES_IT, "pass 10", "pass 10", false },
		{ "removed, as long", REMOVES_IT, "pass 2", NULL, true },
		{ "removed, longer", REMOVES_IT, "pass 10", NULL, true },
		{ "replaced, as long", PUTS_ANOTHER_THERE, "pass 2", "theirs", true },
		{ "replaced, longer", PUTS_ANOTHER_THERE, "pass 10", "theirs", true },
		{ "written to, as long", WRITES_TO_IT, "pass 2", "theirs", true },
		{ "written to, longer", WRITES_TO_IT, "pass 10", "theirs", true },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		CLEANUP(locked_close) struct locked_file f = LOCKED_NONE;
		struct locked_how how = { .timeout_ms = 0 };
		const char *path = path_join(&a, str_from(test_dir()), str_fmt(&a, "loop.%zu", i)).s;
		struct str text, now;
		struct err err = { 0 };
		bool is_gone = !rows[i].is_gone;

		CHECK(fs_create(path, STR("pass 1"), 0600, &err) == 0);
		CHECK(locked_open(path, &how, &f, &err) == 0);
		CHECK(locked_read(&a, &f, 100, &text, &err) == 0);
		meddle(path, rows[i].how);
		CHECK_ROW(rows[i].name,
			  locked_change(&a, &f, text, str_from(rows[i].new), &is_gone, &err) == 0);
		CHECK_ROW(rows[i].name, is_gone == rows[i].is_gone);
		CHECK(fs_read(&a, path, 100, &now, &err) == 0);
		CHECK_ROW(rows[i].name, rows[i].after ? str_is(now, rows[i].after) : !now.s);
	}
}
