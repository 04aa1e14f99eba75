/* SPDX-License-Identifier: MIT */
/* Where a test file has tests, assertions, skipped tests and the like, by the words of its framework. Comments and strings do not
 * count. Pure; accepts any bytes. Inside guards/ only. */
#ifndef GUARDS_TEST_MARKS_H
#define GUARDS_TEST_MARKS_H

#include "base/base.h"

enum mark_kind {
	MARK_TEST = 1,
	MARK_SKIP = 2,
	MARK_EXPECTED_FAILURE = 4,
	MARK_FOCUS = 8,
	MARK_ASSERTION = 16,
	MARK_TABLE = 32,          /* a test that runs for each row of a table */
	MARK_EXPECTED_ERROR = 64, /* a test that passes when the code fails: usual in a new test only */
};

static inline bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct mark {
	unsigned kinds;
	int64_t line;      /* from 1 */
	struct str text;   /* the line, without blanks at its ends */
	struct str beside; /* the first string on the line, else the next line: what the mark is about */
	struct str test;   /* the text of the test that it is in; absent: none */
	bool is_matched;   /* tests.c's own */
};

struct marks {
	struct mark *items;
	size_t count;
};

/* The language of a file, by its name; NULL: none whose frameworks are known. */
struct language;
const struct language *language_of(struct str path);
/* Does the path look like that of a test, or may the language have tests among other code? */
bool is_test_path(struct str path);
bool language_has_inline_tests(const struct language *l);

/* Assertions that can't fail, such as assert(true), are not among them. */
struct marks marks_of(struct arena *a, const struct language *l, struct str path, struct str text);
/* The text with blanks in place of comments and strings; newlines stay. */
struct str code_of(struct arena *a, const struct language *l, struct str text);

#endif
