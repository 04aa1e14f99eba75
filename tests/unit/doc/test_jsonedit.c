/* SPDX-License-Identifier: MIT */
/* Edits of JSON texts: what goes in comes out again, and nothing else moves. */
#include "test.h"

#include "doc/json.h"
#include "doc/jsonedit.h"

#include <string.h>

#define KEY(name)             \
	{                     \
		.key = (name) \
	}
#define AT(i)                \
	{                    \
		.index = (i) \
	}

static const char *const samples[] = {
	"{}",
	"{ }",
	"{\n}",
	"{\n\n}\n",
	"{\r\n}\r\n",
	"  {}  \n",
	"{\"a\":1}",
	"{ \"a\": 1 }",
	"{\"a\": 1, \"b\": 2}",
	"{\"a\":{},\"l\":[],\"b\":[1,{\"c\":[]}]}",
	"{\n  \"a\": 1\n}\n",
	"{\n  \"a\": 1,\n  \"b\": [1, 2]\n}",
	"{\n\t\"a\": {\n\t\t\"l\": []\n\t},\n\t\"l\": [\n\t\t1\n\t]\n}\n",
	"{\r\n    \"a\": {\r\n        \"x\": true\r\n    },\r\n    \"l\": [ ]\r\n}\r\n",
	"{\n  \"a\": 1, // about a\n  \"b\": 2 // about b\n}\n",
	"{\n  \"a\": 1, /* about a */\n  \"b\": 2, // about b\n}\n",
	"{\n  // nothing yet\n}\n",
	"{ /* nothing */ }",
	"{\r\n  // nothing yet\r\n}\r\n",
	"{\"a\":1,}",
	"{\"a\": 1, }",
	"{\"l\":[1,],\"m\":[ 1 , ]}",
	"{\"l\": [1 // one\n]}",
	"{\"l\": [1, // one\n]}",
	"{\"l\": [1 /* one */]}",
	"{\"l\": [\n  1 /* one\n  and more */\n]}",
	"{\n  \"l\": [ 1,\n    2 ]\n}",
	"{\n  \"s\": \"// no comment, \\\" { [ \\\\\",\n  \"l\": [\"]\", \"}\"]\n}",
	"\xEF\xBB\xBF{\n  \"a\": \"\xC3\xA9\"\n}\n",
	"// first\n{\n  \"a\": 1\n}\n// last\n",
	"{\n\n\n  \"a\": 1\n\n\n}\n",
	"{\n  \"a\": {\n  },\n  \"l\": [\n  ]\n}\n",
	"{\"a\"\n:\n1\n,\n\"b\"\n:\n[\n]\n}",
};

static const struct place_case {
	struct jsonedit_step path[3];
	size_t depth;
	const char *key;
} places[] = {
	{ { { 0 } }, 0, "new" },
	{ { KEY("a") }, 1, "new" },
	{ { KEY("l") }, 1, NULL },
	{ { KEY("m") }, 1, NULL },
	{ { KEY("b") }, 1, NULL },
	{ { KEY("b"), AT(1) }, 2, "new" },
	{ { KEY("a"), KEY("l") }, 2, NULL },
};

static const char *const values[] = {
	"1",
	"\"text\"",
	"{\n  \"x\": [\n    {\n      \"y\": 1.50\n    }\n  ]\n}",
};

/* As json_parse() would have it, for comparing what two texts say. */
static struct str
meaning(struct arena *a, struct str text)
{
	struct node n;
	struct err err;
	struct buf b = BUF(a, MIB(1));

	if (jsonedit_check(a, text, &n, &err) < 0)
		fail_msg("'" STR_FMT "': %s", STR_ARG(text), err.msg);
	json_add_node(&b, &n);
	return buf_str(&b);
}

static struct str
value_meaning(struct arena *a, struct str value)
{
	return meaning(a, str_fmt(a, "{\"v\":" STR_FMT "}", STR_ARG(value)));
}

static size_t
count_items(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth)
{
	struct node n;
	struct err err;
	const struct node *at = &n;

	CHECK(jsonedit_check(a, text, &n, &err) == 0);
	for (size_t i = 0; i < depth; i++)
		at = path[i].key ? node_get(at, path[i].key) : &at->items[path[i].index];
	return at->count;
}

