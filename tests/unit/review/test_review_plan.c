/* SPDX-License-Identifier: MIT */
/* The decisions about reviews, row by row: what each slot does, and what an answer means. */
#include "test.h"

#include "base/buf.h"
#include "review/review_plan.h"

#include <string.h>

/* Slots as letters: u(nknown), p(assed), f(ailed), a(ll skipped), b(roken). Steps: A(sk), N(othing), S(kip), K(eep),
 * W(ith warnings accepted). */
static struct slot_facts
slot_of(char letter)
{
	switch (letter) {
	case 'p':
		return (struct slot_facts){ SLOT_PASSED, 0 };
	case 'f':
		return (struct slot_facts){ SLOT_FAILED, 2 };
	case 'a':
		return (struct slot_facts){ SLOT_FAILED, 0 };
	case 'b':
		return (struct slot_facts){ SLOT_BROKEN, 1 };
	default:
		return (struct slot_facts){ SLOT_UNKNOWN, 0 };
	}
}

/* scenario: G13-37 */
TEST(each_slot_of_a_review_does_what_its_past_and_the_changes_ask_for)
{
	static const struct {
		const char *slots;
		bool is_changed, is_empty;
		const char *steps;
		bool is_latched;
	} rows[] = {
		{ "u", true, false, "A", false },     { "u", true, true, "N", false },
		{ "p", true, false, "A", false },     { "p", false, true, "N", false },
		{ "f", true, false, "A", false },     { "f", false, true, "K", false },
		{ "f", false, false, "K", false },    { "f", true, true, "K", false },
		{ "a", true, false, "A", false },     { "a", false, true, "W", false },
		{ "a", true, true, "W", false },      { "b", true, false, "K", false },
		{ "b", false, true, "K", false },     { "uu", true, false, "AA", false },
		{ "uu", true, true, "NN", false },    { "pu", true, false, "SA", false },
		{ "pf", true, false, "SA", false },   { "pf", false, true, "SK", false },
		{ "fp", true, false, "AS", false },   { "pa", false, true, "SW", false },
		{ "pb", true, false, "SK", false },   { "pp", true, false, "AS", true },
		{ "pp", false, true, "NN", false },   { "ppp", true, false, "ASS", true },
		{ "ppf", true, false, "SSA", false }, { "", true, false, "", false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct slot_facts slots[4];
		enum slot_step steps[4];
		struct review_situation now = { rows[i].is_changed, rows[i].is_empty };
		size_t count = strlen(rows[i].slots);
		bool is_latched;

		for (size_t k = 0; k < count; k++)
			slots[k] = slot_of(rows[i].slots[k]);
		review_plan(slots, count, &now, steps, &is_latched);
		for (size_t k = 0; k < count; k++)
			CHECK_ROW(rows[i].slots, "ANSKW"[steps[k]] == rows[i].steps[k]);
		CHECK_ROW(rows[i].slots, is_latched == rows[i].is_latched);
	}
}

/* ---- answers ---- */

#define V(file_, line_, issue_, priority_, status_)                                            \
	{                                                                                      \
		.file = { file_, sizeof(file_) - 1 }, .issue = { issue_, sizeof(issue_) - 1 }, \
		.priority = { priority_, sizeof(priority_) - 1 }, .line = (line_),             \
		.status = { status_, sizeof(status_) - 1 },                                    \
	}

static const struct violation found_two = V("a.c", 2, "Bad", "low", "new"),
			      found_two_fixed = V("a.c", 2, "Bad", "low", "fixed"),
			      elsewhere = V("b.c", 9, "Old", "high", "new"),
			      high = V("a.c", 3, "Worse", "high", "new"),
			      medium = V("a.c", 3, "So so", "medium", "new"),
			      nowhere = V("a.c", 0, "Bad all over", "high", "new"),
			      nowhere_either = V("a.c", 0, "Worse all over", "high", "new"),
			      two_told_otherwise = V("a.c", 2, "Bad in other words", "high", "new");

static const char diff[] =
	"diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,3 @@\n one\n+two\n+three\n";

static bool
never_touched(const void *context, const struct violation *v)
{
	(void)context;
	(void)v;
	return true;
}

struct row {
	const char *name;
	bool is_pass;                           /* the answer */
	const struct violation *said[2];        /* in it */
	const struct violation *open, *skipped; /* from before; NULL: nothing */
	bool is_untouched;
	bool expected;
	size_t count;
	const char *message;
};

static struct verified
verify(struct arena *a, const struct row *row)
{
	struct violation said[2];
	struct answer answer = { .is_pass = row->is_pass, .violations = said };

	for (size_t i = 0; i < 2; i++)
		if (row->said[i])
			said[answer.violation_count++] = *row->said[i];
	struct verify_facts f = {
		.answer = &answer,
		.lines = diff_lines_of(a, str_from(diff)),
		.open = row->open,
		.open_count = row->open != NULL,
		.skipped = row->skipped,
		.skipped_count = row->skipped != NULL,
		.threshold = row->open ? STR("high") : STR_NONE,
		.is_untouched = row->is_untouched ? never_touched : NULL,
	};

	return review_verify(a, &f);
}

TEST(the_answer_decides_but_for_what_was_skipped_and_what_nobody_touched)
{
	static const struct row rows[] = {
		{ "a pass", true, { NULL }, NULL, NULL, false, true, 0, "Passed" },
		{ "a failure", false, { &found_two }, NULL, NULL, false, false, 1, "Found 1 violations" },
		{ "two", false, { &found_two, &high }, NULL, NULL, false, false, 2, "Found 2 violations" },
		{ "a failure that names nothing",
		  false,
		  { NULL },
		  NULL,
		  NULL,
		  false,
		  false,
		  0,
		  "Found some violations" },
		{ "out of the diff",
		  false,
		  { &elsewhere },
		  NULL,
		  NULL,
		  false,
		  true,
		  0,
		  "Passed (1 out-of-scope violations filtered)" },
		{ "told again, and below the threshold",
		  false,
		  { &found_two },
		  &found_two_fixed,
		  NULL,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "told again, and out of the diff",
		  false,
		  { &elsewhere },
		  &elsewhere,
		  NULL,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "new, and below the threshold",
		  false,
		  { &medium },
		  &found_two_fixed,
		  NULL,
		  false,
		  true,
		  0,
		  "Passed (1 below-threshold violations filtered)" },
		{ "new, and not below it",
		  false,
		  { &high },
		  &found_two_fixed,
		  NULL,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "both kinds",
		  false,
		  { &medium, &elsewhere },
		  &found_two_fixed,
		  NULL,
		  false,
		  true,
		  0,
		  "Passed (1 out-of-scope and 1 below-threshold violations filtered)" },
		{ "fixed and confirmed", true, { NULL }, &found_two_fixed, NULL, true, true, 0, "Passed" },
		{ "not marked, touched", true, { NULL }, &found_two, NULL, false, true, 0, "Passed" },
		{ "not marked, not touched",
		  true,
		  { NULL },
		  &found_two,
		  NULL,
		  true,
		  false,
		  1,
		  "Found 1 violations (1 neither fixed nor skipped)" },
		{ "not touched, and told again",
		  false,
		  { &found_two },
		  &found_two,
		  NULL,
		  true,
		  false,
		  1,
		  "Found 1 violations" },
		{ "skipped, and told again",
		  false,
		  { &found_two },
		  NULL,
		  &found_two,
		  false,
		  true,
		  0,
		  "Passed (1 skipped)" },
		{ "skipped, and told in other words",
		  false,
		  { &two_told_otherwise },
		  NULL,
		  &found_two,
		  false,
		  true,
		  0,
		  "Passed (1 skipped)" },
		{ "skipped, and something else",
		  false,
		  { &found_two, &high },
		  NULL,
		  &found_two,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "skipped without a line, and another without one told again",
		  false,
		  { &nowhere },
		  &nowhere,
		  &nowhere_either,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "a pass beside what was skipped",
		  true,
		  { NULL },
		  NULL,
		  &found_two,
		  false,
		  true,
		  0,
		  "Passed (1 skipped)" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct verified v = verify(&a, &rows[i]);

		CHECK_ROW(rows[i].name, v.is_pass == rows[i].expected && v.count == rows[i].count);
		CHECK_ROW(rows[i].name, str_is(v.message, rows[i].message));
	}
}
