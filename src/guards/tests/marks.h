/* SPDX-License-Identifier: MIT */
/* Where a test file has tests, assertions, skipped tests and the like, by the words of its framework. Comments and strings do not
 * count. Pure; accepts any bytes. Inside guards/tests only. */
#ifndef GUARDS_TESTS_MARKS_H
#define GUARDS_TESTS_MARKS_H

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
	return is_letter(c) || is_digit(c) || c == '_';
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

/* A word begins where no name goes on. ^ in front: it is the first on its line. ~: anywhere. !: the line itself, comments included,
 * begins with it. * stands for the rest of a name. A word that ends in a letter is a whole name. */
struct words {
	unsigned kinds;
	const char *texts; /* separated by bars */
};

#define BLOCK_COMMENTS 1U /* as in C */
#define TRIPLE_QUOTES 2U
#define LIFETIMES 4U
#define INLINE_TESTS 8U /* among other code */
struct language {
	const char *extensions;
	unsigned flags;
	const char *line_comments; /* separated by blanks */
	const char *quotes;        /* strings end with their line... */
	const char *long_quotes;   /* ...except these */
	const struct words *words;
	size_t word_count;
};

extern const struct language test_languages[];
extern const size_t test_language_count;

/* The language of a file, by its name; NULL: none whose frameworks are known. */
const struct language *language_of(struct str path);
/* Does the path look like that of a test? */
bool is_test_path(struct str path);
/* The language, if the file may have tests: the path looks so, or the language may have tests among other code; else NULL. */
const struct language *language_of_tests(struct str path);

/* Assertions that can't fail, such as assert(true), are not among them. */
struct marks marks_of(struct arena *a, const struct language *l, struct str path, struct str text);

#endif
