/* SPDX-License-Identifier: MIT */
/* The gates in the model. The trace that checks and reviewer write says which jobs failed, git says what has changed;
 * holdfast's own logs and state are not read. */
#include "model.h"

#include <string.h>

#define UNTRACKED "git ls-files --others --exclude-standard"

const char *const package_names[PACKAGES] = { "a", "b" };

unsigned
job_bit(int check)
{
	return 1u << check;
}

unsigned
package_bit(int check, int package)
{
	return 1u << (CHECKS_MOST * (1 + package) + check);
}

unsigned
check_jobs(const struct config *c, int check)
{
	unsigned jobs = 0;

	if (c->checks[check].entry != ENTRY_PACKAGES)
		return job_bit(check);
	for (int i = 0; i < PACKAGES; i++)
		jobs |= package_bit(check, i);
	return jobs;
}

unsigned
config_jobs(const struct config *c)
{
	unsigned jobs = c->has_review ? JOB_REVIEW : 0;

	for (int i = 0; i < c->check_count; i++)
		jobs |= check_jobs(c, i);
	return jobs;
}

/* ---- what has changed ---- */

static struct str
branch_now(const struct world *w)
{
	return world_sh(w, "git symbolic-ref -q --short HEAD || echo HEAD");
}

/* The tree of the working directory, made without touching git's own index. */
static struct str
tree_now(const struct world *w)
{
	return world_sh(w, "export GIT_INDEX_FILE=../index && cp -p .git/index ../index && " GIT_ADD
			   "; git write-tree");
}

/* The jobs that apply to a change of this file. */
static unsigned
jobs_for(const struct config *c, struct str name)
{
	static const char *const paths[ENTRY_COUNT] = { "", "src/", "docs/", "packages/" };
	unsigned jobs = 0;

	for (int i = 0; i < c->check_count; i++) {
		enum entry entry = c->checks[i].entry;

		if (entry != ENTRY_PACKAGES && str_starts(name, str_from(paths[entry])))
			jobs |= job_bit(i);
		for (int k = 0; k < PACKAGES && entry == ENTRY_PACKAGES; k++)
			if (str_starts(name, STR("packages/")) &&
			    str_starts(str_sub(name, 9, name.n), str_from(package_names[k])))
				jobs |= package_bit(i, k);
	}
	if (c->has_review && str_starts(name, str_from(paths[c->review_entry])))
		jobs |= JOB_REVIEW;
	return jobs;
}

/* On the base branch there is nothing to compare a commit with, so changes count since the gates last passed, unless the
 * tree that they passed is the one that was committed. clean does not reset this. */
static bool
counts_since_pass(const struct gates *g, const struct repository *r)
{
	bool has_passed = g->has_state && !g->is_partial && !g->outstanding;

	return str_is(r->branch, "main") && str_is(g->branch, "main") && g->passed_at.n > 0 &&
	       !str_eq(g->passed_at, r->commit) && !(has_passed && str_eq(g->tree, r->tree));
}

struct repository
repository_read(const struct model *m, enum scope scope)
{
	static const char *const commands[SCOPE_COUNT] = {
		"git diff --no-renames --name-only $(git merge-base main HEAD) && " UNTRACKED,
		"git diff --no-renames --name-only HEAD && " UNTRACKED,
		"git diff-tree --root --no-commit-id --no-renames --name-only -r HEAD",
	};
	const struct world *w = m->world;
	const struct gates *g = &m->gates;
	struct repository r = { .branch = branch_now(w),
				.commit = world_sh(w, "git rev-parse HEAD"),
				.tree = tree_now(w),
				.is_commit = scope == SCOPE_COMMIT };
	bool is_since_pass = scope == SCOPE_ALL && counts_since_pass(g, &r);
	struct str names = is_since_pass ? world_sh(w, "git diff --no-renames --name-only %s && " UNTRACKED,
						    g->passed_at.s)
					 : world_sh(w, "%s", commands[scope]);
	struct str name;

	r.is_unsure = scope == SCOPE_ALL && str_is(r.branch, "main") && !g->is_passed_at_known;
	r.is_in_base = world_sh(w, "git merge-base --is-ancestor HEAD main && echo yes").n > 0;
	if (g->commit.n > 0)
		r.is_recorded_in_base =
			world_sh(w, "git merge-base --is-ancestor %s main && echo yes", g->commit.s).n > 0;
	while (str_next(&names, '\n', &name)) {
		if (str_starts(name, STR("gauntlet_logs/")))
			continue;
		r.has_changes = true;
		r.changed |= jobs_for(m->config, name);
	}
	return r;
}

