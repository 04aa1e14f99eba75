/* SPDX-License-Identifier: MIT */
/* Results of gates: the result of a job before it runs, and the name of a result. */
#include "test.h"

#include "model/gate_result.h"

TEST(a_result_starts_with_what_its_job_says)
{
	struct gate check = { .name = STR("lint") };
	struct gate review = { .name = STR("quality") };
	struct job jobs[] = {
		{ .kind = GATE_CHECK,
		  .id = STR("check:tools:lint"),
		  .entry_point = STR("src"),
		  .dir = STR("tools"),
		  .gate = &check,
		  .reason = STR("src/a changed") },
		{ .kind = GATE_REVIEW, .id = STR("review:.:quality"), .gate = &review },
	};
	struct gate_result r = gate_result_of(&jobs[0]);

	CHECK_STR(r.id, "check:tools:lint");
	CHECK_STR(r.gate, "lint");
	CHECK_STR(r.entry_point, "src");
	CHECK_STR(r.dir, "tools");
	CHECK_STR(r.reason, "src/a changed");
	CHECK(r.kind == GATE_CHECK && r.outcome == OUTCOME_WAITING && r.slot == 0);
	r = gate_result_of(&jobs[1]);
	CHECK(r.kind == GATE_REVIEW);
	CHECK_STR(r.gate, "quality");
}

TEST(a_result_is_named_after_its_job_and_its_reviewer)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result check = { .id = STR("check:.:lint") };
	struct gate_result slot = { .id = STR("review:.:quality"), .reviewer = STR("codex"), .slot = 2 };

	CHECK_STR(gate_result_name(&a, &check), "check:.:lint");
	CHECK(!gate_result_label(&a, &check).s);
	CHECK_STR(gate_result_name(&a, &slot), "review:.:quality (codex@2)");
	CHECK_STR(gate_result_label(&a, &slot), "(codex@2)");
}

TEST(findings_are_in_the_review_file_and_all_else_is_in_the_log)
{
	static const struct {
		const char *name;
		struct gate_result result;
		const char *title, *file;
	} rows[] = {
		{ "check", { .outcome = OUTCOME_FAIL, .log_path = STR("c.log") }, "Log", "c.log" },
		{ "review that failed",
		  { .outcome = OUTCOME_FAIL, .log_path = STR("r.log"), .json_path = STR("r.json") },
		  "Review",
		  "r.json" },
		{ "review that could not be run",
		  { .outcome = OUTCOME_ERROR, .log_path = STR("r.log"), .json_path = STR("r.json") },
		  "Log",
		  "r.log" },
		{ "without a log", { .outcome = OUTCOME_ERROR }, "Log", NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *title = NULL;
		struct str file = gate_result_file(&rows[i].result, &title);

		CHECK_ROW(rows[i].name, str_is(str_from(title), rows[i].title));
		CHECK_ROW(rows[i].name, rows[i].file ? str_is(file, rows[i].file) : !file.s);
	}
}

TEST(results_are_counted_by_their_outcome)
{
	struct gate_result results[] = {
		{ .outcome = OUTCOME_PASS },
		{ .outcome = OUTCOME_FAIL },
		{ .outcome = OUTCOME_PASS },
		{ .outcome = OUTCOME_SKIPPED },
	};

	CHECK(gate_results_count(results, COUNT_OF(results), OUTCOME_PASS) == 2);
	CHECK(gate_results_count(results, COUNT_OF(results), OUTCOME_FAIL) == 1);
	CHECK(gate_results_count(results, COUNT_OF(results), OUTCOME_ERROR) == 0);
	CHECK(gate_results_count(NULL, 0, OUTCOME_PASS) == 0);
	for (int i = 0; i < OUTCOME_COUNT; i++)
		CHECK(gate_outcome_name((enum gate_outcome)i).n > 0);
}
