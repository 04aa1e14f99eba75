/* SPDX-License-Identifier: MIT */
/* JSON: what is accepted, what is refused and where, what comes out. */
#include "test.h"

#include "doc/json.h"

#include <string.h>

static int
parse_in_place(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	return json_parse_in_place(a, text, STR_NONE, ret, err);
}

static struct str
reprint_with(struct arena *a, struct str text,
	     int (*parse)(struct arena *a, struct str text, struct node *ret, struct err *err))
{
	struct node n;
	struct err err;
	struct buf b = BUF(a, MIB(64));

	if (parse(a, text, &n, &err) < 0)
		return str_copy(a, str_from(err.msg));
	json_add_node(&b, &n);
	return buf_str(&b);
}

/* Both readers agree about every text. */
static struct str
reprint(struct arena *a, struct str text)
{
	struct str copied = reprint_with(a, text, json_parse);

	CHECK(str_eq(copied, reprint_with(a, text, parse_in_place)));
	return copied;
}

TEST(json_read_in_place_copies_only_what_differs_from_the_text)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = STR("{\n                   \"plain\": \"x y\", \"escaped\": \"x\\ty\"\n}");
	struct node n;
	struct err err;

	assert_int_equal(parse_in_place(&a, text, &n, &err), 0);
	struct str plain = node_get_str(&n, "plain"), escaped = node_get_str(&n, "escaped");

	CHECK_STR(plain, "x y");
	CHECK_STR(escaped, "x\ty");
	CHECK(str_keep(&a, plain, text).s == plain.s);
	CHECK(str_keep(&a, escaped, text).s != escaped.s);
	CHECK(!str_keep(&a, STR_NONE, text).s);
	CHECK(n.entries[0].line == 2 && n.entries[0].column == 20);
}

TEST(json_read_in_place_keeps_the_escapes_of_one_key)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = STR("{\"raw\": \"\\\"x\\n\", \"next\": \"\\n\", \"map\": {\"raw\": [\"\\t\"]}}");
	struct node n;
	struct err err;

	assert_int_equal(json_parse_in_place(&a, text, STR("raw"), &n, &err), 0);
	CHECK_STR(node_get_str(&n, "raw"), "\\\"x\\n");
	CHECK_STR(node_get_str(&n, "next"), "\n");
	CHECK_STR(node_get(node_get(&n, "map"), "raw")->items[0].text, "\t");
}

static void
begin_items(void *context)
{
	buf_addc(context, '[');
}

static void
add_member_of_item(void *context, struct str key, const struct node *value)
{
	buf_addf(context, STR_FMT "=", STR_ARG(key));
	json_add_node(context, value);
	buf_addc(context, ' ');
}

static void
end_item(void *context, const struct node *item, struct str text)
{
	struct str whole = str_sub(text, item->span.begin, item->span.end);

	buf_addf(context, "%s " STR_FMT ";", node_kind_name(item->kind), STR_ARG(whole));
}

TEST(json_hands_over_the_members_of_a_long_list)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf seen = BUF(&a, KIB(4));
	struct json_items items = { STR_NONE, STR("list"), begin_items, add_member_of_item, end_item, &seen };
	struct str text = STR("{\"list\":[1],\"deep\":{\"list\":[{\"x\":1}]},\"list\":[{\"a\":\"\\n\","
			      "\"b\":[{}]},[2]],\"end\":true}");
	struct node n;
	struct err err;

	assert_int_equal(json_parse_items(&a, text, &items, &n, &err), 0);
	CHECK_STR(buf_str(&seen),
		  "[an integer 1;[a=\"\\n\" b=[{}] a map {\"a\":\"\\n\",\"b\":[{}]};a list [2];");
	CHECK(node_get(&n, "list")->kind == NODE_LIST && node_get(&n, "list")->count == 2);
	CHECK(node_get(node_get(&n, "deep"), "list")->items[0].kind == NODE_MAP);
	CHECK(node_get_bool(&n, "end"));
	CHECK(json_parse_items(&a, STR("{\"list\":[{\"a\":1,}]}"), &items, &n, &err) < 0);
}

