/* SPDX-License-Identifier: MIT */
/* Strings, buffers, UTF-8 and numbers. */
#include "test.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <errno.h>
#include <string.h>

TEST(a_word_of_a_list_is_found_whole)
{
	const char *list = "cat  less git-lfs  c";

	CHECK(str_is_word_of(STR("cat"), list) && str_is_word_of(STR("less"), list));
	CHECK(str_is_word_of(STR("git-lfs"), list) && str_is_word_of(STR("c"), list));
	CHECK(!str_is_word_of(STR("ca"), list) && !str_is_word_of(STR("git"), list));
	CHECK(!str_is_word_of(STR("lfs"), list) && !str_is_word_of(STR("catx"), list));
	CHECK(!str_is_word_of(STR("cat  less"), list) && !str_is_word_of(STR("c\0"), list));
	CHECK(!str_is_word_of(STR(""), list) && !str_is_word_of(STR(" "), list));
	CHECK(!str_is_word_of(STR("cat"), "") && !str_is_word_of(STR("cat"), NULL));
}

TEST(strings_compare_by_bytes_and_length)
{
	CHECK(str_eq(STR("a"), STR("a")));
	CHECK(!str_eq(STR("a"), STR("ab")));
	CHECK(str_eq(STR_NONE, STR("")));
	CHECK(str_cmp(STR("a"), STR("ab")) < 0);
	CHECK(str_cmp(STR("b"), STR("ab")) > 0);
	CHECK(str_cmp(STR_NONE, STR_NONE) == 0);
	CHECK(str_starts(STR("abc"), STR("ab")));
	CHECK(!str_starts(STR("ab"), STR("abc")));
	CHECK(str_ends(STR("abc"), STR("bc")));
	CHECK(str_ends(STR("abc"), STR("")));
}

TEST(substrings_are_clamped)
{
	CHECK_STR(str_sub(STR("abc"), 1, 99), "bc");
	CHECK_STR(str_sub(STR("abc"), 5, 9), "");
	CHECK_STR(str_sub(STR_NONE, 1, 2), "");
	CHECK_STR(str_trim(STR(" \t\r\n x y \v\f")), "x y");
	CHECK_STR(str_trim(STR("  ")), "");
}

TEST(searching_finds_the_first_or_nothing)
{
	CHECK(str_find(STR("hay hay"), STR("hay")) == 0);
	CHECK(str_find(STR("a hay"), STR("hay")) == 2);
	CHECK(str_find(STR("a"), STR("hay")) == -1);
	CHECK(str_find(STR_NONE, STR("x")) == -1);
	CHECK(str_find(STR("a"), STR("")) == 0);
	CHECK(str_find_char(STR("abc"), 'c') == 2);
}

TEST(pieces_end_at_the_separator_and_a_last_one_adds_none)
{
	struct str rest = STR("a\n\nb\n"), piece;

	CHECK(str_next(&rest, '\n', &piece));
	CHECK_STR(piece, "a");
	CHECK(str_next(&rest, '\n', &piece));
	CHECK_STR(piece, "");
	CHECK(str_next(&rest, '\n', &piece));
	CHECK_STR(piece, "b");
	CHECK(!str_next(&rest, '\n', &piece));
}

TEST(a_terminated_copy_refuses_a_nul)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct err err;
	const char *z = NULL;

	CHECK(str_cz(&a, STR("ab"), &z, &err) == 0 && strcmp(z, "ab") == 0);
	CHECK(str_cz(&a, STR("a\0b"), &z, &err) == -1 && err.code == ERR_VALUE);
}

TEST(a_buffer_stops_at_its_limit)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, 4);

	buf_add(&b, STR("abc"));
	CHECK(!b.is_cut);
	buf_addc(&b, 'd');
	CHECK(!b.is_cut);
	buf_addf(&b, "%d", 5);
	CHECK(b.is_cut);
	CHECK_STR(buf_str(&b), "abcd");
}

TEST(a_buffer_with_room_does_not_move)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, SIZE_MAX), small = BUF(&a, 4);

	buf_add(&b, STR("kept"));
	buf_reserve(&b, 1000);
	const char *at = b.s;

	for (int i = 0; i < 1000; i++)
		buf_addc(&b, 'x');
	CHECK(b.s == at && str_starts(buf_str(&b), STR("keptx")) && b.n == 1004);
	buf_addc(&b, 'y');
	CHECK(b.s != at && str_ends(buf_str(&b), STR("xxy")) && b.n == 1005);
	buf_reserve(&small, 5);
	CHECK(small.capacity == 4 && !small.is_cut);
	buf_add(&small, STR("abcde"));
	CHECK(small.is_cut);
	CHECK_STR(buf_str(&small), "abcd");
}

