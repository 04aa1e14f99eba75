/* SPDX-License-Identifier: MIT */
/* Gates that failed come back into the plan. */
#include "test.h"

#include "gates/run_inspect.h"

#define RUNS .runs_locally = true, .runs_in_ci = true

/* The directories that are there. */
static bool
is_directory(const void *context, struct str path)
{
	(void)context;
	return str_is(path, "packages/one") || str_is(path, "packages/t w o") || str_is(path, "src");
}

struct fixture {
	struct gate checks[4];
	struct gate reviews[2];
	struct entry_point entries[5];
	struct gates_config config;
	struct plan_facts facts;
};

static void
make(struct fixture *f)
{
	static struct str root_checks[] = { STR("lint") }, src_checks[] = { STR("build"), STR("lint") },
			  package_checks[] = { STR("test"), STR("root") },
			  glob_checks[] = { STR("root"), STR("test") }, quality[] = { STR("quality") },
			  off[] = { STR("off") };

	*f = (struct fixture){
		.checks = {
			{ .name = STR("build"), .runs_locally = true },
			{ .name = STR("lint"), RUNS },
			{ .name = STR("root"), .working_directory = STR("."), RUNS },
			{ .name = STR("test"), .working_directory = STR("entrypoint"), RUNS },
		},
		.reviews = {
			{ .name = STR("off"), RUNS },
			{ .name = STR("quality"), .is_enabled = true, .num_reviews = 2, RUNS },
		},
		.entries = {
			{ .path = STR("."), .checks = { root_checks, 1 }, .reviews = { quality, 1 } },
			{ .path = STR("./src/"), .checks = { src_checks, 2 }, .reviews = { off, 1 } },
			{ .path = STR("packages/*"), .checks = { package_checks, 2 }, .reviews = { quality, 1 } },
			{ .path = STR("docs/**/*.md"), .checks = { glob_checks, 2 } },
			{ .path = STR("a b"), .checks = { root_checks, 1 } },
		},
		.config = {
			.checks = f->checks,
			.check_count = COUNT_OF(f->checks),
			.reviews = f->reviews,
			.review_count = COUNT_OF(f->reviews),
			.entry_points = f->entries,
			.entry_point_count = COUNT_OF(f->entries),
		},
		.facts = { .config = &f->config, .has_checks = true, .has_reviews = true, .is_directory = is_directory },
	};
}

/* The job that comes of one failure; its id, or "" for none. */
static struct str
job_of(struct arena *a, struct fixture *f, struct past_result past)
{
	struct past_results h = { .items = &past, .count = 1 };
	struct job_list jobs = { 0 };

	past.run = 2;
	outstanding_add(a, &f->config, &h, &f->facts, &jobs);
	CHECK(jobs.count <= 1);
	if (jobs.count == 1)
		CHECK_STR(jobs.items[0].reason, "failed in run 2");
	return jobs.count == 1 ? jobs.items[0].id : STR("");
}

TEST(a_gate_that_failed_is_found_by_what_its_log_tells_or_by_its_name)
{
	static const struct {
		const char *part;
		int64_t slot;
		const char *name, *place; /* as the log tells */
		const char *id;           /* of the job; "": none */
	} rows[] = {
		/* by name alone */
		{ "check_._lint", 0, NULL, NULL, "check:.:lint" },
		{ "check_src_build", 0, NULL, NULL, "check:src:build" },
		{ "check_src_lint", 0, NULL, NULL, "check:src:lint" },
		{ "check_packages_one_test", 0, NULL, NULL, "check:packages/one:test" },
		{ "check_packages_gone_test", 0, NULL, NULL, "" },
		{ "check_packages_t_w_o_test", 0, NULL, NULL, "" }, /* which of the many it could be? */
		{ "check_packages__test", 0, NULL, NULL, "" },
		{ "check_a_b_lint", 0, NULL, NULL, "check:a b:lint" },
		{ "check_docs________.md_test", 0, NULL, NULL, "" },
		{ "check_docs_____.md_test", 0, NULL, NULL, "check:docs/**/*.md:test" },
		{ "check_._root", 0, NULL, NULL, "check:.:root" },
		{ "check_._gone", 0, NULL, NULL, "" },
		{ "check_._quality", 0, NULL, NULL, "" },
		{ "something_else", 0, NULL, NULL, "" },
		{ "review_._quality", 1, NULL, NULL, "review:.:quality" },
		{ "review_._quality", 0, NULL, NULL, "review:.:quality" },
		{ "review_packages_one_quality", 2, NULL, NULL, "review:packages/one:quality" },
		{ "review_src_off", 1, NULL, NULL, "" },
		{ "review_._lint", 1, NULL, NULL, "" },
		/* by the log, whatever the file is called */
		{ "check_x_2", 0, "lint", ".", "check:.:lint" },
		{ "check_x_2", 0, "test", "packages/one", "check:packages/one:test" },
		{ "check_packages_t_w_o_test", 0, "test", "packages/t w o", "check:packages/t w o:test" },
		{ "check_x_2", 0, "test", "packages/gone", "" },
		{ "check_x_2", 0, "test", "packages/one/deeper", "" },
		{ "check_x_2", 0, "test", "elsewhere", "" },
		{ "check_x_2", 0, "root", ".", "check:.:root" },
		{ "check_src_lint", 0, "gone", "src", "" },
		{ "review_x", 1, "quality", "packages/one", "review:packages/one:quality" },
		/* half a record is none */
		{ "check_src_lint", 0, "gone", NULL, "check:src:lint" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct fixture f;

	make(&f);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct past_result past = {
			.kind = str_starts(str_from(rows[i].part), STR("review_")) ? GATE_REVIEW : GATE_CHECK,
			.outcome = OUTCOME_FAIL,
			.file_part = str_from(rows[i].part),
			.slot = rows[i].slot,
			.name = str_from(rows[i].name),
			.place = str_from(rows[i].place),
		};
		struct str id = job_of(&a, &f, past);

		if (!str_is(id, rows[i].id))
			fail_msg("%s (%s): '" STR_FMT "'", rows[i].part, rows[i].place ? rows[i].place : "-",
				 STR_ARG(id));
	}
}

TEST(only_failures_come_back)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct fixture f;

	make(&f);
	CHECK_STR(job_of(&a, &f,
			 (struct past_result){ .file_part = STR("check_._lint"), .outcome = OUTCOME_PASS }),
		  "");
	CHECK_STR(job_of(&a, &f,
			 (struct past_result){ .file_part = STR("check_._lint"), .outcome = OUTCOME_ERROR }),
		  "");
	CHECK_STR(job_of(&a, &f,
			 (struct past_result){ .file_part = STR("check_._lint"), .outcome = OUTCOME_FAIL }),
		  "check:.:lint");
}