/* Another branch, or a merge into the base branch, is other work: the logs are archived. */
static bool
starts_over(const struct gates *g, const struct repository *r)
{
	return g->has_state && (!str_eq(g->branch, r->branch) ||
				(!g->was_in_base && r->is_recorded_in_base && !str_is(r->branch, "main")));
}

unsigned
jobs_failing(const struct model *m)
{
	const struct world *w = m->world;
	unsigned failing = 0;

	for (int i = 0; i < m->config->check_count; i++) {
		if (!str_is(world_read(w, str_fmt(w->arena, "src/c%d", i).s), "good\n"))
			failing |= job_bit(i);
		for (int k = 0; k < PACKAGES; k++)
			if (!str_is(world_read(w, str_fmt(w->arena, "packages/%s/c", package_names[k]).s),
				    "good\n"))
				failing |= package_bit(i, k);
	}
	return failing & config_jobs(m->config);
}

/* ---- what a run must do ---- */

struct gates_step
gates_expect(const struct model *m, const struct repository *r, unsigned only)
{
	const struct gates *g = &m->gates;
	bool is_over = starts_over(g, r);
	struct gates_step step = { .status = "passed", .runs = true, .repository = *r };

	step.planned = ((r->is_commit ? 0 : g->outstanding) | r->changed) & only;
	step.failing = step.planned & jobs_failing(m);
	if (step.planned & JOB_REVIEW) {
		struct model now = *m;

		if (is_over)
			gates_archived(&now);
		step.review = review_expect(&now, r, g->outstanding & JOB_REVIEW);
	}
	if (step.planned == 0)
		step.status = r->has_changes ? "no_applicable_gates" : "no_changes";
	return step;
}

struct gates_step
gates_expect_stop(const struct model *m, const struct event *e)
{
	const struct gates *g = &m->gates;
	const struct config *c = m->config;

	if (!c->has_gates)
		return (struct gates_step){ 0 };
	if (e->is_active && !c->reverifies)
		return (struct gates_step){ .status = "stop_hook_active", .is_certain = true };
	if (!c->is_enabled)
		return (struct gates_step){ .status = "stop_hook_disabled", .is_certain = true };
	if (g->has_foreign_lock)
		return (struct gates_step){ .status = "lock_exists", .is_certain = true };
	struct repository r = repository_read(m, SCOPE_ALL);

	if (c->interval > 0 && !g->is_interval_over && g->has_state && !g->is_partial && !g->outstanding &&
	    str_eq(g->branch, r.branch))
		return (struct gates_step){ .status = "interval_not_elapsed", .repository = r };
	struct gates_step step = gates_expect(m, &r, ~0u);

	step.is_stop = true;
	return step;
}

bool
gates_cut_short(const struct model *m, const struct gates_ran *r)
{
	const struct config *c = m->config;

	for (int i = 0; i < c->check_count; i++)
		if (c->checks[i].is_fail_fast && (r->failed & check_jobs(c, i)))
			return true;
	return false;
}

void
gates_settle(const struct model *m, struct gates_step *step, const struct gates_ran *r)
{
	bool has_review = (step->planned & JOB_REVIEW) && !(gates_cut_short(m, r) && r->asked == 0);
	enum outcome outcome = has_review ? review_outcome(&step->review, r) : PASSES;

	if (!step->runs || step->planned == 0)
		return;
	if (step->failing || outcome == FAILS) {
		step->status = "failed";
	} else if (outcome == CANNOT_RUN) {
		/* What is known to fail blocks. */
		step->status = step->is_stop && step->review.is_outstanding ? "failed"
									    : "infrastructure_error";
	} else {
		bool has_skipped = has_review ? step->review.has_skipped : m->gates.review.has_skipped;

		step->status = has_skipped ? "passed_with_warnings" : "passed";
		step->other_status = has_skipped ? "passed" : NULL;
	}
}

