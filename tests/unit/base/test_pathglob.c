/* SPDX-License-Identifier: MIT */
/* The gates' path patterns: a row for each rule, and for each way to go wrong. */
#include "test.h"

#include "base/pathglob.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *pattern, *path;
	bool is_match;
} matches[] = {
	/* the complete path, byte for byte */
	{ "", "", true },
	{ "", "a", false },
	{ "a", "", false },
	{ "src/a.c", "src/a.c", true },
	{ "src/a.c", "src/a.cc", false },
	{ "src/a.c", "x/src/a.c", false },
	{ "src/A.c", "src/a.c", false },
	{ "src", "src/a.c", false },
	{ "src/a.c", "./src/a.c", false },
	{ "./src/a.c", "src/a.c", false },
	{ "./src/a.c", "./src/a.c", true },
	/* * stays within a component, dots are nothing special */
	{ "*", "a", true },
	{ "*", ".env", true },
	{ "*", "", true },
	{ "*", "a/b", false },
	{ "*.md", "a.md", true },
	{ "*.md", ".md", true },
	{ "*.md", "a.md.bak", false },
	{ "*.md", "docs/a.md", false },
	{ "src/*", "src/a", true },
	{ "src/*", "src/", true },
	{ "src/*", "src", false },
	{ "src/*", "src/a/b", false },
	{ "src/*/*.c", "src/x/a.c", true },
	{ "src/*/*.c", "src/a.c", false },
	{ "a*b*c", "aXbXbXc", true },
	{ "a*b*c", "aXbXbX", false },
	{ "a*/c", "ab/c", true },
	{ "a*/c", "ab/x/c", false },
	{ "*a/*a", "xa/xaxa", true },
	{ "*a/*a", "xa/xaxb", false },
	{ "openspec/changes/*/tasks.md", "openspec/changes/one/tasks.md", true },
	{ "openspec/changes/*/tasks.md", "openspec/changes/one/two/tasks.md", false },
	{ "openspec/changes/*/tasks.md", "openspec/changes/tasks.md", false },
	/* ? is one character and no slash */
	{ "?", "a", true },
	{ "?", "", false },
	{ "?", "ab", false },
	{ "?", "/", false },
	{ "?", "\xC3\xA4", true },
	{ "??", "\xC3\xA4", false },
	{ "?", "\xF0\x9F\x8E\x89", true },
	{ "?", "\xFF", true },
	{ "a?c", "a/c", false },
	{ "*\xC3", "\xC3\xA4", false },
	/* ** as a component */
	{ "**", "a", true },
	{ "**", "a/b/.c", true },
	{ "**/x", "x", true },
	{ "**/x", "a/x", true },
	{ "**/x", "a/b/x", true },
	{ "**/x", "ax", false },
	{ "**/x", "a/x/b", false },
	{ "**/*.md", "README.md", true },
	{ "**/*.md", "docs/a/b.md", true },
	{ "**/*.md", "docs/a/b.mdx", false },
	{ "**/*.lock", "a/.lock", true },
	{ "src/**", "src/a", true },
	{ "src/**", "src/a/b", true },
	{ "src/**", "src", false },
	{ "src/**", "src/", false },
	{ "src/**", "srcs/a", false },
	{ "src/**/*.ts", "src/a.ts", true },
	{ "src/**/*.ts", "src/a/b/c.ts", true },
	{ "src/**/*.ts", "lib/a.ts", false },
	{ "a/**/b", "a/b", true },
	{ "a/**/b", "a/x/y/b", true },
	{ "a/**/b", "a/xb", false },
	{ "a/**/b", "ab", false },
	{ "**/test/**", "packages/b/test/x.ts", true },
	{ "**/test/**", "test/x.ts", true },
	{ "**/test/**", "packages/b/test", false },
	{ "**/test/**", "packages/b/tests/x", false },
	{ "**/a/**/b", "x/a/y/a/b", true },
	{ "**/a/**/b", "x/a/y/a/bc", false },
	{ "**/a*c/d", "abc/abd/axc/d", true },
	{ "**/**/b", "x/b", true },
	{ "**/**", "a", true },
	/* ** as a part of one */
	{ "a/**b", "a/xb", true },
	{ "a/**b", "a/b", true },
	{ "a/**b", "a/x/b", false },
	{ "a**", "ab", true },
	{ "a**", "ab/c", false },
	{ "a**/b", "ax/b", true },
	{ "a**/b", "ax/y/b", false },
	{ "***", "ab", true },
	{ "***", "a/b", false },
	/* classes */
	{ "[abc]", "b", true },
	{ "[abc]", "d", false },
	{ "[abc]", "", false },
	{ "[a-c]x", "bx", true },
	{ "[a-c]", "-", false },
	{ "[c-a]", "b", false },
	{ "[!a]", "b", true },
	{ "[!a]", "a", false },
	{ "[^a]", "b", true },
	{ "[^a]", "a", false },
	{ "[a^]", "^", true },
	{ "[!a]", "/", false },
	{ "[/]", "/", false },
	{ "a[.-0]b", "a/b", false },
	{ "[]]", "]", true },
	{ "[]a]", "a", true },
	{ "[!]]", "]", false },
	{ "[!]]", "a", true },
	{ "[a-]", "-", true },
	{ "[-a]", "-", true },
	{ "[\\]]", "]", true },
	{ "[\\]]", "\\", false },
	{ "[a\\-c]", "b", false },
	{ "[a\\-c]", "-", true },
	{ "[\xC3\xA0-\xC3\xBF]", "\xC3\xA4", true },
	{ "[\xC3\xA0-\xC3\xBF]", "\xC3\x84", false },
	{ "[*]", "*", true },
	{ "[*]", "a", false },
	{ "[{]", "{", true },
	{ "a]", "a]", true },
	/* braces */
	{ "{a,b}", "a", true },
	{ "{a,b}", "b", true },
	{ "{a,b}", "c", false },
	{ "{a,b}", "{a,b}", false },
	{ "*.{js,ts}", "x.ts", true },
	{ "*.{js,ts}", "x.css", false },
	{ "{a,b/c}/d", "b/c/d", true },
	{ "{a,b/c}/d", "b/d", false },
	{ "{a,b{c,d}}e", "bde", true },
	{ "{a,b{c,d}}e", "ae", true },
	{ "{a,b{c,d}}e", "bcde", false },
	{ "{src,lib}/**/*.{c,h}", "lib/x/y.h", true },
	{ "{src,lib}/**/*.{c,h}", "test/x/y.h", false },
	{ "{**/,}x", "a/b/x", true },
	{ "{**/,}x", "x", true },
	{ "a{,b}", "a", true },
	{ "a{,b}", "ab", true },
	{ "a{}b", "ab", true },
	{ "{a}", "a", true },
	{ "{a,}", "", true },
	{ "{a\\,b,c}", "a,b", true },
	{ "{a\\,b,c}", "b", false },
	{ "{[,],x}", ",", true },
	{ "{[},],x}", "}", true },
	{ "{[},],x}", "x", true },
	{ "a,b", "a,b", true },
	{ "a}", "a}", true },
	{ "{a,b}}", "a}", true },
	/* what a backslash takes the meaning from */
	{ "\\*", "*", true },
	{ "\\*", "a", false },
	{ "\\?", "?", true },
	{ "\\[a]", "[a]", true },
	{ "\\{a,b}", "{a,b}", true },
	{ "\\{a,b}", "a", false },
	{ "\\!a", "!a", true },
	{ "\\\\", "\\", true },
	{ "a\\", "a\\", true },
	{ "a\\", "a", false },
	{ "\\a", "a", true },
	{ "\\\xC3\xA4", "\xC3\xA4", true },
	/* negated */
	{ "!a", "a", false },
	{ "!a", "b", true },
	{ "!*.md", "a.md", false },
	{ "!*.md", "d/a.md", true },
	{ "!!a", "a", true },
	{ "!!a", "b", false },
	{ "!", "", false },
	{ "!", "a", true },
	{ "a!", "a!", true },
	{ "{!a,b}", "!a", true },
	/* not well formed: nothing, negated or not */
	{ "[", "[", false },
	{ "[", "a", false },
	{ "a[bc", "a[bc", false },
	{ "[]", "[]", false },
	{ "[]", "]", false },
	{ "[!]", "a", false },
	{ "[a\\]", "a", false },
	{ "{", "{", false },
	{ "{a,b", "a", false },
	{ "a{b,{c}", "ab", false },
	{ "{a,[}", "a", false },
	{ "![", "a", false },
	{ "!{a", "b", false },
};