TEST(pieces_of_any_type_become_one_text)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, 9);
	char word[] = "own";
	const char *none = NULL;
	char c = 'x';
	struct str all = str_cat(&a, STR("a"), "b", word, none, STR_NONE, c, 5, -7L, 8u, (size_t)9,
				 (int64_t)-10, STR("n\0n"), str_cat(&a, "in", "ner"), "", "p", 16);

	CHECK_STR(str_sub(all, 0, 14), "abownx5-789-10");
	CHECK(str_eq(str_sub(all, 14, all.n), STR("n\0ninnerp16")) && all.s[all.n] == '\0');
	CHECK_STR(str_cat(&a, STR_NONE), "");
	CHECK(str_cat(&a, none).s);
	buf_cat(&b, "one");
	buf_cat(&b, ", ", 2, STR_NONE, ", ", STR("three"));
	CHECK_STR(buf_str(&b), "one, 2, t");
	CHECK(b.is_cut);
}

TEST(a_piece_may_be_a_number_of_any_length)
{
	static const struct {
		uint64_t number;
		const char *text, *text_if_signed;
	} rows[] = {
		{ 0, "0", "0" },
		{ 9, "9", "9" },
		{ 10, "10", "10" },
		{ 100, "100", "100" },
		{ 4294967296, "4294967296", "4294967296" },
		{ INT64_MAX, "9223372036854775807", "9223372036854775807" },
		{ (uint64_t)INT64_MIN, "9223372036854775808", "-9223372036854775808" },
		{ UINT64_MAX, "18446744073709551615", "-1" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CHECK_STR(str_cat(&a, rows[i].number), rows[i].text);
		CHECK_STR(str_cat(&a, (int64_t)rows[i].number), rows[i].text_if_signed);
	}
}

TEST(a_buffer_takes_formatted_text_of_any_length)
{
	static const int lengths[] = { 0, 1, 255, 256, 257, 5000 };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		struct buf b = BUF(&a, SIZE_MAX);

		buf_addc(&b, '<');
		buf_addf(&b, "%0*d", lengths[i], 7);
		size_t n = lengths[i] > 0 ? (size_t)lengths[i] : 1;

		CHECK(b.n == n + 1 && b.s[n] == '7' && (n == 1 || b.s[1] == '0'));
	}
}

TEST(arena_marks_give_memory_back)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char *kept = arena_bytes(&a, 10);

	memset(kept, 'x', 10);
	for (int i = 0; i < 1000; i++) {
		struct arena_mark mark = arena_mark(&a);
		int *zeroed = arena_array(&a, 5000, int);

		CHECK(zeroed[4999] == 0);
		zeroed[0] = zeroed[4999] = 1;
		arena_reset(&a, mark);
	}
	CHECK(kept[9] == 'x');
}

TEST(large_bytes_grow_in_place_unless_a_mark_points_to_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char *text = NULL;

	for (size_t used = 0, n = KIB(8); n <= MIB(1); used = n, n *= 2) {
		text = arena_extend(&a, text, used, n);
		memset(text + used, 'x', n - used);
	}
	for (size_t i = 0; i < MIB(1); i++)
		CHECK(text[i] == 'x');
	struct arena_mark mark = arena_mark(&a);
	const char *larger = arena_extend(&a, text, MIB(1), MIB(2));

	CHECK(larger[MIB(1) - 1] == 'x');
	arena_reset(&a, mark);
	CHECK(text[0] == 'x' && text[MIB(1) - 1] == 'x');
}

TEST(an_array_that_is_full_moves_to_one_of_twice_the_size)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int few[2] = { 0, 1 }, *items = few;
	size_t count = 2, capacity = 2, moves = 0;

	for (; count < 100; items[count] = (int)count, count++) {
		const int *before = items;

		arena_make_room(&a, items, count, &capacity);
		moves += items != before;
		CHECK(count < capacity);
	}
	CHECK(moves == 6 && capacity == 128);
	for (size_t i = 0; i < count; i++)
		CHECK(items[i] == (int)i);
	items = NULL;
	capacity = 0;
	arena_make_room(&a, items, 0, &capacity);
	CHECK(items && capacity > 0 && items[0] == 0);
}