TEST(a_slot_that_a_review_no_longer_has_does_not_come_back)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct fixture f;

	make(&f);
	for (int64_t slot = 1; slot <= 3; slot++) {
		struct past_result past = { .outcome = OUTCOME_FAIL,
					    .kind = GATE_REVIEW,
					    .file_part = STR("review_._quality"),
					    .slot = slot };

		CHECK_STR(job_of(&a, &f, past), slot <= 2 ? "review:.:quality" : "");
	}
	f.reviews[1].num_reviews = 0;
	CHECK_STR(job_of(&a, &f,
			 (struct past_result){ .outcome = OUTCOME_FAIL,
					       .kind = GATE_REVIEW,
					       .file_part = STR("review_._quality"),
					       .slot = 1 }),
		  "");
}

TEST(what_is_not_wanted_does_not_come_back)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct past_result build = { .outcome = OUTCOME_FAIL, .file_part = STR("check_src_build") },
			   lint = { .outcome = OUTCOME_FAIL, .file_part = STR("check_._lint") },
			   review = { .outcome = OUTCOME_FAIL,
				      .kind = GATE_REVIEW,
				      .file_part = STR("review_._quality"),
				      .slot = 1 };
	struct fixture f;

	make(&f);
	f.facts.is_ci = true;
	CHECK_STR(job_of(&a, &f, build), "");
	CHECK_STR(job_of(&a, &f, lint), "check:.:lint");
	make(&f);
	f.facts.gates = (struct str_list){ (struct str[]){ STR("lint") }, 1 };
	CHECK_STR(job_of(&a, &f, build), "");
	CHECK_STR(job_of(&a, &f, lint), "check:.:lint");
	make(&f);
	f.facts.has_checks = false;
	CHECK_STR(job_of(&a, &f, lint), "");
	CHECK_STR(job_of(&a, &f, review), "review:.:quality");
	make(&f);
	f.facts.has_reviews = false;
	CHECK_STR(job_of(&a, &f, lint), "check:.:lint");
	CHECK_STR(job_of(&a, &f, review), "");
	make(&f);
	f.facts.is_directory = NULL; /* nobody can tell */
	CHECK_STR(job_of(&a, &f,
			 (struct past_result){ .outcome = OUTCOME_FAIL,
					       .file_part = STR("check_packages_gone_test") }),
		  "check:packages/gone:test");
}

TEST(what_is_planned_is_there_once_and_the_plan_keeps_its_order)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct past_result items[] = {
		{ .outcome = OUTCOME_FAIL, .file_part = STR("check_._lint"), .run = 1 },
		{ .outcome = OUTCOME_FAIL, .file_part = STR("check_src_build"), .run = 3 },
		{ .outcome = OUTCOME_FAIL,
		  .kind = GATE_REVIEW,
		  .file_part = STR("review_._quality"),
		  .slot = 1,
		  .run = 3 },
		{ .outcome = OUTCOME_FAIL,
		  .kind = GATE_REVIEW,
		  .file_part = STR("review_._quality"),
		  .slot = 2,
		  .run = 3 },
	};
	struct past_results h = { .items = items, .count = COUNT_OF(items) };
	struct str change = STR("README");
	struct fixture f;

	make(&f);
	f.facts.changes = &change;
	f.facts.change_count = 1;
	f.facts.has_reviews = false;
	struct job_list jobs = plan_jobs(&a, &f.facts);

	CHECK(jobs.count == 1);
	f.facts.has_reviews = true;
	outstanding_add(&a, &f.config, &h, &f.facts, &jobs);
	CHECK(jobs.count == 3);
	CHECK_STR(jobs.items[0].id, "check:.:lint");
	CHECK_STR(jobs.items[0].reason, "README changed");
	CHECK_STR(jobs.items[1].id, "check:src:build");
	CHECK_STR(jobs.items[1].file_part, "check_src_build");
	CHECK_STR(jobs.items[1].dir, "src");
	CHECK_STR(jobs.items[1].reason, "failed in run 3");
	CHECK(jobs.items[1].gate == &f.checks[0]);
	CHECK_STR(jobs.items[2].id, "review:.:quality");
	struct past_results none = { 0 };
	struct job_list empty = { 0 };

	outstanding_add(&a, &f.config, &none, &f.facts, &empty);
	CHECK(empty.count == 0);
}
