/* SPDX-License-Identifier: MIT */
/* Which files define what runs, how they are compared, and which of them are not safe to use. */
#include "test.h"

#include "base/path.h"
#include "os/fs.h"
#include "project/definitions.h"

#include <sys/stat.h>
#include <unistd.h>

static struct str root; /* of the test's project */

static void
put(struct arena *a, const char *name, const char *text)
{
	struct str path = path_join(a, root, str_from(name));
	struct err err;

	CHECK(fs_make_parents(a, path, 0755, &err) == 0);
	CHECK(fs_replace_unsynced(a, path.s, str_from(text), 0644, &err) == 0);
}

static struct definitions
read_all(struct arena *a)
{
	struct definitions d = { 0 };
	struct err err;

	CHECK(definitions_read(a, root, &d, &err) == 0);
	return d;
}

TEST(definitions_are_the_two_files_and_everything_in_the_directory_but_logs)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct definitions d;

	root = str_from(test_dir());
	CHECK(!definitions_exist(root));
	put(&a, "a.c", "x");
	put(&a, ".gauntlet/logs/console.1.log", "x");
	put(&a, ".gauntlet/prompts/deep/one.md", "x");
	put(&a, ".gauntlet/checks/t.yml", "x");
	put(&a, ".gauntlet/config.yml", "base_branch: main\nlog_dir: '.gauntlet/logs/'\n");
	put(&a, ".conclaude.yaml", "x");
	put(&a, "holdfast.yml", "x");
	d = read_all(&a);
	CHECK(definitions_exist(root));
	CHECK(d.count == 5);
	CHECK(str_is(d.items[0].name, ".conclaude.yaml"));
	CHECK(str_is(d.items[1].name, ".gauntlet/checks/t.yml"));
	CHECK(str_is(d.items[2].name, ".gauntlet/config.yml"));
	CHECK(str_is(d.items[3].name, ".gauntlet/prompts/deep/one.md"));
	CHECK(str_is(d.items[4].name, "holdfast.yml"));
	put(&a, ".gauntlet/config.yml", "log_dir: logs\n");
	CHECK(read_all(&a).count == 6);
}

TEST(prompts_that_the_native_file_names_are_definitions_each_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	root = str_from(test_dir());
	put(&a, "holdfast.yml",
	    "gates:\n  test: make\n  a: {review: prompts/a.md}\n  b: {review: ./prompts/a.md}\n"
	    "  c: {review: .gauntlet/c.md}\n  d: {review: quality}\n  e: {review: ../out.md}\n");
	put(&a, "prompts/a.md", "x");
	put(&a, "prompts/b.md", "x");
	put(&a, ".gauntlet/c.md", "x");
	struct definitions d = read_all(&a);
	const char *const *paths = definitions_paths(&a, &d);

	CHECK(d.count == 3);
	CHECK(str_is(d.items[0].name, ".gauntlet/c.md"));
	CHECK(str_is(d.items[1].name, "holdfast.yml"));
	CHECK(str_is(d.items[2].name, "prompts/a.md"));
	CHECK(str_is(STR("prompts/a.md"), paths[5]) && !paths[6]);
}

TEST(a_directory_that_leads_to_itself_and_a_fifo_do_not_disturb)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir;

	root = str_from(test_dir());
	dir = path_join(&a, root, STR(".gauntlet"));
	put(&a, ".gauntlet/config.yml", "x");
	CHECK(symlink(".", path_join(&a, dir, STR("again")).s) == 0);
	CHECK(mkfifo(path_join(&a, dir, STR("fifo")).s, 0600) == 0);
	struct definitions d = read_all(&a);

	CHECK(d.count > 2 && d.count < 40);
	CHECK(str_is(d.items[d.count - 1].name, ".gauntlet/fifo"));
	CHECK(str_is(d.items[d.count - 1].digest, "-"));
}

