/* SPDX-License-Identifier: MIT */
/* YAML: the typing of scalars, places, aliases and their bounds, and what is refused. */
#include "test.h"

#include "doc/json.h"
#include "doc/yaml.h"

#include <string.h>

/* The tree as JSON, or the error. */
static struct str
as_json(struct arena *a, struct str text)
{
	struct node n;
	struct err err;
	struct buf b = BUF(a, MIB(64));

	if (yaml_parse(a, text, &n, &err) < 0)
		return str_copy(a, str_from(err.msg));
	json_add_node(&b, &n);
	return buf_str(&b);
}

TEST(yaml_plain_scalars_have_the_type_that_serde_gives_them)
{
	static const struct {
		const char *text;
		enum node_kind kind;
		int64_t integer;
	} cases[] = {
		{ "", NODE_NULL, 0 },
		{ "~", NODE_NULL, 0 },
		{ "null", NODE_NULL, 0 },
		{ "Null", NODE_NULL, 0 },
		{ "NULL", NODE_NULL, 0 },
		{ "nULL", NODE_STRING, 0 },
		{ "nil", NODE_STRING, 0 },
		{ "~x", NODE_STRING, 0 },
		{ "\"\"", NODE_STRING, 0 },
		{ "'null'", NODE_STRING, 0 },
		{ "true", NODE_BOOL, 1 },
		{ "True", NODE_BOOL, 1 },
		{ "TRUE", NODE_BOOL, 1 },
		{ "false", NODE_BOOL, 0 },
		{ "False", NODE_BOOL, 0 },
		{ "FALSE", NODE_BOOL, 0 },
		{ "tRUE", NODE_STRING, 0 },
		{ "yes", NODE_STRING, 0 },
		{ "no", NODE_STRING, 0 },
		{ "on", NODE_STRING, 0 },
		{ "y", NODE_STRING, 0 },
		{ "\"true\"", NODE_STRING, 0 },
		{ "0", NODE_INT, 0 },
		{ "-0", NODE_INT, 0 },
		{ "+7", NODE_INT, 7 },
		{ "-7", NODE_INT, -7 },
		{ "0x1F", NODE_INT, 31 },
		{ "-0x1f", NODE_INT, -31 },
		{ "+0o17", NODE_INT, 15 },
		{ "0b101", NODE_INT, 5 },
		{ "0b102", NODE_STRING, 0 },
		{ "0o8", NODE_STRING, 0 },
		{ "0xg", NODE_STRING, 0 },
		{ "0x", NODE_STRING, 0 },
		{ "0x-1", NODE_STRING, 0 },
		{ "0X1F", NODE_STRING, 0 },
		{ "007", NODE_STRING, 0 },
		{ "-007", NODE_STRING, 0 },
		{ "00", NODE_STRING, 0 },
		{ "1_000", NODE_STRING, 0 },
		{ "+-1", NODE_STRING, 0 },
		{ "+", NODE_STRING, 0 },
		{ "'7'", NODE_STRING, 0 },
		{ "9223372036854775807", NODE_INT, INT64_MAX },
		{ "9223372036854775808", NODE_FLOAT, 0 },
		{ "-9223372036854775808", NODE_INT, INT64_MIN },
		{ "-9223372036854775809", NODE_FLOAT, 0 },
		{ "0x7fffffffffffffff", NODE_INT, INT64_MAX },
		{ "0x8000000000000000", NODE_FLOAT, 0 },
		{ "1.5", NODE_FLOAT, 0 },
		{ "-1.", NODE_FLOAT, 0 },
		{ ".5", NODE_FLOAT, 0 },
		{ "+.5e-3", NODE_FLOAT, 0 },
		{ "1e3", NODE_FLOAT, 0 },
		{ "1E+3", NODE_FLOAT, 0 },
		{ "007.5", NODE_FLOAT, 0 },
		{ "1e400", NODE_STRING, 0 },
		{ "1e", NODE_STRING, 0 },
		{ ".", NODE_STRING, 0 },
		{ ".e5", NODE_STRING, 0 },
		{ "1.2.3", NODE_STRING, 0 },
		{ "-.inf", NODE_FLOAT, 0 },
		{ ".Inf", NODE_FLOAT, 0 },
		{ "+.INF", NODE_FLOAT, 0 },
		{ ".nan", NODE_FLOAT, 0 },
		{ ".NaN", NODE_FLOAT, 0 },
		{ "-.nan", NODE_STRING, 0 },
		{ "inf", NODE_STRING, 0 },
		{ "nan", NODE_STRING, 0 },
		{ "5m", NODE_STRING, 0 },
		{ "2024-01-02", NODE_STRING, 0 },
		{ "!!str 5", NODE_STRING, 0 },
		{ "! 5", NODE_STRING, 0 },
		{ "!!int '5'", NODE_INT, 5 },
		{ "!!bool true", NODE_BOOL, 1 },
		{ "!!float 5", NODE_INT, 5 },
		{ "!!null ''", NODE_NULL, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n;
		struct err err;
		struct str text = str_fmt(&a, "k: %s", cases[i].text);

		CHECK_ROW(cases[i].text, yaml_parse(&a, text, &n, &err) == 0);
		const struct node *k = node_get(&n, "k");

		CHECK_ROW(cases[i].text, k->kind == cases[i].kind);
		CHECK_ROW(cases[i].text,
			  (k->kind == NODE_BOOL ? k->boolean : k->integer) == cases[i].integer);
	}
}

TEST(yaml_scalars_record_whether_they_are_plain_or_empty)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(yaml_parse(&a, STR("a: 12\nb: '12'\nc:\nd: ~\ne: |\n  x\nf: !!str 1\n"), &n, &err) == 0);
	CHECK(node_get(&n, "a")->is_plain && !node_get(&n, "b")->is_plain);
	CHECK_STR(node_get(&n, "a")->text, "12");
	CHECK(node_get(&n, "c")->is_empty && node_get(&n, "c")->is_plain);
	CHECK(!node_get(&n, "d")->is_empty);
	CHECK_STR(node_get(&n, "d")->text, "~");
	CHECK(!node_get(&n, "e")->is_plain && !node_get(&n, "f")->is_plain);
	CHECK_STR(node_get_str(&n, "e"), "x\n");
}

