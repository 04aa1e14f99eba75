/* SPDX-License-Identifier: MIT */
/* Sums over a report. Pure. */
#include "model/report.h"

struct report_totals
report_totals(const struct report *r)
{
	struct report_totals t = { .jobs = r->job_count };

	for (size_t i = 0; i < r->job_count; i++) {
		const struct report_job *j = &r->jobs[i];

		if (j->is_skipped)
			t.skipped++;
		else if (j->outcome == OUTCOME_PASS)
			t.passed++;
		else if (j->outcome == OUTCOME_FAIL)
			t.failed++;
		else
			t.errors++;
	}
	return t;
}