TEST(utf8_decodes_what_is_well_formed_and_nothing_else)
{
	static const struct {
		const char *bytes;
		uint32_t cp;
		size_t n;
	} cases[] = {
		{ "a", 'a', 1 },
		{ "\x7F", 0x7F, 1 },
		{ "\xC2\x80", 0x80, 2 },
		{ "\xDF\xBF", 0x7FF, 2 },
		{ "\xE0\xA0\x80", 0x800, 3 },
		{ "\xEF\xBF\xBD", 0xFFFD, 3 },
		{ "\xF0\x90\x80\x80", 0x10000, 4 },
		{ "\xF4\x8F\xBF\xBF", 0x10FFFF, 4 },
		{ "\x80", 0xFFFD, 1 },             /* a continuation byte alone */
		{ "\xC1\xBF", 0xFFFD, 1 },         /* overlong */
		{ "\xE0\x9F\xBF", 0xFFFD, 1 },     /* overlong */
		{ "\xED\xA0\x80", 0xFFFD, 1 },     /* a surrogate */
		{ "\xF4\x90\x80\x80", 0xFFFD, 1 }, /* above the last code point */
		{ "\xF8\x88\x80\x80", 0xFFFD, 1 },
		{ "\xE2\x82", 0xFFFD, 1 }, /* cut off */
		{ "\xE2"
		  "a",
		  0xFFFD, 1 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		size_t n;
		uint32_t cp = utf8_decode(str_from(cases[i].bytes), &n);

		CHECK_ROW(cases[i].bytes, cp == cases[i].cp && n == cases[i].n);
	}
}

TEST(utf8_cleaning_replaces_each_bad_byte)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(utf8_clean(&a, STR("a\xFF\xFE"
				     "b\xE2\x82\xAC\xC3")),
		  "a\xEF\xBF\xBD\xEF\xBF\xBD"
		  "b\xE2\x82\xAC\xEF\xBF\xBD");
	CHECK(utf8_is_valid(STR("\xE2\x82\xAC")));
	CHECK(!utf8_is_valid(STR("\xE2\x82")));
}

TEST(utf8_cuts_never_split_a_code_point)
{
	CHECK_STR(utf8_head(STR("a\xE2\x82\xAC"), 3), "a");
	CHECK_STR(utf8_head(STR("a\xE2\x82\xAC"), 4), "a\xE2\x82\xAC");
	CHECK_STR(utf8_tail(STR("\xE2\x82\xAC"
				"b"),
			    3),
		  "b");
	CHECK_STR(utf8_prefix(STR("\xE2\x82\xAC"
				  "bc"),
			      2),
		  "\xE2\x82\xAC"
		  "b");
	CHECK(utf8_length(STR("\xE2\x82\xAC\xFF"
			      "b")) == 3);
}