TEST(yaml_documents_become_trees)
{
	static const struct {
		struct str text;
		const char *json;
	} cases[] = {
		{ STR(""), "null" },
		{ STR("# only a comment\n"), "null" },
		{ STR("---\n"), "null" },
		{ STR("{}"), "{}" },
		{ STR("\xEF\xBB\xBF"
		      "a: 1"),
		  "{\"a\":1}" },
		{ STR("a:\r\n- b\r\n- c: 'd'\r\n"), "{\"a\":[\"b\",{\"c\":\"d\"}]}" },
		{ STR("---\na: 1\n...\n"), "{\"a\":1}" },
		{ STR("%YAML 1.2\n---\na\n"), "\"a\"" },
		{ STR("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n"), "{\"a\":[1,2],\"b\":[1,2],\"c\":3,\"d\":3}" },
		{ STR("a: &x k\n*x : 1\n"), "{\"a\":\"k\",\"k\":1}" },
		{ STR("b: &b {x: 1}\na:\n  <<: *b\n"), "{\"b\":{\"x\":1},\"a\":{\"<<\":{\"x\":1}}}" },
		{ STR("a: 1\na: 2\n"), "{\"a\":1,\"a\":2}" },
		{ STR("1: a\ntrue: b\n~: c\n"), "{\"1\":\"a\",\"true\":\"b\",\"~\":\"c\"}" },
		{ STR("a: \"\\0\\x41\\u20AC\"\n"), "{\"a\":\"A\xE2\x82\xAC\"}" },
		{ STR("a: >\n  x\n  y\n"), "{\"a\":\"x y\\n\"}" },
		{ STR("!!map {a: !!seq [1]}"), "{\"a\":[1]}" },
		{ STR("a: .inf"), "{\"a\":\".inf\"}" },
		{ STR("? a\n: b\n? c\n"), "{\"a\":\"b\",\"c\":null}" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str out = as_json(&a, cases[i].text);

		if (!str_is(out, cases[i].json))
			fail_msg("row %zu: " STR_FMT, i, STR_ARG(out));
	}
}

TEST(invalid_yaml_is_an_error_with_place_and_reason)
{
	static const struct {
		struct str text;
		const char *msg;
	} cases[] = {
		{ STR("a: 1\n---\nb: 2\n"), "2:1: more than one document" },
		{ STR("a: *x\n"), "1:4: an alias whose anchor is not known here" },
		{ STR("&a [*a]"), "1:5: an alias whose anchor is not known here" },
		{ STR("[1]: a"), "1:1: a key must be a scalar" },
		{ STR("? {a: 1}\n: b"), "1:3: a key must be a scalar" },
		{ STR("a: &x [1]\n*x : 1"), "2:1: a key must be a scalar" },
		{ STR("a: !foo x"), "1:4: an unknown tag" },
		{ STR("a: !!int x"), "1:4: a value that does not fit its tag" },
		{ STR("a: !!seq {}"), "1:4: a value that does not fit its tag" },
		{ STR("a: !!str [1]"), "1:4: a value that does not fit its tag" },
		{ STR("a: b: c"), "1:5: unexpected ':': the line is not indented as it should be, or a "
				  "value that contains ': ' is not quoted" },
		{ STR("a:\n\t- b"), "2:1: a tab can't indent a line; use blanks" },
		{ STR("\xEF\xBB\xBF"
		      "a: \xC3\xA9\r\nb: @x"),
		  "2:4: no value begins with '@' unless it is quoted" },
		{ STR("a: `x`"), "1:4: no value begins with '`' unless it is quoted" },
		{ STR("a: %x"), "1:4: no value begins with '%' unless it is quoted" },
		{ STR("stop:\n  a: 1\n b: 2\n"), "3:2: expected a key: the line is not indented as those "
						 "above it, or text follows a closing "
						 "quote" },
		{ STR("a: 'x' y"), "1:8: expected a key: the line is not indented as those above it, or text "
				   "follows a closing "
				   "quote" },
		{ STR("- a\nb: 1"),
		  "2:1: expected '-': the line is not indented as those above it, or text follows a closing "
		  "quote" },
		{ STR("a: 'x"), "1:4: the quote is never closed" },
		{ STR("a:\n  b: \"x\n  c: 1\n"), "2:6: the quote is never closed" },
		{ STR("a: [x\nb: 1"), "2:2: expected ',' or ']': the '[' at 1:4 is not closed" },
		{ STR("a: [\n"),
		  "2:1: expected a value, or the ']' or '}' of a list or map that is not closed" },
		{ STR("a: [x,,y]\n"),
		  "1:7: expected a value, or the ']' or '}' of a list or map that is not closed" },
		{ STR("a: {x: 1\nb: 1"), "2:2: expected ',' or '}': the '{' at 1:4 is not closed" },
		{ STR("a: \xC3\xA9\nb: x\xFF"), "2:5: invalid UTF-8: save the file as UTF-8" },
		{ STR("[a]\nb: 1\n"), "2:1: text after the end of the list or map that is the document" },
		{ STR("%YAML 9.9\n---\na: 1\n"), "1:1: unknown version of YAML; remove the line" },
		{ STR("a: 1\nb: \0"), "2:4: a control character, which YAML does not allow: remove it" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str out = as_json(&a, cases[i].text);

		if (!str_is(out, cases[i].msg))
			fail_msg("row %zu: " STR_FMT, i, STR_ARG(out));
	}
}

TEST(yaml_nodes_and_keys_know_their_place)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(yaml_parse(&a, STR("# c\nstop:\n  commands:\n    - run: \xC3\xA9\n      timeout: 5\n"), &n,
			 &err) == 0);
	CHECK(n.line == 2 && n.column == 1);
	const struct node *list = node_get(node_get(&n, "stop"), "commands");
	const struct node_entry *run = &list->items[0].entries[0], *timeout = &list->items[0].entries[1];

	CHECK(list->line == 4 && list->column == 5);
	CHECK(run->line == 4 && run->column == 7 && run->value.column == 12);
	CHECK(timeout->line == 5 && timeout->column == 7 && timeout->value.line == 5 &&
	      timeout->value.column == 16);
}

static struct str
nested(struct arena *a, size_t depth, const char *inner)
{
	struct buf b = BUF(a, MIB(1));

	for (size_t i = 0; i < depth; i++)
		buf_addc(&b, '[');
	buf_add(&b, str_from(inner));
	for (size_t i = 0; i < depth; i++)
		buf_addc(&b, ']');
	return buf_str(&b);
}

TEST(yaml_nesting_ends_at_the_limit_aliases_included)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	CHECK(yaml_parse(&a, nested(&a, YAML_DEPTH_LIMIT, "1"), &n, &err) == 0);
	CHECK(yaml_parse(&a, nested(&a, YAML_DEPTH_LIMIT + 1, "1"), &n, &err) == -1 && err.code == ERR_LIMIT);
	CHECK_STR(str_from(err.msg), "1:65: nested too deeply");
	struct str deep = nested(&a, YAML_DEPTH_LIMIT - 2, "1");

	CHECK(yaml_parse(&a, str_fmt(&a, "a: &x " STR_FMT "\nb: [*x]", STR_ARG(deep)), &n, &err) == 0);
	CHECK(yaml_parse(&a, str_fmt(&a, "a: &x " STR_FMT "\nb: [[*x]]", STR_ARG(deep)), &n, &err) == -1);
	CHECK_STR(str_from(err.msg), "2:6: nested too deeply");
}

