/* SPDX-License-Identifier: MIT */
/* The archive and the debug log, with real files. */
#include "log_directory.h"

#include "base/path.h"
#include "os/clock.h"
#include "os/fs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t
archive(const struct logdir *d, bool with_state)
{
	size_t moved = 99;
	struct err err;

	CHECK(logdir_archive(d, with_state, &moved, &err) == 0);
	return moved;
}

/* scenario: G13-29 */
TEST(the_archive_takes_the_logs_and_leaves_the_rest)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "check_src.1.log", "new");
	put(&a, &d, "review_x_claude@1.1.json", "{}");
	put(&a, &d, "console.1.log", "");
	put(&a, &d, "old.log", "");
	put(&a, &d, "users.json", "");
	put(&a, &d, "check_dir.1.log/mine", "");
	put(&a, &d, ".execution_state", "{}");
	put(&a, &d, ".debug.log", "");
	put(&a, &d, ".debug.log.1", "");
	put(&a, &d, ".gauntlet-run.lock", "1");
	put(&a, &d, ".stop-hook-active", "1");
	put(&a, &d, ".session_ref", "1");
	put(&a, &d, "..execution_state.aB3xY_", "{");
	put(&a, &d, ".gitignore", "*");
	put(&a, &d, "notes.txt", "mine");
	put(&a, &d, "previous/check_src.1.log", "old");
	put(&a, &d, "previous/check_gone.1.log", "old");
	CHECK(archive(&d, false) == 3);
	CHECK_STR(names(&a, &d, ""),
		  ".debug.log .debug.log.1 .execution_state .gauntlet-run.lock .gitignore "
		  ".stop-hook-active check_dir.1.log notes.txt old.log previous users.json ");
	CHECK_STR(names(&a, &d, "previous"), "check_src.1.log console.1.log review_x_claude@1.1.json ");
	CHECK_STR(content(&a, &d, "previous/check_src.1.log"), "new");
}

/* scenario: 001-23 G13-29 */
TEST(with_the_state_the_archive_has_the_state_too)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "check_src.1.log", "");
	put(&a, &d, ".execution_state", "{}");
	CHECK(archive(&d, true) == 2);
	CHECK_STR(names(&a, &d, ""), "previous ");
	CHECK_STR(names(&a, &d, "previous"), ".execution_state check_src.1.log ");

	/* With no log there is nothing to replace what is archived: the state joins it. */
	put(&a, &d, ".execution_state", "{\"a\":1}");
	CHECK(archive(&d, true) == 1);
	CHECK_STR(names(&a, &d, ""), "previous ");
	CHECK_STR(names(&a, &d, "previous"), ".execution_state check_src.1.log ");
	CHECK_STR(content(&a, &d, "previous/.execution_state"), "{\"a\":1}");

	struct logdir alone = new_logs(&a);

	put(&a, &alone, ".execution_state", "{}");
	CHECK(archive(&alone, true) == 1);
	CHECK_STR(names(&a, &alone, "previous"), ".execution_state ");
}

TEST(a_directory_in_the_place_of_the_state_stays)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, ".execution_state/inside", "");
	CHECK(archive(&d, true) == 0);
	put(&a, &d, "check_a.1.log", "");
	CHECK(archive(&d, true) == 1);
	CHECK_STR(names(&a, &d, ""), ".execution_state previous ");
}

TEST(with_nothing_to_archive_nothing_is_touched)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a),
		      missing = logdir_of(&a, str_from(test_dir()), STR("logs"), &dialects[DIALECT_GAUNTLET]);

	put(&a, &d, "previous/check_src.1.log", "old");
	put(&a, &d, ".debug.log", "");
	put(&a, &d, ".session_ref", "");
	put(&a, &d, "notes.txt", "");
	CHECK(archive(&d, true) == 0);
	CHECK_STR(names(&a, &d, ""), ".debug.log .session_ref notes.txt previous ");
	CHECK_STR(content(&a, &d, "previous/check_src.1.log"), "old");
	put(&a, &d, ".execution_state", "{}");
	CHECK(archive(&d, false) == 0);
	CHECK(archive(&missing, true) == 0);
	CHECK(fs_lkind(missing.path.s) == FS_NOTHING);
}