TEST(numbers_are_digits_and_fit)
{
	static const struct {
		const char *text;
		bool is_number;
		uint64_t value;
	} cases[] = {
		{ "0", true, 0 },
		{ "007", true, 7 },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "99999999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "-1", false, 0 },
		{ "+1", false, 0 },
		{ "1 ", false, 0 },
		{ "1.5", false, 0 },
		{ "1e3", false, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint64_t value = 0;
		bool ok = number_parse(str_from(cases[i].text), &value);

		CHECK_ROW(cases[i].text, ok == cases[i].is_number && value == cases[i].value);
	}
}

TEST(an_error_about_a_long_path_still_names_its_cause)
{
	char path[PATH_LIMIT_BYTES];
	struct err err;

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	errno = ENAMETOOLONG;
	CHECK(err_sys(&err, "%s", path) == -1 && err.sys == ENAMETOOLONG);
	CHECK(str_starts(str_from(err.msg), STR("xxx")));
	CHECK(str_ends(str_from(err.msg), STR("name too long")));
	CHECK(err_wrap(&err, "%s", path) == -1);
	CHECK(str_starts(str_from(err.msg), STR("xxx")));
	CHECK(str_ends(str_from(err.msg), STR("name too long")));
	CHECK(err_set(&err, ERR_LIMIT, "too deep") == -1 && err_wrap(&err, "%s", path) == -1);
	CHECK(str_ends(str_from(err.msg), STR("x: too deep")));
	CHECK(err_at(&err, ERR_SYNTAX, 3, 1, "a tab") == -1 && err_wrap_file(&err, path) == -1);
	CHECK(str_ends(str_from(err.msg), STR("x:3:1: a tab")));
}

TEST(a_file_stands_before_line_and_column_as_editors_have_it)
{
	struct err err;

	CHECK(err_at(&err, ERR_SYNTAX, 12, 5, "unknown %s", "key") == -1 && err.line == 12 &&
	      err.column == 5);
	CHECK_STR(str_from(err.msg), "12:5: unknown key");
	CHECK_STR(str_from(err.msg + err.text), "unknown key");
	CHECK(err_wrap_file(&err, "a.yml") == -1 && err.code == ERR_SYNTAX && err.line == 12);
	CHECK_STR(str_from(err.msg), "a.yml:12:5: unknown key");
	CHECK(err_set(&err, ERR_LIMIT, "out of memory") == -1 && err.line == 0 && err.text == 0);
	CHECK(err_wrap_file(&err, "a.yml") == -1 && err.code == ERR_LIMIT);
	CHECK_STR(str_from(err.msg), "a.yml: out of memory");
}

TEST(code_points_are_written_as_they_are_read)
{
	static const uint32_t points[] = { 0,      'a',    0x7F,   0x80,    0x7FF,   0x800,
					   0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF };
	static const uint32_t none[] = { 0xD800, 0xDFFF, 0x110000, UINT32_MAX };
	char bytes[4];
	size_t n;

	for (size_t i = 0; i < COUNT_OF(points); i++) {
		struct str x = { bytes, utf8_encode(points[i], bytes) };

		CHECK(utf8_decode(x, &n) == points[i] && n == x.n);
	}
	for (size_t i = 0; i < COUNT_OF(none); i++)
		CHECK(utf8_encode(none[i], bytes) == 3 && memcmp(bytes, "\xEF\xBF\xBD", 3) == 0);
}

TEST(hexadecimal_numbers_are_digits_and_nothing_else)
{
	static const struct {
		const char *text;
		bool is_number;
		uint32_t value;
	} cases[] = {
		{ "0", true, 0 },          { "00aF", true, 0xAF }, { "FFFFFFFF", true, UINT32_MAX },
		{ "000000000", false, 0 }, { "", false, 0 },       { "g", false, 0 },
		{ "/", false, 0 },         { ":", false, 0 },      { "@", false, 0 },
		{ "`", false, 0 },         { "0x1", false, 0 },    { "-1", false, 0 },
		{ "\x10", false, 0 },      { "\xC1", false, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint32_t value = 0;

		CHECK_ROW(cases[i].text,
			  number_parse_hex(str_from(cases[i].text), &value) == cases[i].is_number);
		CHECK_ROW(cases[i].text, value == cases[i].value);
	}
}

TEST(words_are_the_same_whatever_their_case)
{
	CHECK(str_is_word(STR("yes"), "YES") && str_is_word(STR("YeS"), "yes") && str_is_word(STR(""), ""));
	CHECK(!str_is_word(STR("ye"), "yes") && !str_is_word(STR("yes"), "ye"));
	CHECK(!str_is_word(STR("@"), "`") && !str_is_word(STR("["), "{") && !str_is_word(STR("a\0"), "a"));
}

TEST(errors_carry_context_outermost_first)
{
	struct err err;

	CHECK(err_set(&err, ERR_VALUE, "unknown unit '%s'", "min") == -1);
	CHECK(err_wrap(&err, "%s: %d:%d", "test.yml", 12, 5) == -1);
	CHECK_STR(str_from(err.msg), "test.yml: 12:5: unknown unit 'min'");
	CHECK(err.code == ERR_VALUE);
}

TEST(a_text_is_as_wide_as_its_columns)
{
	struct str text = STR(
		"a\xE4\xBD\xA0\xE5\xA5\xBD\xCC\x81z"); /* a, two of two columns, an accent of none, z */

	CHECK(utf8_width(text) == 6);
	CHECK_STR(utf8_fit(text, 6), text.s);
	CHECK_STR(utf8_fit(text, 5), "a\xE4\xBD\xA0\xE5\xA5\xBD\xCC\x81");
	CHECK_STR(utf8_fit(text, 4), "a\xE4\xBD\xA0");
	CHECK_STR(utf8_fit(text, 0), "");
}