/* ---- what a run did ---- */

struct gates_ran
gates_trace(const struct world *w)
{
	static const char *const answers[REVIEWER_COUNT] = { "r pass", "r finds", "r fails", "r limited" };
	struct str text = world_read(w, w->trace.s), line;
	struct gates_ran r = { 0 };

	while (str_next(&text, '\n', &line)) {
		if (line.n < 3)
			continue;
		if (line.s[0] == 'r') {
			for (int i = 0; i < REVIEWER_COUNT; i++)
				if (str_starts(line, str_from(answers[i])))
					r.answer = (enum reviewer)i;
			if (r.answer == REVIEWER_FINDS)
				r.file = str_copy(w->arena,
						  str_sub(line, strlen(answers[REVIEWER_FINDS]) + 1, line.n));
			r.asked++;
			continue;
		}
		int check = line.s[0] - '0';
		unsigned job = job_bit(check);

		for (int k = 0; k < PACKAGES; k++)
			if (str_ends(line, str_fmt(w->arena, " %s", package_names[k])))
				job = package_bit(check, k);
		r.ran |= job;
		if (str_find(line, STR(" fail")) > 0)
			r.failed |= job;
	}
	return r;
}

void
gates_archived(struct model *m)
{
	const struct gates *g = &m->gates;

	/* A reviewer's limit does not depend on the branch. */
	m->gates = (struct gates){ .has_foreign_lock = g->has_foreign_lock,
				   .outstanding = g->outstanding,
				   .is_passed_at_known = true,
				   .review = { .is_on_cooldown = g->review.is_on_cooldown,
					       .is_archived = g->outstanding & JOB_REVIEW } };
}

/* A run with nothing to do records the commit, at which nothing failed. */
static void
note_commit(struct gates *g, const struct gates_step *step)
{
	if (strcmp(step->status, "no_changes") != 0 && g->passed_at.n > 0)
		return;
	g->passed_at = step->repository.commit;
	g->is_passed_at_known = true;
	if (g->has_state)
		return;
	g->has_state = g->is_partial = g->was_in_base = true;
	g->branch = step->repository.branch;
	g->commit = step->repository.commit;
}

void
gates_after(struct model *m, const struct gates_step *step, const struct gates_ran *r, bool is_partial)
{
	struct gates *g = &m->gates;
	struct str branch = branch_now(m->world);
	struct gates_ran done = *r;

	if (starts_over(g, &step->repository))
		gates_archived(m);
	if (step->planned == 0) {
		if (!is_partial)
			note_commit(g, step);
		return;
	}
	bool cannot_run = !review_after(m, step, &done);

	g->outstanding = (g->outstanding & ~done.ran) | done.failed;
	g->has_state = true;
	g->is_interval_over = false;
	g->is_partial = is_partial || (cannot_run && !done.failed);
	if (g->passed_at.n == 0 || (!g->is_partial && !g->outstanding)) {
		g->is_passed_at_known |= !g->is_partial && !g->outstanding;
		g->passed_at = step->repository.commit;
	}
	/* A check that failed may have switched to another branch, where the work continues. */
	g->branch = done.failed && !str_is(branch, "HEAD") ? branch : step->repository.branch;
	g->commit = step->repository.commit;
	g->was_in_base = step->repository.is_in_base;
	g->tree = tree_now(m->world);
	if (!g->outstanding && !g->is_partial)
		g->review.has_skipped = false; /* the next run archives the logs */
}

bool
gates_have_run(const struct model *m, const struct gates_ran *r, unsigned planned)
{
	planned &= ~JOB_REVIEW;
	return gates_cut_short(m, r) ? (r->ran & ~planned) == 0 : r->ran == planned;
}

void
gates_lose_track(struct model *m, const struct gates_ran *r)
{
	unsigned ran = r->ran | (r->asked ? JOB_REVIEW : 0);

	/* A failure in the trace may not have been recorded, and a job whose failure was recorded may have passed. */
	m->gates.outstanding &= ~ran;
	m->gates.is_passed_at_known = false;
	if (r->asked && r->answer == REVIEWER_LIMITED && m->gates.review.is_on_cooldown == NO)
		m->gates.review.is_on_cooldown = PERHAPS;
	m->gates.is_untracked = true;
}
