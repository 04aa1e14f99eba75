/* SPDX-License-Identifier: MIT */
/* The summary of a run, in the original's layout, since agents and scripts search for its lines. Pure. */
#include "gates/console.h"

#include "base/buf.h"

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
summary_text(struct arena *a, const struct fix_report *fixes, const struct gate_result *results, size_t count,
	     enum status status)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str word = summary_word(status, results, count);

	buf_add(&b, STR("\n" RULE "RESULTS SUMMARY\n" RULE));
	add_fixes(&b, fixes);
	buf_addf(&b, "\n" RULE "Total: %zu fixed, %zu skipped, %zu failed", fixes->fixed, fixes->skipped,
		 count_failures(results, count));
	if (fixes->runs > 1)
		buf_addf(&b, " after %zu iterations", fixes->runs);
	buf_addf(&b, "\nStatus: " STR_FMT "\n" RULE "\n", STR_ARG(word));
	return buf_str(&b);
}
