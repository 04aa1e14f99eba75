/* SPDX-License-Identifier: MIT */
/* The formats that holdfast knows, a row for each: the marks by which it is recognised, and what becomes of its lines. Holds
 * no logic. An output can have several formats, as that of `make` that compiles and then tests; each of them is applied. */
#include "output/formats.h"

#define RULES(list) .rules = (list), .rule_count = COUNT_OF(list)
#define MARKS(list) .marks = (list), .mark_count = COUNT_OF(list)
/* What is asked of a line, what becomes of it, and the texts of which it has one. */
#define ON(test_, action_, ...)                                                          \
	{                                                                                \
		.test = LINE_##test_, .action = LINE_##action_, .texts = { __VA_ARGS__ } \
	}
/* It has one of the other texts too. */
#define ON_BOTH(test_, action_, text_, ...)                                                                 \
	{                                                                                                   \
		.test = LINE_##test_, .action = LINE_##action_, .texts = { text_ }, .also = { __VA_ARGS__ } \
	}
#define MARK(test_, ...) ON(test_, DROP, __VA_ARGS__)

/* A todo test may fail. What follows is YAML (node:test, tap) or comments (bats, perl). */
static const struct line_rule tap_marks[] = { MARK(WORD, "not ok ") };
static const struct line_rule tap[] = {
	ON_BOTH(WORD, END, "not ok ", "# TODO", "# todo", "# SKIP"),
	ON(WORD, BEGIN, "not ok "),
	/* a test that failed because of its subtests, which are shown */
	ON(WORD, CANCEL, "failureType: 'subtestsFailed'"),
	ON(WORD, END, "ok ", "# Subtest", "# tests ", "1..", "..."),
	ON(WORD, DROP, "---", "duration_ms:", "failureType:", "code:", "name:", "operator:", "error: |",
	   "stack: |"),
	ON(FOREIGN, DROP),
};

static const struct line_rule junit_marks[] = { MARK(HAS, "<testcase") };

/* Each failure has a line of underscores with its name; E and the place are in it, before captured output. */
static const struct line_rule pytest_marks[] = { ON_BOTH(STARTS, DROP, "=====", " short test summary info ",
							 " FAILURES ", " ERRORS ") };
static const struct line_rule pytest[] = {
	ON(STARTS, END, "====", "----"),
	ON(STARTS, BEGIN, "____"),
	ON(STARTS, SHOW, "E  "),
	ON(FOREIGN, DROP),
	ON(PLACE, SHOW),
	ON(STARTS, FALLBACK, "FAILED ", "ERROR "),
};

static const struct line_rule python_marks[] = { MARK(STARTS, "Traceback (most recent call last):") };
static const struct line_rule python[] = {
	ON(STARTS, END, "====", "Ran "),
	ON(STARTS, BEGIN, "FAIL: ", "ERROR: "),
	ON(STARTS, OPEN, "Traceback (most"),
	ON(STARTS, DROP, "----"),
	ON(FOREIGN, DROP),
	ON(WORD, SHOW, "File \""),
	ON(INDENTED, DROP),
};

static const struct line_rule cargo_marks[] = {
	MARK(STARTS, "error[E", "error: could not compile", "test result: FAILED"),
	ON_BOTH(STARTS, DROP, "thread '", " panicked at "),
};
static const struct line_rule cargo[] = {
	ON(STARTS, END, "error: could not compile", "error: test failed", "error: aborting due to", "warning",
	   "help", "stack backtrace:", "note:", "----", "failures:", "Some errors have"),
	ON(STARTS, BEGIN, "error: ", "error["),
	ON_BOTH(STARTS, BEGIN, "thread '", " panicked at "),
	ON(STARTS, ALONE, "Error: "),
	ON_BOTH(STARTS, FALLBACK, "test ", " ... FAILED"),
	ON(FOREIGN, DROP),
	ON(WORD, DROP, "= ", "::: "),
	ON(FRAME, DROP),
};

