/* SPDX-License-Identifier: MIT */
/* What is shown of the output of a failed command. */
#include "test.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "os/fs.h"
#include "output/failing_lines.h"
#include "output/formats.h"

#include <string.h>

#define FAILURES FIXTURES "/failures/"

static struct str
read_fixture(struct arena *a, struct str name)
{
	struct str text = STR_NONE;
	struct err err;

	if (fs_read(a, str_fmt(a, FAILURES STR_FMT, STR_ARG(name)).s, MIB(1), &text, &err) < 0 || !text.s)
		fail_msg(STR_FMT " can't be read", STR_ARG(name));
	return text;
}

static size_t
count_lines(struct str text)
{
	size_t count = 0;

	for (struct str line; str_next(&text, '\n', &line);)
		count++;
	return count;
}

/* Each recorded failure, by what shown.txt says of it. */
TEST(of_a_recorded_failure_the_failing_test_or_line_is_shown)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str rows = read_fixture(&a, STR("shown.txt")), row;
	struct strset files = strset_new(&a, 1000);
	size_t count = 0;

	while (str_next(&rows, '\n', &row)) {
		struct str name, text = row;

		CHECK(str_next(&text, '\t', &name) && text.n > 0);
		struct str shown = failing_lines(&a, read_fixture(&a, name), SIZE_MAX);
		bool is_absent = text.s[0] == '!';
		bool is_found = str_find(shown, str_sub(text, is_absent, text.n)) >= 0;

		if (is_found == is_absent)
			fail_msg(STR_FMT ": in\n" STR_FMT, STR_ARG(row), STR_ARG(shown));
		CHECK_ROW(name.s, shown.n <= FAILING_BYTES_MAX && count_lines(shown) <= FAILING_LINES_MAX);
		CHECK_ROW(name.s, str_find_char(shown, '\x1B') < 0 && !str_ends(shown, STR("\n")));
		count += strset_add(&files, name);
	}
	CHECK(count >= 20);
}

static const struct {
	const char *name, *output, *shown;
} rows[] = {
	{ "nothing", "", "" },
	{ "blanks", " \n\n", "" },
	{ "an unknown format", "\n\none\ntwo\n\n", "one\ntwo" },
	{ "the same error twice", "a.h:1:2: error: bad\nb.c:3: note: here\na.h:1:2: error: bad\n",
	  "a.h:1:2: error: bad" },
	{ "a warning is no failure", "a.c:1:2: warning: odd\nmake: *** [all] Error 2\n",
	  "a.c:1:2: warning: odd\nmake: *** [all] Error 2" },
	{ "no error of a compiler: a time and an address",
	  "at 10:20: error: x\nhttp://h:80: error: y\nlast\n",
	  "at 10:20: error: x\nhttp://h:80: error: y\nlast" },
	{ "a compiler, then a test", "a.c:1: error: bad\nnot ok 1 - adds\nok 2 - more\n",
	  "not ok 1 - adds\na.c:1: error: bad" },
	{ "a test that is still to be done", "TAP version 13\nnot ok 1 - later # TODO\nnot ok 2 - now\n",
	  "not ok 2 - now" },
	{ "a test to be done does not end the failure before it",
	  "not ok 1 - now\n# at line 3\nnot ok 2 - later # TODO\n# not this\n",
	  "not ok 1 - now\n  # at line 3" },
	{ "all that failed is still to be done", "not ok 1 - later # TODO\nBailed out\n",
	  "not ok 1 - later # TODO\nBailed out" },
	{ "only the summary of pytest", "===== short test summary info =====\nFAILED a.py::test - assert 0\n",
	  "FAILED a.py::test - assert 0" },
	{ "a module that does not compile", "FAIL\texample.com/a [build failed]\nFAIL\n",
	  "FAIL\texample.com/a [build failed]" },
	{ "XML that ends early", "<testsuite><testcase name=\"a\"><failure message=\"x",
	  "<testsuite><testcase name=\"a\">"
	  "<failure message=\"x" },
	{ "references of XML",
	  "<testcase name='a&#38;b' file='t.rb' line='3'><error message='&lt;1&gt; &#x27;x&#x27; "
	  "&no;'/></testcase>",
	  "a&b (t.rb:3)\n  <1> 'x' &no;" },
	{ "references of XML to control characters",
	  "<testcase name='a&#10;b&#27;[31m'><failure message='x&#27;[0my&#10;z'/></testcase>",
	  "a b\n  xy\n  z" },
	{ "an attribute of XML without quotes",
	  "<testcase name='a'><failure message=\xEF\xBF\xBDno\xEF\xBF\xBD>bad</failure></testcase>",
	  "a\n  bad" },
	{ "a failed test without a name or a message", "<testcase><failure></failure></testcase>",
	  "<testcase><failure></failure></testcase>" },
	{ "a test that was skipped",
	  "<testcase name='a'><skipped/><failure message='x'/></testcase>\n<!-- end -->",
	  "<testcase name='a'><skipped/><failure message='x'/></testcase>\n<!-- end -->" },
	{ "the deepest of many frames",
	  "Traceback (most recent call last):\n  File \"a.py\", line 1, in a\n    b()\n"
	  "  File \"b.py\", line 2, in b\n    c()\n  File \"c.py\", line 3, in c\n    d()\nKeyError: 'x'\n",
	  "  File \"a.py\", line 1, in a\n  File \"c.py\", line 3, in c\n  KeyError: 'x'" },
	{ "escape sequences and carriage returns", "1%\r\x1B[31ma.c:1:1:\x1B[0m error: bad\r\n",
	  "a.c:1:1: error: bad" },
};

