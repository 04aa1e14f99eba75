/* SPDX-License-Identifier: MIT */
/* The pattern language: a row for each rule and for each example of its users. */
#include "test.h"

#include "base/glob.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *pattern, *text;
	bool is_match;
} matches[] = {
	/* both ends count, and case */
	{ "", "", true },
	{ "", "a", false },
	{ "a", "", false },
	{ "dist", "dist", true },
	{ "dist", "dist/a", false },
	{ "dist", "a/dist", false },
	{ "EXACT", "EXACT", true },
	{ "EXACT", "EXACTLY", false },
	{ "ULTRATHINK*", "ULTRATHINK help me build a complex feature", true },
	{ "ULTRATHINK*", "ULTRATHINK", true },
	{ "ULTRATHINK*", "ultrathink help me", false },
	{ "ULTRATHINK*", "Help me build a feature", false },
	{ "ULTRATHINK*", " ULTRATHINK", false },
	{ "ULTRATHINK*", "ULTRATHINK\nsecond line\n", true },
	{ "DEEPWORK*", "DEEPWORK on this task", true },
	{ "*DEEP_WORK*", "some DEEP_WORK now", true },
	{ "*DEEP_WORK*", "DEEP_WORK", true },
	{ "*DEEP_WORK*", "DEEP WORK", false },
	{ "/spectr:proposal", "/spectr:proposal", true },
	{ "/spectr:proposal", "/spectr:proposal x", false },
	/* ? takes one code point */
	{ "MODE? *", "MODE1 go", true },
	{ "MODE? *", "MODE go", false },
	{ "?", "", false },
	{ "?", "\xC3\xA4", true },
	{ "??", "\xC3\xA4", false },
	{ "?", "\xF0\x9F\x8E\x89", true },
	{ "?", "/", true },
	{ "?", "\n", true },
	{ "?", "\xFF", true },
	/* * takes any run: slashes, newlines and a leading dot too */
	{ "*", "", true },
	{ "*", "/a/.b\nc", true },
	{ "*.lock", "/abs/yarn.lock", true },
	{ "*.lock", ".lock", true },
	{ "*.lock", "yarn.lock.bak", false },
	{ "*.gz", "archive.tar.gz", true },
	{ ".*", ".cache", true },
	{ ".*", "cache", false },
	{ ".env*", ".env", true },
	{ ".env*", ".env.local", true },
	{ ".env*", "environment.txt", false },
	{ ".env*", "/abs/.env", false },
	{ "a*b*c", "aXbXbXc", true },
	{ "a*b*c", "aXbXbX", false },
	{ "*ab*c", "xababc", true },
	{ "*aab", "aaaab", true },
	{ "*aab", "aaaaba", false },
	{ "*end", "the end", true },
	{ "*end", "the end.", false },
	{ "code*", "coder", true },
	{ "code*", "main", false },
	/* classes */
	{ "MODE[ABC] *", "MODEB go", true },
	{ "MODE[ABC] *", "MODED go", false },
	{ "[a-c]", "b", true },
	{ "[a-c]", "d", false },
	{ "[a-c]", "-", false },
	{ "[c-a]", "b", false },
	{ "[c-a]", "c", false },
	{ "[!c-a]", "b", true },
	{ "[a-cx]", "x", true },
	{ "[!abc]", "d", true },
	{ "[!abc]", "a", false },
	{ "[!abc]", "", false },
	{ "[^a]", "^", true },
	{ "[^a]", "a", true },
	{ "[^a]", "b", false },
	{ "[a!]", "!", true },
	{ "[]]", "]", true },
	{ "[]a]", "a", true },
	{ "[!]]", "]", false },
	{ "[!]]", "a", true },
	{ "[!!]", "!", false },
	{ "[-a]", "-", true },
	{ "[-a]", "a", true },
	{ "[a-]", "-", true },
	{ "[a-]", "b", false },
	{ "[a-c-e]", "-", true },
	{ "[a-c-e]", "d", false },
	{ "[--0]", ".", true },
	{ "[\xC3\xA0-\xC3\xBF]", "\xC3\xA4", true },
	{ "[\xC3\xA0-\xC3\xBF]", "\xC3\x84", false },
	{ "[!a]", "/", true },
	{ "[*]", "*", true },
	{ "[*]", "a", false },
	{ "[[]", "[", true },
	{ "[?]x", "?x", true },
	{ "*[a-b]", "xxa", true },
	{ "*[a-b]", "xxc", false },
	/* ordinary characters */
	{ "{a,b}", "a", false },
	{ "{a,b}", "{a,b}", true },
	{ "\\*", "\\anything", true },
	{ "\\*", "*", false },
	{ "a]", "a]", true },
	{ "!a", "!a", true },
	/* ** matches complete components */
	{ "**", "", true },
	{ "**", "a/b", true },
	{ "src/**", "src/", true },
	{ "src/**", "src/a/b", true },
	{ "src/**", "src", false },
	{ "**/*.js", "a.js", true },
	{ "**/*.js", "/x/y/a.js", true },
	{ "**/*.js", "a.ts", false },
	{ "**/b", "b", true },
	{ "**/b", "a/b", true },
	{ "**/b", "ab", false },
	{ "**/b", "a/bb", false },
	{ "**/b", "a/x/b", true },
	{ "a/**/b", "a/b", true },
	{ "a/**/b", "a/x/y/b", true },
	{ "a/**/b", "a/xb", false },
	{ "a/**/b", "ab", false },
	{ "a/**/b*", "a/x/b/c", true },
	{ "**/a/**/b", "x/a/y/a/b", true },
	{ "**/a/**/b", "x/a/y/a/bc", false },
	{ "**/**", "a", true },
	{ "**/**/b", "x/b", true },
	{ "**/", "a", true },
	{ "a/**/", "a/b", true },
	{ "a/**/", "a", false },
	{ "a/**/*", "a/", true },
	{ "**/?", "ab", false },
	{ "src/**/*.ts", "src/a.ts", true },
	{ "src/**/*.ts", "src/a/b/c.ts", true },
	{ "src/**/*.ts", "lib/a.ts", false },
	{ "docs/**", "docs/a/b.md", true },
	{ "build/**", "build/a", true },
	{ "build/**", "build.js", false },
	{ "build/**", "prebuild/a", false },
	{ "build/**", "src/build/a", false },
	{ "*/**", "a/b", true },
	{ "*/**", "a", false },
};

