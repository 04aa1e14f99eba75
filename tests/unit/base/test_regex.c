/* SPDX-License-Identifier: MIT */
/* Regular expressions: what Rust's regex crate accepts and what it refuses. */
#include "test.h"

#include "base/buf.h"
#include "base/regex.h"

#include <string.h>

TEST(a_pattern_that_the_regex_crate_accepts_passes)
{
	static const char *const good[] = {
		"sidebar|navigation",
		"(?i)database",
		"^fix$",
		"",
		"^\\w$",
		"\xC3\x84",
		"a.b",
		"(a|a)*b$c",
		"a**",
		"a{2}{3,}?",
		"a{2,3}",
		"()",
		"a||b",
		"]",
		"}",
		"[]a]",
		"[^]a]",
		"[a-]",
		"[-a]",
		"[a[bc]]",
		"[[:alpha:]]",
		"[a-z&&[^b]]",
		"[\\n-\\r]",
		"\\x41\\x{41}",
		"\\pL\\p{Greek}",
		"\\b{start}a",
		"\\/\\-\\ ",
		"(?P<n>a)",
		"(?<n>a)",
		"(?-i:a)",
		"(?x) a # (no group",
		"\\Aa\\z",
		"[\\d\\-x]",
		"(?s-i)a",
		"a(?i)b",
		"[a--b]",
	};
	struct err err;

	for (size_t i = 0; i < COUNT_OF(good); i++)
		CHECK_ROW(good[i], regex_check(str_from(good[i]), &err) == 0);
	CHECK(regex_check(STR_NONE, &err) == 0);
	CHECK(regex_check(STR("a\0b"), &err) == 0);
}

TEST(a_pattern_that_the_regex_crate_refuses_is_an_error_with_its_offset)
{
	static const struct {
		const char *pattern, *expected;
	} bad[] = {
		{ "[invalid", "unclosed character class at offset 0" },
		{ "a[b[c]", "unclosed character class at offset 1" },
		{ "[]", "unclosed character class at offset 0" },
		{ "x[a-", "unclosed character class at offset 1" },
		{ "a(b", "unclosed group at offset 3" },
		{ "a)b", "unopened group at offset 1" },
		{ "*a", "repetition operator missing expression at offset 0" },
		{ "a|?", "repetition operator missing expression at offset 2" },
		{ "(?i)+", "repetition operator missing expression at offset 4" },
		{ "(?)", "repetition operator missing expression at offset 0" },
		{ "a{", "repetition quantifier expects a valid decimal at offset 1" },
		{ "a{,3}", "repetition quantifier expects a valid decimal at offset 1" },
		{ "a{4294967296}", "repetition quantifier expects a valid decimal at offset 1" },
		{ "a{2", "unclosed counted repetition at offset 1" },
		{ "a{3,2}", "invalid repetition count range, the start must be <= the end at offset 1" },
		{ "(?=a)",
		  "look-around, including look-ahead and look-behind, is not supported at offset 0" },
		{ "a(?!b)",
		  "look-around, including look-ahead and look-behind, is not supported at offset 1" },
		{ "(?<=a)b",
		  "look-around, including look-ahead and look-behind, is not supported at offset 0" },
		{ "(?<!a)b",
		  "look-around, including look-ahead and look-behind, is not supported at offset 0" },
		{ "(a)\\1", "backreferences are not supported at offset 3" },
		{ "\\C", "unrecognized escape sequence at offset 0" },
		{ "\\Z", "unrecognized escape sequence at offset 0" },
		{ "a\\", "incomplete escape sequence, reached end of pattern prematurely at offset 1" },
		{ "\\p{Greek", "incomplete escape sequence, reached end of pattern prematurely at offset 0" },
		{ "[\\b]", "invalid escape sequence found in character class at offset 1" },
		{ "[z-a]", "invalid character class range, the start must be <= the end at offset 1" },
		{ "[a-\\d]", "invalid range boundary, must be a literal at offset 1" },
		{ "(?<n", "unclosed capture group name at offset 0" },
		{ "(?q)", "unrecognized flag at offset 2" },
		{ "(?i", "unclosed group at offset 3" },
	};
	struct err err;

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		CHECK_ROW(bad[i].pattern, regex_check(str_from(bad[i].pattern), &err) < 0);
		if (strcmp(err.msg, bad[i].expected) != 0)
			fail_msg("%s: %s", bad[i].pattern, err.msg);
		CHECK_ROW(bad[i].pattern, err.code == ERR_SYNTAX);
	}
}

