/* SPDX-License-Identifier: MIT */
/* Edits of JSON texts: a removal restores what an addition changed, and nothing else changes. */
#include "test.h"

#include "doc/json.h"
#include "doc/jsonedit.h"

#include <string.h>

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

/* Each step is a key, or "1" for that element of a list. */
static const struct place_case {
	const char *path[2];
	const char *key;
} places[] = {
	{ { NULL }, "new" }, { { "a" }, "new" },      { { "l" }, NULL },      { { "m" }, NULL },
	{ { "b" }, NULL },   { { "b", "1" }, "new" }, { { "a", "l" }, NULL },
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

static const struct node *
find(const struct node *n, const struct place_case *p)
{
	for (size_t i = 0; n && i < COUNT_OF(p->path) && p->path[i]; i++) {
		if (str_is(str_from(p->path[i]), "1"))
			n = n->kind == NODE_LIST && n->count > 1 ? &n->items[1] : NULL;
		else
			n = node_get(n, p->path[i]);
	}
	return n;
}

static struct jsonedit
opened(struct arena *a, struct str text)
{
	struct jsonedit j;
	struct err err;

	if (jsonedit_open(a, text, &j, &err) < 0)
		fail_msg("'" STR_FMT "': %s", STR_ARG(text), err.msg);
	return j;
}

/* Removes the last `count` items of the list or object at the place. */
static struct str
without_last(struct arena *a, struct str text, const struct place_case *p, size_t count)
{
	struct jsonedit j = opened(a, text);
	const struct node *list = find(&j.root, p);
	bool *marks = arena_array(a, list->count, bool);

	for (size_t i = list->count - count; i < list->count; i++)
		marks[i] = true;
	jsonedit_remove(&j, list, marks);
	return edit_apply(&j.edit, a);
}

static void
check_round_trip(const char *sample, const struct place_case *p, const char *value)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct json_item items[] = { { p->key, str_from(value) },
					   { p->key ? "newer" : NULL, STR("2") } };
	struct str text = str_from(sample);

	for (size_t count = 1; count <= 2; count++) {
		struct jsonedit j = opened(&a, text);
		const struct node *list = find(&j.root, p);

		if (!list || list->kind != (p->key ? NODE_MAP : NODE_LIST))
			return;
		jsonedit_append(&j, list, items, count);
		struct str with = edit_apply(&j.edit, &a);
		struct jsonedit k = opened(&a, with);
		const struct node *longer = find(&k.root, p);
		const struct node *put = p->key ? node_get(longer, p->key) : &longer->items[list->count];

		CHECK_ROW(sample, longer->count == list->count + count);
		CHECK_ROW(sample, str_eq(value_meaning(&a, str_sub(with, put->span.begin, put->span.end)),
					 value_meaning(&a, str_from(value))));
		struct str without = without_last(&a, with, p, count);

		if (!str_eq(text, without))
			fail_msg("'%s'\nbecame\n'" STR_FMT "'\nby\n'" STR_FMT "'", sample, STR_ARG(without),
				 STR_ARG(with));
	}
}

TEST(jsonedit_removes_exactly_what_it_appended)
{
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		for (size_t k = 0; k < COUNT_OF(places); k++)
			for (size_t v = 0; v < COUNT_OF(values); v++)
				check_round_trip(samples[i], &places[k], values[v]);
}

TEST(jsonedit_appends_with_the_layout_of_the_text)
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
		struct jsonedit j = opened(&a, str_from(cases[i].before));
		const struct json_item item = { "new", STR("{\n  \"x\": 1\n}") };

		jsonedit_append(&j, &j.root, &item, 1);
		CHECK_STR(edit_apply(&j.edit, &a), cases[i].after);
	}
}

