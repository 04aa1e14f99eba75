/* SPDX-License-Identifier: MIT */
/* Which lines a diff adds, whatever git may write and whatever a file may hold; and diffs that are too long. */
#include "test.h"

#include "base/buf.h"
#include "review/diff.h"
#include "os/clock.h"

#include <string.h>

#define HEAD(name) "diff --git a/" name " b/" name "\nindex 1..2 100644\n--- a/" name "\n+++ b/" name "\n"

struct expected {
	const char *file;
	int64_t line;
	bool is_added;
};

static const struct {
	const char *name, *diff;
	size_t files;
	struct expected lines[6]; /* line 0: is the file there */
} rows[] = {
	{ "nothing", "", 0, { { "a", 0, false }, { "a", 1, false } } },
	{ "no diff", "just\n+text\n@@ -1 +1 @@\n+x\n", 0, { { "", 1, false } } },
	{ "one hunk",
	  HEAD("a.c") "@@ -1,3 +1,4 @@ int main\n one\n+two\n three\n-four\n+five\n",
	  1,
	  { { "a.c", 0, true },
	    { "a.c", 1, false },
	    { "a.c", 2, true },
	    { "a.c", 3, false },
	    { "a.c", 4, true },
	    { "a.c", 5, false } } },
	{ "two hunks, counts left out",
	  HEAD("a") "@@ -1 +1 @@\n-x\n+y\n@@ -9,0 +10 @@\n+z\n",
	  1,
	  { { "a", 1, true }, { "a", 2, false }, { "a", 9, false }, { "a", 10, true }, { "a", 11, false } } },
	{ "added lines that look like headers",
	  HEAD("a") "@@ -0,0 +1,5 @@\n+++ b/other\n+diff --git a/x b/x\n+@@ -1 +1 @@\n+\n+--- a\n",
	  1,
	  { { "a", 1, true }, { "a", 2, true }, { "a", 3, true }, { "a", 5, true }, { "a", 6, false } } },
	{ "removed lines that look like headers",
	  HEAD("a") "@@ -1,2 +1,1 @@\n--- a/y\n-++ b/y\n+z\n",
	  1,
	  { { "a", 1, true }, { "a", 2, false }, { "y", 0, false } } },
	{ "no newline at the end",
	  HEAD("a") "@@ -1,2 +1,3 @@\n x\n-y\n\\ No newline at end of file\n+y\n+z\n\\ No newline at end of "
		    "file\n",
	  1,
	  { { "a", 1, false }, { "a", 2, true }, { "a", 3, true }, { "a", 4, false } } },
	{ "CRLF in the file",
	  HEAD("a") "@@ -1,2 +1,3 @@\n x\r\n+y\r\n \r\n",
	  1,
	  { { "a", 1, false }, { "a", 2, true }, { "a", 3, false } } },
	{ "CRLF everywhere",
	  "diff --git a/a b/a\r\n--- a/a\r\n+++ b/a\r\n@@ -1,2 +1,3 @@\r\n x\r\n+y\r\n\r\n",
	  1,
	  { { "a", 0, true }, { "a", 2, true }, { "a", 3, false } } },
	{ "an empty line for an empty context line",
	  HEAD("a") "@@ -1,2 +1,3 @@\n\n+y\n z\n",
	  1,
	  { { "a", 1, false }, { "a", 2, true }, { "a", 3, false } } },
	{ "sections of one file are merged",
	  HEAD("a") "@@ -0,0 +1 @@\n+x\n" HEAD("b") "@@ -0,0 +1 @@\n+x\n" HEAD(
		  "a") "@@ -4,0 +5,2 @@\n+x\n+y\n",
	  2,
	  { { "a", 1, true }, { "a", 5, true }, { "a", 6, true }, { "a", 2, false }, { "b", 1, true } } },
	{ "overlapping sections",
	  HEAD("a") "@@ -0,0 +1,9 @@\n+1\n+2\n+3\n+4\n+5\n+6\n+7\n+8\n+9\n" HEAD(
		  "a") "@@ -1 +2,2 @@\n-x\n+2\n+3\n",
	  1,
	  { { "a", 2, true }, { "a", 3, true }, { "a", 8, true }, { "a", 9, true }, { "a", 10, false } } },
	{ "a new file",
	  "diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
	  1,
	  { { "n", 1, true }, { "/dev/null", 0, false } } },
	{ "a deleted file",
	  "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
	  1,
	  { { "n", 0, true }, { "n", 1, false }, { "n", 0, true } } },
	{ "a rename without changes",
	  "diff --git a/old b/new name\nsimilarity index 100%\nrename from old\nrename to new name\n",
	  1,
	  { { "new name", 0, true }, { "new name", 1, false } } },
	{ "a rename with changes",
	  "diff --git a/old b/new\nrename from old\nrename to new\n--- a/old\n+++ b/new\n@@ -1,0 +2 @@\n+x\n",
	  1,
	  { { "new", 2, true }, { "old", 0, false } } },
	{ "a copy", "diff --git a/old b/new\ncopy from old\ncopy to new\n", 1, { { "new", 0, true } } },
	{ "a binary file",
	  "diff --git a/i m.png b/i m.png\nindex 1..2\nBinary files a/i m.png and b/i m.png differ\n",
	  1,
	  { { "i m.png", 0, true }, { "i m.png", 1, true }, { "i m.png", 1000000, true } } },
	{ "a changed mode",
	  "diff --git a/s.sh b/s.sh\nold mode 100644\nnew mode 100755\n" HEAD("t") "@@ -0,0 +1 @@\n+x\n",
	  2,
	  { { "s.sh", 0, true }, { "s.sh", 1, false }, { "t", 1, true } } },
	{ "blanks in a name end with a tab",
	  "diff --git a/a b.c b/a b.c\n--- a/a b.c\t\n+++ b/a b.c\t\n@@ -0,0 +1 @@\n+x\n",
	  1,
	  { { "a b.c", 1, true }, { "a b.c\t", 0, false } } },
	{ "a name with b/ in it",
	  "diff --git a/x b/x b/x b/x\n--- a/x b/x\t\n+++ b/x b/x\t\n@@ -0,0 +1 @@\n+x\n",
	  1,
	  { { "x b/x", 1, true } } },
	{ "a quoted name",
	  "diff --git \"a/\\303\\244\\t\\\"\\\\.c\" \"b/\\303\\244\\t\\\"\\\\.c\"\n--- "
	  "\"a/\\303\\244\\t\\\"\\\\.c\"\n"
	  "+++ \"b/\\303\\244\\t\\\"\\\\.c\"\n@@ -0,0 +1 @@\n+x\n",
	  1,
	  { { "\xC3\xA4\t\"\\.c", 1, true } } },
	{ "a quoted name of a binary file",
	  "diff --git \"a/\\001\" \"b/\\001\"\nBinary files differ\n",
	  1,
	  { { "\x01", 0, true }, { "\x01", 1, true } } },
	{ "quotes that do not end",
	  "diff --git a/x b/y\n+++ \"b/abc\n@@ -0,0 +1 @@\n+x\n",
	  0,
	  { { "abc", 0, false } } },
	{ "a hunk that is cut off by the next file",
	  HEAD("a") "@@ -0,0 +1,100 @@\n+x\n" HEAD("b") "@@ -0,0 +1 @@\n+x\n",
	  2,
	  { { "a", 1, true }, { "a", 2, false }, { "b", 1, true } } },
	{ "a hunk that is cut off by the end",
	  HEAD("a") "@@ -0,0 +1,100 @@\n+x\n+y",
	  1,
	  { { "a", 2, true }, { "a", 3, false } } },
	{ "numbers that are too large",
	  HEAD("a") "@@ -0,0 +99999999999999999999 @@\n+x\n",
	  1,
	  { { "a", 1, false } } },
	{ "a header that is broken",
	  HEAD("a") "@@ -0,0 +1\n+x\n@@ garbage @@\n+y\n",
	  1,
	  { { "a", 1, false } } },
};