TEST(yaml_aliases_end_at_the_limit)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n;
	struct err err;

	for (size_t count = YAML_ALIAS_LIMIT; count <= YAML_ALIAS_LIMIT + 1; count++) {
		struct buf b = BUF(&a, MIB(1));

		buf_add(&b, STR("- &x 1\n"));
		for (size_t i = 0; i < count; i++)
			buf_add(&b, STR("- *x\n"));
		CHECK((yaml_parse(&a, buf_str(&b), &n, &err) == 0) == (count == YAML_ALIAS_LIMIT));
	}
	CHECK_STR(str_from(err.msg), "102:3: too many aliases");
}

TEST(yaml_values_end_at_the_limit)
{
	/* The list itself is a value, too: 31,278 values in 62,556 bytes are as many as they may be. */
	for (size_t count = 31277; count <= 31278; count++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf b = BUF(&a, MIB(1));
		struct node n;
		struct err err;

		buf_addc(&b, '[');
		for (size_t i = 0; i < count; i++)
			buf_add(&b, STR("1,"));
		buf_addc(&b, ']');
		CHECK((yaml_parse(&a, buf_str(&b), &n, &err) == 0) == (count == 31277));
	}
}

TEST(yaml_refuses_a_billion_laughs_by_what_they_weigh)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, MIB(1));
	struct node n;
	struct err err;

	buf_add(&b, STR("a: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]\n"));
	for (int i = 1; i < 9; i++)
		buf_addf(&b, "k%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1,
			 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	CHECK(yaml_parse(&a, buf_str(&b), &n, &err) == -1);
	CHECK(err.code == ERR_LIMIT);
	CHECK_STR(str_from(err.msg), "5:14: too many values");
}