static void
check_round_trip(const char *sample, const struct place_case *p, const char *value)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = str_from(sample), with, without;
	struct jsonedit_step path[4];
	struct err err;

	(void)meaning(&a, text);
	if (jsonedit_append(&a, text, p->path, p->depth, p->key, str_from(value), &with, &err) < 0) {
		struct str there = jsonedit_find(text, p->path, p->depth);

		CHECK_ROW(sample, !there.s || there.s[0] != (p->key ? '{' : '['));
		return;
	}
	memcpy(path, p->path, sizeof(p->path));
	path[p->depth] = (struct jsonedit_step){ .key = p->key };
	if (!p->key)
		path[p->depth].index = count_items(&a, with, p->path, p->depth) - 1;
	struct str put = jsonedit_find(with, path, p->depth + 1);

	(void)meaning(&a, with);
	CHECK_ROW(sample, str_eq(value_meaning(&a, put), value_meaning(&a, str_from(value))));
	CHECK_ROW(sample, jsonedit_remove(&a, with, path, p->depth + 1, &without, &err) == 0);
	if (!str_eq(text, without))
		fail_msg("'%s'\nbecame\n'" STR_FMT "'\nby\n'" STR_FMT "'", sample, STR_ARG(without),
			 STR_ARG(with));
}

TEST(jsonedit_takes_out_exactly_what_it_put_in)
{
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		for (size_t k = 0; k < COUNT_OF(places); k++)
			for (size_t v = 0; v < COUNT_OF(values); v++)
				check_round_trip(samples[i], &places[k], values[v]);
}

