/* SPDX-License-Identifier: MIT */
/* The changes as text, in throw-away repositories. */
#include "git_repository.h"

#include "base/buf.h"

#include <stdlib.h>

#define TEXT_LIMIT KIB(64)

static struct str
diff_of(struct arena *a, const struct repository *r, const struct change_spec *spec, const char *path)
{
	struct diff_text found = { .is_cut = true };
	struct err err;

	if (git_diff(a, r, spec, str_from(path), TEXT_LIMIT, &found, &err) < 0)
		return str_fmt(a, "[%s]", err.msg);
	CHECK(!found.is_cut);
	return found.text;
}

/* "+++ b/a.c:+4" and so on: the lines that name files and those that were added or removed, joined by blanks. */
static struct str
essence(struct arena *a, struct str text)
{
	struct buf b = BUF(a, TEXT_LIMIT);
	struct str line;

	if (text.n > 0 && text.s[0] == '[')
		return text;
	while (str_next(&text, '\n', &line)) {
		bool is_header = str_starts(line, STR("+++ ")) || str_starts(line, STR("--- "));
		bool is_word = str_starts(line, STR("rename ")) || str_starts(line, STR("Binary "));

		if (is_header || is_word || str_starts(line, STR("+")) || str_starts(line, STR("-")))
			buf_addf(&b, "%s" STR_FMT, b.n ? "|" : "", STR_ARG(line));
	}
	return buf_str(&b);
}

#define SMALL "git init -q -b main; mkdir src; echo 1 | tee a b >src/c; git add .; git commit -qm one; "
#define SINCE_                                                                      \
	{                                                                           \
		.mode = CHANGES_SINCE, .commit = STR("old"), .log_dir = STR("logs") \
	}
#define A_2 "--- a/a|+++ b/a|+2"

TEST(a_diff_shows_each_change_once_and_as_the_files_are)
{
	static const struct {
		const char *name, *script, *path;
		struct change_spec spec;
		const char *text;
	} rows[] = {
		{ "nothing", SMALL, ".", LOCAL_, "" },
		{ "changed", SMALL "echo 2 >>a", ".", LOCAL_, A_2 },
		{ "no path is all", SMALL "echo 2 >>a", "", LOCAL_, A_2 },
		{ "committed, and changed again",
		  SMALL "git checkout -qb s; echo 2 >>a; git commit -qam s; echo 3 >>a", ".", LOCAL_,
		  "--- a/a|+++ b/a|+2|+3" },
		{ "untracked", SMALL "echo 2 >u", ".", LOCAL_, "--- /dev/null|+++ b/u|+2" },
		{ "below a path", SMALL "echo 2 >>a; echo 2 >>src/c; echo 2 >src/u; echo 2 >u", "src", LOCAL_,
		  "--- a/src/c|+++ b/src/c|+2|--- /dev/null|+++ b/src/u|+2" },
		{ "below a path without untracked", SMALL "echo 2 >>src/c; echo 2 >u", "src", LOCAL_,
		  "--- a/src/c|+++ b/src/c|+2" },
		{ "below a path that is gone", SMALL "rm -r src", "src", LOCAL_,
		  "--- a/src/c|+++ /dev/null|-1" },
		{ "below a path that never was", SMALL "echo 2 >>a", "x", LOCAL_, "" },
		{ "a path that looks like a pattern",
		  SMALL "mkdir '[s]rc'; echo 2 >'[s]rc/x'; echo 2 >>src/c", "[s]rc", LOCAL_,
		  "--- /dev/null|+++ b/[s]rc/x|+2" },
		{ "a path that looks like an option", SMALL "mkdir ./--all; echo 2 >./--all/x", "--all",
		  LOCAL_, "--- /dev/null|+++ b/--all/x|+2" },
		{ "only the time", SMALL "touch -d 2001-01-01 a", ".", LOCAL_, "" },
		{ "renamed", SMALL "seq 9 >l; git add l; git commit -qm l; git mv l m", ".", LOCAL_,
		  "rename from l|rename to m" },
		{ "binary", SMALL "head -c 9 /dev/zero >z", ".", LOCAL_,
		  "Binary files /dev/null and b/z differ" },
		{ "logs", SMALL "mkdir logs; echo 2 >logs/x; echo 2 >>a", ".", LOCAL_, A_2 },
		{ "logs alone", SMALL "mkdir logs; echo 2 >logs/x", ".", LOCAL_, "" },
		{ "ignored logs", SMALL "mkdir logs; echo 2 >logs/x; echo logs >.git/info/exclude; echo 2 >u",
		  ".", LOCAL_, "--- /dev/null|+++ b/u|+2" },
		{ "staged and changed", SMALL "echo 2 >>a; git add a; echo 3 >>a", ".", UNCOMMITTED_,
		  "--- a/a|+++ b/a|+2|+3" },
		{ "no commits", "git init -q -b main; echo 1 >a; git add a; echo 2 >u", ".", UNCOMMITTED_,
		  "--- /dev/null|+++ b/a|+1|--- /dev/null|+++ b/u|+2" },
		{ "no base",
		  SMALL "git checkout -qb side; git branch -m main other; echo 2 >>a; git commit -qam two; "
			"echo 2 >u",
		  ".", LOCAL_, A_2 "|--- /dev/null|+++ b/u|+2" },
		{ "ci", SMALL "git checkout -qb s; echo 2 >>a; git commit -qam s; echo 3 >>a; echo >u", ".",
		  CI_, A_2 },
		{ "a commit", SMALL "echo 2 >>a; git commit -qam s; echo 3 >>a", ".", COMMIT_, A_2 },
		{ "the first commit", SMALL "echo 3 >>a", "src", COMMIT_, "--- /dev/null|+++ b/src/c|+1" },
		{ "since, untracked as it was",
		  SMALL
		  "echo 1 >u; echo 1 >v; git add .; git stash -q; git tag old stash@{0}; git stash drop -q; "
		  "echo 1 >u; echo 2 >v",
		  ".", SINCE_, "--- a/v|+++ b/v|-1|+2" },
		{ "a repository without commits in it", SMALL "git init -q nested; echo >nested/x; echo 2 >u",
		  ".", LOCAL_, "--- /dev/null|+++ b/u|+2" },
		{ "no such commit", SMALL, ".", SINCE_,
		  "[commit 'old': git diff: bad revision 'old^{commit}']" },
	};

	static const char look[] =
		"cksum <.git/index || :; find .git -name objects -prune -o -type f -print | sort";

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, rows[i].script);
		struct str before = repository_run(&a, r.root, look);
		struct str told = essence(&a, diff_of(&a, &r, &rows[i].spec, rows[i].path));

		if (!str_is(told, rows[i].text))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(told));
		CHECK_ROW(rows[i].name, str_eq(repository_run(&a, r.root, look), before));
	}
}

