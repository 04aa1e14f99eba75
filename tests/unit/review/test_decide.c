/* SPDX-License-Identifier: MIT */
/* The decisions about reviews, row by row. */
#include "test.h"

#include "review/decide.h"

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
		return (struct slot_facts){ SLOT_FAILED, 1 };
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

#define V(file_, line_, issue_, priority_, status_)                                                     \
	{                                                                                               \
		.file = { file_, sizeof(file_) - 1 }, .issue = { issue_, sizeof(issue_) - 1 },          \
		.priority = { priority_, sizeof(priority_) - 1 }, .line = (line_), .status = (status_), \
	}

static const struct finding found_two = V("a.c", 2, "Bad", "low", FINDING_NEW),
			    found_two_fixed = V("a.c", 2, "Bad", "low", FINDING_FIXED),
			    elsewhere = V("b.c", 9, "Old", "high", FINDING_NEW),
			    high = V("a.c", 3, "Worse", "high", FINDING_NEW),
			    medium = V("a.c", 3, "So so", "medium", FINDING_NEW),
			    nowhere = V("a.c", 0, "Bad all over", "high", FINDING_NEW),
			    nowhere_either = V("a.c", 0, "Worse all over", "high", FINDING_NEW),
			    two_told_otherwise = V("a.c", 2, "Bad in other words", "high", FINDING_NEW);

static const char diff[] =
	"diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,3 @@\n one\n+two\n+three\n";

static bool
never_touched(const void *context, const struct finding *v)
{
	(void)context;
	(void)v;
	return true;
}

static bool
always_touched(const void *context, const struct finding *v)
{
	return !never_touched(context, v);
}

struct row {
	const char *name;
	bool is_pass;                         /* the answer */
	const struct finding *found[2];       /* in it */
	const struct finding *open, *skipped; /* from before; NULL: nothing */
	bool is_untouched;
	bool expected;
	size_t count;
	const char *message;
};