TEST(added_lines_are_found_in_every_form_of_diff)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct diff_lines *d = diff_lines_of(&a, str_from(rows[i].diff));

		CHECK_ROW(rows[i].name, diff_lines_has_files(d) == (rows[i].files > 0));
		for (const struct expected *e = rows[i].lines; e < rows[i].lines + 6 && e->file; e++) {
			struct str file = str_from(e->file);
			bool is_added = e->line ? diff_lines_has(d, file, e->line)
						: str_eq(diff_lines_meant(d, file), file);

			if (is_added != e->is_added)
				fail_msg("%s: %s:%d", rows[i].name, e->file, (int)e->line);
		}
	}
}

TEST(a_path_is_recognised_in_the_spellings_of_reviewers)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct diff_lines *d = diff_lines_of(
		&a, STR(HEAD("src/a.c") "@@ -0,0 +1 @@\n+x\n" HEAD("a.c") "@@ -0,0 +1 @@\n+x\n" HEAD(
			    "b/c") "@@ -0,0 +1 @@\n+x\n"));
	static const struct {
		const char *spelling, *file;
	} spellings[] = {
		{ "src/a.c", "src/a.c" },
		{ "./src/a.c", "src/a.c" },
		{ "a/src/a.c", "src/a.c" },
		{ "b/src/a.c", "src/a.c" },
		{ "b/c", "b/c" },
		{ "b/b/c", "b/c" },
		{ "/srv/x/src/a.c", "src/a.c" },
		{ "/srv/x/a.c", "a.c" },
		{ "/a.c", "a.c" },
		{ "x/src/a.c", NULL },
		{ "src", NULL },
		{ "", NULL },
		{ "/srv/x/za.c", NULL },
		{ "c/src/a.c", NULL },
		{ "c", NULL },
	};

	for (size_t i = 0; i < COUNT_OF(spellings); i++) {
		struct str file = diff_lines_meant(d, str_from(spellings[i].spelling));

		CHECK_ROW(spellings[i].spelling,
			  spellings[i].file ? str_is(file, spellings[i].file) : file.s == NULL);
	}
}

