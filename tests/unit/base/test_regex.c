/* SPDX-License-Identifier: MIT */
/* Regular expressions: what compiles and what is refused. */
#include "test.h"

#include "base/regex.h"

#include <string.h>

TEST(what_is_a_regular_expression_is_accepted)
{
	static const char *const good[] = {
		"sidebar|navigation", "(?i)database", "^fix$", "", "^\\w$", "\xC3\x84", "a.b", "(a|a)*b$c",
	};
	struct err err;

	for (size_t i = 0; i < COUNT_OF(good); i++)
		CHECK_ROW(good[i], regex_check(str_from(good[i]), &err) == 0);
	CHECK(regex_check(STR_NONE, &err) == 0);
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
		CHECK_ROW(bad[i].pattern, regex_check(str_from(bad[i].pattern), &err) < 0);
		if (!strstr(err.msg, bad[i].expected))
			fail_msg("%s: %s", bad[i].pattern, err.msg);
		CHECK_ROW(bad[i].pattern, err.code == ERR_SYNTAX);
	}
}

TEST(the_length_and_the_nesting_of_a_pattern_are_bounded)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t most = REGEX_PATTERN_LIMIT_BYTES, depth = REGEX_NESTING_LIMIT;
	char *text = arena_bytes(&a, most + 1);
	struct err err;

	memset(text, 'a', most + 1);
	CHECK(regex_check((struct str){ text, most }, &err) == 0);
	CHECK(regex_check((struct str){ text, most + 1 }, &err) < 0);
	CHECK(err.code == ERR_LIMIT);
	memset(text, '(', depth + 1);
	memset(text + depth + 1, ')', depth + 1);
	CHECK(regex_check((struct str){ text + 1, 2 * depth }, &err) == 0);
	CHECK(regex_check((struct str){ text, 2 * depth + 2 }, &err) < 0);
}