static struct verified
verify(struct arena *a, const struct row *row)
{
	struct finding found[2];
	struct answer answer = { .is_pass = row->is_pass, .findings = found };

	for (size_t i = 0; i < 2; i++)
		if (row->found[i])
			found[answer.finding_count++] = *row->found[i];
	struct verify_facts f = {
		.answer = &answer,
		.lines = diff_lines_of(a, str_from(diff)),
		.open = { row->open, row->open != NULL },
		.skipped = { row->skipped, row->skipped != NULL },
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
		{ "found again, and below the threshold",
		  false,
		  { &found_two },
		  &found_two_fixed,
		  NULL,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "found again, and out of the diff",
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
		{ "not touched, and found again",
		  false,
		  { &found_two },
		  &found_two,
		  NULL,
		  true,
		  false,
		  1,
		  "Found 1 violations" },
		{ "skipped, and found again",
		  false,
		  { &found_two },
		  NULL,
		  &found_two,
		  false,
		  true,
		  0,
		  "Passed (1 skipped)" },
		{ "skipped, and found again in other words",
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
		{ "skipped without a line, and another without one found again",
		  false,
		  { &nowhere },
		  &nowhere,
		  &nowhere_either,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "a pass with skipped findings",
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

/* Open and skipped findings may share a line or a text: each answer is taken for the nearest one. */
TEST(a_finding_is_not_mistaken_for_a_skipped_one_that_resembles_it)
{
	static const struct finding at_10 = V("a.c", 10, "Unchecked", "high", FINDING_SKIPPED),
				    at_40 = V("a.c", 40, "Unchecked", "high", FINDING_NEW),
				    at_42 = V("a.c", 42, "Unchecked", "high", FINDING_NEW),
				    same_line = V("a.c", 2, "Another", "high", FINDING_NEW);
	static const struct row rows[] = {
		{ "of two with one text, the open one again",
		  false,
		  { &at_40 },
		  &at_40,
		  &at_10,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "of two with one text, the open one again, moved",
		  false,
		  { &at_42 },
		  &at_40,
		  &at_10,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "of two with one text, the skipped one again",
		  false,
		  { &at_10 },
		  &at_40,
		  &at_10,
		  false,
		  true,
		  0,
		  "Passed (1 skipped)" },
		{ "a skipped one again, and another on its line",
		  false,
		  { &found_two, &same_line },
		  NULL,
		  &found_two,
		  false,
		  false,
		  1,
		  "Found 1 violations" },
		{ "a skipped one, repeated",
		  false,
		  { &found_two, &found_two },
		  NULL,
		  &found_two,
		  false,
		  true,
		  0,
		  "Passed (1 skipped)" },
		{ "one on the line of an unaddressed one",
		  false,
		  { &two_told_otherwise, &found_two },
		  &found_two,
		  NULL,
		  true,
		  false,
		  2,
		  "Found 2 violations" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct verified v = verify(&a, &rows[i]);

		CHECK_ROW(rows[i].name, v.is_pass == rows[i].expected && v.count == rows[i].count);
		CHECK_ROW(rows[i].name, str_is(v.message, rows[i].message));
	}
}

/* ---- scope and threshold ---- */

#define LONGER_DIFF                                                                                       \
	"diff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n+++ b/src/a.c\n@@ -1,2 +1,4 @@\n x\n+y\n+z\n w\n" \
	"diff --git a/gone b/gone\ndeleted file mode 100644\n"

static struct finding
finding(const char *file, int64_t line, const char *issue, const char *priority)
{
	return (struct finding){ .file = str_from(file),
				 .line = line,
				 .issue = str_from(issue),
				 .priority = str_from(priority),
				 .status = FINDING_NEW };
}

static struct verified
filter(struct arena *a, const struct answer *answer, const struct diff_lines *lines,
       struct finding_list previous, struct str threshold)
{
	struct verify_facts f = { .answer = answer,
				  .lines = lines,
				  .open = previous,
				  .threshold = threshold,
				  .root = STR("/srv/project") };

	return review_verify(a, &f);
}

/* scenario: G13-43 */
TEST(violations_count_on_added_lines_or_where_they_were_before)
{
	static const struct {
		const char *file;
		int64_t line;
		const char *issue, *priority;
		bool is_kept, is_kept_on_rerun;
		const char *spelled;
	} cases[] = {
		{ "src/a.c", 1, "new", "high", false, false, NULL },
		{ "src/a.c", 2, "new", "high", true, true, "src/a.c" },
		{ "src/a.c", 3, "new", "critical", true, true, "src/a.c" },
		{ "src/a.c", 4, "new", "high", false, false, NULL },
		{ "./src/a.c", 2, "new", "high", true, true, "src/a.c" },
		{ "b/src/a.c", 2, "new", "high", true, true, "src/a.c" },
		{ "/srv/src/a.c", 2, "new", "high", true, true, "src/a.c" },
		{ "gone", 1, "new", "high", false, false, NULL },
		{ "other.c", 2, "new", "critical", false, false, NULL },
		/* the threshold is high */
		{ "src/a.c", 2, "new", "medium", true, false, "src/a.c" },
		{ "src/a.c", 2, "new", "low", true, false, "src/a.c" },
		{ "src/a.c", 2, "new", "Blocker", true, true, "src/a.c" },
		/* restated: by line, by issue, of a file that is not in the diff any more */
		{ "src/a.c", 9, "in other words", "low", false, true, "src/a.c" },
		{ "src/a.c", 77, "old issue", "low", false, true, "src/a.c" },
		{ "a/src/a.c", 77, "old issue", "low", false, true, "src/a.c" },
		{ "old.c", 5, "x", "low", false, true, "old.c" },
		{ "./old.c", 5, "x", "low", false, true, "old.c" },
		{ "/srv/project/old.c", 5, "x", "low", false, true, "old.c" },
		{ "old.c", 6, "x", "high", false, false, NULL },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct diff_lines *lines = diff_lines_of(&a, STR(LONGER_DIFF));
	const struct finding previous[] = { finding("src/a.c", 9, " old issue\n", "low"),
					    finding("old.c", 5, "old issue", "low"),
					    finding("unknown", 0, "vague", "high") };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct finding v = finding(cases[i].file, cases[i].line, cases[i].issue, cases[i].priority);
		struct answer in = { .findings = &v, .finding_count = 1 };
		struct verified first = filter(&a, &in, lines, (struct finding_list){ 0 }, STR_NONE);
		struct verified rerun = filter(
			&a, &in, lines, (struct finding_list){ previous, COUNT_OF(previous) }, STR("high"));
		const char *name = str_fmt(&a, "%zu: %s:%d", i, cases[i].file, (int)cases[i].line).s;

		CHECK_ROW(name, first.count == cases[i].is_kept && first.below_threshold == 0);
		CHECK_ROW(name, first.count + first.out_of_scope == 1);
		CHECK_ROW(name, rerun.count == cases[i].is_kept_on_rerun);
		CHECK_ROW(name, rerun.count + rerun.out_of_scope + rerun.below_threshold == 1);
		CHECK_ROW(name, rerun.below_threshold == (first.count && !rerun.count));
		if (rerun.count)
			CHECK_STR(rerun.findings[0].file, cases[i].spelled);
	}
}

/* scenario: G13-40 */
TEST(every_threshold_keeps_itself_and_what_is_above)
{
	static const char *const words[] = { "low", "medium", "high", "critical" };
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct diff_lines *lines = diff_lines_of(&a, STR(LONGER_DIFF));

	for (size_t t = 0; t < COUNT_OF(words); t++) {
		for (size_t p = 0; p < COUNT_OF(words); p++) {
			struct finding v = finding("src/a.c", 2, "x", words[p]);
			struct answer in = { .findings = &v, .finding_count = 1 };
			struct verified out = filter(&a, &in, lines, (struct finding_list){ 0 },
						     str_from(words[t]));

			CHECK(out.count == (p >= t) && out.below_threshold == (p < t));
		}
	}
}

TEST(without_files_in_the_diff_nothing_is_out_of_scope)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct finding v = finding("any", 1, "x", "low");
	struct answer in = { .findings = &v, .finding_count = 1 };
	struct verified out = filter(&a, &in, diff_lines_of(&a, STR("")), (struct finding_list){ 0 },
				     STR_NONE);

	CHECK(out.count == 1 && out.out_of_scope == 0);
}

TEST(what_was_touched_and_is_not_found_again_is_fixed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct verify_facts f = {
		.answer = &(struct answer){ .is_pass = true },
		.lines = diff_lines_of(&a, str_from(diff)),
		.open = { &found_two, 1 },
		.is_untouched = always_touched,
	};

	CHECK(review_verify(&a, &f).is_pass);
	f.is_untouched = never_touched;
	CHECK(!review_verify(&a, &f).is_pass);
}

TEST(the_message_of_an_answer)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct answer pass = { .is_pass = true, .message = STR("k") };
	struct finding vague = answer_vague(&a, STR_NONE), other = high;
	struct answer failure = { .is_vague = true, .findings = &vague, .finding_count = 1 };
	struct verify_facts f = { .answer = &pass, .lines = diff_lines_of(&a, str_from(diff)) };

	CHECK_STR(review_verify(&a, &f).message, "k");
	pass.message = STR(" \n");
	CHECK_STR(review_verify(&a, &f).message, "Passed");
	f.answer = &failure;
	CHECK_STR(review_verify(&a, &f).message, "Found some violations");
	f.open = (struct finding_list){ &found_two, 1 };
	f.is_untouched = never_touched;
	CHECK_STR(review_verify(&a, &f).message, "Found 2 violations (1 neither fixed nor skipped)");
	failure.is_vague = false;
	failure.findings = &other;
	f.open.count = 0;
	CHECK_STR(review_verify(&a, &f).message, "Found 1 violations");
}

TEST(what_can_not_be_read_of_a_failure_is_never_filtered_away)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct diff_lines *lines = diff_lines_of(&a, STR(LONGER_DIFF));
	static const char *const outputs[] = {
		"{\"status\":\"fail\"}",
		"{\"status\":\"fail\",\"violations\":[17]}",
		("{\"status\":\"fail\",\"violations\":[{\"file\":\"elsewhere\",\"line\":1,\"issue\":\"x\"},{"
		 "\"issue\":\"x\"}]}"),
	};

	for (size_t i = 0; i < COUNT_OF(outputs); i++) {
		struct answer in;
		struct err err;

		CHECK(answer_parse(&a, str_from(outputs[i]), &in, &err) == 0);
		struct verified out = filter(&a, &in, lines, (struct finding_list){ 0 }, STR("critical"));

		CHECK_ROW(outputs[i], out.count == 1);
		CHECK_STR(out.findings[0].file, "unknown");
	}
}
