/* SPDX-License-Identifier: MIT */
/* Files on file systems that lack something: shared folders of virtual machines, and those of networks. */
#include "sandbox.h"

#include "base/path.h"
#include "os/fs.h"
#include "os/locked.h"
#include "os/pidfile.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process that may not change modes; true when the file was replaced. */
static bool
replace_without_chmod(struct arena *a, const char *path)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct err err;

		_exit(!forbid_call(SYS_fchmod, EPERM)                             ? 2
		      : fs_replace_unsynced(a, path, STR("new"), 0644, &err) == 0 ? 0
										  : 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status) == 0;
}

/* On shared folders, files belong to another user and have the mode of the mount, which can't be changed. */
TEST(a_mode_that_can_not_be_set_must_only_be_the_right_one)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_join(&a, str_from(test_dir()), STR("file")).s;
	struct err err;
	struct str text;

	CHECK(fs_create(file, STR("old"), 0600, &err) == 0);
	/* New files are for us alone first. */
	CHECK(replace_without_chmod(&a, file));
	CHECK(fs_read(&a, file, 10, &text, &err) == 0 && str_is(text, "new"));
	CHECK(chmod(file, 0640) == 0);
	CHECK(!replace_without_chmod(&a, file));
}

/* A file system, again a shared folder, without links and without a rename that replaces nothing. */
static bool
forbid_new_names(void)
{
#ifdef SYS_link
	if (!forbid_call(SYS_link, EPERM))
		return false;
#endif
	return forbid_call(SYS_linkat, EPERM) && forbid_call(SYS_renameat2, EINVAL);
}

static bool
holds(struct arena *a, const char *path, const char *content)
{
	struct str text;
	struct err err;

	return fs_read(a, path, 100, &text, &err) == 0 && str_is(text, content);
}

/* 0, or the number of the check that failed. */
static int
use_new_names(struct arena *a, struct str dir)
{
	const char *one = path_join(a, dir, STR("one")).s, *other = path_join(a, dir, STR("other")).s,
		   *lock = path_join(a, dir, STR("lock")).s;
	struct str_list names;
	struct err err;
	int fd = -1;

	if (fs_create(one, STR("1"), 0600, &err) < 0 || fs_rename_new(one, other, &err) < 0 ||
	    !holds(a, other, "1") || fs_kind(one) != FS_NOTHING)
		return 1;
	if (fs_create(one, STR("2"), 0600, &err) < 0 || fs_rename_new(one, other, &err) == 0 ||
	    err.sys != EEXIST || !holds(a, one, "2") || !holds(a, other, "1"))
		return 2;
	/* What can't be renamed takes no name. */
	if (fs_rename_new(path_join(a, dir, STR("gone")).s, lock, &err) == 0 || fs_kind(lock) != FS_NOTHING)
		return 3;
	if (pidfile_take(a, lock, &fd, &err) < 0 || pidfile_state(lock) != PIDFILE_HELD)
		return 4;
	pidfile_release(lock, &fd);
	return fs_list(a, dir.s, 10, &names, &err) == 0 && names.count == 2 ? 0 : 5;
}

TEST(a_new_name_is_taken_once_also_without_links)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir = str_from(test_dir());
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(forbid_new_names() ? use_new_names(&a, dir) : 9);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) != 0)
		fail_msg("step %d", WEXITSTATUS(status));
}

static int
fill_lock(struct arena *a, const char *path, const char *text)
{
	struct err err;

	return fs_replace_unsynced(a, path, str_from(text), 0644, &err);
}

/* As above. */
static int
use_files_without_locks(struct arena *a, struct str dir)
{
	const char *lock = path_join(a, dir, STR("lock")).s, *file = path_join(a, dir, STR("file")).s;
	const char *ours = str_fmt(a, "%ld\n", (long)getpid()).s,
		   *live = str_fmt(a, "%ld\n", (long)getppid()).s;
	struct locked_file f = { .fd = -1 };
	struct err err;
	bool is_gone;
	int fd = -1;

	/* A new file names its holder without the mark, because there are no locks. */
	if (pidfile_take(a, lock, &fd, &err) < 0 || !holds(a, lock, ours))
		return 1;
	pidfile_release(lock, &fd);
	if (fs_kind(lock) != FS_NOTHING)
		return 2;
	/* The file of a live process is held; that of a dead one, and one with our mark, is stale. */
	if (fill_lock(a, lock, live) < 0 || pidfile_state(lock) != PIDFILE_HELD ||
	    pidfile_take(a, lock, &fd, &err) == 0 || err.code != ERR_BUSY || !holds(a, lock, live))
		return 3;
	if (fill_lock(a, lock, "2147483646\n") < 0 || pidfile_state(lock) != PIDFILE_STALE ||
	    pidfile_take(a, lock, &fd, &err) < 0 || !holds(a, lock, ours))
		return 4;
	pidfile_release(lock, &fd);
	if (fill_lock(a, lock, str_fmt(a, "%s\n", live).s) < 0 || pidfile_take(a, lock, &fd, &err) < 0)
		return 5;
	pidfile_release(lock, &fd);
	if (fs_create(file, STR("1"), 0600, &err) < 0 ||
	    locked_open(file, &(struct locked_how){ .timeout_ms = 100 }, &f, &err) < 0 ||
	    locked_change(a, &f, STR("1"), STR("2"), &is_gone, &err) < 0 || is_gone || !holds(a, file, "2"))
		return 6;
	locked_close(&f);
	return 0;
}

TEST(files_that_can_not_be_locked_are_used_without_it)
{
	static const int errors[] = { ENOLCK, ENOSYS, EOPNOTSUPP };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		struct str dir = str_from(test_dir());
		pid_t pid = fork();
		int status;

		if (pid == 0)
			_exit(forbid_call(SYS_flock, errors[i]) ? use_files_without_locks(&a, dir) : 9);
		CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
		if (WEXITSTATUS(status) != 0)
			fail_msg("error %d: step %d", errors[i], WEXITSTATUS(status));
	}
}