TEST(the_files_of_a_large_archive_are_used_again_for_logs)
{
	static const char path_of_log[] = "check_7.1.log";
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct stat before, after;
	struct err err;
	size_t moved;
	int fd = -1;

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 40; i++)
			put(&a, &d, str_fmt(&a, "check_%d.1.log", i).s, "a longer text of an old log");
		CHECK(logdir_archive(&d, false, &moved, &err) == 0 && moved == 40);
	}
	const char *spare = logdir_file(&a, &d, ".spare/check_7.1.log").s,
		   *path = logdir_file(&a, &d, path_of_log).s;

	CHECK(chmod(spare, 0600) == 0 && stat(spare, &before) == 0);
	CHECK(logdir_create_log(&a, &d, str_from(path_of_log), &fd, &err) == 0);
	CHECK(write(fd, "new", 3) == 3 && close(fd) == 0);
	CHECK(stat(path, &after) == 0 && after.st_ino == before.st_ino && (after.st_mode & 0777) == 0600);
	CHECK_STR(content(&a, &d, path_of_log), "new");
	CHECK(logdir_create_log(&a, &d, str_from(path_of_log), &fd, &err) < 0 && err.sys == EEXIST);
	/* What is no old log of ours alone is not touched. */
	put(&a, &d, "kept", "of the user");
	CHECK(chmod(logdir_file(&a, &d, "kept").s, 0600) == 0);
	CHECK(fs_remove(logdir_file(&a, &d, ".spare/check_8.1.log").s, &err) == 0);
	CHECK(link(logdir_file(&a, &d, "kept").s, logdir_file(&a, &d, ".spare/check_8.1.log").s) == 0);
	CHECK(logdir_create_log(&a, &d, STR("check_8.1.log"), &fd, &err) == 0 && close(fd) == 0);
	CHECK_STR(content(&a, &d, "kept"), "of the user");
	CHECK(logdir_archive(&d, false, &moved, &err) == 0 && moved == 2);
	CHECK_STR(names(&a, &d, "previous"), "check_7.1.log check_8.1.log ");
}

TEST(a_directory_called_previous_with_other_files_is_kept_and_the_archive_has_another_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "previous/thesis.tex", "thesis");
	put(&a, &d, "previous.2/check_b.1.log/deep", "mine");
	for (int i = 0; i < 3; i++) {
		put(&a, &d, "check_a.1.log", i == 2 ? "newest" : "");
		put(&a, &d, ".execution_state", "{}");
		CHECK(archive(&d, i != 1) == (i == 1 ? 1 : 2));
		CHECK_STR(names(&a, &d, "previous"), "thesis.tex ");
		CHECK_STR(names(&a, &d, "previous.2/check_b.1.log"), "deep ");
		CHECK_STR(names(&a, &d, "previous.3"),
			  i == 1 ? "check_a.1.log " : ".execution_state check_a.1.log ");
	}
	CHECK_STR(names(&a, &d, ""), "previous previous.2 previous.3 ");
	CHECK_STR(content(&a, &d, "previous.3/check_a.1.log"), "newest");
}

TEST(a_file_or_a_link_called_previous_stays_and_is_never_followed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a), linked = new_logs(&a);

	put(&a, &d, "previous", "precious");
	put(&a, &d, "check_a.1.log", "");
	CHECK(archive(&d, false) == 1);
	CHECK_STR(names(&a, &d, ""), "previous previous.2 ");
	CHECK_STR(content(&a, &d, "previous"), "precious");

	const char *outside = test_dir();

	CHECK(symlink(outside, logdir_file(&a, &linked, "previous").s) == 0);
	put(&a, &linked, "check_a.1.log", "");
	put(&a, &linked, ".execution_state", "{}");
	CHECK(archive(&linked, true) == 2);
	CHECK(fs_lkind(logdir_file(&a, &linked, "previous").s) == FS_LINK);
	CHECK_STR(names(&a, &linked, "previous.2"), ".execution_state check_a.1.log ");
	CHECK(fs_lkind(path_join(&a, str_from(outside), STR("check_a.1.log")).s) == FS_NOTHING);
	CHECK(fs_lkind(path_join(&a, str_from(outside), STR(".execution_state")).s) == FS_NOTHING);
}

TEST(an_archive_that_was_cut_short_is_finished_by_the_next)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "previous/check_z.1.log", "the one before");
	put(&a, &d, ".archiving/check_a.1.log", "moved");
	put(&a, &d, "check_b.1.log", "not yet");
	CHECK(archive(&d, false) == 1);
	CHECK_STR(names(&a, &d, ""), "previous ");
	CHECK_STR(names(&a, &d, "previous"), "check_a.1.log check_b.1.log ");

	/* Killed when all was moved. */
	put(&a, &d, ".archiving/check_c.1.log", "moved");
	CHECK(archive(&d, false) == 0);
	CHECK_STR(names(&a, &d, "previous"), "check_c.1.log ");

	/* What is in its place and is no directory goes. */
	put(&a, &d, "target", "precious");
	CHECK(symlink("target", logdir_file(&a, &d, ".archiving").s) == 0);
	put(&a, &d, "check_d.1.log", "");
	CHECK(archive(&d, false) == 1);
	CHECK_STR(names(&a, &d, ""), "previous target ");
	CHECK_STR(content(&a, &d, "target"), "precious");
}

