/* SPDX-License-Identifier: MIT */
/* Reading git's answers: no git is run here. */
#include "test.h"

#include "git/git_spawn.h"
#include "git/parse.h"

#define OLD "1111111111111111111111111111111111111111"
#define NEW "2222222222222222222222222222222222222222"
#define RAW(letter_, path_) ":100644 100644 " OLD " " NEW " " letter_ "\0" path_ "\0"

/* "M a.c|? b.c|": each entry's letter and path. */
static struct str
told(struct arena *a, const struct change_set *set)
{
	struct buf b = BUF(a, KIB(4));

	for (size_t i = 0; i < set->count; i++)
		buf_addf(&b, "%c " STR_FMT "|", set->items[i].status, STR_ARG(set->items[i].path));
	return buf_str(&b);
}

/* scenario: G13-52 */
TEST(a_diff_is_read_whatever_bytes_its_paths_have)
{
	static const struct {
		const char *name;
		struct str answer;
		const char *entries;
		uint64_t added, removed;
	} rows[] = {
		{ "nothing", STR(""), "", 0, 0 },
		{ "a change", STR(RAW("M", "a.c") "3\t1\ta.c\0"), "M a.c|", 3, 1 },
		{ "no counts", STR(RAW("M", "a.c")), "M a.c|", 0, 0 },
		{ "binary", STR(RAW("M", "a.png") "-\t-\ta.png\0"), "M a.png|", 0, 0 },
		{ "several",
		  STR(RAW("A", "a") RAW("D", "b") RAW("T", "c") "1\t0\ta\0"
								"0\t2\tb\0"),
		  "A a|D b|T c|", 1, 2 },
		{ "blanks and tabs", STR(RAW("M", "a b\tc") "5\t6\ta b\tc\0"), "M a b\tc|", 5, 6 },
		{ "a newline", STR(RAW("A", "a\nb") "1\t0\ta\nb\0"), "A a\nb|", 1, 0 },
		{ "a quote", STR(RAW("A", "\"a\\") "1\t0\t\"a\\\0"), "A \"a\\|", 1, 0 },
		{ "no text at all", STR(RAW("A", "\xff\xfe")), "A \xff\xfe|", 0, 0 },
		{ "a colon", STR(RAW("A", ":a") "1\t0\t:a\0"), "A :a|", 1, 0 },
		{ "the log directory",
		  STR(RAW("A", "logs/a.log") RAW("A", "logs2/a") "9\t9\tlogs/a.log\0"
								 "1\t0\tlogs2/a\0"),
		  "A logs2/a|", 1, 0 },
		{ "the log directory as a link", STR(RAW("A", "logs") "9\t9\tlogs\0"), "", 0, 0 },
		{ "great numbers", STR("4294967296\t999999999999999999\ta\0"), "", 4294967296,
		  999999999999999999 },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set set = { .arena = &a, .hidden = STR("logs") };
		struct err err;

		CHECK_ROW(rows[i].name, change_set_read_diff(&set, rows[i].answer, &err) == 0);
		CHECK_ROW(rows[i].name, str_is(told(&a, &set), rows[i].entries));
		CHECK_ROW(rows[i].name,
			  set.lines_added == rows[i].added && set.lines_removed == rows[i].removed);
	}
}

TEST(a_diff_that_is_no_such_diff_is_an_error)
{
	static const struct {
		const char *name;
		struct str answer;
	} rows[] = {
		{ "words", STR("fatal: no\0") },
		{ "no path", STR(":100644 100644 " OLD " " NEW " M\0") },
		{ "a field is missing", STR(":100644 100644 " OLD " M\0a\0") },
		{ "one too many", STR(":100644 100644 " OLD " " NEW " M x\0a\0") },
		{ "a rename", STR(":100644 100644 " OLD " " NEW " R100\0a\0b\0") },
		{ "a copy", STR(":100644 100644 " OLD " " NEW " C075\0a\0b\0") },
		{ "counts without a path", STR("1\t2\t\0") },
		{ "counts of a rename", STR("1\t2\t\0a\0b\0") },
		{ "half a count", STR("1\ta\0") },
		{ "a count that is none", STR("x\t2\ta\0") },
		{ "a count below zero", STR("1\t-2\ta\0") },
		{ "a count that is too great", STR("1\t18446744073709551616\ta\0") },
		{ "an empty record", STR("\0a\0") },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set set = { .arena = &a };
		struct err err;

		CHECK_ROW(rows[i].name, change_set_read_diff(&set, rows[i].answer, &err) < 0);
	}
}

TEST(the_old_side_of_a_change_is_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct change_set set = { .arena = &a };
	struct err err;

	CHECK(change_set_read_diff(&set, STR(":120000 000000 " OLD " " NEW " D\0a\0"), &err) == 0);
	CHECK_STR(set.items[0].mode, "120000");
	CHECK_STR(set.items[0].object, OLD);
}

#define ZERO "0000000000000000000000000000000000000000"
#define FILE_(modes_, letter_, path_) ":" modes_ " " OLD " " ZERO " " letter_ "\0" path_ "\0"