TEST(json_is_read_and_written_back)
{
	static const struct {
		struct str text, out;
	} cases[] = {
		{ STR("null"), STR("null") },
		{ STR(" true\r\n\t"), STR("true") },
		{ STR("false"), STR("false") },
		{ STR("\xEF\xBB\xBF{}"), STR("{}") },
		{ STR("[ ]"), STR("[]") },
		{ STR("{ \"a\" : [ 1 , { } ] }"), STR("{\"a\":[1,{}]}") },
		{ STR("{\"a\":1,\"a\":2}"), STR("{\"a\":1,\"a\":2}") },
		{ STR("{\"\":1}"), STR("{\"\":1}") },
		{ STR("0"), STR("0") },
		{ STR("-0"), STR("0") },
		{ STR("-0.0"), STR("-0.0") },
		{ STR("1.5E+3"), STR("1.5E+3") },
		{ STR("1e400"), STR("1e400") },
		{ STR("9223372036854775807"), STR("9223372036854775807") },
		{ STR("-9223372036854775808"), STR("-9223372036854775808") },
		{ STR("9223372036854775808"), STR("9223372036854775808") },
		{ STR("-123456789012345678901234567890"), STR("-123456789012345678901234567890") },
		{ STR("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), STR("\"\\\"\\\\/\\b\\f\\n\\r\\t\"") },
		{ STR("\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00\""),
		  STR("\"A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"") },
		{ STR("\"\\ud800\""), STR("\"\xEF\xBF\xBD\"") },
		{ STR("\"\\ud800x\""), STR("\"\xEF\xBF\xBDx\"") },
		{ STR("\"\\udc00\\ud800\""), STR("\"\xEF\xBF\xBD\xEF\xBF\xBD\"") },
		{ STR("\"\\ud800\\ud83d\\ude00\""), STR("\"\xEF\xBF\xBD\xF0\x9F\x98\x80\"") },
		{ STR("\"a\xFF\xE2\x82\""), STR("\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"") },
		{ STR("\"\\n\xC3\xA9\xFF\""), STR("\"\\n\xC3\xA9\xEF\xBF\xBD\"") },
		{ STR("\"\x7F\""), STR("\"\x7F\"") },
		{ STR("{\"\xFF\":1}"), STR("{\"\xEF\xBF\xBD\":1}") },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str out = reprint(&a, cases[i].text);

		if (!str_eq(out, cases[i].out))
			fail_msg("row %zu: " STR_FMT, i, STR_ARG(out));
	}
}

TEST(invalid_json_is_an_error_with_its_place)
{
	static const struct {
		struct str text;
		const char *msg;
	} cases[] = {
		{ STR(""), "1:1: expected a value, not the end of the text" },
		{ STR(" \n "), "2:2: expected a value, not the end of the text" },
		{ STR("NaN"), "1:1: expected a value, not 'N'" },
		{ STR("Infinity"), "1:1: expected a value, not 'I'" },
		{ STR("-Infinity"), "1:2: expected a digit, not 'I'" },
		{ STR("-"), "1:2: expected a digit, not the end of the text" },
		{ STR("TRUE"), "1:1: expected a value, not 'T'" },
		{ STR("nul"), "1:1: expected a value, not 'n'" },
		{ STR("nulll"), "1:5: expected nothing after the value, not 'l'" },
		{ STR("01"), "1:2: expected nothing after the value, not '1'" },
		{ STR("[-01]"), "1:4: expected ',' or ']', not '1'" },
		{ STR("[1.]"), "1:4: expected a digit, not ']'" },
		{ STR(".5"), "1:1: expected a value, not '.'" },
		{ STR("1.e5"), "1:3: expected a digit, not 'e'" },
		{ STR("1e"), "1:3: expected a digit, not the end of the text" },
		{ STR("1e+x"), "1:4: expected a digit, not 'x'" },
		{ STR("+1"), "1:1: expected a value, not '+'" },
		{ STR("0x10"), "1:2: expected nothing after the value, not 'x'" },
		{ STR("[1,]"), "1:4: expected a value, not ']'" },
		{ STR("[,1]"), "1:2: expected a value, not ','" },
		{ STR("{\"a\":1,}"), "1:8: expected a key in double quotes, not '}'" },
		{ STR("{,}"), "1:2: expected a key in double quotes, not ','" },
		{ STR("{'a':1}"), "1:2: expected a key in double quotes, not '''" },
		{ STR("{a:1}"), "1:2: expected a key in double quotes, not 'a'" },
		{ STR("{\"a\" 1}"), "1:6: expected ':', not '1'" },
		{ STR("{\"a\":1"), "1:7: expected ',' or '}', not the end of the text" },
		{ STR("{\"a\":1]"), "1:7: expected ',' or '}', not ']'" },
		{ STR("[1 2]"), "1:4: expected ',' or ']', not '2'" },
		{ STR("{}{}"), "1:3: expected nothing after the value, not '{'" },
		{ STR("/* c */ 1"), "1:1: expected a value, not '/'" },
		{ STR("[1] // c"), "1:5: expected nothing after the value, not '/'" },
		{ STR("{}\0"), "1:3: expected nothing after the value, not byte 0x00" },
		{ STR("\0"), "1:1: expected a value, not byte 0x00" },
		{ STR("\"a\0b\""), "1:3: a control character in a string" },
		{ STR("\"a\nb\""), "1:3: a control character in a string" },
		{ STR("\"a\tb\""), "1:3: a control character in a string" },
		{ STR("\"a"), "1:1: a string that never ends" },
		{ STR("\"a\\"), "1:1: a string that never ends" },
		{ STR("\"a\\\""), "1:1: a string that never ends" },
		{ STR("\"\\x41\""), "1:2: unknown escape in a string" },
		{ STR("\"\\'\""), "1:2: unknown escape in a string" },
		{ STR("\"\\\xC3\xA9\""), "1:2: unknown escape in a string" },
		{ STR("\"\\u12g4\""), "1:2: expected four hexadecimal digits after \\u" },
		{ STR("\"\\u123\""), "1:2: expected four hexadecimal digits after \\u" },
		{ STR("\"\xC3\xA9\" x"), "1:5: expected nothing after the value, not 'x'" },
		{ STR("{\n\t\"a\": 1,\n\t\"b\" 2\n}"), "3:6: expected ':', not '2'" },
		{ STR("\v1"), "1:1: expected a value, not byte 0x0B" },
		{ STR("[\xC2\xA0]"), "1:2: expected a value, not byte 0xC2" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str out = reprint(&a, cases[i].text);

		CHECK_ROW(cases[i].msg, str_is(out, cases[i].msg));
	}
}

TEST(json_numbers_keep_their_text_and_fit_or_are_floats)
{
	static const struct {
		const char *text;
		enum node_kind kind;
		int64_t integer;
	} cases[] = {
		{ "0", NODE_INT, 0 },
		{ "-0", NODE_INT, 0 },
		{ "-7", NODE_INT, -7 },
		{ "9223372036854775807", NODE_INT, INT64_MAX },
		{ "9223372036854775808", NODE_FLOAT, 0 },
		{ "-9223372036854775808", NODE_INT, INT64_MIN },
		{ "-9223372036854775809", NODE_FLOAT, 0 },
		{ "99999999999999999999999", NODE_FLOAT, 0 },
		{ "1.0", NODE_FLOAT, 0 },
		{ "1e2", NODE_FLOAT, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n;
		struct err err;

		CHECK_ROW(cases[i].text, json_parse(&a, str_from(cases[i].text), &n, &err) == 0);
		CHECK_ROW(cases[i].text, n.kind == cases[i].kind && n.integer == cases[i].integer);
		CHECK_ROW(cases[i].text, str_is(n.text, cases[i].text));
	}
}

TEST(json_keeps_an_escaped_nul_in_strings_and_keys)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(json_parse(&a, STR("{\"a\\u0000b\":\"c\\u0000\",\"a\":2}"), &n, &err) == 0);
	CHECK(n.count == 2);
	CHECK(str_eq(n.entries[0].key, STR("a\0b")));
	CHECK(str_eq(n.entries[0].value.text, STR("c\0")));
	CHECK(node_get(&n, "a")->integer == 2);
}

TEST(json_nesting_ends_at_the_limit)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char text[2 * (JSON_DEPTH_LIMIT + 1)];
	struct node n;
	struct err err;

	for (size_t depth = JSON_DEPTH_LIMIT; depth <= JSON_DEPTH_LIMIT + 1; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		int result = json_parse(&a, (struct str){ text, 2 * depth }, &n, &err);

		CHECK((result == 0) == (depth == JSON_DEPTH_LIMIT));
	}
	CHECK(err.code == ERR_LIMIT);
	CHECK_STR(str_from(err.msg), "1:129: nested too deeply");
}

TEST(json_lists_and_objects_of_any_length_are_read_completely)
{
	for (size_t count = 31; count < 300; count += 67) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf b = BUF(&a, MIB(1));
		struct node n;
		struct err err;

		buf_add(&b, STR("[[1],"));
		for (size_t i = 0; i < count; i++)
			buf_addf(&b, "{\"k\":[%zu,\"v\"]},", i);
		buf_add(&b, STR("2]"));
		CHECK(json_parse(&a, buf_str(&b), &n, &err) == 0);
		CHECK(n.count == count + 2 && n.items[0].count == 1 && n.items[count + 1].integer == 2);
		for (size_t i = 0; i < count; i++)
			CHECK(node_get(&n.items[i + 1], "k")->items[0].integer == (int64_t)i);
	}
}

TEST(json_nodes_know_their_place_in_code_points)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(json_parse(&a, STR("{\"\xC3\xA9\": \"\xE2\x82\xAC\", \"x\": 1,\n  \"y\": [true]}"), &n, &err) ==
	      0);
	CHECK(n.line == 1 && n.column == 1);
	CHECK(n.entries[0].column == 2 && n.entries[0].value.column == 7);
	CHECK(n.entries[1].column == 12 && n.entries[1].value.column == 17);
	CHECK(n.entries[2].line == 2 && n.entries[2].column == 3 && n.entries[2].value.column == 8);
	CHECK(n.entries[2].value.items[0].line == 2 && n.entries[2].value.items[0].column == 9);
}

TEST(json_trees_do_not_point_into_the_text)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char text[] = "{\"key\":\"value\",\"n\":12.5}";
	struct node n;
	struct err err;

	CHECK(json_parse(&a, str_from(text), &n, &err) == 0);
	memset(text, 'x', sizeof(text));
	CHECK_STR(node_get_str(&n, "key"), "value");
	CHECK_STR(node_get(&n, "n")->text, "12.5");
}

TEST(node_lookups_return_absent_for_a_missing_value)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(json_parse(&a, STR("{\"s\":\"x\",\"b\":true,\"f\":false,\"i\":1,\"s\":\"y\"}"), &n, &err) == 0);
	CHECK_STR(node_get_str(&n, "s"), "y");
	CHECK(node_get_str(&n, "i").s == NULL && node_get_str(&n, "none").s == NULL);
	CHECK(node_get_bool(&n, "b") && !node_get_bool(&n, "f") && !node_get_bool(&n, "i") &&
	      !node_get_bool(&n, "z"));
	CHECK(node_get(&n, "none") == NULL && node_get(node_get(&n, "i"), "s") == NULL &&
	      node_get(NULL, "s") == NULL);
	CHECK_STR(str_from(node_kind_name(NODE_LIST)), "a list");
}