static struct str
section(struct arena *a, const char *name, size_t lines)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addf(&b, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -0,0 +1,%zu @@\n", name, name, name, name,
		 lines);
	for (size_t i = 0; i < lines; i++)
		buf_addf(&b, "+line %zu\n", i);
	return buf_str(&b);
}

static struct str
joined(struct arena *a, const struct str *parts, size_t count)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < count; i++)
		buf_add(&b, parts[i]);
	return buf_str(&b);
}

TEST(a_diff_is_split_by_file)
{
	static const struct {
		const char *text, *file;
	} parts[] = {
		{ "before\n", NULL },
		{ HEAD("a.c") "@@ -1 +1 @@\n-diff --git a/x b/x\n+diff --git a/y b/y\n", "a.c" },
		{ "diff --git a/old b/new name\nsimilarity index 100%\nrename from old\nrename to new name\n",
		  "new name" },
		{ "diff --git \"a/\\tx\" \"b/\\ty\"\nrename from \"\\tx\"\nrename to \"\\ty\"\n", "\ty" },
		{ "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 "
		  "@@\n-x\n",
		  "gone" },
		{ "diff --git a/b.png b/b.png\nBinary files differ", "b.png" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str texts[COUNT_OF(parts)];

	for (size_t i = 0; i < COUNT_OF(parts); i++)
		texts[i] = str_from(parts[i].text);
	struct diff_sections l = diff_split(&a, joined(&a, texts, COUNT_OF(texts)));

	CHECK(l.count == COUNT_OF(parts));
	for (size_t i = 0; i < l.count && i < COUNT_OF(parts); i++) {
		CHECK_STR(l.items[i].text, parts[i].text);
		CHECK_ROW(parts[i].text, str_eq(l.items[i].file, str_from(parts[i].file)) &&
						 !l.items[i].file.s == !parts[i].file);
	}
	CHECK(diff_split(&a, STR("")).count == 0);
}

TEST(a_diff_that_fits_is_not_cut)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str diff = section(&a, "a", 10);
	bool is_cut = true;
	struct str_list left_out;

	CHECK(str_eq(diff_cut(&a, diff, diff.n, false, &is_cut, &left_out), diff) && !is_cut);
	(void)diff_cut(&a, diff, diff.n - 1, false, &is_cut, &left_out);
	CHECK(is_cut);
}

TEST(a_diff_is_cut_by_whole_files_and_names_what_is_left_out)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str parts[] = { section(&a, "a", 10), section(&a, "big one", 1000), section(&a, "c", 10),
			       section(&a, "also big", 1000) };
	struct str diff = joined(&a, parts, COUNT_OF(parts));
	bool is_cut = false;
	struct str_list left_out;
	struct str cut = diff_cut(&a, diff, 4096, false, &is_cut, &left_out);

	CHECK(is_cut && cut.n <= 4096 && left_out.count > 0);
	CHECK(str_starts(cut, parts[0]));
	CHECK(str_find(cut, parts[2]) == (ptrdiff_t)parts[0].n);
	CHECK_STR(str_sub(cut, parts[0].n + parts[2].n, cut.n),
		  "\n(This diff is not complete: it was too long. Left out are the changes of:\n * big one\n "
		  "* also big\n)\n");
	/* The note is no part of the last hunk. */
	const struct diff_lines *d = diff_lines_of(&a, cut);

	CHECK(diff_lines_has_files(d) && diff_lines_has(d, STR("c"), 10) && !diff_lines_has(d, STR("c"), 11));
}