#define SOMEBODY 65534

TEST(what_cannot_be_moved_is_named)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	size_t moved = 99;
	struct err err = { 0 };

	put(&a, &d, "check_a.1.log", "");
	CHECK(chmod(d.path.s, 0555) == 0 && chmod(str_copy(&a, path_parent(d.path)).s, 0755) == 0);
	/* Nothing keeps root from it. */
	bool is_root = geteuid() == 0;

	CHECK(!is_root || seteuid(SOMEBODY) == 0);
	int result = logdir_archive(&d, false, &moved, &err);

	CHECK(!is_root || seteuid(0) == 0);
	(void)chmod(d.path.s, 0755);
	CHECK(result == -1 && err.code == ERR_SYS && moved == 99);
	CHECK(strstr(err.msg, ".archiving"));
}

/* ---- the debug log ---- */

static const struct sourced_values small_log = { .debug_log_enabled = { .value = 1 },
						 .debug_log_max_bytes = { .value = 100 } };

TEST(the_debug_log_is_there_only_if_it_is_on)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = logdir_of(&a, str_from(test_dir()), STR("deep/logs"), &dialects[DIALECT_GAUNTLET]);
	struct sourced_values c = { .debug_log_max_bytes = { .value = 1000 } };
	struct debug_log off = debug_log_of(&a, &c, &d);

	debug_log(&a, &off, "COMMAND %s", "run");
	CHECK(fs_lkind(d.path.s) == FS_NOTHING);
	c.debug_log_enabled.value = 1;
	struct debug_log on = debug_log_of(&a, &c, &d);

	debug_log(&a, &on, "COMMAND %s", "run -b main");
	debug_log(&a, &on, "CLEAN type=manual\nreason=\033[1mx\n");
	struct str text = content(&a, &d, ".debug.log"), line;
	int64_t us;

	CHECK(str_next(&text, '\n', &line) && line.n == 26 + 1 + strlen("COMMAND run -b main"));
	CHECK(line.s[0] == '[' && line.s[25] == ']' && clock_parse(str_sub(line, 1, 25), &us));
	CHECK_STR(str_sub(line, 27, line.n), "COMMAND run -b main");
	CHECK(str_next(&text, '\n', &line));
	CHECK_STR(str_sub(line, 27, line.n), "CLEAN type=manual reason=x");
	CHECK(text.n == 0);
}

TEST(the_debug_log_turns_over_when_it_is_full)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct debug_log l = debug_log_of(&a, &small_log, &d);
	char most[100] = { 0 }, full[101] = { 0 };

	memset(most, 'x', 99);
	memset(full, 'y', 100);
	put(&a, &d, ".debug.log", most);
	debug_log(&a, &l, "A");
	CHECK_STR(names(&a, &d, ""), ".debug.log ");
	CHECK(content(&a, &d, ".debug.log").n == 99 + 27 + 2);
	debug_log(&a, &l, "B");
	CHECK_STR(names(&a, &d, ""), ".debug.log .debug.log.1 ");
	CHECK(content(&a, &d, ".debug.log.1").n == 99 + 27 + 2 && content(&a, &d, ".debug.log").n == 27 + 2);

	struct logdir other = new_logs(&a);

	l = debug_log_of(&a, &small_log, &other);
	put(&a, &other, ".debug.log", full);
	put(&a, &other, ".debug.log.1", "older");
	debug_log(&a, &l, "C");
	CHECK_STR(content(&a, &other, ".debug.log.1"), full);
}

TEST(a_debug_log_that_is_a_link_is_not_appended_to)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct debug_log l = debug_log_of(&a, &small_log, &d);

	put(&a, &d, "target", "precious");
	CHECK(symlink("target", l.path.s) == 0);
	debug_log(&a, &l, "A");
	CHECK_STR(content(&a, &d, "target"), "precious");
	CHECK(fs_lkind(l.path.s) == FS_LINK);
}

TEST(a_debug_log_that_cannot_be_written_is_none)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct debug_log l = debug_log_of(&a, &small_log, &d);
	struct err err;

	CHECK(fs_make_dirs(l.path.s, 0700, &err) == 0);
	debug_log(&a, &l, "A");
	CHECK(fs_remove(l.path.s, &err) == 0 && mkfifo(l.path.s, 0600) == 0);
	debug_log(&a, &l, "A");
	CHECK(fs_lkind(l.path.s) == FS_OTHER);
}
