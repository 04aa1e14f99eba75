/* SPDX-License-Identifier: MIT */
/* Reading git's answers: no git is run here. */
#include "test.h"

#include "git/git_spawn.h"

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
	} rows[] = {
		{ "nothing", STR(""), "" },
		{ "a change", STR(RAW("M", "a.c")), "M a.c|" },
		{ "several", STR(RAW("A", "a") RAW("D", "b") RAW("T", "c")), "A a|D b|T c|" },
		{ "blanks and tabs", STR(RAW("M", "a b\tc")), "M a b\tc|" },
		{ "a newline", STR(RAW("A", "a\nb")), "A a\nb|" },
		{ "a quote", STR(RAW("A", "\"a\\")), "A \"a\\|" },
		{ "no text at all", STR(RAW("A", "\xff\xfe")), "A \xff\xfe|" },
		{ "a colon", STR(RAW("A", ":a")), "A :a|" },
		{ "the log directory", STR(RAW("A", "logs/a.log") RAW("A", "logs2/a")), "A logs2/a|" },
		{ "the log directory as a link", STR(RAW("A", "logs")), "" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set set = { .arena = &a, .hidden = STR("logs") };
		struct err err;

		CHECK_ROW(rows[i].name, change_set_read_diff(&set, rows[i].answer, &err) == 0);
		CHECK_ROW(rows[i].name, str_is(told(&a, &set), rows[i].entries));
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
		{ "counts", STR("1\t2\ta\0") },
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
	CHECK_STR(set.items[0].old.mode, "120000");
	CHECK_STR(set.items[0].old.object, OLD);
	CHECK(!set.items[0].new.mode.s);
}

#define ZERO "0000000000000000000000000000000000000000"
#define HERE "# branch.oid " OLD "\0# branch.head main\0"
/* Modes of HEAD, index and working tree, objects of HEAD and index. */
#define ORDINARY(xy_, modes_, objects_, path_) "1 " xy_ " N... " modes_ " " objects_ " " path_ "\0"
#define FILES "100644 100644 100644"
#define CONFLICT "u UU N... 100644 100644 100644 100644 " OLD " " OLD " " OLD " a\0"

TEST(what_differs_from_a_tree_is_joined_with_what_differs_from_head)
{
	static const struct {
		const char *name;
		struct str trees, files;
		const char *changes, *open; /* of a comparison with some tree */
	} rows[] = {
		{ "nothing", STR(""), STR(HERE), "", "" },
		{ "between the trees", STR(RAW("M", "a")), STR(HERE), "M a|", "" },
		{ "in the working tree", STR(""), STR(HERE ORDINARY(".M", FILES, OLD " " OLD, "a")), "M a|",
		  "" },
		{ "in both", STR(RAW("M", "a")), STR(HERE ORDINARY(".M", FILES, NEW " " NEW, "a")), "",
		  "M a|" },
		{ "staged", STR(""), STR(HERE ORDINARY("M.", FILES, OLD " " NEW, "a")), "M a|", "" },
		{ "staged as it was", STR(RAW("M", "a")), STR(HERE ORDINARY("M.", FILES, NEW " " OLD, "a")),
		  "", "" },
		{ "staged and changed", STR(""), STR(HERE ORDINARY("MM", FILES, OLD " " NEW, "a")), "",
		  "M a|" },
		{ "only the mode", STR(""),
		  STR(HERE ORDINARY(".M", "100644 100644 100755", OLD " " OLD, "a")), "M a|", "" },
		{ "deleted", STR(""), STR(HERE ORDINARY(".D", "100644 100644 000000", OLD " " OLD, "a")),
		  "D a|", "" },
		{ "deleted and staged", STR(""),
		  STR(HERE ORDINARY("D.", "100644 000000 000000", OLD " " ZERO, "a")), "D a|", "" },
		{ "added", STR(""), STR(HERE ORDINARY("A.", "000000 100644 100644", ZERO " " NEW, "a")),
		  "A a|", "" },
		{ "added and gone", STR(""),
		  STR(HERE ORDINARY("AD", "000000 100644 000000", ZERO " " NEW, "a")), "", "" },
		{ "to be added", STR(""),
		  STR(HERE ORDINARY(".A", "000000 000000 100644", ZERO " " ZERO, "a")), "A a|", "" },
		{ "untracked", STR(""), STR(HERE "? a\0"), "? a|", "" },
		{ "out of the index, but there", STR(""),
		  STR(HERE ORDINARY("D.", "100644 000000 000000", OLD " " ZERO, "a") "? a\0"), "", "M a|" },
		{ "untracked, and in the tree", STR(":100644 000000 " OLD " " ZERO " D\0a\0"),
		  STR(HERE "? a\0"), "", "M a|" },
		{ "a repository", STR(""), STR(HERE "? a/\0"), "? a|", "" },
		{ "a conflict", STR(""), STR(HERE CONFLICT), "M a|", "" },
		{ "of two paths", STR(RAW("M", "b")), STR(HERE "? a\0? c\0"), "? a|M b|? c|", "" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set trees = { .arena = &a }, files = trees, set = trees, open = trees;
		struct join_rules rules = { .compares_untracked = true };
		struct err err;

		CHECK_ROW(rows[i].name, change_set_read_diff(&trees, rows[i].trees, &err) == 0);
		CHECK_ROW(rows[i].name, change_set_read_status(&files, rows[i].files, STR(""), &err) == 0);
		CHECK_ROW(rows[i].name, str_is(head_of_status(rows[i].files), OLD));
		change_set_settle(&trees);
		change_set_settle(&files);
		change_set_join(&trees, &files, &rules, &set, &open);
		CHECK_ROW(rows[i].name, str_is(told(&a, &set), rows[i].changes));
		CHECK_ROW(rows[i].name, str_is(told(&a, &open), rows[i].open));
	}
}

TEST(what_is_staged_counts_where_that_is_asked_for)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct change_set trees = { .arena = &a }, files = trees, set = trees, open = trees;
	struct join_rules rules = { .keeps_staged = true };
	struct err err;

	struct str answer = STR("# branch.oid (initial)\0" ORDINARY("MM", FILES, OLD " " NEW, "s/a"));

	CHECK(change_set_read_status(&files, answer, STR("s/"), &err) == 0);
	CHECK(!head_of_status(answer).s);
	change_set_join(&trees, &files, &rules, &set, &open);
	CHECK_STR(told(&a, &set), "M a|");
	CHECK(open.count == 0);
}

TEST(a_status_that_is_no_such_status_is_an_error)
{
	static const struct str rows[] = {
		STR("1 .M N... 100644\0"),
		STR("u UU N... 100644 100644\0"),
		STR("2 R. N... 100644 100644 100644 " OLD " " NEW " R100 a\0b\0"),
		STR("fatal: no\0"),
		STR("\0"),
		STR("? elsewhere/a\0"),
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct change_set set = { .arena = &a };
		struct err err;

		CHECK(change_set_read_status(&set, rows[i], STR("here/"), &err) < 0);
	}
}

TEST(untracked_paths_are_taken_as_they_are)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct change_set set = { .arena = &a, .hidden = STR("logs") };

	change_set_read_untracked(&set, STR("a b\0c\nd\0logs/x\0nested/\0\xff\0logs\0logs.txt\0"));
	CHECK_STR(told(&a, &set), "? a b|? c\nd|? nested|? \xff|? logs.txt|");
	CHECK_STR(set.items[2].new.mode, "160000");
	CHECK(!set.items[1].new.mode.s);
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
		{ "gone from the index, but there", { "Da", "?a" }, "? a|" },
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
