/* SPDX-License-Identifier: MIT */
/* Which results may stand for a job at a stop. */
#include "git_repository.h"

#include "gates/plan.h"
#include "gates/run_inspect.h"
#include "model/dialect.h"

TEST(every_row_of_the_decision_about_reuse)
{
	static const struct {
		const char *name;
		struct reuse_facts facts;
		enum reuse expected;
	} rows[] = {
		{ "nothing is known", { .slots = 1, .reuses = true }, REUSE_NOTHING },
		{ "it passed", { .passes = 1, .slots = 1, .reuses = true }, REUSE_PASS },
		{ "it passed, and reuse is false", { .passes = 1, .slots = 1 }, REUSE_NOTHING },
		{ "it passed while this stop waited, and reuse is false",
		  { .passes = 1, .slots = 1, .is_shared = true },
		  REUSE_PASS },
		{ "not all slots passed", { .passes = 1, .slots = 2, .reuses = true }, REUSE_NOTHING },
		{ "all slots passed", { .passes = 2, .slots = 2, .reuses = true }, REUSE_PASS },
		{ "more slots passed than there are now",
		  { .passes = 3, .slots = 2, .reuses = true },
		  REUSE_PASS },
		{ "nothing is known of a run that this stop waited for",
		  { .slots = 1, .is_shared = true },
		  REUSE_NOTHING },
		{ "it failed", { .slots = 1, .has_failure = true, .reuses = true }, REUSE_NOTHING },
		{ "it failed while this stop waited",
		  { .slots = 1, .has_failure = true, .is_shared = true },
		  REUSE_FAILURE },
		{ "a slot passed and another failed",
		  { .passes = 1, .slots = 1, .has_failure = true, .reuses = true },
		  REUSE_NOTHING },
		{ "a slot passed and another failed while this stop waited",
		  { .passes = 1, .slots = 1, .has_failure = true, .reuses = true, .is_shared = true },
		  REUSE_FAILURE },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(rows[i].name, reuse_decide(&rows[i].facts) == rows[i].expected);
}

#define OF_JOB .kind = GATE_CHECK, .file_part = STR("check_src_lint"), .name = STR("lint"), .key = STR("k")

TEST(a_result_counts_for_its_own_job_and_a_key_that_was_confirmed)
{
	static const struct gate lint = { .name = STR("lint") };
	static const struct job job = { .kind = GATE_CHECK,
					.file_part = STR("check_src_lint"),
					.gate = &lint };
	static const struct {
		const char *name;
		struct past_result result;
		bool expected;
	} rows[] = {
		{ "its own", { OF_JOB }, true },
		{ "of a review",
		  { .kind = GATE_REVIEW,
		    .file_part = STR("check_src_lint"),
		    .name = STR("lint"),
		    .key = STR("k") },
		  false },
		{ "in another place",
		  { .file_part = STR("check_lib_lint"), .name = STR("lint"), .key = STR("k") },
		  false },
		{ "of another gate with the same file name",
		  { .file_part = STR("check_src_lint"), .name = STR("l-nt"), .key = STR("k") },
		  false },
		{ "of a run that has not ended", { OF_JOB, .is_unconfirmed = true }, false },
		{ "without a key", { .file_part = STR("check_src_lint"), .name = STR("lint") }, false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(rows[i].name, reuse_is_of(&rows[i].result, &job) == rows[i].expected);
}

/* ---- the jobs of a run ---- */

#define RESULTS_MAX 6

struct known {
	enum gate_outcome outcome;
	const char *key;
	int64_t ended_ms;
};

/* A run at a stop with one job for each row, whose results are known. */
struct fixture {
	struct run run;
	struct run_options options;
	struct gates_config config;
	struct gate check;
	struct gate review;
	struct job jobs[RESULTS_MAX];
	struct past_result results[RESULTS_MAX];
};

static void
make(struct arena *a, struct fixture *f)
{
	*f = (struct fixture){
		.options = { .is_hook = true },
		.config = { .dialect = &dialects[DIALECT_HOLDFAST], .log_dir = STR("logs") },
		.check = { .name = STR("lint"), .reuses = true, .definition = STR("d") },
		.review = { .name = STR("quality"), .reuses = true, .num_reviews = 2 },
	};
	f->run = (struct run){
		.arena = a,
		.config = &f->config,
		.options = &f->options,
		.jobs = { .items = f->jobs },
		.record.latest = { .items = f->results },
	};
}

static struct job *
add_job(struct fixture *f, bool is_review, const char *part, const char *key)
{
	struct job *job = &f->jobs[f->run.jobs.count++];

	*job = (struct job){
		.kind = is_review ? GATE_REVIEW : GATE_CHECK,
		.id = str_from(part),
		.file_part = str_from(part),
		.entry_point = STR("."),
		.gate = is_review ? &f->review : &f->check,
		.key = str_from(key),
	};
	return job;
}

static struct past_result *
add_result(struct fixture *f, const struct job *job, const struct known *k)
{
	struct past_result *p = &f->results[f->run.record.latest.count++];

	*p = (struct past_result){
		.kind = job->kind,
		.name = job->gate->name,
		.file_part = job->file_part,
		.slot = job->kind == GATE_REVIEW ? (int64_t)f->run.record.latest.count : 0,
		.outcome = k->outcome,
		.key = str_from(k->key),
		.ended_ms = k->ended_ms,
	};
	return p;
}

TEST(what_becomes_of_a_job_by_its_results)
{
	static const struct {
		const char *name;
		bool is_review, never_reuses;
		int64_t looked_ms;
		struct known results[3];
		enum reuse expected;
	} rows[] = {
		{ "nothing is known", .expected = REUSE_NOTHING },
		{ "it passed", .results = { { OUTCOME_PASS, "k", 0 } }, .expected = REUSE_PASS },
		{ "it passed with another key", .results = { { OUTCOME_PASS, "l", 0 } } },
		{ "it could not run", .results = { { OUTCOME_ERROR, "k", 0 } } },
		{ "it failed", .results = { { OUTCOME_FAIL, "k", 0 } } },
		{ "reuse is false", .never_reuses = true, .results = { { OUTCOME_PASS, "k", 5 } } },
		{ "one slot of two passed", true, .results = { { OUTCOME_PASS, "k", 0 } } },
		{ "both slots passed", true,
		  .results = { { OUTCOME_PASS, "k", 0 }, { OUTCOME_PASS, "k", 0 } }, .expected = REUSE_PASS },
		{ "reuse of a review is false", true, true,
		  .results = { { OUTCOME_PASS, "k", 0 }, { OUTCOME_PASS, "k", 0 } } },
		{ "it passed while this stop waited",
		  false,
		  true,
		  1,
		  { { OUTCOME_PASS, "k", 1 } },
		  REUSE_PASS },
		{ "it passed before this stop waited",
		  false,
		  true,
		  1000,
		  { { OUTCOME_PASS, "k", 999 } },
		  REUSE_NOTHING },
		{ "one slot passed before, one while this stop waited",
		  true,
		  true,
		  1000,
		  { { OUTCOME_PASS, "k", 999 }, { OUTCOME_PASS, "k", 1001 } },
		  REUSE_NOTHING },
		{ "it failed while this stop waited",
		  false,
		  false,
		  1000,
		  { { OUTCOME_FAIL, "k", 1000 } },
		  REUSE_FAILURE },
		{ "a slot passed, and another failed while this stop waited",
		  true,
		  false,
		  1000,
		  { { OUTCOME_PASS, "k", 1000 }, { OUTCOME_FAIL, "k", 1000 } },
		  REUSE_FAILURE },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct gate_result *failures;
		size_t failure_count = 7;
		struct fixture f;

		make(&a, &f);
		f.check.reuses = f.review.reuses = !rows[i].never_reuses;
		f.run.looked_ms = rows[i].looked_ms;
		const struct job *job = add_job(&f, rows[i].is_review, "x", "k");

		for (size_t k = 0; k < COUNT_OF(rows[i].results) && rows[i].results[k].key; k++)
			(void)add_result(&f, job, &rows[i].results[k]);
		run_reuse(&f.run, &failures, &failure_count);
		CHECK_ROW(rows[i].name, f.run.jobs.count == (rows[i].expected == REUSE_NOTHING));
		CHECK_ROW(rows[i].name, f.run.reused.count == (rows[i].expected == REUSE_PASS));
		CHECK_ROW(rows[i].name, failure_count == (rows[i].expected == REUSE_FAILURE));
	}
}

TEST(the_other_jobs_stay_in_their_order)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result *failures;
	size_t failure_count;
	struct fixture f;

	make(&a, &f);
	for (int i = 0; i < 4; i++)
		(void)add_job(&f, false, str_fmt(&a, "job%d", i).s, "k");
	(void)add_result(&f, &f.jobs[0], &(struct known){ OUTCOME_PASS, "k", 0 });
	(void)add_result(&f, &f.jobs[2], &(struct known){ OUTCOME_PASS, "k", 0 });
	run_reuse(&f.run, &failures, &failure_count);
	CHECK(f.run.jobs.count == 2 && f.run.reused.count == 2 && failure_count == 0);
	CHECK_STR(f.jobs[0].id, "job1");
	CHECK_STR(f.jobs[1].id, "job3");
}

TEST(only_a_stop_that_may_reuse_passes_does)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (int i = 0; i < 2; i++) {
		struct gate_result *failures;
		size_t failure_count;
		struct fixture f;

		make(&a, &f);
		if (i == 0)
			f.options.is_hook = false;
		else
			f.config.dialect = &dialects[DIALECT_GAUNTLET];
		(void)add_result(&f, add_job(&f, false, "x", "k"), &(struct known){ OUTCOME_PASS, "k", 0 });
		run_reuse(&f.run, &failures, &failure_count);
		CHECK(f.run.jobs.count == 1 && f.run.reused.count == 0 && failure_count == 0);
	}
}

TEST(a_failure_that_was_waited_for_is_told_as_it_was)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result *failures;
	size_t failure_count;
	struct fixture f;

	make(&a, &f);
	f.run.looked_ms = 1;
	for (int i = 0; i < 2; i++) {
		const struct job *job = add_job(&f, true, i == 0 ? "x" : "y", "k");
		struct past_result *p = add_result(&f, job, &(struct known){ OUTCOME_FAIL, "k", 1 });

		p->adapter = STR("bot");
		*(i == 0 ? &p->log : &p->file) = STR("name");
		(void)add_result(&f, job, &(struct known){ OUTCOME_FAIL, "k", 1 });
	}
	run_reuse(&f.run, &failures, &failure_count);
	CHECK(failure_count == 2 && f.run.jobs.count == 0);
	CHECK(failures[0].slot == 1 && failures[0].outcome == OUTCOME_FAIL);
	CHECK_STR(failures[0].id, "x");
	CHECK_STR(failures[0].reviewer, "bot");
	CHECK_STR(failures[0].message, "It failed in the run that this stop waited for");
	CHECK_STR(failures[0].log_path, "logs/name");
	CHECK(!failures[0].json_path.s);
	CHECK_STR(failures[1].json_path, "logs/name");
	CHECK(!failures[1].log_path.s);
}