/* scenario: G13-20 */
TEST(a_path_pattern_matches_the_complete_path_by_its_rules)
{
	char row[128];

	for (size_t i = 0; i < COUNT_OF(matches); i++) {
		(void)snprintf(row, sizeof(row), "'%s' on '%s'", matches[i].pattern, matches[i].path);
		CHECK_ROW(row, pathglob_match(str_from(matches[i].pattern), str_from(matches[i].path)) ==
				       matches[i].is_match);
	}
	CHECK(pathglob_match(STR_NONE, STR_NONE));
}

static bool
compiled_match(struct str pattern, struct str path)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct pathglob g = pathglob_compile(&a, pattern);

	return pathglob_matches(&g, path);
}

TEST(a_compiled_pattern_matches_the_same_paths)
{
	char row[256];

	for (size_t i = 0; i < COUNT_OF(matches); i++)
		for (size_t k = 0; k < COUNT_OF(matches); k++) {
			struct str pattern = str_from(matches[i].pattern), path = str_from(matches[k].path);

			(void)snprintf(row, sizeof(row), "'%s' on '%s'", pattern.s, path.s);
			CHECK_ROW(row, compiled_match(pattern, path) == pathglob_match(pattern, path));
		}
	CHECK(compiled_match(STR_NONE, STR_NONE));
}

