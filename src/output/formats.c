/* SPDX-License-Identifier: MIT */
/* The formats that holdfast knows, a row for each: the marks by which it is recognised, and what becomes of its lines. Holds
 * no logic. An output can have several formats, as that of `make` that compiles and then tests; each of them is applied. */
#include "output/formats.h"

#define RULES(list) .rules = (list), .rule_count = COUNT_OF(list)
#define MARKS(list) .marks = (list), .mark_count = COUNT_OF(list)
#define ON(test_, text_, action_) ON_BOTH(test_, text_, NULL, action_)
/* The line has another text too. */
#define ON_BOTH(test_, text_, also_, action_)                                                    \
	{                                                                                        \
		.test = LINE_##test_, .text = (text_), .also = (also_), .action = LINE_##action_ \
	}
#define MARK(test_, text_) ON(test_, text_, DROP)

/* A todo test may fail. What follows is YAML (node:test, tap) or comments (bats, perl). */
static const struct line_rule tap_marks[] = { MARK(WORD, "not ok ") };
static const struct line_rule tap[] = {
	ON_BOTH(WORD, "not ok ", "# TODO", END),
	ON_BOTH(WORD, "not ok ", "# todo", END),
	ON_BOTH(WORD, "not ok ", "# SKIP", END),
	ON(WORD, "not ok ", BEGIN),
	/* a test that failed because of its subtests, which are shown */
	ON(WORD, "failureType: 'subtestsFailed'", CANCEL),
	ON(WORD, "ok ", END),
	ON(WORD, "# Subtest", END),
	ON(WORD, "# tests ", END),
	ON(WORD, "1..", END),
	ON(WORD, "...", END),
	ON(WORD, "---", DROP),
	ON(WORD, "duration_ms:", DROP),
	ON(WORD, "failureType:", DROP),
	ON(WORD, "code:", DROP),
	ON(WORD, "name:", DROP),
	ON(WORD, "operator:", DROP),
	ON(WORD, "error: |", DROP),
	ON(WORD, "stack: |", DROP),
	ON(FOREIGN, NULL, DROP),
};

static const struct line_rule junit_marks[] = { MARK(HAS, "<testcase") };

/* Each failure has a line of underscores with its name; E and the place are in it, before captured output. */
static const struct line_rule pytest_marks[] = {
	ON_BOTH(STARTS, "=====", " short test summary info ", DROP),
	ON_BOTH(STARTS, "=====", " FAILURES ", DROP),
	ON_BOTH(STARTS, "=====", " ERRORS ", DROP),
};
static const struct line_rule pytest[] = {
	ON(STARTS, "====", END),         ON(STARTS, "----", END),        ON(STARTS, "____", BEGIN),
	ON(STARTS, "E  ", SHOW),         ON(FOREIGN, NULL, DROP),        ON(PLACE, NULL, SHOW),
	ON(STARTS, "FAILED ", FALLBACK), ON(STARTS, "ERROR ", FALLBACK),
};

static const struct line_rule python_marks[] = { MARK(STARTS, "Traceback (most recent call last):") };
static const struct line_rule python[] = {
	ON(STARTS, "====", END),      ON(STARTS, "FAIL: ", BEGIN),
	ON(STARTS, "ERROR: ", BEGIN), ON(STARTS, "Traceback (most", OPEN),
	ON(STARTS, "Ran ", END),      ON(STARTS, "----", DROP),
	ON(FOREIGN, NULL, DROP),      ON(WORD, "File \"", SHOW),
	ON(INDENTED, NULL, DROP),
};

static const struct line_rule cargo_marks[] = {
	MARK(STARTS, "error[E"),
	MARK(STARTS, "error: could not compile"),
	MARK(STARTS, "test result: FAILED"),
	ON_BOTH(STARTS, "thread '", " panicked at ", DROP),
};
static const struct line_rule cargo[] = {
	ON(STARTS, "error: could not compile", END),
	ON(STARTS, "error: test failed", END),
	ON(STARTS, "error: aborting due to", END),
	ON(STARTS, "error: ", BEGIN),
	ON(STARTS, "error[", BEGIN),
	ON(STARTS, "warning", END),
	ON(STARTS, "help", END),
	ON_BOTH(STARTS, "thread '", " panicked at ", BEGIN),
	ON(STARTS, "Error: ", ALONE),
	ON(STARTS, "stack backtrace:", END),
	ON(STARTS, "note:", END),
	ON(STARTS, "----", END),
	ON(STARTS, "failures:", END),
	ON(STARTS, "Some errors have", END),
	ON_BOTH(STARTS, "test ", " ... FAILED", FALLBACK),
	ON(FOREIGN, NULL, DROP),
	ON(WORD, "= ", DROP),
	ON(WORD, "::: ", DROP),
	ON(FRAME, NULL, DROP),
};

