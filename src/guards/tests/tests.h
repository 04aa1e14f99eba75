/* SPDX-License-Identifier: MIT */
/* Honest tests: does a change make the tests, or the gates that run them, weaker? Pure: from the files before and after it to
 * findings. Moves and renames are no loss, and an assertion may be replaced by another. */
#ifndef GUARDS_TESTS_TESTS_H
#define GUARDS_TESTS_TESTS_H

#include "base/base.h"

struct file_change {
	struct str path;          /* relative to the root */
	struct str before, after; /* absent: there was, or is, no such file */
};

struct test_finding {
	struct str file;
	int64_t line;    /* in the new file; 0: the file as a whole */
	bool is_before;  /* the line is that of the old file */
	struct str text; /* what happened, in a sentence without a full stop */
};
struct test_findings {
	struct arena *arena;
	struct test_finding *items;
	size_t count;
};

/* May a change of this file be a finding, so that its content must be known? */
bool tests_concern(struct str path);
/* In the order of the files, then of their lines. */
struct test_findings tests_compare(struct arena *a, const struct file_change *changes, size_t count);

/* The text of a test file with a test in it that fails, in the words of its framework: what a gate that runs the tests must notice; or
 * one of the same form that passes. Its syntax stays right, and its name has the number. Absent: the path is not that of a test, or no
 * test can be planted. */
struct str planted_test(struct arena *a, struct str path, struct str text, size_t number, bool fails);
/* What the one of this number says when it fails. */
struct str planted_words(struct arena *a, size_t number);

/* ---- inside guards/tests only ---- */

/* settings.c: what a change does to coverage thresholds, scripts, CI and holdfast.yml. */
bool settings_concern(struct str path);
void settings_compare(const struct file_change *changes, size_t count, struct test_findings *ret);

/* The lines of a text, without blanks at their ends. */
struct strset lines_of_text(struct arena *a, struct str text);

/* Adds one, valid until the next one. */
struct test_finding *test_finding_add(struct test_findings *all, struct str file, int64_t line,
				      struct str text);

#endif