/* In both forms. */
static bool
both_match(struct str pattern, struct str path)
{
	bool is_match = pathglob_match(pattern, path);

	CHECK(compiled_match(pattern, path) == is_match);
	return is_match;
}

/* The piece so often one after the other, then the end. */
static struct str
repeated(struct arena *a, const char *piece, size_t count, const char *end)
{
	size_t n = strlen(piece), end_n = strlen(end);
	char *s = arena_bytes(a, n * count + end_n);

	for (size_t i = 0; i < count; i++)
		memcpy(s + i * n, piece, n);
	memcpy(s + n * count, end, end_n);
	return (struct str){ s, n * count + end_n };
}

TEST(as_many_braces_as_are_allowed_are_gone_through_and_one_more_matches_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str path = repeated(&a, "a", 17, "");

	CHECK(both_match(repeated(&a, "{a,b}", 16, "a"), path));
	CHECK(!both_match(repeated(&a, "{a,b}", 17, ""), path));
	CHECK(!both_match(repeated(&a, "!{a,b}", 1, ""), STR("a")));
	CHECK(!both_match(str_fmt(&a, "!" STR_FMT, STR_ARG(repeated(&a, "{a,b}", 17, ""))), STR("x")));
}

TEST(a_pattern_may_be_as_long_as_the_limit_and_no_longer)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str path = repeated(&a, "a", PATHGLOB_BYTES + 1, "");

	CHECK(both_match(str_sub(path, 0, PATHGLOB_BYTES), str_sub(path, 0, PATHGLOB_BYTES)));
	CHECK(!both_match(path, path));
	CHECK(!both_match(str_fmt(&a, "!" STR_FMT, STR_ARG(path)), STR("b")));
}

TEST(every_path_pattern_ends_in_time)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = repeated(&a, "a", 4000, ""), slashes = repeated(&a, "a/", 2000, "");

	CHECK(!both_match(STR("*a*a*a*a*b"), text));
	CHECK(both_match(STR("*a*a*a*a*"), text));
	CHECK(!both_match(repeated(&a, "*a", 1000, "b"), text));
	CHECK(!both_match(STR("**/a/**/a/**/b"), slashes));
	/* four times itself, sixteen times over */
	CHECK(!both_match(repeated(&a, "{a,b,c,d}", 16, "x"), text));
	CHECK(!both_match(repeated(&a, "!{a,b,c,d}", 1, "x"), STR("bx")));
	CHECK(!both_match(str_fmt(&a, "!" STR_FMT, STR_ARG(repeated(&a, "{a,b,c,d}", 16, "x"))), text));
}

TEST(a_path_pattern_is_known_by_four_characters)
{
	CHECK(pathglob_is_pattern(STR("a*")));
	CHECK(pathglob_is_pattern(STR("a?b")));
	CHECK(pathglob_is_pattern(STR("[a]")));
	CHECK(pathglob_is_pattern(STR("{a,b}")));
	CHECK(!pathglob_is_pattern(STR("!a/b]}.c,\\")));
	CHECK(!pathglob_is_pattern(STR_NONE));
}
