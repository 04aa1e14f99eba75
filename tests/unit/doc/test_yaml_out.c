/* SPDX-License-Identifier: MIT */
/* YAML out: how strings are quoted, and that what is written is read back as it was. */
#include "test.h"

#include "base/utf8.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "doc/yaml_out.h"

static const struct {
	struct str in;
	const char *out;
} strings[] = {
	{ STR("postgres:16"), "postgres:16" },
	{ STR("a/b_c-d.e"), "a/b_c-d.e" },
	{ STR("/usr"), "/usr" },
	{ STR(""), "\"\"" },
	{ STR("16"), "\"16\"" },
	{ STR(".inf"), "\".inf\"" },
	{ STR("-a"), "\"-a\"" },
	{ STR("a:"), "\"a:\"" },
	{ STR("a b"), "\"a b\"" },
	{ STR("a#b"), "\"a#b\"" },
	{ STR("true"), "\"true\"" },
	{ STR("No"), "\"No\"" },
	{ STR("ON"), "\"ON\"" },
	{ STR("y"), "\"y\"" },
	{ STR("null"), "\"null\"" },
	{ STR("nulls"), "nulls" },
	{ STR("nul"), "nul" },
	{ STR("~"), "\"~\"" },
	{ STR("*a"), "\"*a\"" },
	{ STR("a\nb\t\"c\\"), "\"a\\nb\\t\\\"c\\\\\"" },
	{ STR("\x1b\x7f\xC2\x85"), "\"\\x1b\\x7f\\x85\"" },
	{ STR("\xC3\xA4"), "\"\xC3\xA4\"" },
	{ STR("\xE2\x80\xA8\xEF\xBB\xBF"), "\"\\u2028\\ufeff\"" },
	{ STR("\xF0\x9F\x8E\x89"), "\"\xF0\x9F\x8E\x89\"" },
	{ STR("a\xFF"), "\"a\xEF\xBF\xBD\"" },
};

TEST(a_yaml_string_is_quoted_where_it_could_be_taken_for_something_else)
{
	for (size_t i = 0; i < COUNT_OF(strings); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf b = BUF(&a, KIB(1));
		struct node node;
		struct err err;

		yaml_add_string(&b, strings[i].in);
		CHECK_STR(buf_str(&b), strings[i].out);
		CHECK_ROW(strings[i].out, yaml_parse(&a, buf_str(&b), &node, &err) == 0);
		CHECK_ROW(strings[i].out, node.kind == NODE_STRING);
		CHECK_ROW(strings[i].out, str_eq(node.text, utf8_clean(&a, strings[i].in)));
	}
}

static const char *const trees[] = {
	"{\"a\":1,\"b\":[1,\"x y\",{\"c\":null,\"d\":[]}],\"e\":{},\"f\":true,\"g\":[[1,2],[3]]}",
	"{\"pg\":{\"image\":\"postgres:16\",\"ports\":[\"5432:5432\"],\"env\":{\"P W\":\"1\"},\"n\":-5}}",
	"[]",
	"{}",
	"\"text\"",
	"[{\"a\":{\"b\":\"c\"}}]",
};

TEST(a_tree_is_read_back_as_it_was_written)
{
	for (size_t i = 0; i < COUNT_OF(trees); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf yaml = BUF(&a, KIB(4)), json = BUF(&a, KIB(4));
		struct node node, back;
		struct err err;

		CHECK_ROW(trees[i], json_parse(&a, str_from(trees[i]), &node, &err) == 0);
		buf_add(&yaml, STR("key:"));
		yaml_add_value(&yaml, &node, 2);
		CHECK_ROW(trees[i], yaml_parse(&a, buf_str(&yaml), &back, &err) == 0);
		json_add_node(&json, node_get(&back, "key"));
		CHECK_STR(buf_str(&json), trees[i]);
	}
}

TEST(a_tree_is_written_as_indented_lines)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, KIB(4));
	struct node node;
	struct err err;

	assert_int_equal(yaml_parse(&a,
				    STR("pg: {image: postgres:16, ports: [1, .inf], x: {}, w: 1.50, z: }"),
				    &node, &err),
			 0);
	yaml_add_value(&b, &node, 4);
	CHECK_STR(buf_str(&b), "\n"
			       "    pg:\n"
			       "      image: postgres:16\n"
			       "      ports:\n"
			       "        - 1\n"
			       "        - .inf\n"
			       "      x: {}\n"
			       "      w: 1.50\n"
			       "      z: null\n");
}
