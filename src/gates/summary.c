/* SPDX-License-Identifier: MIT */
/* The end of a run as text, in the original's layout: agents and scripts look for its lines. Pure. */
#include "gates/console.h"

#include "base/buf.h"

#include <inttypes.h>

/* 46 times U+2501. */
#define FOUR "\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81"
#define RULE FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR "\xE2\x94\x81\xE2\x94\x81\n"

static bool
is_any(const struct task *tasks, size_t count, enum gate_outcome outcome)
{
	for (size_t i = 0; i < count; i++)
		if (tasks[i].is_ended && tasks[i].outcome == outcome)
			return true;
	return false;
}

struct str
summary_word(enum status status, const struct task *tasks, size_t count)
{
	switch (status) {
	case STATUS_RETRY_LIMIT_EXCEEDED:
		return STR("Retry limit exceeded");
	case STATUS_PASSED:
		return STR("Passed");
	case STATUS_PASSED_WITH_WARNINGS:
		return STR("Passed with warnings");
	case STATUS_FAILED:
		return is_any(tasks, count, OUTCOME_ERROR) ? STR("Error") : STR("Failed");
	default:
		return STR("Error");
	}
}

static int64_t
count_failed(const struct task *tasks, size_t count)
{
	int64_t failed = 0;

	for (size_t i = 0; i < count; i++)
		if (tasks[i].is_ended && tasks[i].outcome != OUTCOME_PASS)
			failed += tasks[i].violation_count > 0 ? tasks[i].violation_count : 1;
	return failed;
}

static void
add_tale(struct buf *b, const struct history_tale *tale)
{
	for (size_t i = 0; i < tale->count; i++) {
		const struct history_line *line = &tale->items[i];

		if (i == 0 || line->run != line[-1].run)
			buf_addf(b, "\nIteration %" PRId64 ":\n", line->run);
		buf_addf(b, "  %s: " STR_FMT "\n",
			 line->is_skip ? "\xE2\x8A\x98 Skipped" : "\xE2\x9C\x93 Fixed", STR_ARG(line->text));
		if (line->is_skip && line->reason.n > 0)
			buf_addf(b, "    Reason: " STR_FMT "\n", STR_ARG(line->reason));
	}
}

struct str
summary_text(struct arena *a, const struct history_tale *tale, const struct task *tasks, size_t count,
	     enum status status)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str word = summary_word(status, tasks, count);

	buf_add(&b, STR("\n" RULE "RESULTS SUMMARY\n" RULE));
	add_tale(&b, tale);
	buf_addf(&b, "\n" RULE "Total: %zu fixed, %zu skipped, %" PRId64 " failed", tale->fixed,
		 tale->skipped, count_failed(tasks, count));
	if (tale->runs > 1)
		buf_addf(&b, " after %zu iterations", tale->runs);
	buf_addf(&b, "\nStatus: " STR_FMT "\n" RULE "\n", STR_ARG(word));
	return buf_str(&b);
}