/* In pieces of every size; the answer must not depend on them. */
static enum json_progress
feed_in_pieces(struct json_stream *j, struct str text, size_t size, size_t *ret_fed)
{
	enum json_progress p = JSON_MORE;
	size_t at = 0;

	while (at < text.n && p == JSON_MORE) {
		p = json_stream_feed(j, str_sub(text, at, at + size));
		at += size;
	}
	*ret_fed = at;
	return p;
}

TEST(json_streams_are_done_with_the_closing_bracket_and_no_later)
{
	static const struct {
		struct str text;
		enum json_progress fed;
		bool is_value;
	} cases[] = {
		{ STR("{}"), JSON_DONE, true },
		{ STR("{}garbage"), JSON_DONE, true },
		{ STR(" \n[1,{\"a\":[]}]\n"), JSON_DONE, true },
		{ STR("\xEF\xBB\xBF{}"), JSON_DONE, true },
		{ STR("{\"}\\\"]\":\"\\\\\"}x"), JSON_DONE, true },
		{ STR("{\"a\":1"), JSON_MORE, false },
		{ STR("{\"a"), JSON_MORE, false },
		{ STR("12"), JSON_MORE, true },
		{ STR("12 "), JSON_MORE, true },
		{ STR("12\n34"), JSON_DONE, true },
		{ STR("null\r\n"), JSON_DONE, true },
		{ STR("\"a b\"\n"), JSON_DONE, true },
		{ STR("\"a\nb\""), JSON_DONE, false },
		{ STR("nul\n"), JSON_DONE, false },
		{ STR("\"a\""), JSON_MORE, true },
		{ STR(""), JSON_MORE, false },
		{ STR(" \n"), JSON_MORE, false },
		{ STR("hello"), JSON_BAD, false },
		{ STR("  <"), JSON_BAD, false },
		{ STR("{\"a\nb\":1}"), JSON_BAD, false },
		{ STR("{\0}"), JSON_BAD, false },
		{ STR("]"), JSON_BAD, false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t size = 1; size <= 16; size++) {
			CLEANUP(json_stream_free) struct json_stream *j = json_stream_new();
			CLEANUP(arena_free) struct arena a = { 0 };
			struct node n;
			struct err err;
			size_t fed;

			if (feed_in_pieces(j, cases[i].text, size, &fed) != cases[i].fed)
				fail_msg("row %zu, pieces of %zu", i, size);
			int result = json_stream_take(j, &a, &n, &err);

			if ((result == 0) != cases[i].is_value)
				fail_msg("row %zu, pieces of %zu: take", i, size);
		}
	}
}