TEST(a_diff_needs_no_filter_that_is_not_installed)
{
	static const struct {
		const char *name, *script;
		struct change_spec spec;
		const char *essence;
	} rows[] = {
		{ "the base is there", "", LOCAL_, A_2 },
		{ "since a commit", "git tag old; ", SINCE_, A_2 },
		{ "the base is missing, too", "git branch -m other; ", LOCAL_, A_2 },
		{ "what can't be told at all", "git tag older; ", SINCE_,
		  "[commit 'old': git diff: bad revision 'old^{commit}']" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct repository r = make_repository(
			&a, str_fmt(&a,
				    SMALL "git commit -q --allow-empty -m two; echo 'a filter=f' "
					  ">.git/info/attributes; %sgit config filter.f.required true; git "
					  "config filter.f.clean /nonexistent/filter; echo 2 >>a",
				    rows[i].script)
				    .s);
		struct str told = essence(&a, diff_of(&a, &r, &rows[i].spec, "."));

		if (!str_is(told, rows[i].essence))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(told));
	}
}

TEST(a_diff_of_a_directory_below_the_top_has_paths_relative_to_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a,
		SMALL "echo 2 >>a; echo 2 >>src/c; mkdir src/logs src/d; echo 2 | tee src/logs/x >src/d/u");
	struct change_spec spec = LOCAL_;

	r.root = str_fmt(&a, STR_FMT "/src", STR_ARG(r.root));
	CHECK_STR(essence(&a, diff_of(&a, &r, &spec, ".")), "--- a/c|+++ b/c|+2|--- /dev/null|+++ b/d/u|+2");
	CHECK_STR(essence(&a, diff_of(&a, &r, &spec, "d")), "--- /dev/null|+++ b/d/u|+2");
}