TEST(yaml_nodes_have_the_span_of_their_bytes)
{
	static const struct {
		const char *text, *span; /* of the value of k */
	} cases[] = {
		{ "k: plain # c\n", "plain" },
		{ "\xC3\xA9: \xF0\x9F\x98\x80\r\nk: 'q'\r\n", "'q'" },
		{ "\xEF\xBB\xBF\xC3\xA9: 1\nk: \xC3\xA9\n", "\xC3\xA9" },
		{ "k: [a, \xC3\xA9] # c\n", "[a, \xC3\xA9]" },
		{ "k:\n  a: \xC3\xA9\n  b:\n  - 1\n  - 2\n\n# c\nl: 1\n", "a: \xC3\xA9\n  b:\n  - 1\n  - 2" },
		{ "k:\nl: 1\n", "" },
		{ "k: |\n  text\nl: 1\n", "|\n  text\n" },
		{ "a: &x [1]\nk: *x\n", "*x" },
		{ "k: &x !!str 1\n", "&x !!str 1" },
		{ "a: 'x\xE2\x80\xA8y'\nk: z", "z" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str text = str_from(cases[i].text);
		struct node root;
		struct err err;

		if (yaml_parse(&a, text, &root, &err) < 0)
			fail_msg("%s: %s", cases[i].text, err.msg);
		const struct node *k = node_get(&root, "k");

		CHECK_STR(str_sub(text, k->span.begin, k->span.end), cases[i].span);
		for (size_t n = 0; n < root.count; n++)
			CHECK_STR(root.entries[n].key,
				  str_fmt(&a, STR_FMT,
					  STR_ARG(str_sub(text, root.entries[n].span.begin,
							  root.entries[n].span.end)))
					  .s);
	}
}

/* ---- comments are cut short ---- */

/* Long enough that comments are looked at, and itself only comments. */
static struct str
long_comment(struct arena *a, int *ret_lines)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (*ret_lines = 0; b.n < 600; ++*ret_lines)
		buf_addf(&b, "# line %d, with \"quotes', [brackets} and key: | values\n", *ret_lines);
	return buf_str(&b);
}