/* ---- compared with another commit ---- */

/* The key that the job has if its files are compared with the commit. */
static struct str
key_compared_with(struct run *r, const struct job *job, struct str commit)
{
	struct change_list changes;
	struct err err;

	CHECK(run_changes_since(r, commit, &changes));
	CHECK(git_read_contents(r->arena, &r->repository, &changes, &err) == 0);
	return job_key(r->arena, &(struct key_memory){ 0 }, job, &changes);
}

TEST(a_pass_counts_compared_with_the_commit_that_it_was_compared_with)
{
	static const struct {
		const char *name;
		size_t jobs, commits; /* each job's result is of the next commit */
		bool is_unknown, has_no_base, has_no_key, first_has_no_base;
		size_t expected; /* jobs that run */
	} rows[] = {
		{ "one", 1, 1, .expected = 0 },
		{ "of several jobs, with one commit", 6, 1, .expected = 0 },
		{ "of as many commits as are compared", 4, 4, .expected = 0 },
		{ "of one more", 5, 5, .expected = 1 },
		{ "of as many, after one of no commit", 5, 5, .first_has_no_base = true, .expected = 1 },
		{ "of a commit that git does not have", 1, 1, .is_unknown = true, .expected = 1 },
		{ "of no commit", 1, 1, .has_no_base = true, .expected = 1 },
		{ "of a job whose own key is not known", 1, 1, .has_no_key = true, .expected = 1 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository repository = make_repository(
		&a, COMMITTED "for i in 1 2 3 4; do echo $i >>a.c; git commit -qam more; done; echo x >>a.c");
	struct str all = repository_run(&a, repository.root, "git rev-list HEAD"), commits[5];

	for (size_t i = 0; i < COUNT_OF(commits); i++)
		CHECK(str_next(&all, '\n', &commits[i]));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct gate_result *failures;
		size_t failure_count;
		struct fixture f;

		make(&a, &f);
		f.run.repository = repository;
		for (size_t k = 0; k < rows[i].jobs; k++) {
			struct job *job = add_job(&f, false, str_fmt(&a, "job%zu", k).s,
						  rows[i].has_no_key ? NULL : "now");
			struct past_result *p = add_result(&f, job, &(struct known){ OUTCOME_PASS, "", 0 });
			struct str commit = commits[k % rows[i].commits];

			p->key = key_compared_with(&f.run, job, commit);
			p->base = rows[i].has_no_base || (rows[i].first_has_no_base && k == 0) ? STR_NONE
				  : rows[i].is_unknown ? STR("0123456789012345678901234567890123456789")
						       : commit;
		}
		run_reuse(&f.run, &failures, &failure_count);
		CHECK_ROW(rows[i].name, f.run.jobs.count == rows[i].expected);
	}
}