TEST(a_glob_matches_the_complete_text_by_its_rules)
{
	char row[128];

	for (size_t i = 0; i < COUNT_OF(matches); i++) {
		(void)snprintf(row, sizeof(row), "'%s' on '%s'", matches[i].pattern, matches[i].text);
		CHECK_ROW(row, glob_match(str_from(matches[i].pattern), str_from(matches[i].text)) ==
				       matches[i].is_match);
	}
	CHECK(glob_match(STR_NONE, STR_NONE));
}

#define STARS "wildcards are either regular `*` or recursive `**`"
#define COMPONENT "recursive wildcards must form a single path component"
#define RANGE "invalid range pattern"

static const struct {
	const char *pattern;
	int position;
	const char *wrong;
} mistakes[] = {
	{ "***", 2, STARS },       { "a/****", 4, STARS },
	{ "a**", 0, COMPONENT },   { "ULTRATHINK**", 9, COMPONENT },
	{ "**a", 2, COMPONENT },   { "a/**b", 4, COMPONENT },
	{ "a**/b", 0, COMPONENT }, { "\xC3\xA4\xC3\xB6**", 1, COMPONENT },
	{ "[", 0, RANGE },         { "[invalid", 0, RANGE },
	{ "ab[", 2, RANGE },       { "[]", 0, RANGE },
	{ "[!", 0, RANGE },        { "[!]", 0, RANGE },
	{ "[!]abc", 0, RANGE },    { "[]abc", 0, RANGE },
	{ "\xC3\xA4[", 1, RANGE },
};

TEST(a_malformed_glob_is_an_error_with_its_position_and_matches_nothing)
{
	for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
		struct str pattern = str_from(mistakes[i].pattern);
		char expected[128];
		struct err err;

		(void)snprintf(expected, sizeof(expected), "Pattern syntax error near position %d: %s",
			       mistakes[i].position, mistakes[i].wrong);
		CHECK_ROW(mistakes[i].pattern, glob_check(pattern, &err) == -1);
		assert_string_equal(err.msg, expected);
		CHECK_ROW(mistakes[i].pattern, err.code == ERR_SYNTAX);
		CHECK_ROW(mistakes[i].pattern, !glob_match(pattern, pattern));
	}
}

TEST(every_glob_of_the_match_table_is_well_formed)
{
	struct err err;

	for (size_t i = 0; i < COUNT_OF(matches); i++)
		CHECK_ROW(matches[i].pattern, glob_check(str_from(matches[i].pattern), &err) == 0);
}

TEST(many_stars_take_no_longer_than_pattern_times_text)
{
	static char text[10000], pattern[2000];

	memset(text, 'a', sizeof(text));
	CHECK(!glob_match(STR("*a*a*a*a*b"), (struct str){ text, sizeof(text) }));
	CHECK(glob_match(STR("*a*a*a*a*"), (struct str){ text, sizeof(text) }));
	CHECK(!glob_match(STR("**/a*a*a/**/*b*a*a*b"), (struct str){ text, sizeof(text) }));
	for (size_t i = 0; i < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[sizeof(pattern) - 1] = 'b';
	CHECK(!glob_match((struct str){ pattern, sizeof(pattern) }, (struct str){ text, sizeof(text) }));
	memset(text, '/', sizeof(text));
	CHECK(!glob_match(STR("**/a/**/a/**/b"), (struct str){ text, sizeof(text) }));
}

TEST(wildcards_are_the_three_characters_that_begin_one)
{
	CHECK(glob_has_wildcard(STR("a*")));
	CHECK(glob_has_wildcard(STR("a?b")));
	CHECK(glob_has_wildcard(STR("[a]")));
	CHECK(!glob_has_wildcard(STR("/spectr:proposal]")));
	CHECK(!glob_has_wildcard(STR_NONE));
}

TEST(the_shortest_match_has_one_character_for_each_token_but_stars)
{
	CHECK(glob_min_length(STR("")) == 0);
	CHECK(glob_min_length(STR("*")) == 0);
	CHECK(glob_min_length(STR("a?[xyz][!a-z]\xC3\xA4")) == 5);
	CHECK(glob_min_length(STR("*a*b*")) == 2);
	CHECK(glob_min_length(STR("a/**/b")) == 3);
	CHECK(glob_min_length(STR("a[")) == 0);
}