TEST(json_streams_report_the_error_of_a_complete_value)
{
	CLEANUP(json_stream_free) struct json_stream *j = json_stream_new();
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(json_stream_feed(j, STR("{\"a\":tru}")) == JSON_DONE);
	CHECK(json_stream_feed(j, STR("more")) == JSON_DONE);
	CHECK(json_stream_take(j, &a, &n, &err) == -1);
	CHECK_STR(str_from(err.msg), "1:6: expected a value, not 't'");
}

TEST(json_streams_stop_at_the_depth_and_at_the_size_limit)
{
	CLEANUP(json_stream_free) struct json_stream *deep = json_stream_new();
	CLEANUP(json_stream_free) struct json_stream *wide = json_stream_new();
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;
	char piece[4096];

	for (int i = 0; i < JSON_DEPTH_LIMIT; i++)
		CHECK(json_stream_feed(deep, STR("[")) == JSON_MORE);
	CHECK(json_stream_feed(deep, STR("[")) == JSON_BAD);
	CHECK(json_stream_take(deep, &a, &n, &err) == -1 && err.code == ERR_LIMIT);

	memset(piece, ' ', sizeof(piece));
	CHECK(json_stream_feed(wide, STR("[")) == JSON_MORE);
	for (size_t fed = 1; fed + sizeof(piece) <= EVENT_LIMIT_BYTES; fed += sizeof(piece))
		CHECK(json_stream_feed(wide, (struct str){ piece, sizeof(piece) }) == JSON_MORE);
	CHECK(json_stream_feed(wide, (struct str){ piece, sizeof(piece) }) == JSON_BAD);
	CHECK(json_stream_take(wide, &a, &n, &err) == -1 && err.code == ERR_LIMIT);
}

