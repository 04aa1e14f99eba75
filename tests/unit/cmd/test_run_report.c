/* SPDX-License-Identifier: MIT */
/* What of a run's tasks is in its report. */
#include "test.h"

#include "cmd/gates/run_report.h"

static struct check_gate check = { .name = STR("lint") };
static struct review_gate review = { .name = STR("quality") };
static struct job check_job = { .kind = GATE_CHECK,
				.id = STR("check:src:lint"),
				.entry_point = STR("src"),
				.dir = STR("tools"),
				.check = &check,
				.reason = STR("src/a changed") };
static struct job review_job = { .kind = GATE_REVIEW, .id = STR("review:.:quality"), .review = &review };

TEST(each_task_is_a_job_of_the_report)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct task tasks[] = {
		{ .job = &check_job,
		  .is_started = true,
		  .is_ended = true,
		  .outcome = OUTCOME_FAIL,
		  .message = STR("Exited with code 1"),
		  .elapsed_ms = 12,
		  .log_path = STR("logs/a.1.log") },
		{ .job = &review_job,
		  .label = STR("(claude@1)"),
		  .is_started = true,
		  .is_ended = true,
		  .outcome = OUTCOME_PASS,
		  .json_path = STR("logs/r.json") },
		{ .job = &check_job, .is_skipped = true },
	};
	struct report r = { 0 };

	for (size_t i = 0; i < COUNT_OF(tasks); i++) {
		capture_init(&tasks[i].output, &a, 0, KIB(1));
		capture_put(&tasks[i].output, STR("the output\n"));
	}
	run_report_add_tasks(&a, tasks, COUNT_OF(tasks), &r);
	assert_int_equal(r.job_count, 3);
	CHECK_STR(r.jobs[0].id, "check:src:lint");
	CHECK_STR(r.jobs[0].name, "lint");
	CHECK_STR(r.jobs[0].entry_point, "src");
	CHECK_STR(r.jobs[0].working_directory, "tools");
	CHECK_STR(r.jobs[0].reason, "src/a changed");
	CHECK_STR(r.jobs[0].message, "Exited with code 1");
	CHECK_STR(r.jobs[0].log_path, "logs/a.1.log");
	CHECK_STR(r.jobs[0].output, "the output");
	CHECK(r.jobs[0].outcome == OUTCOME_FAIL && r.jobs[0].elapsed_ms == 12 && !r.jobs[0].is_skipped);
	CHECK(r.jobs[1].kind == GATE_REVIEW && !r.jobs[1].output.s);
	CHECK_STR(r.jobs[1].name, "quality");
	CHECK_STR(r.jobs[1].label, "(claude@1)");
	CHECK_STR(r.jobs[1].review_path, "logs/r.json");
	CHECK(r.jobs[2].is_skipped && !r.jobs[2].output.s);
}

TEST(a_run_without_tasks_has_a_report_without_jobs)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct report r = { .job_count = 5 };

	run_report_add_tasks(&a, NULL, 0, &r);
	CHECK(r.job_count == 0 && !r.jobs);
}
