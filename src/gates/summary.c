/* SPDX-License-Identifier: MIT */
/* The summary of a run, in the original's layout, since agents and scripts search for its lines, and in holdfast's own.
 * Pure. */
#include "gates/console.h"

#include "base/buf.h"
#include "base/capture.h"
#include "base/escapes.h"
#include "output/failing_lines.h"

#include <inttypes.h>

/* 46 times U+2501. */
#define FOUR "\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81"
#define RULE FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR "\xE2\x94\x81\xE2\x94\x81\n"

struct str
summary_word(enum status status, const struct gate_result *results, size_t count)
{
	switch (status) {
	case STATUS_RETRY_LIMIT_EXCEEDED:
		return STR("Retry limit exceeded");
	case STATUS_PASSED:
		return STR("Passed");
	case STATUS_PASSED_WITH_WARNINGS:
		return STR("Passed with warnings");
	case STATUS_FAILED:
		return gate_results_count(results, count, OUTCOME_ERROR) > 0 ? STR("Error") : STR("Failed");
	default:
		return STR("Error");
	}
}

/* A gate without findings counts as one. */
static size_t
count_failures(const struct gate_result *results, size_t count)
{
	size_t failures = 0;

	for (size_t i = 0; i < count; i++)
		if (results[i].outcome == OUTCOME_FAIL || results[i].outcome == OUTCOME_ERROR)
			failures += results[i].findings.count > 0 ? results[i].findings.count : 1;
	return failures;
}

static void
add_fixes(struct buf *b, const struct fix_report *fixes)
{
	for (size_t i = 0; i < fixes->count; i++) {
		const struct fix_line *line = &fixes->items[i];

		if (i == 0 || line->run != line[-1].run)
			buf_addf(b, "\nIteration %" PRId64 ":\n", line->run);
		buf_addf(b, "  %s: " STR_FMT "\n",
			 line->is_skip ? "\xE2\x8A\x98 Skipped" : "\xE2\x9C\x93 Fixed", STR_ARG(line->text));
		if (line->is_skip && line->reason.n > 0)
			buf_addf(b, "    Reason: " STR_FMT "\n", STR_ARG(line->reason));
	}
}

struct str
summary_text(struct arena *a, const struct run_summary *s)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str word = summary_word(s->status, s->results, s->count);

	buf_add(&b, STR("\n" RULE "RESULTS SUMMARY\n" RULE));
	add_fixes(&b, s->fixes);
	buf_addf(&b, "\n" RULE "Total: %zu fixed, %zu skipped, %zu failed", s->fixes->fixed,
		 s->fixes->skipped, count_failures(s->results, s->count));
	if (s->fixes->runs > 1)
		buf_addf(&b, " after %zu iterations", s->fixes->runs);
	buf_addf(&b, "\nStatus: " STR_FMT "\n" RULE "\n", STR_ARG(word));
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
	buf_addf(b, "%zu %s", gates, gates == 1 ? "gate" : "gates");
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (counts[words[i].ending] == 0)
			continue;
		buf_addf(b, "%s%zu %s", sign, counts[words[i].ending], words[i].word);
		sign = ", ";
	}
	buf_addc(b, '\n');
}

struct str
summary_native(struct arena *a, const struct run_summary *s)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < s->count; i++) {
		const struct gate_result *r = &s->results[i];

		if (r->outcome == OUTCOME_SKIPPED)
			buf_addf(&b, "- " STR_FMT " " STR_FMT "\n", STR_ARG(gate_result_name(a, r)),
				 STR_ARG(r->message.s ? strip_escapes_line(a, r->message) : STR("not run")));
	}
	for (size_t i = 0; i < s->fixes->count; i++) {
		const struct fix_line *line = &s->fixes->items[i];

		if (line->is_skip)
			buf_addf(&b, "- skipped by the agent: " STR_FMT "%s" STR_FMT "\n",
				 STR_ARG(line->text), line->reason.n > 0 ? ": " : "",
				 STR_ARG(line->reason.n > 0 ? line->reason : STR("")));
	}
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
		buf_addf(&b, STR_FMT "\n", STR_ARG(g->findings.items[i]));
	return excerpt(a, buf_str(&b), room < FINDINGS_BYTES ? room : FINDINGS_BYTES);
}