TEST(json_strings_are_written_with_only_the_escapes_they_need)
{
	static const struct {
		struct str in;
		const char *out;
	} cases[] = {
		{ STR(""), "\"\"" },
		{ STR_NONE, "\"\"" },
		{ STR("a/b\x7F"), "\"a/b\x7F\"" },
		{ STR("\"\\"), "\"\\\"\\\\\"" },
		{ STR("\b\t\n\f\r"), "\"\\b\\t\\n\\f\\r\"" },
		{ STR("\x01\x1F\v"), "\"\\u0001\\u001f\\u000b\"" },
		{ STR("a\0b"), "\"ab\"" },
		{ STR("\xE2\x80\xA7|\xE2\x80\xA8|\xE2\x80\xA9|\xE2\x80\xAA"),
		  "\"\xE2\x80\xA7|\\u2028|\\u2029|\\u202a\"" },
		{ STR("\xC2\x9B|\xC2\xA0|\xE2\x80\xAE|\xE2\x80\xAF"),
		  "\"\\u009b|\xC2\xA0|\\u202e|\xE2\x80\xAF\"" },
		{ STR("\xE2\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },
		{ STR("\xFF"
		      "a\xC3\xA9"),
		  "\"\xEF\xBF\xBD"
		  "a\xC3\xA9\"" },
		{ STR("\xEF\xBF\xBD"), "\"\xEF\xBF\xBD\"" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf b = BUF(&a, 4096);

		json_add_string(&b, cases[i].in);
		CHECK_ROW(cases[i].out, str_is(buf_str(&b), cases[i].out));
	}
}

TEST(json_members_have_commas_between_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, 4096);

	buf_addc(&b, '{');
	json_add(&b, "s", STR("{"), "i", INT64_MIN, "b", (bool)true);
	json_add_key(&b, "o\n");
	buf_addc(&b, '{');
	json_add(&b, "in", (bool)false);
	buf_add(&b, STR("}}"));
	CHECK_STR(buf_str(&b), "{\"s\":\"{\",\"i\":-9223372036854775808,\"b\":true,\"o\\n\":{\"in\":false}}");
}

TEST(json_lists_of_strings_have_commas_between_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, 4096);
	const struct str items[] = { STR("["), STR("b\"") };

	json_add_strings(&b, NULL, 0);
	json_add_strings(&b, items, 1);
	json_add_strings(&b, items, 2);
	CHECK_STR(buf_str(&b), "[][\"[\"][\"[\",\"b\\\"\"]");
}

TEST(json_has_a_spelling_for_every_number_that_a_tree_can_hold)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, 4096);
	struct node items[] = {
		{ .kind = NODE_FLOAT, .text = STR(".inf") },
		{ .kind = NODE_FLOAT, .text = STR("1.5") },
		{ .kind = NODE_INT, .integer = 31, .text = STR("0x1F") },
		{ .kind = NODE_FLOAT, .text = STR("1.") },
	};
	struct node list = { .kind = NODE_LIST, .count = COUNT_OF(items), .items = items };

	json_add_node(&b, &list);
	CHECK_STR(buf_str(&b), "[\".inf\",1.5,31,\"1.\"]");
}

