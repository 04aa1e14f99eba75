/* SPDX-License-Identifier: MIT */
/* Turns tasks into the jobs of a report. It copies and decides nothing. */
#include "cmd/gates/run_report.h"

#include "base/capture.h"

static struct report_job
job_of(struct arena *a, const struct task *t)
{
	const struct job *j = t->job;

	return (struct report_job){
		.kind = j->kind,
		.id = j->id,
		.label = t->label,
		.name = job_name(j),
		.entry_point = j->entry_point,
		.working_directory = j->dir,
		.reason = j->reason,
		.outcome = t->outcome,
		.is_skipped = !t->is_started,
		.message = t->message,
		.elapsed_ms = t->elapsed_ms,
		.log_path = t->log_path,
		.review_path = t->json_path,
		.output = t->is_started && t->outcome != OUTCOME_PASS ? capture_text(&t->output, a, 0)
								      : STR_NONE,
	};
}

void
run_report_add_tasks(struct arena *a, const struct task *tasks, size_t count, struct report *r)
{
	struct report_job *jobs = count > 0 ? arena_array(a, count, struct report_job) : NULL;

	for (size_t i = 0; i < count; i++)
		jobs[i] = job_of(a, &tasks[i]);
	r->jobs = jobs;
	r->job_count = count;
}