TEST(jsonedit_removes_any_items_and_keeps_the_others)
{
	static const struct {
		const char *before;
		const char *removed; /* their positions */
		const char *after;   /* of the list l */
	} cases[] = {
		{ "{\"l\":[1,2,3]}", "0", "{\"l\":[2,3]}" },
		{ "{\"l\":[1,2,3]}", "1", "{\"l\":[1,3]}" },
		{ "{\"l\":[1,2,3]}", "2", "{\"l\":[1,2]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", "0", "{\"l\":[ 2, 3 ]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", "1", "{\"l\":[ 1, 3 ]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", "2", "{\"l\":[ 1, 2 ]}" },
		{ "{\"l\":[1]}", "0", "{\"l\":[]}" },
		{ "{\"l\":[1,]}", "0", "{\"l\":[]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", "0", "{\"l\":[\n  2,\n  3\n]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", "1", "{\"l\":[\n  1,\n  3\n]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", "2", "{\"l\":[\n  1,\n  2\n]}" },
		{ "{\"l\":[\r\n  1\r\n]}", "0", "{\"l\":[]}" },
		{ "{\"l\":[\n  1,\n]}", "0", "{\"l\":[]}" },
		{ "{\"l\":[\n  1, // one\n  2 // two\n]}", "1", "{\"l\":[\n  1 // one\n // two\n]}" },
		{ "{\"l\":[\n  1, // one\n  2, 3]}", "1", "{\"l\":[\n  1, // one\n 3]}" },
		{ "{\"l\":[ // one\n  1]}", "0", "{\"l\":[ // one\n]}" },
		{ "{\"l\":[ // one\n  1\n]}", "0", "{\"l\":[ // one\n]}" },
		{ "{\"l\":[1 /* a */ , 2]}", "0", "{\"l\":[ /* a */ 2]}" },
		{ "{\"l\":[1,2,3]}", "02", "{\"l\":[2]}" },
		{ "{\"l\":[1,2,3]}", "12", "{\"l\":[1]}" },
		{ "{\"l\":[1,2,3,]}", "12", "{\"l\":[1,]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", "01", "{\"l\":[ 3 ]}" },
		{ "{\"l\":[ 1, 2, 3 ]}", "012", "{\"l\":[  ]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3\n]}", "02", "{\"l\":[\n  2\n]}" },
		{ "{\"l\":[\n  1,\n  2,\n  3,\n]}", "012", "{\"l\":[]}" },
		{ "{\"l\":[\n  1,\n  2, // two\n  3\n]}", "12", "{\"l\":[\n  1 // two\n]}" },
		{ "{\"l\":[\n  1, // one\n  2,\n  3\n]}", "12", "{\"l\":[\n  1 // one\n]}" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct jsonedit j = opened(&a, str_from(cases[i].before));
		const struct node *list = node_get(&j.root, "l");
		bool *marks = arena_array(&a, list->count, bool);

		for (const char *c = cases[i].removed; *c; c++)
			marks[*c - '0'] = true;
		jsonedit_remove(&j, list, marks);
		struct str out = edit_apply(&j.edit, &a);

		CHECK_STR(out, cases[i].after);
		(void)meaning(&a, out);
	}
}

TEST(jsonedit_replaces_a_value_and_nothing_else)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct jsonedit j = opened(&a, STR("{\"a\": [1, 2 /* c */, 3]}"));

	jsonedit_replace(&j, &node_get(&j.root, "a")->items[1], STR("{ }"));
	CHECK_STR(edit_apply(&j.edit, &a), "{\"a\": [1, { } /* c */, 3]}");
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

TEST(an_edit_applies_its_replacements_in_the_order_of_the_text)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct edit e = { .arena = &a, .text = STR("0123456789") };

	CHECK_STR(edit_apply(&e, &a), "0123456789");
	edit_replace(&e, 7, 8, STR("seven"));
	edit_replace(&e, 2, 2, STR("a"));
	edit_replace(&e, 3, 4, STR("lost"));
	edit_replace(&e, 2, 6, STR("-"));
	edit_replace(&e, 2, 2, STR("b"));
	edit_replace(&e, 6, 6, STR("c"));
	edit_replace(&e, 10, 10, STR("end"));
	CHECK_STR(edit_apply(&e, &a), "01ab-c6seven89end");
	CHECK_STR(edit_apply_span(&e, &a, (struct span){ 6, 8 }), "c6seven");
}