TEST(a_pattern_may_be_as_deep_and_long_as_the_file)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t depth = CONFIG_LIMIT_BYTES / 2;
	char *text = arena_bytes(&a, 2 * depth);
	struct err err;

	memset(text, '(', depth);
	memset(text + depth, ')', depth);
	CHECK(regex_check((struct str){ text, 2 * depth }, &err) == 0);
	memset(text, '[', depth);
	CHECK(regex_check((struct str){ text, 2 * depth }, &err) < 0);
}

TEST(a_pattern_matches_anywhere_in_the_text_as_in_the_regex_crate)
{
	static const struct {
		const char *pattern, *text;
		bool ignores_case, matches;
	} rows[] = {
		{ "sidebar|navigation", "the navigation bar", false, true },
		{ "sidebar|navigation", "the Navigation bar", false, false },
		{ "sidebar|navigation", "the Navigation bar", true, true },
		{ "(?i)database", "DATABASE", false, true },
		{ "(?i:d)ata", "Data", false, true },
		{ "(?i:d)ata", "DATA", false, false },
		{ "^fix", "please fix", false, false },
		{ "(?m)^fix", "please\nfix", false, true },
		{ "fix$", "to fix", false, true },
		{ "fix$", "fix it", false, false },
		{ "", "", false, true },
		{ "a.c", "a\nc", false, false },
		{ "(?s)a.c", "a\nc", false, true },
		{ "a.c",
		  "a\xC3\xA4"
		  "c",
		  false, true },
		{ "\\btest\\b", "a test.", false, true },
		{ "\\btest\\b", "attests", false, false },
		{ "\\Best", "test", false, true },
		{ "\\d{3,4}", "ab12c", false, false },
		{ "\\d{3,4}", "ab123c", false, true },
		{ "^\\d{2}$", "123", false, false },
		{ "^(ab){2,}$", "ababab", false, true },
		{ "^a?b*c+$", "ccc", false, true },
		{ "^a?b*c+$", "ab", false, false },
		{ "[a-c]x", "bx", false, true },
		{ "[^a-c]x", "bx", false, false },
		{ "[]x]+z", "]z", false, true },
		{ "[\\d_-]+$", "a-1_", false, true },
		{ "[[:alpha:]]+\\s[[:digit:]]", "v 1", false, true },
		{ "\\x41\\u{42}", "AB", false, true },
		{ "(?x) a b # comment\n c", "abc", false, true },
		{ "(?P<name>a)|b", "b", false, true },
		{ "\\pL+", "\xC3\xA4", false, true },
		{ "\xC3\x84", "\xC3\xA4", true, true },
		{ "\\Aa\\z", "a", false, true },
		{ "(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false, false },
		{ "(", "(", false, false },
		{ "a{4000}{4000}", "a", false, false },
		/* a repetition of a repetition, which PCRE2 would take as possessive or refuse */
		{ "^a++a$", "aa", false, true },
		{ "^(?:a|b)*+b$", "ab", false, true },
		{ "^a**$", "aaa", false, true },
		{ "^a{2}{2}$", "aaaa", false, true },
		{ "^a{2}{2}$", "aaa", false, false },
		{ "\\b+a", "a", false, true },
		{ "(?R)a", "a", false, true },
		{ "(?-u)a", "a", false, true },
		{ "a\\vb", "a\vb", false, true },
		{ "a\\vb", "a\nb", false, false },
		/* sets of Unicode, and those that are ASCII in the crate, too */
		{ "^\\w+$", "\xC3\x84\xE5\xAD\x97", false, true },
		{ "^\\d$", "\xD9\xA3", false, true },
		{ "[[:alpha:]]", "\xC3\x84", false, false },
		{ "[[:^alpha:]]", "\xC3\x84", false, true },
		{ "^[^[:punct:]]$", "-", false, false },
		{ "\\p{Greek}", "\xCE\xB1", false, true },
		{ "\\p{Letter}\\p{Number}", "a1", false, true },
		{ "\\p{Lu}", "a", false, false },
		{ "\\p{Lu}", "a", true, true },
		{ "\\<test", "a test", false, true },
		{ "\\btest\\b{end}", "a tests", false, false },
		{ "\\<", ".", false, false },
		/* of the flag x: up to the end of its group, and in sets, too */
		{ "^(?x: a b )#c$", "ab#c", false, true },
		{ "(?x)^[ a ]$", " ", false, false },
		{ "(?m)^$", "a\n", false, true },
		{ "a$", "a\n", false, false },
		{ "[a-z&&[^b]]", "a", false, false },
		{ "\xFF", "\xFF", false, true },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(rows[i].pattern, regex_match(&a, str_from(rows[i].pattern), str_from(rows[i].text),
						       rows[i].ignores_case) == rows[i].matches);
	arena_free(&a);
}

/* Text and patterns at which an engine that tries one way after the other does not come to an end. */
TEST(every_match_ends_in_time)
{
	static const char *const patterns[] = {
		"(x+x+)+y", "(x|x)*y",           "((.*)*)(.*)*y",     "\\w+y",          "(((x*)*)*)*y",
		"(.*.*)*y", "\\w+\\w+\\w+\\w+y", "(x|xx|xxx|xxxx)*y", "(x?){20}x{20}y", "(?i)(x+x+)+Y",
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t n = REGEX_TEXT_BYTES;
	char *text = arena_bytes(&a, n + 1);

	for (size_t i = 0; i < COUNT_OF(patterns); i++) {
		memset(text, 'x', n + 1);
		CHECK_ROW(patterns[i],
			  !regex_match(&a, str_from(patterns[i]), (struct str){ text, n }, false));
		text[n - 1] = 'y';
		CHECK_ROW(patterns[i],
			  regex_match(&a, str_from(patterns[i]), (struct str){ text, n }, false));
		/* only the beginning is searched */
		text[n - 1] = 'x';
		text[n] = 'y';
		CHECK_ROW(patterns[i],
			  !regex_match(&a, str_from(patterns[i]), (struct str){ text, n + 1 }, false));
	}
}

TEST(a_pattern_with_too_many_states_does_not_match)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t n = REGEX_TEXT_BYTES;
	char *text = arena_bytes(&a, n);

	memset(text, 'x', n);
	text[n - 1] = 'y';
	CHECK(regex_match(&a, STR("^(x{1,100}){1,100}y"), str_from("xxxxy"), false));
	CHECK(!regex_match(&a, STR("(x{1,100}){1,100}y"), (struct str){ text, n }, false));
	CHECK(!regex_match(&a, STR("((x{1,99}){1,99}){1,99}y"), (struct str){ text, n }, false));
	/* more groups in each other than are translated; a pattern that is too long */
	struct buf deep = BUF(&a, SIZE_MAX), wide = BUF(&a, SIZE_MAX);

	for (int i = 0; i < 101; i++)
		buf_add(&deep, STR("(x"));
	for (int i = 0; i < 101; i++)
		buf_add(&deep, STR(")?"));
	CHECK(!regex_match(&a, buf_str(&deep), STR("x"), false));
	CHECK(regex_match(&a, str_sub(buf_str(&deep), 2, deep.n - 2), STR("x"), false));
	for (int i = 0; i < 40000; i++)
		buf_add(&wide, STR("x|"));
	CHECK(!regex_match(&a, buf_str(&wide), STR("x"), false));
	CHECK(regex_match(&a, str_sub(buf_str(&wide), 0, 2001), STR("x"), false));
}