TEST(jsonedit_appends_in_the_look_of_the_text)
{
	static const struct {
		const char *before, *after; /* "new": {"x": [1]} into the root */
	} cases[] = {
		{ "{}", "{\n  \"new\": {\n    \"x\": 1\n  }\n}" },
		{ "{ }\n", "{ \n  \"new\": {\n    \"x\": 1\n  }\n}\n" },
		{ "{\"a\":1}", "{\"a\":1,\"new\":{\"x\":1}}" },
		{ "{ \"a\": 1 }", "{ \"a\": 1, \"new\": {\"x\":1} }" },
		{ "{\n    \"a\": 1\n}\n", "{\n    \"a\": 1,\n    \"new\": {\n        \"x\": 1\n    }\n}\n" },
		{ "{\r\n\t\"a\": 1\r\n}\r\n",
		  "{\r\n\t\"a\": 1,\r\n\t\"new\": {\r\n\t\t\"x\": 1\r\n\t}\r\n}\r\n" },
		{ "{\n  \"a\": 1 // c\n}\n", "{\n  \"a\": 1, // c\n  \"new\": {\n    \"x\": 1\n  }\n}\n" },
		{ "{\n  \"a\": 1, // c\n}\n", "{\n  \"a\": 1, // c\n  \"new\": {\n    \"x\": 1\n  },\n}\n" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str out;
		struct err err;

		CHECK_ROW(cases[i].before, jsonedit_append(&a, str_from(cases[i].before), NULL, 0, "new",
							   STR("{\n  \"x\": 1\n}"), &out, &err) == 0);
		CHECK_STR(out, cases[i].after);
	}
}

TEST(jsonedit_removes_any_item_and_leaves_the_others)
{
	static const struct {
		const char *before;
		size_t index;
		const char *after; /* of the list l */
	} cases[] = {
		{ "{\"l\":[1,2,3]}", 0, "{\"l\":[2,3]}" },
		{ "{\"l\":[1,2,3]}", 1, "{\"l\":[1,3]}" },
		{ "{\"l\":[1,2,3]}", 2, "{\"l\":[1,2]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", 0, "{\"l\":[ 2, 3 ]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", 1, "{\"l\":[ 1, 3 ]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", 2, "{\"l\":[ 1, 2 ]}" },
		{ "{\"l\":[1]}", 0, "{\"l\":[]}" },
		{ "{\"l\":[1,]}", 0, "{\"l\":[]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", 0, "{\"l\":[\n  2,\n  3\n]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", 1, "{\"l\":[\n  1,\n  3\n]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", 2, "{\"l\":[\n  1,\n  2\n]}" },
		{ "{\"l\":[\r\n  1\r\n]}", 0, "{\"l\":[]}" },
		{ "{\"l\":[\n  1,\n]}", 0, "{\"l\":[]}" },
		{ "{\"l\":[\n  1, // one\n  2 // two\n]}", 1, "{\"l\":[\n  1 // one\n // two\n]}" },
		{ "{\"l\":[\n  1, // one\n  2, 3]}", 1, "{\"l\":[\n  1, // one\n 3]}" },
		{ "{\"l\":[ // one\n  1]}", 0, "{\"l\":[ // one\n]}" },
		{ "{\"l\":[ // one\n  1\n]}", 0, "{\"l\":[ // one\n]}" },
		{ "{\"l\":[1 /* a */ , 2]}", 0, "{\"l\":[ /* a */ 2]}" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		const struct jsonedit_step path[] = { KEY("l"), AT(cases[i].index) };
		struct str out;
		struct err err;

		CHECK_ROW(cases[i].before,
			  jsonedit_remove(&a, str_from(cases[i].before), path, 2, &out, &err) == 0);
		CHECK_STR(out, cases[i].after);
		(void)meaning(&a, out);
	}
}

TEST(jsonedit_finds_values_by_their_path)
{
	struct str text = STR("\xEF\xBB\xBF{ \"a\" : [ 1 , { \"b\\u0063\" : \"x\" /* c */ } ] , \"a2\": {}, "
			      "\"a\": [ true ] }");
	const struct jsonedit_step a[] = { KEY("a"), AT(0) }, none[] = { KEY("a"), AT(1) }, odd[] = { AT(0) };
	const struct jsonedit_step inner[] = { KEY("a"), AT(1), KEY("bc") };

	CHECK_STR(jsonedit_find(text, a, 1), "[ true ]");
	CHECK_STR(jsonedit_find(text, a, 2), "true");
	CHECK(!jsonedit_find(text, none, 2).s && !jsonedit_find(text, odd, 1).s);
	CHECK(!jsonedit_find(STR(""), a, 0).s && !jsonedit_find(STR("{"), a, 1).s);
	CHECK_STR(jsonedit_find(STR("{\"a\":[1,{\"b\\u0063\":\"x\"}]}"), inner, 3), "\"x\"");
	CHECK_STR(jsonedit_find(STR(" [1] "), NULL, 0), "[1]");
}

TEST(jsonedit_replaces_a_value_and_nothing_else)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct jsonedit_step path[] = { KEY("a"), AT(1) };
	struct str out;
	struct err err;

	CHECK(jsonedit_replace(&a, STR("{\"a\": [1, 2 /* c */, 3]}"), path, 2, STR("{ }"), &out, &err) == 0);
	CHECK_STR(out, "{\"a\": [1, { } /* c */, 3]}");
}

TEST(jsonedit_accepts_comments_and_trailing_commas_and_no_more)
{
	static const struct {
		const char *text, *msg; /* NULL: accepted */
	} cases[] = {
		{ "{}", NULL },
		{ "// a\n/* b\n*/ { \"a\": [1, /* } */ ], // ]\n }", NULL },
		{ "{\"a\": \"// no, ] /* comment\",}", NULL },
		{ "{\"a\": \"\\\\\",}", NULL },
		{ "{,}", "1:2: expected a key in double quotes, not ','" },
		{ "{\"a\": [,]}", "1:8: expected a value, not ','" },
		{ "{\"a\": [1,,]}", "1:10: expected a value, not ','" },
		{ "{\n /* a\n} ", "2:2: a comment that never ends" },
		{ "{/*/}", "1:2: a comment that never ends" },
		{ "{\"a\": 1 / 2}", "1:9: expected ',' or '}', not '/'" },
		{ "{ /* a */ // b\n x }", "2:2: expected a key in double quotes, not 'x'" },
		{ "[1]", "1:1: expected an object, not a list" },
		{ "", "1:1: expected a value, not the end of the text" },
		{ "{'a': 1}", "1:2: expected a key in double quotes, not '''" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n;
		struct err err = { .msg = "" };
		int result = jsonedit_check(&a, str_from(cases[i].text), &n, &err);

		CHECK_ROW(cases[i].text, (result == 0) == !cases[i].msg);
		if (cases[i].msg)
			CHECK_STR(str_from(err.msg), cases[i].msg);
	}
}

TEST(jsonedit_refuses_what_cannot_be_done)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct jsonedit_step list[] = { KEY("l") }, none[] = { KEY("x"), AT(3) };
	struct str text = STR("{\"l\": [1], \"k\": 1}"), out = STR_NONE;
	struct err err;

	CHECK(jsonedit_append(&a, text, NULL, 0, "k", STR("1"), &out, &err) == -1);
	CHECK_STR(str_from(err.msg), "the key is there already");
	CHECK(jsonedit_append(&a, text, list, 1, "k", STR("1"), &out, &err) == -1);
	CHECK_STR(str_from(err.msg), "l: not an object");
	CHECK(jsonedit_append(&a, text, NULL, 0, NULL, STR("1"), &out, &err) == -1);
	CHECK_STR(str_from(err.msg), "not a list");
	CHECK(jsonedit_append(&a, text, NULL, 0, "n", STR("{"), &out, &err) == -1);
	CHECK_STR(str_from(err.msg),
		  "the new value: 1:2: expected a key in double quotes, not the end of the text");
	CHECK(jsonedit_remove(&a, text, none, 2, &out, &err) == -1);
	CHECK_STR(str_from(err.msg), "x[3]: not found");
	CHECK(jsonedit_remove(&a, text, none, 0, &out, &err) == -1);
	CHECK(jsonedit_replace(&a, text, none, 1, STR("1"), &out, &err) == -1);
	CHECK(!out.s);
}