/* With -v the lines of a test are before its result. */
static const struct line_rule go_marks[] = {
	MARK(WORD, "--- FAIL: "),
	MARK(STARTS, "FAIL\t", "vet: "),
};
static const struct line_rule go[] = {
	ON(WORD, BEGIN, "--- FAIL: "),
	ON(STARTS, HOLD, "=== "),
	ON(WORD, END, "--- "),
	ON(STARTS, BEGIN, "panic: "),
	ON_BOTH(STARTS, FALLBACK, "FAIL\t", " [build failed]"),
	ON(STARTS, END, "FAIL", "PASS"),
	ON(STARTS, ALONE, "vet: "),
	ON(FOREIGN, DROP),
	ON(PLACE, ALONE),
	ON(WORD, DROP, "panic: "),
	ON(INDENTED, SHOW),
};

static const struct line_rule jest_marks[] = { MARK(STARTS, "Test Suites: ") };
static const struct line_rule jest[] = {
	ON(WORD, DROP, "● Console"),
	ON(WORD, BEGIN, "● "),
	ON(STARTS, END, "Summary of all failing", "Test Suites: ", "FAIL ", "PASS "),
	ON(FRAME, DROP),
	ON(FOREIGN, DROP),
	ON(WORD, SHOW, "at "),
	/* what is the same on both sides of a comparison */
	ON(STARTS, DROP, "      "),
};

static const struct line_rule vitest_marks[] = { ON_BOTH(HAS, DROP, "⎯⎯", " Failed Tests ",
							 " Failed Suites ") };
static const struct line_rule vitest[] = {
	ON(HAS, END, "⎯⎯⎯"),
	ON(STARTS, BEGIN, " FAIL "),
	ON(FRAME, DROP),
	ON(FOREIGN, DROP),
	ON(WORD, DROP, "- Expected", "+ Received"),
};

/* All failures are shown again at the end, with their places. */
static const struct line_rule node_marks[] = { MARK(STARTS, "✖ failing tests:") };
static const struct line_rule node[] = {
	ON(STARTS, BEGIN, "test at "),
	ON_BOTH(WORD, CANCEL, "✖", "# TODO"),
	ON(WORD, END, "generatedMessage:", "code: 'ERR_"),
	ON(FOREIGN, DROP),
};

static const struct line_rule compiler[] = {
	ON_BOTH(PLACE, ALONE, NULL, " error: "),
	ON(HAS, ALONE, "undefined reference to", "multiple definition of"),
	ON(WORD, ALONE, "fatal error: "),
	ON_BOTH(HAS, ALONE, ": Assertion `", "' failed."),
};

static const struct line_rule tsc[] = {
	ON(HAS, ALONE, "): error TS", " - error TS"),
	ON(STARTS, ALONE, "error TS"),
};

static const struct line_rule eslint[] = { ON_BOTH(ITEM, JOIN, NULL, " error ") };

/* ruff and flake8; ruff writes the place below since 0.12.10. */
static const struct line_rule ruff_marks[] = {
	MARK(CODED),
	ON_BOTH(STARTS, DROP, "Found ", " error"),
};
static const struct line_rule ruff[] = {
	ON(CODED, ALONE),
	ON(CODE, BEGIN),
	ON(WORD, SHOW, "--> "),
	ON(STARTS, END, "help:"),
};

const struct output_format output_formats[] = {
	{ "TAP", MARKS(tap_marks), RULES(tap), .shows_rest = true },
	{ "JUnit XML", MARKS(junit_marks), .pick = junit_pick },
	{ "pytest", MARKS(pytest_marks), RULES(pytest) },
	{ "Python", MARKS(python_marks), RULES(python), .shows_rest = true, .is_deepest_last = true },
	{ "cargo", MARKS(cargo_marks), RULES(cargo), .shows_rest = true },
	{ "go", MARKS(go_marks), RULES(go) },
	{ "jest", MARKS(jest_marks), RULES(jest), .shows_rest = true },
	{ "vitest", MARKS(vitest_marks), RULES(vitest), .shows_rest = true },
	{ "node:test", MARKS(node_marks), RULES(node), .from = "✖ failing tests:", .shows_rest = true },
	{ "compiler", MARKS(compiler), RULES(compiler) },
	{ "tsc", MARKS(tsc), RULES(tsc) },
	{ "eslint", MARKS(eslint), RULES(eslint) },
	{ "ruff", MARKS(ruff_marks), RULES(ruff) },
};
const size_t output_format_count = COUNT_OF(output_formats);
