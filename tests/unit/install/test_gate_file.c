/* SPDX-License-Identifier: MIT */
/* holdfast.yml as init and add write it. */
#include "test.h"

#include "base/buf.h"
#include "doc/yaml.h"
#include "install/gate_file.h"

static const struct gate_entry plain = { .name = STR("test"), .command = STR("make test") };

TEST(a_gate_is_added_in_place)
{
	static const struct {
		const char *before, *after; /* after NULL: it fails */
	} rows[] = {
		{ "", "gates:\n  test: make test\n" },
		{ "# mine\n", "# mine\ngates:\n  test: make test\n" },
		{ "tries: 5", "tries: 5\ngates:\n  test: make test\n" },
		{ "gates:\n", "gates:\n  test: make test\n" },
		{ "gates: # all\ntries: 5\n", "gates: # all\n  test: make test\ntries: 5\n" },
		{ "gates: {}\n", "gates: {test: {run: \"make test\"}}\n" },
		{ "gates: {a: b}\n", "gates: {a: b, test: {run: \"make test\"}}\n" },
		{ "gates:\n    a: b # first\n\n# tries\ntries: 5\n",
		  "gates:\n    a: b # first\n    test: make test\n\n# tries\ntries: 5\n" },
		{ "gates:\n  a:\n    run: |\n      one\n      two\ntries: 2\n",
		  "gates:\n  a:\n    run: |\n      one\n      two\n  test: make test\ntries: 2\n" },
		{ "gates:\n  a:\n    run: x\n    files: [y]\n",
		  "gates:\n  a:\n    run: x\n    files: [y]\n  test: make test\n" },
		{ "gates:\n  a: b", "gates:\n  a: b\n  test: make test\n" },
		{ "gates:\n  test: other\n", NULL },
		{ "gates: [a]\n", NULL },
		{ "gates: none\n", NULL },
		{ "- a\n", NULL },
		{ "gates: {\n", NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str text = STR_NONE;
		struct err err;
		int result = gate_file_add(&a, str_from(rows[i].before), &plain, &text, &err);

		CHECK_ROW(rows[i].before, (result == 0) == (rows[i].after != NULL));
		if (rows[i].after && !str_is(text, rows[i].after))
			fail_msg("%s: is now\n" STR_FMT, rows[i].before, STR_ARG(text));
	}
}

TEST(a_new_file_has_the_gates_and_the_line_for_editors)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str patterns[] = { STR("*.c"), STR("!old/**") };
	const struct gate_entry gates[] = {
		plain,
		{ .name = STR("my lint"),
		  .command = STR("lint: all # now"),
		  .files = { patterns, 2 },
		  .dir = STR("packages/*") },
	};
	struct node n;
	struct err err;
	struct str text = gate_file_new(&a, gates, COUNT_OF(gates), false);

	CHECK_STR(text,
		  "# yaml-language-server: $schema=.holdfast/schema.json\n"
		  "# What must pass before a coding agent may stop. 'man holdfast-config' has all keys.\n"
		  "gates:\n"
		  "  test: make test\n"
		  "  \"my lint\":\n"
		  "    run: \"lint: all # now\"\n"
		  "    files: [\"*.c\", \"!old/**\"]\n"
		  "    in: packages/*\n");
	CHECK(yaml_parse(&a, text, &n, &err) == 0);
	text = gate_file_new(&a, gates, 0, true);
	CHECK(yaml_parse(&a, text, &n, &err) == 0 && n.count == 1 && node_get(&n, "guards"));
	text = gate_file_new(&a, gates, 1, true);
	CHECK(yaml_parse(&a, text, &n, &err) == 0 && n.count == 2);
}

TEST(guards_are_added_at_the_end_and_every_byte_before_them_stays)
{
	static const struct {
		const char *before;
		bool is_possible;
	} rows[] = {
		{ "", true },
		{ "# mine\n", true },
		{ "tries: 5", true },
		{ "gates:\n", true },
		{ "gates:\n  a: |\n    one\n\n", true },
		{ "{tries: 5}\n", false },
		{ "tries: 5\n...\n", false },
		{ "- a\n", false },
		{ "tries: {\n", false },
		{ "guards: {}\n", false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str text;
		struct err err;
		int result = gate_file_add_guards(&a, str_from(rows[i].before), &text, &err);

		CHECK_ROW(rows[i].before, (result == 0) == rows[i].is_possible);
		CHECK_ROW(rows[i].before, result < 0 || str_starts(text, str_from(rows[i].before)));
	}
}