TEST(what_only_has_another_time_is_sifted_out)
{
	static const struct {
		const char *name;
		struct str answer;
		const char *kept, *open;
	} rows[] = {
		{ "the same", STR(FILE_("100644 100644", "M", "a")), "", "" },
		{ "lines", STR(FILE_("100644 100644", "M", "a") "1\t0\ta\0"), "M a|", "" },
		{ "binary", STR(FILE_("100644 100644", "M", "a") "-\t-\ta\0"), "", "M a|" },
		{ "another mode", STR(FILE_("100644 100755", "M", "a")), "M a|", "" },
		{ "a link that is the same", STR(FILE_("120000 120000", "M", "a")), "", "" },
		{ "a submodule", STR(FILE_("160000 160000", "M", "a")), "", "M a|" },
		{ "another commit of a submodule", STR(FILE_("160000 160000", "M", "a") "1\t1\ta\0"), "M a|",
		  "" },
		{ "deleted", STR(FILE_("100644 000000", "D", "a")), "D a|", "" },
		{ "in conflict", STR(FILE_("000000 000000", "U", "a")), "U a|", "" },
		{ "of two commits", STR(RAW("M", "a")), "M a|", "" },
		{ "some of many",
		  STR(FILE_("100644 100644", "M", "a") FILE_("100644 100644", "M", "b")
			      FILE_("100644 100644", "M", "c") FILE_("100644 100644", "M", "d") "1\t0\tb\0"
												"-\t-\td\0"),
		  "M b|", "M d|" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set set = { .arena = &a }, open = { .arena = &a };
		struct err err;

		CHECK_ROW(rows[i].name, change_set_read_diff(&set, rows[i].answer, &err) == 0);
		change_set_sift(&set, &open);
		CHECK_ROW(rows[i].name, str_is(told(&a, &set), rows[i].kept));
		CHECK_ROW(rows[i].name, str_is(told(&a, &open), rows[i].open));
	}
}

TEST(untracked_paths_are_taken_as_they_are)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct change_set set = { .arena = &a, .hidden = STR("logs") };

	change_set_read_untracked(&set, STR("a b\0c\nd\0logs/x\0nested/\0\xff\0logs\0logs.txt\0"));
	CHECK_STR(told(&a, &set), "? a b|? c\nd|? nested|? \xff|? logs.txt|");
	CHECK_STR(set.items[2].mode, "160000");
	CHECK(!set.items[1].mode.s);
}

TEST(a_settled_set_is_sorted_and_has_each_path_once)
{
	static const struct {
		const char *name, *letters[4], *settled;
	} rows[] = {
		{ "nothing", { NULL }, "" },
		{ "sorted by bytes", { "Mb", "MB", "Ma/x", "Ma" }, "M B|M a|M a/x|M b|" },
		{ "twice the same", { "Aa", "Aa" }, "A a|" },
		{ "staged, then changed", { "Aa", "Ma" }, "M a|" },
		{ "in conflict", { "Ua", "Ma" }, "M a|" },
		{ "gone from the index, but there", { "Da", "?a" }, "M a|" },
		{ "three times", { "Da", "Da", "Da", "Ab" }, "D a|A b|" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set set = { .arena = &a };

		for (size_t j = 0; j < 4 && rows[i].letters[j]; j++)
			change_set_add(&set, (struct change_entry){ .path = str_from(rows[i].letters[j] + 1),
								    .status = rows[i].letters[j][0] });
		change_set_settle(&set);
		CHECK_ROW(rows[i].name, str_is(told(&a, &set), rows[i].settled));
	}
}

TEST(a_set_grows)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct change_set set = { .arena = &a };

	for (int i = 0; i < 1000; i++)
		change_set_add(&set,
			       (struct change_entry){ .path = str_fmt(&a, "f%03d", 999 - i), .status = 'M' });
	change_set_settle(&set);
	CHECK(set.count == 1000);
	CHECK_STR(set.items[0].path, "f000");
	CHECK_STR(set.items[999].path, "f999");
}

TEST(a_head_file_contains_the_branch)
{
	static const struct {
		const char *text, *branch; /* NULL: absent */
	} rows[] = {
		{ "ref: refs/heads/main\n", "main" },
		{ "ref: refs/heads/a/b-c\n", "a/b-c" },
		{ "ref:refs/heads/x", "x" },
		{ "ref: refs/remotes/origin/x\n", "refs/remotes/origin/x" },
		{ OLD "\n", "HEAD" },
		{ OLD "111111111111111111111111\n", "HEAD" },
		{ OLD "1\n", NULL },
		{ "ref: refs/heads/.invalid\n", NULL },
		{ "ref: \n", NULL },
		{ "", NULL },
		{ "anything", NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str branch = branch_of_head(str_from(rows[i].text));

		CHECK_ROW(rows[i].text,
			  str_eq(branch, str_from(rows[i].branch)) && !branch.s == !rows[i].branch);
	}
}

TEST(a_name_that_could_be_something_else_is_not_given_to_git)
{
	static const struct {
		struct str name;
		bool is_plain;
	} rows[] = {
		{ STR("main"), true },  { STR("origin/main"), true }, { STR("HEAD~3^2"), true },
		{ STR("a-b"), true },   { STR("v1.0"), true },        { STR("with blank"), true },
		{ STR(""), false },     { STR("-x"), false },         { STR("--output=x"), false },
		{ STR("a..b"), false }, { STR("a...b"), false },      { STR("a\nb"), false },
		{ STR("a\0b"), false }, { STR(".."), false },         { STR("a.b"), true },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(rows[i].name.s, git_is_commit_name(rows[i].name) == rows[i].is_plain);
}
