/* SPDX-License-Identifier: MIT */
/* Directories of our own, and that they go. */
#include "test.h"

#include "os/fs.h"
#include "os/exit_reply.h"
#include "os/tempdir.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t
names_in(struct arena *a, const char *dir)
{
	struct str_list names;
	struct err err;

	CHECK(fs_list(a, dir, 100, &names, &err) == 0);
	return names.count;
}

static void
fill(const struct tempdir *d)
{
	struct err err;

	CHECK(fs_create(d->file, STR("x"), 0600, &err) == 0 && fs_create(d->lock, STR("x"), 0600, &err) == 0);
}

TEST(a_temporary_directory_is_for_us_alone_and_goes_with_its_files)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *base = test_dir();
	struct tempdir one = { 0 }, other = { 0 };
	struct stat st;
	struct err err;

	CHECK(setenv("TMPDIR", base, 1) == 0);
	CHECK(tempdir_make(&one, &a, "index", &err) == 0 && tempdir_make(&other, &a, "index", &err) == 0);
	CHECK(unsetenv("TMPDIR") == 0);
	CHECK(stat(one.path, &st) == 0 && (st.st_mode & 07777) == 0700);
	CHECK(str_starts(str_from(one.file), str_from(base)) && str_ends(str_from(one.file), STR("/index")));
	CHECK(str_ends(str_from(one.lock), STR("/index.lock")) &&
	      !str_eq(str_from(one.path), str_from(other.path)));
	fill(&one);
	tempdir_clear(&one);
	CHECK(!one.path && names_in(&a, base) == 1);
	tempdir_clear(&one); /* twice is once */
	tempdir_clear(&other);
	CHECK(names_in(&a, base) == 0);
}

TEST(where_no_temporary_directory_can_be_made_another_place_is_taken)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *here = test_dir();
	const struct {
		const char *name, *tmpdir;
	} rows[] = {
		{ "gone", str_fmt(&a, "%s/gone", here).s },
		{ "a file", str_fmt(&a, "%s/file", here).s },
		{ "relative", "." },
		{ "nothing", "" },
	};
	struct err err;

	CHECK(fs_create(rows[1].tmpdir, STR("x"), 0600, &err) == 0);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct tempdir d = { 0 };

		CHECK(setenv("TMPDIR", rows[i].tmpdir, 1) == 0);
		CHECK_ROW(rows[i].name, tempdir_make(&d, &a, "index", &err) == 0);
		CHECK_ROW(rows[i].name,
			  str_starts(str_from(d.path), STR("/tmp/holdfast.")) && fs_kind(d.path) == FS_DIR);
		struct str path = str_from(d.path);

		tempdir_clear(&d);
		CHECK_ROW(rows[i].name, fs_kind(path.s) == FS_NOTHING);
	}
	CHECK(unsetenv("TMPDIR") == 0);
}

TEST(a_signal_takes_a_temporary_directory_with_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *base = test_dir();
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct tempdir d = { 0 };
		struct err err;

		exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
		if (setenv("TMPDIR", base, 1) < 0 || tempdir_make(&d, &a, "index", &err) < 0)
			_exit(1);
		fill(&d);
		(void)raise(SIGTERM);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK(names_in(&a, base) == 0);
}

/* Makes and clears them until it is ended. */
static _Noreturn void
make_for_ever(const char *base)
{
	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	for (bool is_well = setenv("TMPDIR", base, 1) == 0; is_well;) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct tempdir d = { 0 };
		struct err err;

		is_well = tempdir_make(&d, &a, "index", &err) == 0;
		tempdir_clear(&d);
	}
	_exit(1);
}

TEST(a_signal_at_any_moment_leaves_no_temporary_directory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *base = test_dir();

	for (useconds_t i = 0; i < 50; i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			make_for_ever(base);
		(void)usleep(1000 + 37 * i);
		CHECK(kill(pid, SIGTERM) == 0 && waitpid(pid, &status, 0) == pid);
		CHECK(WIFSIGNALED(status) && names_in(&a, base) == 0);
	}
}

/* Creates one, reports that, and waits to be killed. */
static _Noreturn void
make_and_wait(const char *base, int told)
{
	struct arena a = { 0 };
	struct tempdir kept = { 0 }, cleared = { 0 };
	struct err err;

	if (setenv("TMPDIR", base, 1) < 0 || tempdir_make(&cleared, &a, "index", &err) < 0 ||
	    tempdir_make(&kept, &a, "index", &err) < 0)
		_exit(1);
	fill(&kept);
	tempdir_clear(&cleared);
	(void)!write(told, "", 1);
	for (;;)
		(void)pause();
}

TEST(a_temporary_directory_is_gone_after_we_were_killed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *base = test_dir();
	int ends[2], status = 0;
	char byte;

	CHECK(pipe(ends) == 0);
	pid_t pid = fork();

	if (pid == 0)
		make_and_wait(base, ends[1]);
	CHECK(read(ends[0], &byte, 1) == 1 && names_in(&a, base) == 1);
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
	for (int i = 0; i < 1000 && names_in(&a, base) > 0; i++)
		(void)usleep(5000);
	CHECK(names_in(&a, base) == 0);
	CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}