TEST(a_diff_is_the_same_whatever_the_settings)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, SMALL "seq 30 >l; git add .; git commit -qm l; sed -i 's/^15$/x/' l; echo 2 >u");
	struct change_spec spec = LOCAL_;
	struct str plain = diff_of(&a, &r, &spec, ".");

	(void)repository_run(&a, r.root,
			     "git config color.ui always; git config diff.noprefix true; git config "
			     "diff.mnemonicPrefix true; "
			     "git config diff.external false; git config diff.context 9; git config "
			     "diff.interHunkContext 9; "
			     "git config diff.algorithm patience; git config diff.renames false; git config "
			     "diff.wsErrorHighlight all; "
			     "git config diff.x.textconv 'tr 0-9 a-z <'; git config diff.colorMoved zebra; "
			     "git config diff.submodule log; "
			     "echo '* diff=x' >.git/info/attributes; git config core.quotepath true; git "
			     "config core.pager false; "
			     "git config diff.wordRegex .; git config diff.suppressBlankEmpty true; git "
			     "config diff.relative true");
	CHECK(setenv("GIT_EXTERNAL_DIFF", "false", 1) == 0 && setenv("GIT_DIFF_OPTS", "-u0", 1) == 0);
	struct str other = diff_of(&a, &r, &spec, ".");

	CHECK(unsetenv("GIT_EXTERNAL_DIFF") == 0 && unsetenv("GIT_DIFF_OPTS") == 0);
	CHECK(plain.n > 0 && str_eq(plain, other));
}

TEST(a_diff_ends_at_its_limit_with_a_complete_line)
{
	static const struct {
		size_t limit;
		bool is_cut;
	} rows[] = { { 0, true }, { 1, true }, { 100, true }, { 127, true }, { 128, false }, { 129, false } };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, SMALL "printf '2222222222\\n3333333333\\n' >>a");
	struct change_spec spec = LOCAL_;
	struct str whole = diff_of(&a, &r, &spec, ".");

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		size_t limit = rows[i].limit < 120 ? rows[i].limit : whole.n + rows[i].limit - 128;
		struct diff_text found;
		struct err err;

		CHECK(git_diff(&a, &r, &spec, STR("."), limit, &found, &err) == 0);
		CHECK(found.is_cut == rows[i].is_cut);
		CHECK(found.text.n <= limit && str_starts(whole, found.text));
		CHECK(found.text.n == 0 || found.text.s[found.text.n - 1] == '\n');
		CHECK(found.is_cut || found.text.n == whole.n);
	}
}

TEST(a_diff_without_end_is_read_no_further_than_its_limit)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, SMALL "seq 2000000 >u");
	struct change_spec spec = LOCAL_;
	struct diff_text found;
	struct err err;

	CHECK(git_diff(&a, &r, &spec, STR("."), KIB(100), &found, &err) == 0);
	CHECK(found.is_cut && found.text.n <= KIB(100) && found.text.n > KIB(99));
}

TEST(a_diff_names_what_it_does_not_show)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, SMALL "echo 2 >u; truncate -s 16777216 limit; truncate -s 16777217 src/large; ln -s "
			  "src/large link; "
			  "git init -q nested; echo 1 >nested/x; mkdir logs; truncate -s 20000000 logs/x");
	struct change_spec spec = LOCAL_;
	struct diff_text found;
	struct err err;

	CHECK(git_diff(&a, &r, &spec, STR("."), TEXT_LIMIT, &found, &err) == 0);
	CHECK(found.hidden.count == 2);
	CHECK_STR(found.hidden.items[0].path, "nested");
	CHECK_STR(str_from(found.hidden.items[0].why), HIDDEN_REPOSITORY);
	CHECK_STR(found.hidden.items[1].path, "src/large");
	CHECK_STR(str_from(found.hidden.items[1].why), HIDDEN_LARGE);
	CHECK(str_find(found.text, STR("b/limit")) > 0 && str_find(found.text, STR("src/large b")) < 0);
	CHECK(git_diff(&a, &r, &spec, STR("nested"), TEXT_LIMIT, &found, &err) == 0);
	CHECK(found.hidden.count == 1);
}

TEST(a_diff_of_some_files_as_text_has_their_lines_whatever_attributes_say)
{
	static struct str only[] = { STR("a"), STR("u[1]") };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, SMALL "echo '* -diff' >.gitattributes; echo 2 >>a; echo 2 >>b; echo 2 >'u[1]'");
	struct change_spec spec = LOCAL_;

	spec.only = (struct str_list){ only, COUNT_OF(only) };
	CHECK_STR(essence(&a, diff_of(&a, &r, &spec, ".")),
		  "Binary files a/a and b/a differ|Binary files /dev/null and b/u[1] differ");
	spec.is_text = true;
	CHECK_STR(essence(&a, diff_of(&a, &r, &spec, ".")), A_2 "|--- /dev/null|+++ b/u[1]|+2");
}
