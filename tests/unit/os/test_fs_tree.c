/* SPDX-License-Identifier: MIT */
/* Whole directories, and the last component of paths. */
#include "test.h"

#include "base/path.h"
#include "os/fs.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(the_last_component_of_a_path)
{
	static const char *const rows[][2] = {
		{ "a/b.log", "b.log" }, { "/a/b/", "b" }, { "a", "a" },
		{ "/a//b//", "b" },     { "/", "" },      { "", "" },
		{ "a/.", "." },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(rows[i][0], str_is(path_base(str_from(rows[i][0])), rows[i][1]));
}

TEST(a_directory_is_removed_with_all_in_it_and_links_are_not_followed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir = str_from(test_dir());
	const char *tree = path_join(&a, dir, STR("tree")).s, *other = path_join(&a, dir, STR("other")).s;
	const char *precious = path_join(&a, dir, STR("other/precious")).s;
	struct err err = { 0 };

	CHECK(fs_make_dirs(path_join(&a, dir, STR("tree/a/b/c")).s, 0700, &err) == 0);
	CHECK(fs_make_dirs(other, 0700, &err) == 0 && fs_create(precious, STR("x"), 0600, &err) == 0);
	CHECK(fs_create(path_join(&a, dir, STR("tree/a/file")).s, STR("x"), 0600, &err) == 0);
	CHECK(symlink(other, path_join(&a, dir, STR("tree/a/link")).s) == 0);
	CHECK(mkfifo(path_join(&a, dir, STR("tree/fifo")).s, 0600) == 0);
	CHECK(fs_remove_tree(tree, &err) == 0 && fs_lkind(tree) == FS_NOTHING);
	CHECK(fs_lkind(precious) == FS_FILE);

	/* Once more, and a path that is not a directory. */
	CHECK(fs_remove_tree(tree, &err) == 0);
	CHECK(symlink(other, tree) == 0 && fs_remove_tree(tree, &err) == 0 && fs_lkind(tree) == FS_NOTHING);
	CHECK(fs_remove_tree(precious, &err) == 0 && fs_lkind(precious) == FS_NOTHING);
	if (geteuid() != 0) {
		CHECK(fs_create(precious, STR("x"), 0600, &err) == 0 && chmod(other, 0500) == 0);
		CHECK(fs_remove_tree(other, &err) == -1 && err.code == ERR_SYS && strstr(err.msg, other));
		CHECK(chmod(other, 0700) == 0);
	}
}