/* Two trees, of which the second is so many lines and bytes further down. */
static bool
same_tree(const struct node *x, const struct node *y, int lines, uint32_t bytes)
{
	if (x->kind != y->kind || x->count != y->count || x->line + lines != y->line ||
	    x->column != y->column || !str_eq(x->text, y->text) || x->is_plain != y->is_plain ||
	    x->span.begin + bytes != y->span.begin || x->span.end + bytes != y->span.end)
		return false;
	for (uint32_t i = 0; i < x->count; i++) {
		bool is_same = x->kind == NODE_LIST ? same_tree(&x->items[i], &y->items[i], lines, bytes)
						    : str_eq(x->entries[i].key, y->entries[i].key) &&
							      x->entries[i].span.begin + bytes ==
								      y->entries[i].span.begin &&
							      same_tree(&x->entries[i].value,
									&y->entries[i].value, lines, bytes);

		if (!is_same)
			return false;
	}
	return true;
}

/* A text that is too short to be changed means the same after a comment that is long enough. */
static bool
means_the_same(struct str text)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node x, y;
	struct err ex, ey;
	int lines;
	struct str pad = long_comment(&a, &lines);
	int result = yaml_parse(&a, text, &x, &ex);

	if (yaml_parse(&a, str_fmt(&a, STR_FMT STR_FMT, STR_ARG(pad), STR_ARG(text)), &y, &ey) != result)
		return false;
	/* An empty document has no place. */
	if (result == 0)
		return (x.kind == NODE_NULL && x.is_empty && y.is_empty) ||
		       same_tree(&x, &y, lines, (uint32_t)pad.n);
	size_t n = strcspn(ex.msg + ex.text, "0123456789");

	return ex.code == ey.code && ex.line + lines == ey.line && ex.column == ey.column &&
	       strncmp(ex.msg + ex.text, ey.msg + ey.text, n) == 0;
}

TEST(yaml_comments_that_are_cut_short_change_nothing)
{
	static const char *const pieces[] = {
		"a: ",
		"b: ",
		"- ",
		"\"",
		"'",
		"x",
		" y",
		"\n",
		"\n",
		"\n  ",
		"\n    ",
		"\n# c\n",
		"\n  # it's\n",
		"# \"\n",
		" # end\n",
		"|\n",
		">-\n",
		"|2\n",
		"[",
		"]",
		"{",
		"}",
		", ",
		": ",
		"\"s\"",
		"'t'",
		"\"u\",\n",
		"k: \"v\"",
		"\n#\n",
		"\\\"",
		"---\n",
		"key: [\"a\", 'b']\n",
		"\n# \xc3\xa9\n",
		"\n#\xe2\x80\xa8z: 1\n",
		"\r\n",
		"\n#\r\n",
		"\t",
		"? ",
		"!!str ",
		"&n ",
	};
	uint64_t seed = 20261116;

	for (int round = 0; round < 30000; round++) {
		char text[300];
		size_t n = 0;
		int count = 1 + (int)(seed >> 33) % 14;

		for (int i = 0; i < count; i++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			const char *piece = pieces[(seed >> 33) % COUNT_OF(pieces)];

			memcpy(text + n, piece, strlen(piece));
			n += strlen(piece);
		}
		text[n] = '\0';
		CHECK_ROW(text, means_the_same((struct str){ text, n }));
	}
}
