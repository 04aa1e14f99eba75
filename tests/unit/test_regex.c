/* SPDX-License-Identifier: MIT */
/* Regular expressions: what compiles, what matches, what is refused. */
#include "test.h"

#include "base/regex.h"

#include <string.h>

static const struct {
	const char *pattern, *text;
	bool ignore_case, is_match;
} cases[] = {
	{ "sidebar|navigation", "fix the navigation", false, true },
	{ "sidebar|navigation", "fix the footer", false, false },
	{ "(?i)database", "The DataBase", false, true },
	{ "database", "The DataBase", false, false },
	{ "database", "The DataBase", true, true },
	{ "^fix", "please fix", false, false },
	{ "^fix$", "fix", false, true },
	{ "", "", false, true },
	{ "", "x", false, true },
	{ "^.$", "\xC3\xA4", false, true },
	{ "^\\w$", "\xC3\xA4", false, true },
	{ "\xC3\x84", "\xC3\xA4", true, true },
	{ "b",
	  "a\xFF"
	  "b",
	  false, true },
	{ "a.b",
	  "a\xFF"
	  "b",
	  false, false },
};

TEST(a_regular_expression_is_looked_for_anywhere)
{
	struct err err;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		bool is_match = !cases[i].is_match;

		CHECK_ROW(cases[i].pattern,
			  regex_check(str_from(cases[i].pattern), cases[i].ignore_case, &err) == 0);
		CHECK_ROW(cases[i].pattern, regex_match(str_from(cases[i].pattern), cases[i].ignore_case,
							str_from(cases[i].text), &is_match, &err) == 0);
		CHECK_ROW(cases[i].pattern, is_match == cases[i].is_match);
	}
}

TEST(an_absent_text_is_an_empty_one)
{
	struct err err;
	bool is_match;

	CHECK(regex_match(STR_NONE, false, STR_NONE, &is_match, &err) == 0 && is_match);
	CHECK(regex_match(STR("x"), false, STR_NONE, &is_match, &err) == 0 && !is_match);
}

TEST(a_bad_regular_expression_is_refused_with_its_offset)
{
	static const struct {
		const char *pattern, *expected;
	} bad[] = {
		{ "[invalid", "missing terminating ] for character class at offset 8" },
		{ "a(b", "missing closing parenthesis at offset 3" },
		{ "*a", "quantifier does not follow a repeatable item at offset 0" },
		{ "\\C", "using \\C is disabled by the application at offset 2" },
		{ "a\xFF", "UTF-8 error" },
	};
	struct err err;

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		bool is_match = true;

		CHECK_ROW(bad[i].pattern, regex_check(str_from(bad[i].pattern), false, &err) < 0);
		if (!strstr(err.msg, bad[i].expected))
			fail_msg("%s: %s", bad[i].pattern, err.msg);
		CHECK_ROW(bad[i].pattern, err.code == ERR_SYNTAX);
		CHECK_ROW(bad[i].pattern,
			  regex_match(str_from(bad[i].pattern), false, STR("x"), &is_match, &err) < 0);
		CHECK_ROW(bad[i].pattern, is_match);
	}
}

TEST(a_pattern_that_would_take_for_ever_is_given_up)
{
	char text[64];
	struct err err;
	bool is_match = true;

	memset(text, 'a', sizeof(text));
	CHECK(regex_match(STR("(a|a)*(a|a)*(a|a)*b$c"), false, (struct str){ text, sizeof(text) }, &is_match,
			  &err) == 0);
	CHECK(!is_match);
	is_match = true;
	CHECK(regex_match(STR("^(a+)+[^a]?$(?<!a)"), false, (struct str){ text, sizeof(text) }, &is_match,
			  &err) < 0);
	CHECK(err.code == ERR_LIMIT);
	CHECK(is_match);
}

TEST(the_length_and_the_nesting_of_a_pattern_are_bounded)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t most = REGEX_PATTERN_LIMIT_BYTES, depth = REGEX_NESTING_LIMIT;
	char *text = arena_bytes(&a, most + 1);
	struct err err;

	memset(text, 'a', most + 1);
	CHECK(regex_check((struct str){ text, most }, false, &err) == 0);
	CHECK(regex_check((struct str){ text, most + 1 }, false, &err) < 0);
	CHECK(err.code == ERR_LIMIT);
	memset(text, '(', depth + 1);
	memset(text + depth + 1, ')', depth + 1);
	CHECK(regex_check((struct str){ text + 1, 2 * depth }, false, &err) == 0);
	CHECK(regex_check((struct str){ text, 2 * depth + 2 }, false, &err) < 0);
}
