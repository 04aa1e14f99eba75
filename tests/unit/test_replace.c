/* SPDX-License-Identifier: MIT */
/* Replacing files on file systems that have ways of their own. */
#include "sandbox.h"

#include "os/fs.h"

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

/* On shared folders all files are somebody else's and have the mode that the mount says; nobody may change it. */
TEST(a_mode_that_can_not_be_set_must_only_be_the_right_one)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = fs_join(&a, str_from(test_dir()), STR("file")).s;
	struct err err;
	struct str text;

	CHECK(fs_create(file, STR("old"), 0600, &err) == 0);
	/* New files are for us alone first. */
	CHECK(replace_without_chmod(&a, file));
	CHECK(fs_read(&a, file, 10, &text, &err) == 0 && str_is(text, "new"));
	CHECK(chmod(file, 0640) == 0);
	CHECK(!replace_without_chmod(&a, file));
}