TEST(what_differs_between_two_lists_is_named)
{
	static const struct {
		const char *name, *old, *new, *changed;
	} rows[] = {
		{ "both empty", "", "", NULL },
		{ "the same", "1 a\n2 b\n", "1 a\n2 b\n", NULL },
		{ "another order", "2 b\n1 a\n", "1 a\n2 b\n", NULL },
		{ "one changed", "1 a\n2 b\n", "1 a\n3 b\n", "b" },
		{ "one added", "1 a\n", "1 a\n2 b\n", "b" },
		{ "one removed", "1 a\n2 b\n", "2 b\n", "a" },
		{ "all removed", "1 a\n2 b\n", "", "a, b" },
		{ "one renamed", "1 a\n2 b\n", "1 a\n2 c\n", "b, c" },
		{ "a name with a blank", "1 a b\n", "2 a b\n", "a b" },
		{ "a line that is none", "x\n1 a\n", "1 a\n", NULL },
		{ "five", "", "1 a\n1 b\n1 c\n1 d\n1 e\n", "a, b, c, d, e" },
		{ "six", "", "1 a\n1 b\n1 c\n1 d\n1 e\n1 f\n", "a, b, c, d, e and 1 more" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct definitions old = definitions_parse(&a, str_from(rows[i].old)),
				   new = definitions_parse(&a, str_from(rows[i].new));
		struct str text = definitions_changed_text(&a, &old, &new);

		CHECK_ROW(rows[i].name, str_eq(text, str_from(rows[i].changed)));
	}
}

TEST(a_list_survives_being_written_also_with_a_newline_in_a_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	root = str_from(test_dir());
	put(&a, ".gauntlet/checks/x\ny.yml", "x");
	put(&a, ".gauntlet/config.yml", "x");
	struct definitions d = read_all(&a), again = definitions_parse(&a, definitions_text(&a, &d));

	CHECK(again.count == 2);
	CHECK(str_is(again.items[0].name, ".gauntlet/checks/x?y.yml"));
	CHECK(definitions_changed(&a, &d, &again).count == 0);
	put(&a, ".gauntlet/checks/x\ny.yml", "z");
	d = read_all(&a);
	CHECK(str_is(definitions_changed_text(&a, &again, &d), ".gauntlet/checks/x?y.yml"));
}

TEST(what_everybody_may_write_to_is_not_safe)
{
	static const struct {
		const char *path;
		mode_t mode;
		bool is_safe;
	} rows[] = {
		{ "", 0755, true },
		{ "", 0775, true },
		{ "", 0777, false },
		{ "", 01777, false },
		{ ".gauntlet", 0777, false },
		{ ".gauntlet/checks", 0757, false },
		{ ".gauntlet/checks/t.yml", 0666, false },
		{ ".gauntlet/checks/t.yml", 0664, true },
		{ ".gauntlet/config.yml", 0602, false },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	root = str_from(test_dir());
	put(&a, ".gauntlet/config.yml", "x");
	put(&a, ".gauntlet/checks/t.yml", "x");
	struct definitions d = read_all(&a);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str path = path_tidy(path_join(&a, root, str_from(rows[i].path)));
		struct stat st;
		struct err err;

		path = str_copy(&a, path);
		CHECK(stat(path.s, &st) == 0);
		CHECK(chmod(path.s, rows[i].mode) == 0);
		CHECK_ROW(rows[i].path, (definitions_check_safe(&a, root, &d, &err) == 0) == rows[i].is_safe);
		if (!rows[i].is_safe)
			CHECK_ROW(rows[i].path, str_find(str_from(err.msg), path) >= 0);
		CHECK(chmod(path.s, st.st_mode & 07777) == 0);
	}
}

TEST(a_link_into_a_directory_of_everybody_is_not_safe)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str shared;
	struct err err;

	root = str_from(test_dir());
	shared = path_join(&a, root, STR("shared"));
	put(&a, "shared/config.yml", "x");
	put(&a, ".gauntlet/checks/t.yml", "x");
	CHECK(symlink("../shared/config.yml", path_join(&a, root, STR(".gauntlet/config.yml")).s) == 0);
	struct definitions d = read_all(&a);

	CHECK(definitions_check_safe(&a, root, &d, &err) == 0);
	CHECK(chmod(shared.s, 01777) == 0);
	CHECK(definitions_check_safe(&a, root, &d, &err) < 0);
}

TEST(what_belongs_to_another_user_is_not_safe)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct err err;

	root = str_from(test_dir());
	put(&a, ".conclaude.yaml", "x");
	struct definitions d = read_all(&a);

	if (geteuid() != 0)
		return; /* nobody else can give files away */
	CHECK(chown(path_join(&a, root, STR(".conclaude.yaml")).s, 1234, (gid_t)-1) == 0);
	CHECK(definitions_check_safe(&a, root, &d, &err) < 0);
	CHECK(str_find(str_from(err.msg), STR("uid 1234")) >= 0);
}
