/* SPDX-License-Identifier: MIT */
/* Protected files: comparing, and what counts after a prompt. */
#include "test.h"

#include "guards/protected/protected.h"

static struct protected_file
file(const char *path, const char *digest)
{
	return (struct protected_file){
		.path = str_from(path), .kind = FS_FILE, .digest = str_from(digest), .facts.mode = 0644
	};
}

TEST(each_way_in_which_a_protected_file_can_differ_is_told_apart)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct protected_file then[] = { file("a", "1"), file("b", "1"),  file("c", "1"),  file("d", "1"),
					 file("e", "1"), file("l", NULL), file("n", NULL), file("o", NULL) };
	struct protected_file now[] = { file("a", "1"), file("b", "2"),  file("c", "1"), file("d", "1"),
					file("f", "1"), file("l", NULL), file("o", "1") };

	now[2].facts.mode = 0755;
	now[3].kind = FS_LINK;
	then[5].kind = now[5].kind = FS_LINK;
	then[5].target = STR("x");
	now[5].target = STR("y");
	then[6].kind = then[7].kind = FS_NOTHING;
	struct protected_changes c = protected_compare(&a, &(struct protected_files){ then, COUNT_OF(then) },
						       &(struct protected_files){ now, COUNT_OF(now) });
	static const struct {
		const char *path;
		enum protected_how how;
		const char *words;
	} expected[] = {
		{ "b", PROTECTED_CHANGED, "was changed" },
		{ "c", PROTECTED_MODE, "had mode 0644 and has 0755" },
		{ "d", PROTECTED_TYPE, "was a file and is a symbolic link" },
		{ "e", PROTECTED_VANISHED, "is gone" },
		{ "f", PROTECTED_APPEARED, "is new" },
		{ "l", PROTECTED_CHANGED, "led to 'x' and leads to 'y'" },
		{ "o", PROTECTED_APPEARED, "is new" },
	};

	CHECK(c.count == COUNT_OF(expected));
	for (size_t i = 0; i < c.count; i++) {
		CHECK_STR(protected_path(&c.items[i]), expected[i].path);
		CHECK_ROW(expected[i].path, c.items[i].how == expected[i].how);
		CHECK_STR(protected_words(&a, &c.items[i]), expected[i].words);
	}
}

TEST(after_a_prompt_only_what_was_found_and_not_put_back_counts_as_it_was)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct protected_file then[] = { file("agent", "1"), file("gone", "1"), file("put-back", "1"),
					 file("user", "1") };
	struct protected_file now[] = { file("agent", "2"), file("new", "1"), file("put-back", "1"),
					file("user", "2") };
	struct protected_files files = { then, COUNT_OF(then) }, found = { now, COUNT_OF(now) };
	/* the agent's */
	struct protected_changes all = protected_compare(&a, &files, &found),
				 agents = { arena_array(&a, 3, struct protected_change), 0 };

	for (size_t i = 0; i < all.count; i++)
		if (!str_is(protected_path(&all.items[i]), "user"))
			agents.items[agents.count++] = all.items[i];
	CHECK(agents.count == 3);
	protected_mark(&a, &files, &agents);
	CHECK(files.count == 5);
	struct protected_files renewed = protected_renew(&a, &files, &found);

	all = protected_compare(&a, &renewed, &found);
	CHECK(all.count == 3);
	CHECK_STR(protected_path(&all.items[0]), "agent");
	CHECK_STR(protected_path(&all.items[1]), "gone");
	CHECK_STR(protected_path(&all.items[2]), "new");
	CHECK(all.items[2].how == PROTECTED_APPEARED);
	protected_accept(&a, &renewed, &all);
	CHECK(protected_compare(&a, &renewed, &found).count == 0);
}

TEST(a_diff_has_the_lines_between_those_that_are_the_same)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(protected_diff(&a, STR("a\nb\nc\n"), STR("a\nx\ny\nc\n"), 10), "@@ line 2\n-b\n+x\n+y\n");
	CHECK_STR(protected_diff(&a, STR("a\n"), STR("a\nb"), 10), "@@ line 2\n+b\n");
	CHECK_STR(protected_diff(&a, STR("a"), STR(""), 10), "@@ line 1\n-a\n");
	CHECK_STR(protected_diff(&a, STR("a\na\n"), STR("a\n"), 10), "@@ line 2\n-a\n");
	CHECK_STR(protected_diff(&a, STR("1\n2\n3\n4\n"), STR(""), 4),
		  "@@ line 1\n-1\n-2\n-... (2 lines more)\n");
	CHECK_STR(protected_diff(&a, (struct str){ "\0", 1 }, STR("a"), 4), "");
}
