/* SPDX-License-Identifier: MIT */
/* Output in bounded memory. */
#include "test.h"

#include "base/capture.h"
#include "base/utf8.h"

#include <string.h>

/* The text of what was put in, in pieces of every size up to seven bytes: the pieces must not matter. */
static void
check_text(const char *name, struct str in, size_t head, size_t tail, size_t max_lines, const char *expected)
{
	for (size_t piece = 1; piece <= 8; piece++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct capture c;
		size_t step = piece < 8 ? piece : in.n + 1;

		capture_init(&c, &a, head, tail);
		for (size_t at = 0; at < in.n; at += step)
			capture_put(&c, str_sub(in, at, at + step));
		struct str text = capture_text(&c, &a, max_lines);

		if (!str_is(text, expected))
			fail_msg("%s: pieces of %zu: '%.*s' is not '%s'", name, step, STR_ARG(text),
				 expected);
		CHECK_ROW(name, c.bytes == in.n);
		CHECK_ROW(name, utf8_is_valid(text));
	}
}

TEST(a_line_limit_keeps_the_first_third_and_the_rest_from_the_end)
{
	static const struct {
		const char *name;
		struct str in;
		size_t max_lines;
		const char *text;
	} rows[] = {
		{ "nothing", STR(""), 0, "" },
		{ "nothing, limited", STR(""), 1, "" },
		{ "a newline", STR("\n"), 1, "" },
		{ "no limit", STR("a\nb\nc\n"), 0, "a\nb\nc" },
		{ "one line", STR("a\n"), 1, "a" },
		{ "one line without its end", STR("a"), 1, "a" },
		{ "1 of 2", STR("a\nb\n"), 1, "... (1 lines omitted)\nb" },
		{ "1 of 5", STR("a\nb\nc\nd\ne\n"), 1, "... (4 lines omitted)\ne" },
		{ "2 of 2", STR("a\nb\n"), 2, "a\nb" },
		{ "2 of 3", STR("a\nb\nc\n"), 2, "... (1 lines omitted)\nb\nc" },
		{ "2 of 5", STR("a\nb\nc\nd\ne\n"), 2, "... (3 lines omitted)\nd\ne" },
		{ "3 of 3", STR("a\nb\nc\n"), 3, "a\nb\nc" },
		{ "3 of 3 without its end", STR("a\nb\nc"), 3, "a\nb\nc" },
		{ "3 of 4", STR("a\nb\nc\nd\n"), 3, "a\n... (1 lines omitted)\nc\nd" },
		{ "3 of 4 without its end", STR("a\nb\nc\nd"), 3, "a\n... (1 lines omitted)\nc\nd" },
		{ "3 of 5", STR("a\nb\nc\nd\ne"), 3, "a\n... (2 lines omitted)\nd\ne" },
		{ "6 of 7", STR("a\nb\nc\nd\ne\nf\ng\n"), 6, "a\nb\n... (1 lines omitted)\nd\ne\nf\ng" },
		{ "5 of 7", STR("a\nb\nc\nd\ne\nf\ng\n"), 5, "a\n... (2 lines omitted)\nd\ne\nf\ng" },
		{ "blank lines count", STR("\n\na\n\n"), 3, "\n... (1 lines omitted)\na\n" },
		{ "blank lines at the end stay", STR("a\n\n\n"), 0, "a\n\n" },
		{ "far more allowed", STR("a\nb"), SIZE_MAX, "a\nb" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_text(rows[i].name, rows[i].in, 100, 100, rows[i].max_lines, rows[i].text);
}

TEST(if_bytes_are_lost_only_complete_lines_are_shown)
{
	static const struct {
		const char *name;
		struct str in;
		size_t head, tail, max_lines;
		const char *text;
	} rows[] = {
		{ "just fits", STR("ab\ncd\nef\n"), 4, 5, 0, "ab\ncd\nef" },
		{ "one byte too many", STR("ab\ncd\nef\n"), 4, 4, 0, "ab\n... (1 lines omitted)\nef" },
		{ "the bound between two lines", STR("ab\ncd\nef\ngh\n"), 3, 6, 0,
		  "ab\n... (2 lines omitted)\ngh" },
		{ "no newline at the end", STR("ab\ncdcdcd\nef"), 4, 4, 0, "ab\n... (1 lines omitted)\nef" },
		{ "only the beginning is whole", STR("ab\ncdcdcdcdcd"), 4, 4, 0,
		  "ab\n... (1 lines omitted)" },
		{ "only the end is whole", STR("ababababab\ncd"), 4, 4, 0, "... (1 lines omitted)\ncd" },
		{ "no head at all", STR("ab\ncd\nef\n"), 0, 5, 0, "... (2 lines omitted)\nef" },
		{ "no tail at all", STR("ab\ncd\nef\n"), 4, 0, 0, "ab\n... (2 lines omitted)" },
		{ "limit 1", STR("a\nb\nc\nd\ne\nf\n"), 4, 5, 1, "... (5 lines omitted)\nf" },
		{ "limit 2", STR("a\nb\nc\nd\ne\nf\n"), 4, 5, 2, "... (4 lines omitted)\ne\nf" },
		{ "limit 3", STR("a\nb\nc\nd\ne\nf\n"), 4, 5, 3, "a\n... (3 lines omitted)\ne\nf" },
		{ "limit as many as are left", STR("a\nb\nc\nd\ne\nf\n"), 4, 5, 4,
		  "a\nb\n... (2 lines omitted)\ne\nf" },
		{ "limit above what is left", STR("a\nb\nc\nd\ne\nf\n"), 4, 5, 9,
		  "a\nb\n... (2 lines omitted)\ne\nf" },
		{ "the head gives what the tail has not", STR("a\nb\nc\nd\neeeeee\nf\n"), 8, 4, 3,
		  "a\nb\n... (3 lines omitted)\nf" },
		{ "limit 1, only the beginning is whole", STR("ab\ncdcdcdcdcd"), 4, 4, 1,
		  "ab\n... (1 lines omitted)" },
		{ "blank lines", STR("\n\n\n\n\n\n\n"), 2, 2, 0, "\n\n... (4 lines omitted)\n" },
		{ "one huge line", STR("abcdefghij"), 3, 3, 0, "abc\n... (4 bytes omitted)\nhij" },
		{ "one huge line with its end", STR("abcdefghi\n"), 3, 3, 0,
		  "abc\n... (4 bytes omitted)\nhi" },
		{ "one huge line, limit 1", STR("abcdefghij"), 3, 3, 1, "... (7 bytes omitted)\nhij" },
		{ "one huge line, limit 2", STR("abcdefghij"), 3, 3, 2, "abc\n... (4 bytes omitted)\nhij" },
		{ "no half code points",
		  STR("a\xc3\xa4\xe2\x82\xac"
		      "bcd\xe2\x82\xac"
		      "e"),
		  5, 3, 0, "a\xc3\xa4\n... (9 bytes omitted)\ne" },
		{ "not even the first byte of one",
		  STR("a\xe2\x82\xac"
		      "bcd\xe2\x82\xac"
		      "e"),
		  2, 2, 0, "a\n... (9 bytes omitted)\ne" },
		{ "whole code points at the bound",
		  STR("a\xc3\xa4"
		      "bcd\xc3\xa4"
		      "e"),
		  3, 3, 0,
		  "a\xc3\xa4\n... (3 bytes omitted)\n\xc3\xa4"
		  "e" },
		{ "bad bytes",
		  STR("\xff\xff\xff"
		      "bcd\x80\x80\x80\x80\x80"),
		  3, 5, 0, "\xef\xbf\xbd\xef\xbf\xbd\n... (7 bytes omitted)\n\xef\xbf\xbd\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_text(rows[i].name, rows[i].in, rows[i].head, rows[i].tail, rows[i].max_lines,
			   rows[i].text);
}

TEST(bytes_that_are_no_text_are_replaced_and_a_nul_stays)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct capture c;

	capture_init(&c, &a, 4, 4);
	capture_put(&c, STR("a\xff\0b\nc"));
	CHECK(str_eq(capture_text(&c, &a, 0), STR("a\xEF\xBF\xBD\0b\nc")));
	CHECK(!capture_is_cut(&c) && c.newlines == 1);
}

/* Every short text of a's and newlines, every pair of bounds and every limit, against the rules themselves. */
static void
check_rules(struct str in, size_t head, size_t tail, size_t max_lines)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct capture c;
	size_t lines = 0, shown = 0, omitted = 0;
	struct str rest = in, line;

	while (str_next(&rest, '\n', &line))
		lines++;
	capture_init(&c, &a, head, tail);
	capture_put(&c, in);
	bool is_cut = in.n > head + tail;

	CHECK(capture_is_cut(&c) == is_cut);
	struct str text = capture_text(&c, &a, max_lines);

	if (!is_cut && (max_lines == 0 || lines <= max_lines)) {
		CHECK(str_eq(text, str_sub(in, 0, in.n - str_ends(in, STR("\n")))));
		return;
	}
	CHECK(str_find(text, STR(" omitted)")) >= 0);
	if (str_find(text, STR("bytes")) >= 0)
		return;
	for (rest = str_fmt(&a, "%.*s\n", STR_ARG(text)); str_next(&rest, '\n', &line);) {
		if (!str_starts(line, STR("... ("))) {
			shown++;
			continue;
		}
		for (size_t i = 5; i < line.n && line.s[i] != ' '; i++)
			omitted = omitted * 10 + (size_t)(line.s[i] - '0');
	}
	CHECK(shown + omitted == lines && omitted > 0);
	CHECK(max_lines == 0 || shown <= max_lines);
}

TEST(shown_and_omitted_lines_add_up_for_every_short_text)
{
	for (unsigned n = 0; n <= 7; n++)
		for (unsigned bits = 0; bits < 1u << n; bits++) {
			char text[8];

			for (unsigned i = 0; i < n; i++)
				text[i] = bits >> i & 1 ? '\n' : 'a';
			for (size_t head = 0; head <= 4; head++)
				for (size_t tail = 0; tail <= 4; tail++)
					for (size_t max = 0; max <= 4; max++)
						check_rules((struct str){ text, n }, head, tail, max);
		}
}

TEST(a_gigabyte_is_counted_and_not_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static char block[1 << 20];
	struct capture c;

	memset(block, 'x', sizeof(block));
	block[sizeof(block) - 1] = '\n';
	capture_init(&c, &a, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
	for (int i = 0; i < 1024; i++)
		capture_put(&c, (struct str){ block, sizeof(block) });
	capture_put(&c, STR("end\n"));
	CHECK(c.bytes == (uint64_t)1024 * sizeof(block) + 4 && c.newlines == 1025);
	CHECK_STR(capture_text(&c, &a, 0), "... (1024 lines omitted)\nend");
}
