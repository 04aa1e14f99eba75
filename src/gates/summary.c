/* SPDX-License-Identifier: MIT */
/* The summary of a run, in the original's layout, since agents and scripts search for its lines, and in holdfast's own; and
 * what the user is told about the results in addition to it. Pure. */
#include "gates/console.h"

#include "base/capture.h"
#include "output/failing_lines.h"

/* 46 times U+2501. */
#define FOUR "\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81"
#define RULE FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR "\xE2\x94\x81\xE2\x94\x81\n"

struct str
summary_word(enum status status, const struct gate_result *results, size_t count)
{
	if (status == STATUS_RETRY_LIMIT_EXCEEDED)
		return STR("Retry limit exceeded");
	if (status == STATUS_PASSED)
		return STR("Passed");
	if (status == STATUS_PASSED_WITH_WARNINGS)
		return STR("Passed with warnings");
	return status == STATUS_FAILED && gate_results_count(results, count, OUTCOME_ERROR) == 0
		       ? STR("Failed")
		       : STR("Error");
}

struct str
summary_text(struct arena *a, const struct run_summary *s)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t failures = 0;

	buf_add(&b, STR("\n" RULE "RESULTS SUMMARY\n" RULE));
	for (size_t i = 0; i < s->fixes->count; i++) {
		const struct fix_line *line = &s->fixes->items[i];

		if (i == 0 || line->run != line[-1].run)
			buf_cat(&b, "\nIteration ", line->run, ":\n");
		buf_cat(&b, "  ", line->is_skip ? "\xE2\x8A\x98 Skipped" : "\xE2\x9C\x93 Fixed", ": ",
			line->text, "\n");
		if (line->is_skip && line->reason.n > 0)
			buf_cat(&b, "    Reason: ", line->reason, "\n");
	}
	/* A gate without findings counts as one. */
	for (size_t i = 0; i < s->count; i++)
		if (s->results[i].outcome == OUTCOME_FAIL || s->results[i].outcome == OUTCOME_ERROR)
			failures += s->results[i].findings.count > 0 ? s->results[i].findings.count : 1;
	buf_cat(&b, "\n" RULE "Total: ", s->fixes->fixed, " fixed, ", s->fixes->skipped, " skipped, ",
		failures, " failed");
	if (s->fixes->runs > 1)
		buf_cat(&b, " after ", s->fixes->runs, " iterations");
	buf_cat(&b, "\nStatus: ", summary_word(s->status, s->results, s->count), "\n" RULE "\n");
	return buf_str(&b);
}

/* ---- holdfast's own ---- */

#define FINDINGS_BYTES 2000

/* How a gate ended, from the worst to the best; a gate with several slots ended as the worst of them. */
enum ending { FAILED, UNABLE, NOT_RUN, FLAKY, FIXED, PASSED, REUSED, ENDING_COUNT };

static enum ending
ending_of(const struct gate_result *r)
{
	switch (r->outcome) {
	case OUTCOME_FAIL:
		return FAILED;
	case OUTCOME_ERROR:
		return UNABLE;
	case OUTCOME_PASS:
		return r->is_flaky ? FLAKY : r->is_fixed ? FIXED : r->pass_run > 0 ? REUSED : PASSED;
	default:
		return NOT_RUN;
	}
}

/* "5 gates: 3 passed, 2 failed" */
static void
add_counts(struct buf *b, const struct run_summary *s)
{
	static const struct {
		enum ending ending;
		const char *word;
	} words[] = {
		{ PASSED, "passed" }, { REUSED, "reused" },   { FIXED, "fixed" },          { FLAKY, "flaky" },
		{ FAILED, "failed" }, { NOT_RUN, "not run" }, { UNABLE, "could not run" },
	};
	size_t counts[ENDING_COUNT] = { [REUSED] = s->reused_count }, gates = s->reused_count;
	const char *sign = ": ";

	for (size_t i = 0; i < s->count; gates++) {
		struct str id = s->results[i].id;
		enum ending worst = REUSED;

		for (; i < s->count && str_eq(s->results[i].id, id); i++) {
			enum ending e = ending_of(&s->results[i]);

			worst = e < worst ? e : worst;
		}
		counts[worst]++;
	}
	buf_cat(b, gates, " ", gates == 1 ? "gate" : "gates");
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (counts[words[i].ending] == 0)
			continue;
		buf_cat(b, sign, counts[words[i].ending], " ", words[i].word);
		sign = ", ";
	}
	buf_addc(b, '\n');
}

struct str
summary_native(struct arena *a, const struct run_summary *s)
{
	struct buf b = BUF(a, SIZE_MAX);

	for_each (r, s->results, s->count)
		if (r->outcome == OUTCOME_SKIPPED)
			buf_cat(&b, "- ", gate_result_name(a, r), " ",
				r->message.s ? strip_escapes_line(a, r->message) : STR("not run"), "\n");
	for_each (line, s->fixes->items, s->fixes->count)
		if (line->is_skip)
			buf_cat(&b, "- skipped by the agent: ", line->text, line->reason.n > 0 ? ": " : "",
				line->reason, "\n");
	add_counts(&b, s);
	return buf_str(&b);
}

struct str
result_details(struct arena *a, const struct gate_result *g, size_t room)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (g->outcome != OUTCOME_FAIL || g->findings.count == 0)
		return failing_lines(a, g->output, room);
	for (size_t i = 0; i < g->findings.count; i++)
		buf_cat(&b, g->findings.items[i], "\n");
	return excerpt(a, buf_str(&b), room < FINDINGS_BYTES ? room : FINDINGS_BYTES);
}

/* ---- notes ---- */

/* Files or findings that a note names. */
#define NAMED_MAX 10

struct str
name_some(struct arena *a, struct str_list names)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct strset known = strset_new(a, names.count);
	size_t count = 0;

	for (size_t i = 0; i < names.count; i++)
		if (strset_add(&known, names.items[i]) && ++count <= NAMED_MAX)
			buf_cat(&b, count > 1 ? ", " : "", strip_escapes_line(a, names.items[i]));
	if (count > NAMED_MAX)
		buf_cat(&b, " and ", count - NAMED_MAX, " more");
	return buf_str(&b);
}

struct str_list
review_notes(struct arena *a, const struct gate_result *results, size_t count)
{
	struct str_list notes = { 0 }, hidden = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < results[i].not_shown.count; k++)
			*arena_push(a, hidden.items, hidden.count) = results[i].not_shown.items[k];
	if (hidden.count > 0)
		*arena_push(a, notes.items, notes.count) = str_cat(a, "the reviewer was not shown ",
								   name_some(a, hidden));
	for (size_t i = 0; i < count; i++)
		if (results[i].asides.count > 0)
			*arena_push(a, notes.items, notes.count) = str_cat(
				a, strip_escapes_line(a, gate_result_name(a, &results[i])),
				" reports, but not on a line that the change adds: ",
				name_some(a, results[i].asides));
	return notes;
}

void
add_check_notes(struct arena *a, const struct gate_result *results, size_t count, struct str_list *notes)
{
	for (size_t i = 0; i < count; i++) {
		struct str name = strip_escapes_line(a, results[i].gate);

		if (results[i].changed.count > 0)
			*arena_push(a, notes->items, notes->count) = str_cat(
				a, "the fix of ", name, " changed ", name_some(a, results[i].changed));
		if (results[i].is_flaky)
			*arena_push(a, notes->items,
				    notes->count) = str_cat(a, name, " passed on a retry: it is flaky");
	}
}
