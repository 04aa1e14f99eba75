/* SPDX-License-Identifier: MIT */
/* Front matter: where the block is, what a key says, and that a change changes nothing else. */
#include "test.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "doc/frontmatter.h"
#include "doc/yaml_out.h"

static struct frontmatter
parsed(struct str text)
{
	struct frontmatter f;
	struct err err;

	if (frontmatter_parse(text, &f, &err) < 0)
		fail_msg(STR_FMT ": %s", STR_ARG(text), err.msg);
	return f;
}

TEST(frontmatter_blocks_are_found_between_their_markers)
{
	static const struct {
		struct str text;
		const char *block, *body;
		bool has_crlf;
	} cases[] = {
		{ STR("---\na: 1\n---\nbody\n"), "a: 1\n", "body\n", false },
		{ STR("---\n---\n"), "", "", false },
		{ STR("---\na: 1\n---"), "a: 1\n", "", false },
		{ STR("---\na: 1\n---\n\n  x\n\n"), "a: 1\n", "\n  x\n\n", false },
		{ STR("---\r\na: 1\r\n---\r\nbody\r\n"), "a: 1\r\n", "body\r\n", true },
		{ STR("---\na: 1\r\n---\nbody"), "a: 1\r\n", "body", false },
		{ STR("\xEF\xBB\xBF---\na: 1\n---\nb"), "a: 1\n", "b", false },
		{ STR("--- \t\na: 1\n---  \nb"), "a: 1\n", "b", false },
		{ STR("# c\n\n  # d\n---\na: 1\n---\nb"), "a: 1\n", "b", false },
		{ STR("---\n----\n ---\n---x\n---\nb"), "----\n ---\n---x\n", "b", false },
		{ STR("---\na: 1\n---\nb\n---\niteration: 77\n---\n"), "a: 1\n",
		  "b\n---\niteration: 77\n---\n", false },
		{ STR("---\n\n# c\n\n---\nb"), "\n# c\n\n", "b", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct frontmatter f = parsed(cases[i].text);

		CHECK_STR(f.block, cases[i].block);
		CHECK_STR(f.body, cases[i].body);
		CHECK(f.has_crlf == cases[i].has_crlf);
		CHECK(str_eq(f.text, cases[i].text));
	}
}

TEST(invalid_frontmatter_is_an_error_with_its_line)
{
	static const struct {
		const char *text, *msg;
	} cases[] = {
		{ "", "1:1: no line '---' that begins the front matter" },
		{ "\n# c\n", "3:1: no line '---' that begins the front matter" },
		{ "text\n---\n---\n", "1:1: expected a line '---' that begins the front matter" },
		{ "\n ---\na: 1\n---\n", "2:1: expected a line '---' that begins the front matter" },
		{ "----\na: 1\n---\n", "1:1: expected a line '---' that begins the front matter" },
		{ "---", "1:1: the front matter that begins here has no end" },
		{ "---\n", "1:1: the front matter that begins here has no end" },
		{ "# c\n---\na: 1\n ---\n", "2:1: the front matter that begins here has no end" },
		{ "---\na: 1\n----\n", "1:1: the front matter that begins here has no end" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct frontmatter f = { .has_crlf = true };
		struct err err;

		CHECK_ROW(cases[i].text, frontmatter_parse(str_from(cases[i].text), &f, &err) == -1);
		CHECK_STR(str_from(err.msg), cases[i].msg);
		CHECK(f.has_crlf && !f.text.s);
	}
}

TEST(frontmatter_values_are_read_in_every_style)
{
	static const struct {
		const char *block, *value; /* of k; NULL: not there */
		bool is_null;
	} cases[] = {
		{ "k: v\n", "v", false },
		{ "k:   v w \t\n", "v w", false },
		{ "k : v\n", "v", false },
		{ "\"k\": v\n", "v", false },
		{ "'k': v\n", "v", false },
		{ "k:\tv\n", "v", false },
		{ "k: v\r\n", "v", false },
		{ "k: v # c\n", "v", false },
		{ "k: v#w\n", "v#w", false },
		{ "k: v\t#c\n", "v", false },
		{ "k: a: b\n", "a: b", false },
		{ "k: 08\n", "08", false },
		{ "k:\n", "", true },
		{ "k:", "", true },
		{ "k: # c\n", "", true },
		{ "k: null\n", "null", true },
		{ "k: ~ # c\n", "~", true },
		{ "k: \"null\"\n", "null", false },
		{ "k: \"\"\n", "", false },
		{ "k: ''\n", "", false },
		{ "k: 'it''s # not'\n", "it's # not", false },
		{ "k: 'a\\n'   # c\n", "a\\n", false },
		{ "k: \"a \\\"b\\\" \\\\ \\n\\t\\/\"\r\n", "a \"b\" \\ \n\t/", false },
		{ "k: \"\\x41\\u20ac\\U0001F600\\N\\_\\L\\P\\e\"\n",
		  "A\xE2\x82\xAC\xF0\x9F\x98\x80\xC2\x85\xC2\xA0\xE2\x80\xA8\xE2\x80\xA9\x1B", false },
		{ "k: \"\\ud800\\U00110000\"\n", "\xEF\xBF\xBD\xEF\xBF\xBD", false },
		{ "k: \"\\d+ \\x4 \\u12\"\n", "\\d+ \\x4 \\u12", false },
		{ "k: \"a  \n  b\n\n  c\"\n", "a b\nc", false },
		{ "k: \"a \r\n\tb\"\r\n", "a b", false },
		{ "k: \"a\\\n  b\\  \n c\"\n", "ab  c", false },
		{ "k: 'a\n  b'\n", "a b", false },
		{ "k: |\n  a\n   b\n\n  c\n\nx: 1\n", "a\n b\n\nc\n", false },
		{ "k: |-\n  a\n  # b\n", "a\n# b", false },
		{ "k: |+ # c\n  a\n\n\n", "a\n\n\n", false },
		{ "k: |2\n   a\n  b\n", " a\nb\n", false },
		{ "k: |\r\n  a\r\n  b\r\n", "a\nb\n", false },
		{ "k: |\n\n\n  a\n", "\n\na\n", false },
		{ "k: |\n\n", "", false },
		{ "k: |+\n\n", "\n", false },
		{ "k: |\nx: 1\n", "", false },
		{ "k: >\n  a\n  b\n\n  c\n    d\n  e\n", "a b\nc\n  d\ne\n", false },
		{ "k: >-\n  a\n\n\n  b\n", "a\n\nb", false },
		{ "k: |x\n", "|x", false },
		{ "a: 1\nk: v\nk: w\n", "v", false },
		{ " k: v\n", NULL, false },
		{ "# k: v\n", NULL, false },
		{ "k:v\n", NULL, false },
		{ "kk: v\n", NULL, false },
		{ "\"k: v\n", NULL, false },
		{ "a: |\n  k: v\n", NULL, false },
		{ "k: v\n  # a comment of its own\n", "v", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		bool needs_newline = !str_ends(str_from(cases[i].block), STR("\n"));
		struct frontmatter f = parsed(
			str_fmt(&a, "---\n%s%s---\nk: body\n", cases[i].block, needs_newline ? "\n" : ""));
		struct frontmatter_value v;
		struct err err;
		bool is_twice;

		CHECK_ROW(cases[i].block, frontmatter_get(&a, &f, "k", &v, &is_twice, &err) == 0);
		CHECK_ROW(cases[i].block, v.is_there == (cases[i].value != NULL));
		if (v.is_there && !str_is(v.value, cases[i].value))
			fail_msg("%s gives " STR_FMT, cases[i].block, STR_ARG(v.value));
		CHECK_ROW(cases[i].block, v.is_null == cases[i].is_null);
	}
}

TEST(frontmatter_values_that_cannot_be_read_are_errors)
{
	static const struct {
		const char *block, *msg;
	} cases[] = {
		{ "k: \"v\n", "2:1: k: a quote that never closes" },
		{ "a: 1\nk: 'v\nb: '\n", "3:1: k: a quote that never closes" },
		{ "k: \"v\\\"\n", "2:1: k: a quote that never closes" },
		{ "k: \"a \"b\" c\"\n", "2:1: k: text after the closing quote" },
		{ "k: \"a\"#c\n", "2:1: k: text after the closing quote" },
		{ "k: a\n  b\n", "2:1: k: expected a value on one line" },
		{ "k:\n  b: c\n", "2:1: k: expected a value on one line" },
		{ "k:\n- b\n", "2:1: k: expected a value on one line" },
		{ "k: 'a'\n\n # c\n  b\n", "2:1: k: expected a value on one line" },
		{ "k: |\n  a\n- b\n", "2:1: k: expected a value on one line" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct frontmatter f = parsed(str_fmt(&a, "---\n%s---\n", cases[i].block));
		struct frontmatter_value v;
		struct err err;
		bool is_twice;

		CHECK_ROW(cases[i].block, frontmatter_get(&a, &f, "k", &v, &is_twice, &err) == -1);
		CHECK_STR(str_from(err.msg), cases[i].msg);
	}
}

TEST(frontmatter_reports_a_duplicate_key_and_the_line_of_the_first)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct frontmatter f = parsed(STR("\xEF\xBB\xBF# c\n---\na: 1\nb: 2\na: 3\n---\nb: 4\n"));
	struct frontmatter_value v;
	struct err err;
	bool is_twice;

	CHECK(frontmatter_get(&a, &f, "a", &v, &is_twice, &err) == 0 && is_twice && v.line == 3);
	CHECK_STR(v.value, "1");
	CHECK(frontmatter_get(&a, &f, "b", &v, &is_twice, &err) == 0 && !is_twice && v.line == 4);
	CHECK(frontmatter_get(&a, &f, "c", &v, &is_twice, &err) == 0 && !is_twice && !v.is_there &&
	      !v.value.s);
}

TEST(frontmatter_changes_touch_the_value_alone)
{
	static const struct {
		const char *before, *after; /* k set to 7 */
	} cases[] = {
		{ "---\nk: 6\n---\nk: 6\n", "---\nk: 7\n---\nk: 6\n" },
		{ "---\na: 1\nk:  6   # c\nb: 2\n---\n", "---\na: 1\nk:  7   # c\nb: 2\n---\n" },
		{ "---\r\nk: 6 \r\n---\r\nx", "---\r\nk: 7 \r\n---\r\nx" },
		{ "---\nk:\n---\n", "---\nk: 7\n---\n" },
		{ "---\nk:   # c\n---\n", "---\nk: 7   # c\n---\n" },
		{ "---\nk: \"6\" # c\n---\n", "---\nk: 7 # c\n---\n" },
		{ "---\nk: \"6\n  x\" # c\nb: 1\n---\n", "---\nk: 7 # c\nb: 1\n---\n" },
		{ "---\nk: | # c\n  a\n  b\n\nb: 1\n---\n", "---\nk: 7 # c\n\nb: 1\n---\n" },
		{ "---\nk: a\n  b\n  # c\nb: 1\n---\n", "---\nk: 7\n  # c\nb: 1\n---\n" },
		{ "---\nk: \"a\nb: 1\n---\n", "---\nk: 7\nb: 1\n---\n" },
		{ "---\nk: 1\nk: 2\n---\n", "---\nk: 7\nk: 2\n---\n" },
		{ "---\na: 1\n---\nk: 6", "---\na: 1\nk: 7\n---\nk: 6" },
		{ "---\r\na: 1\r\n---\r\n", "---\r\na: 1\r\nk: 7\r\n---\r\n" },
		{ "---\n---", "---\nk: 7\n---" },
		{ "\xEF\xBB\xBF# c\n---\nk: 6\n---\n", "\xEF\xBB\xBF# c\n---\nk: 7\n---\n" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct frontmatter f = parsed(str_from(cases[i].before));

		CHECK_STR(frontmatter_set(&a, &f, "k", STR("7")), cases[i].after);
	}
}

TEST(frontmatter_quoting_survives_any_text)
{
	static const struct {
		struct str in;
		const char *out;
	} cases[] = {
		{ STR(""), "\"\"" },
		{ STR("a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"" },
		{ STR("a\nb\r\tc"), "\"a\\nb\\r\\tc\"" },
		{ STR("\0\x1B\x7F"), "\"\\x00\\x1b\\x7f\"" },
		{ STR("\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF"), "\"\\x85\\u2028\\ufeff\"" },
		{ STR("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\"" },
		{ STR("\xFF"), "\"\xEF\xBF\xBD\"" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str quoted = yaml_quote(&a, cases[i].in);
		struct frontmatter f = parsed(STR("---\nk: |\n  x\n---\n"));
		struct frontmatter g = parsed(frontmatter_set(&a, &f, "k", quoted));
		struct frontmatter_value v;
		struct err err;
		bool is_twice;

		CHECK_STR(quoted, cases[i].out);
		CHECK(frontmatter_get(&a, &g, "k", &v, &is_twice, &err) == 0 && !v.is_null);
		CHECK(str_eq(v.value, utf8_clean(&a, cases[i].in)));
	}
}

TEST(frontmatter_keys_are_listed_and_their_values_read_as_yaml)
{
	static const struct str text = STR("---\n# c: 1\na: 1\n\"b\" :\n  - x: y\n\n# more\n- z\n"
					   "d: {e: [1,\n  2]\n}\n  f: 1\ng:\n---\nh: 1\n");
	CLEANUP(arena_free) struct arena a = { 0 };
	struct frontmatter f = parsed(text);
	struct buf keys = BUF(&a, SIZE_MAX);
	struct node node;
	struct err err;
	struct str key;

	for (size_t at = 0; frontmatter_next_key(&f, &at, &key);)
		buf_addf(&keys, STR_FMT " ", STR_ARG(key));
	CHECK_STR(buf_str(&keys), "a b d g ");
	CHECK(frontmatter_get_node(&a, &f, "a", &node, &err) == 0);
	CHECK(node.kind == NODE_INT && node.integer == 1 && node.line == 3 && node.column == 4);
	CHECK(frontmatter_get_node(&a, &f, "g", &node, &err) == 0 && node.kind == NODE_NULL);
	CHECK(frontmatter_get_node(&a, &f, "h", &node, &err) == 0 && node.kind == NODE_NULL);
	CHECK(frontmatter_get_node(&a, &f, "d", &node, &err) < 0);
	f = parsed(STR("---\na: 1\nd: {e: [1,\n  2]\n}\nb:\n- z\n---\n"));
	CHECK(frontmatter_get_node(&a, &f, "d", &node, &err) == 0);
	CHECK(node.kind == NODE_MAP && node.entries[0].value.items[1].line == 4);
	CHECK(frontmatter_get_node(&a, &f, "b", &node, &err) == 0);
	CHECK(node.kind == NODE_LIST && node.count == 1 && node.items[0].line == 7);
}