TEST(of_a_file_that_is_too_long_alone_the_beginning_is_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str diff = section(&a, "huge", 5000);
	bool is_cut = false;
	struct str_list left_out;
	struct str cut = diff_cut(&a, diff, 2048, false, &is_cut, &left_out);
	ptrdiff_t note = str_find(
		cut, STR("\n\n(This diff is not complete: it was too long. The file above is cut off.)\n"));

	CHECK(is_cut && cut.n <= 2048 && note > 1400);
	CHECK(str_starts(diff, str_sub(cut, 0, (size_t)note + 1)));
}

TEST(that_files_were_missing_before_is_told_too)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str diff = section(&a, "a", 10),
		   more = STR(" Further files have changed that are not named here.");
	bool is_cut = false;
	struct str_list left_out;
	struct str cut = diff_cut(&a, diff, 4096, true, &is_cut, &left_out);

	CHECK(is_cut && str_starts(cut, diff));
	CHECK_STR(
		str_sub(cut, diff.n, cut.n),
		str_fmt(&a, "\n(This diff is not complete: it was too long." STR_FMT ")\n", STR_ARG(more)).s);
	is_cut = false;
	cut = diff_cut(&a, STR(""), 4096, true, &is_cut, &left_out);
	CHECK(is_cut && str_find(cut, more) > 0);
}

TEST(a_cut_diff_stays_within_any_limit)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str parts[40];

	for (size_t i = 0; i < COUNT_OF(parts); i++)
		parts[i] = section(&a, str_fmt(&a, "a/rather/long/\xC3\xA4/name/of/a/file/%zu.c", i).s,
				   10 * i);
	struct str diff = joined(&a, parts, COUNT_OF(parts));

	for (size_t limit = 0; limit < 6000; limit += 7) {
		bool is_cut = false;
		struct str_list left_out;
		struct str cut = diff_cut(&a, diff, limit, false, &is_cut, &left_out);

		CHECK(is_cut && cut.n <= limit);
		if (limit >= DIFF_CUT_LEAST)
			CHECK(str_ends(cut, STR("\n)\n")));
	}
}

TEST(a_diff_of_many_files_and_lines_is_read_in_linear_time)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, SIZE_MAX);

	for (size_t i = 0; i < 20000; i++)
		buf_add(&b, section(&a, str_fmt(&a, "f%zu", i % 5000).s, 30));
	int64_t started = clock_mono_ms();
	const struct diff_lines *d = diff_lines_of(&a, buf_str(&b));

	CHECK(diff_lines_has_files(d));
	CHECK(diff_lines_has(d, STR("f4999"), 30) && !diff_lines_has(d, STR("f4999"), 31));
	CHECK(clock_mono_ms() - started < 30000);
}

TEST(sections_tell_what_is_binary_and_what_is_a_repository)
{
	static const struct {
		const char *text;
		bool is_binary, is_repository;
	} kinds[] = {
		{ "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+index 1..2 "
		  "160000\n",
		  false, false },
		{ "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", true, false },
		{ "diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit "
		  "1\n+Subproject commit 2\n",
		  false, true },
		{ "diff --git a/s b/s\nnew file mode 160000\nindex 0..2\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 "
		  "@@\n+Subproject commit 2\n",
		  false, true },
		{ "diff --git a/s b/s\ndeleted file mode 160000\nindex 2..0\n--- a/s\n+++ /dev/null\n@@ -1 "
		  "+0,0 "
		  "@@\n-Subproject commit 2\n",
		  false, false },
	};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct diff_sections l = diff_split(&a, str_from(kinds[i].text));

		CHECK(l.count == 1);
		CHECK_ROW(kinds[i].text, l.items[0].is_binary == kinds[i].is_binary);
		CHECK_ROW(kinds[i].text, l.items[0].is_repository == kinds[i].is_repository);
	}
}
