/* SPDX-License-Identifier: MIT */
/* Failures that the state remembers: what is added to the logs, and what stays when tasks have ended. */
#include "test.h"

#include "base/buf.h"
#include "gates/remembered.h"

#include <inttypes.h>

static const struct check_gate lint = { .name = STR("lint") };
static const struct review_gate quality = { .name = STR("lint") }; /* a name that a check has, too */
static const struct job check = {
	.kind = GATE_CHECK, .check = &lint, .dir = STR("src"), .file_part = STR("check_src_lint")
};
static const struct job review = { .kind = GATE_REVIEW,
				   .review = &quality,
				   .entry_point = STR("src"),
				   .file_part = STR("review_src_lint") };
static struct failed_job old[] = {
	{ STR("check_src_lint"), STR("lint"), STR("src"), 0, 1 },
	{ STR("check_lib_lint"), STR("lint"), STR("lib"), 0, 1 },
	{ STR("review_src_lint"), STR("lint"), STR("src"), 1, 1 },
	{ STR("review_src_lint"), STR("lint"), STR("src"), 2, 1 },
};

/* "part@slot.run " of each. */
static struct str
told(struct arena *a, const struct execution_state *s)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < s->failed_count; i++)
		buf_addf(&b, STR_FMT "@%" PRId64 ".%" PRId64 " ", STR_ARG(s->failed[i].part),
			 s->failed[i].slot, s->failed[i].run);
	return str_copy(a, buf_str(&b));
}

#define CHECK_LOG .job = &check, .result.log_path = STR("logs/check_src_lint.2.log")
#define SLOT_LOG(slot) .job = &review, .result.log_path = STR("logs/review_src_lint_claude@" slot ".2.log")
#define OLD_LIB "check_lib_lint@0.1 "
#define OLD_SLOTS "review_src_lint@1.1 review_src_lint@2.1 "

TEST(what_has_failed_is_remembered_until_that_very_gate_has_passed)
{
	static const struct {
		const char *name;
		struct task tasks[2];
		size_t count;
		bool is_whole;
		const char *left;
	} rows[] = {
		{ "nothing was run", { { 0 } }, 0, true, "check_src_lint@0.1 " OLD_LIB OLD_SLOTS },
		{ "the check has passed",
		  { { CHECK_LOG, .result.outcome = OUTCOME_PASS } },
		  1,
		  true,
		  OLD_LIB OLD_SLOTS },
		{ "the check has failed again",
		  { { CHECK_LOG, .result.outcome = OUTCOME_FAIL } },
		  1,
		  true,
		  "check_src_lint@0.2 " OLD_LIB OLD_SLOTS },
		{ "the check could not be run",
		  { { CHECK_LOG, .result.outcome = OUTCOME_ERROR } },
		  1,
		  true,
		  "check_src_lint@0.1 " OLD_LIB OLD_SLOTS },
		{ "the check was not begun",
		  { { CHECK_LOG, .result.outcome = OUTCOME_SKIPPED } },
		  1,
		  true,
		  "check_src_lint@0.1 " OLD_LIB OLD_SLOTS },
		{ "one slot has passed",
		  { { SLOT_LOG("2"), .result.outcome = OUTCOME_PASS } },
		  1,
		  true,
		  "check_src_lint@0.1 " OLD_LIB "review_src_lint@1.1 " },
		{ "one has passed, one has failed",
		  { { SLOT_LOG("1"), .result.outcome = OUTCOME_PASS },
		    { SLOT_LOG("2"), .result.outcome = OUTCOME_FAIL } },
		  2,
		  true,
		  "review_src_lint@2.2 check_src_lint@0.1 " OLD_LIB },
		{ "there was nothing to review",
		  { { .job = &review, .result.outcome = OUTCOME_PASS } },
		  1,
		  true,
		  "check_src_lint@0.1 " OLD_LIB },
		{ "there was nothing to review in a part of the change",
		  { { .job = &review, .result.outcome = OUTCOME_PASS } },
		  1,
		  false,
		  "check_src_lint@0.1 " OLD_LIB OLD_SLOTS },
		{ "in a part of the change a slot has passed",
		  { { SLOT_LOG("1"), .result.outcome = OUTCOME_PASS } },
		  1,
		  false,
		  "check_src_lint@0.1 " OLD_LIB "review_src_lint@2.1 " },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct execution_state s = { .failed = old, .failed_count = COUNT_OF(old) };

		remembered_update(&a, rows[i].tasks, rows[i].count, rows[i].is_whole, &s);
		CHECK_ROW(rows[i].name, str_is(told(&a, &s), rows[i].left));
	}
}

TEST(a_failure_that_the_logs_tell_of_is_not_added_to_them)
{
#define ORIGIN(n, p) .name = STR(n), .place = STR(p)
	static const struct {
		const char *name;
		struct past_result past;
		bool is_added;
	} rows[] = {
		{ "it failed", { .file_part = STR("check_src_lint"), ORIGIN("lint", "src") }, false },
		{ "under another file name",
		  { .file_part = STR("check_src_lint_2"), ORIGIN("lint", "src") },
		  false },
		{ "its log does not say what it is of", { .file_part = STR("check_src_lint") }, false },
		{ "another place", { .file_part = STR("check_src_lint"), ORIGIN("lint", "lib") }, true },
		{ "another gate", { .file_part = STR("check_src_lint"), ORIGIN("test", "src") }, true },
		{ "a slot", { .file_part = STR("check_src_lint"), ORIGIN("lint", "src"), .slot = 1 }, true },
		{ "it passed",
		  { .file_part = STR("check_src_lint"), ORIGIN("lint", "src"), .is_pass = true },
		  true },
		{ "it could not be run", { .file_part = STR("check_src_lint"), .is_error = true }, true },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct execution_state s = { .failed = old, .failed_count = 1 }, none = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct past_result items[] = { rows[i].past };
		struct past_results past = { .items = items, .count = 1 };

		remembered_add(&a, &s, &past);
		CHECK_ROW(rows[i].name, past.count == (rows[i].is_added ? 2 : 1));
		CHECK_ROW(rows[i].name, !past.items[0].is_lost);
		if (!rows[i].is_added)
			continue;
		CHECK_ROW(rows[i].name, past.items[1].is_lost && past_is_failure(&past.items[1]) &&
						past.items[1].run == 1 && str_is(past.items[1].place, "src"));
	}
	struct past_results past = { 0 };

	remembered_add(&a, &none, &past);
	CHECK(past.count == 0);
	remembered_add(&a, &s, &past);
	CHECK(past.count == 1 && past.items[0].is_lost);
}