TEST(json_strings_may_end_at_any_byte)
{
	/* The text, and the value that is read; absent: it is an error. */
	static const struct {
		struct str written, read;
	} rows[] = {
		{ STR("\\\\"), STR("\\") },
		{ STR("\\n"), STR("\n") },
		{ STR("\\u00e9"), STR("\xC3\xA9") },
		{ STR("\xC3\xA9"), STR("\xC3\xA9") },
		{ STR("\x80"), STR("\xEF\xBF\xBD") },
		{ STR("\x7F!"), STR("\x7F!") },
		{ STR("]"), STR("]") },
		{ STR("\x1F"), STR_NONE },
		{ STR("\n"), STR_NONE },
		{ STR("\\x"), STR_NONE },
	};
	static const char filling[] = "abcdefghijklmnopqrstuvwxyz";

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		for (int before = 0; before <= 17; before++)
			for (int after = 0; after <= 17; after++) {
				CLEANUP(arena_free) struct arena a = { 0 };
				struct str text = str_fmt(&a, "\"%.*s" STR_FMT "%.*s\"", before, filling,
							  STR_ARG(rows[i].written), after, filling);
				struct str read = str_fmt(&a, "%.*s" STR_FMT "%.*s", before, filling,
							  STR_ARG(rows[i].read), after, filling);
				struct node n;
				struct err err;

				if (!rows[i].read.s) {
					assert_int_equal(json_parse(&a, text, &n, &err), -1);
					continue;
				}
				assert_int_equal(json_parse(&a, text, &n, &err), 0);
				CHECK_STR(n.text, read.s);
			}
}

TEST(a_copy_of_a_tree_outlives_it)
{
	static const char text[] =
		"{\"a\":[1,\"b\",{\"c\":null,\"d\":[]}],\"e\":{},\"f\":-1.5e3,\"g\":true,\"\":\"\"}";
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, 4096);
	struct node copy;

	{
		CLEANUP(arena_free) struct arena short_lived = { 0 };
		struct node n;
		struct err err;

		assert_int_equal(json_parse(&short_lived, str_from(text), &n, &err), 0);
		copy = node_copy(&a, &n);
	}
	json_add_node(&b, &copy);
	CHECK_STR(buf_str(&b), text);
}