TEST(what_is_shown_of_an_output)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str shown = failing_lines(&a, str_from(rows[i].output), SIZE_MAX);

		if (!str_is(shown, rows[i].shown))
			fail_msg("%s: shown is\n" STR_FMT, rows[i].name, STR_ARG(shown));
	}
}

TEST(many_failures_are_counted_and_long_lines_are_cut)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf out = BUF(&a, SIZE_MAX);
	struct str shown;

	for (int i = 1; i <= 500; i++)
		buf_addf(&out, "a.c:%d: error: bad\n", i);
	shown = failing_lines(&a, buf_str(&out), SIZE_MAX);
	CHECK(str_starts(shown, STR("a.c:1: error: bad\n")) && count_lines(shown) == FAILING_LINES_MAX);
	CHECK(str_ends(shown, STR("a.c:19: error: bad\n... and 481 more")));
	shown = failing_lines(&a, buf_str(&out), 100);
	CHECK(str_ends(shown, STR("a.c:3: error: bad\n... and 497 more")) && shown.n <= 100);

	char *bytes = arena_bytes(&a, KIB(64));

	memset(bytes, 'x', KIB(64));
	out.n = 0;
	buf_addf(&out, "a.c:1: error: €%.*s\n", (int)KIB(64), bytes);
	shown = failing_lines(&a, buf_str(&out), SIZE_MAX);
	CHECK(shown.n == 240 && str_ends(shown, STR("xxx...")) && utf8_is_valid(shown));
	for (size_t most = 0; most < 300; most++)
		CHECK(failing_lines(&a, buf_str(&out), most).n <= most);
}

/* Verbose tests whose lines come before their result: there may be any number of them. */
TEST(lines_of_a_test_are_shown_only_if_it_failed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf out = BUF(&a, SIZE_MAX);

	for (int i = 1; i <= 3000; i++)
		buf_addf(&out, "=== RUN   Test%d\n    a_test.go:%d: log\n--- %s: Test%d (0.00s)\n", i, i,
			 i == 2999 ? "FAIL" : "PASS", i);
	CHECK_STR(failing_lines(&a, buf_str(&out), SIZE_MAX),
		  "  a_test.go:2999: log\n--- FAIL: Test2999 (0.00s)");
}

TEST(every_format_is_recognised_by_its_own_marks)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str files = read_fixture(&a, STR("shown.txt")), row;
	struct strset seen = strset_new(&a, 100);

	while (str_next(&files, '\n', &row)) {
		struct str name = str_sub(row, 0, (size_t)str_find_char(row, '\t'));
		struct str text = read_fixture(&a, name), line;

		while (str_next(&text, '\n', &line))
			for (size_t f = 0; f < output_format_count; f++)
				for (size_t m = 0; m < output_formats[f].mark_count; m++)
					if (line_fits(&output_formats[f].marks[m], line))
						(void)strset_add(&seen, str_from(output_formats[f].name));
	}
	for (size_t f = 0; f < output_format_count; f++)
		CHECK_ROW(output_formats[f].name, strset_has(&seen, str_from(output_formats[f].name)));
}