/* With -v the lines of a test are before its result. */
static const struct line_rule go_marks[] = {
	MARK(WORD, "--- FAIL: "),
	MARK(STARTS, "FAIL\t"),
	MARK(STARTS, "vet: "),
};
static const struct line_rule go[] = {
	ON(WORD, "--- FAIL: ", BEGIN),
	ON(STARTS, "=== ", HOLD),
	ON(WORD, "--- ", END),
	ON(STARTS, "panic: ", BEGIN),
	ON_BOTH(STARTS, "FAIL\t", " [build failed]", FALLBACK),
	ON(STARTS, "FAIL", END),
	ON(STARTS, "PASS", END),
	ON(STARTS, "vet: ", ALONE),
	ON(FOREIGN, NULL, DROP),
	ON(PLACE, NULL, ALONE),
	ON(WORD, "panic: ", DROP),
	ON(INDENTED, NULL, SHOW),
};

static const struct line_rule jest_marks[] = { MARK(STARTS, "Test Suites: ") };
static const struct line_rule jest[] = {
	ON(WORD, "● Console", DROP),
	ON(STARTS, "Summary of all failing", END),
	ON(WORD, "● ", BEGIN),
	ON(STARTS, "Test Suites: ", END),
	ON(STARTS, "FAIL ", END),
	ON(STARTS, "PASS ", END),
	ON(FRAME, NULL, DROP),
	ON(FOREIGN, NULL, DROP),
	ON(WORD, "at ", SHOW),
	/* what is the same on both sides of a comparison */
	ON(STARTS, "      ", DROP),
};

static const struct line_rule vitest_marks[] = {
	ON_BOTH(HAS, " Failed Tests ", "⎯⎯", DROP),
	ON_BOTH(HAS, " Failed Suites ", "⎯⎯", DROP),
};
static const struct line_rule vitest[] = {
	ON(HAS, "⎯⎯⎯", END),     ON(STARTS, " FAIL ", BEGIN),  ON(FRAME, NULL, DROP),
	ON(FOREIGN, NULL, DROP), ON(WORD, "- Expected", DROP), ON(WORD, "+ Received", DROP),
};

/* All failures are shown again at the end, with their places. */
static const struct line_rule node_marks[] = { MARK(STARTS, "✖ failing tests:") };
static const struct line_rule node[] = {
	ON(STARTS, "test at ", BEGIN),
	ON_BOTH(WORD, "✖", "# TODO", CANCEL),
	ON(WORD, "generatedMessage:", END),
	ON(WORD, "code: 'ERR_", END),
	ON(FOREIGN, NULL, DROP),
};

static const struct line_rule compiler[] = {
	ON_BOTH(PLACE, NULL, " error: ", ALONE),  ON_BOTH(PLACE, NULL, " fatal error: ", ALONE),
	ON(HAS, "undefined reference to", ALONE), ON(HAS, "multiple definition of", ALONE),
	ON(WORD, "fatal error: ", ALONE),         ON_BOTH(HAS, ": Assertion `", "' failed.", ALONE),
};

static const struct line_rule tsc[] = {
	ON(HAS, "): error TS", ALONE),
	ON(HAS, " - error TS", ALONE),
	ON(STARTS, "error TS", ALONE),
};

static const struct line_rule eslint[] = { ON_BOTH(ITEM, NULL, " error ", JOIN) };

/* ruff and flake8; ruff writes the place below since 0.12.10. */
static const struct line_rule ruff_marks[] = {
	MARK(CODED, NULL),
	ON_BOTH(STARTS, "Found ", " error", DROP),
};
static const struct line_rule ruff[] = {
	ON(CODED, NULL, ALONE),
	ON(CODE, NULL, BEGIN),
	ON(WORD, "--> ", SHOW),
	ON(STARTS, "help:", END),
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
