/* SPDX-License-Identifier: MIT */
/* The gates in the model. The trace that checks and reviewer write says which jobs failed, git says what has changed;
 * holdfast's own logs and state are not read. */
#include "model.h"

#include <string.h>

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

#define BRANCH "git symbolic-ref -q --short HEAD || echo HEAD"
/* Git's own index is not touched. */
#define TREE "(export GIT_INDEX_FILE=../index; cp -p .git/index ../index; " GIT_ADD "; git write-tree)"

struct str
tree_now(const struct world *w)
{
	return world_sh(w, TREE);
}

struct str
repository_files(const struct world *w, struct str tree)
{
	return files_on_disk(w, world_sh(w, "git ls-tree -r --name-only " STR_FMT, STR_ARG(tree)));
}

/* The jobs that apply to a change of this file. */
static unsigned
jobs_for(const struct config *c, struct str name)
{
	bool is_reviewed = c->review_entry == ENTRY_ALL || str_starts(name, STR("src/"));

	return jobs_covering(c, name) | (c->has_review && is_reviewed ? JOB_REVIEW : 0);
}

/* Compared with the base branch, a commit on it is no change. So there, changes count since the gates last passed or, where
 * that was on another branch or never, since work on the base branch started; with holdfast.yml everything has changed before
 * that. What has passed before it was committed is no change either. clean does not reset this. */
static void
choose_comparison(const struct model *m, struct str merge_base, struct repository *r)
{
	static const struct str empty_tree = STR("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
	const struct gates *g = &m->gates;
	bool has_passed = g->has_state && !g->is_partial && !g->outstanding && str_eq(g->tree, r->tree);
	bool is_same_branch = g->passed_at.n > 0 && str_eq(g->branch, r->branch);
	struct str seen = is_same_branch         ? g->passed_at
			  : g->main_start.n > 0  ? g->main_start
			  : m->config->is_native ? empty_tree
						 : STR_NONE;

	r->compared = merge_base;
	if (!str_is(r->branch, "main"))
		return;
	r->is_unsure = !(is_same_branch ? g->is_passed_at_known : g->is_start_known);
	if (seen.n > 0 && !str_eq(seen, r->commit) && !has_passed)
		r->compared = seen;
}

static struct str
next_line(const struct world *w, struct str *text)
{
	struct str line = STR("");

	(void)str_next(text, '\n', &line);
	return str_copy(w->arena, line);
}

/* The files that differ from what is compared with, and those whose edit git does not show. */
static struct str
changed_names(const struct model *m, const struct repository *r, enum scope scope)
{
	static const char *const commands[SCOPE_COUNT] = {
		"git diff --no-renames --name-only $since $tree",
		"git diff --no-renames --name-only HEAD $tree",
		"git diff-tree --root --no-commit-id --no-renames --name-only -r HEAD",
	};
	struct buf b = BUF(m->world->arena, SIZE_MAX);
	struct str names = world_sh(m->world, "since=" STR_FMT " tree=" STR_FMT "; %s", STR_ARG(r->compared),
				    STR_ARG(r->tree), commands[scope]);
	struct str name;

	while (str_next(&names, '\n', &name))
		if (!str_starts(name, str_fmt(m->world->arena, "%s/", m->world->logs)))
			buf_addf(&b, STR_FMT "\n", STR_ARG(name));
	if (scope != SCOPE_COMMIT)
		buf_add(&b, unseen_changes(m, scope == SCOPE_ALL ? r->compared : STR("HEAD")));
	return buf_str(&b);
}

/* On another branch than the base, what is in the base is no change. Where nothing else has changed, the work is compared with
 * the start of the session or, where HEAD is no successor of that, with the start of the base if that was rewritten. */
static void
choose_hidden_start(const struct model *m, struct repository *r)
{
	const struct gates *g = &m->gates;
	struct str start = r->session == NO_SESSION ? STR_NONE : g->session_starts[r->session];

	r->is_unsure = r->session != NO_SESSION && (g->unknown_starts >> r->session & 1);
	if (start.n == 0 || str_eq(start, r->commit))
		return;
	if (world_sh(m->world, "git merge-base --is-ancestor %s HEAD && echo yes", start.s).n > 0) {
		r->compared = start;
		return;
	}
	r->is_unsure |= !g->is_start_known;
	if (g->main_start.n > 0 &&
	    world_sh(m->world, "git merge-base --is-ancestor %s main && echo yes", g->main_start.s).n == 0)
		r->compared = g->main_start;
}

struct repository
repository_read(const struct model *m, enum scope scope, int session)
{
	const struct world *w = m->world;
	const struct gates *g = &m->gates;
	struct str facts = world_sh(
		w,
		BRANCH
		"; git rev-parse HEAD; git merge-base main HEAD; t=$" TREE "; echo $t;"
		"for c in HEAD %s; do git merge-base --is-ancestor $c main && echo yes || echo no; done; "
		"git ls-tree -r --name-only $t",
		g->commit.n > 0 ? g->commit.s : "HEAD");
	struct repository r = { .session = session, .branch = next_line(w, &facts) };

	r.commit = next_line(w, &facts);
	struct str merge_base = next_line(w, &facts);

	r.is_commit = scope == SCOPE_COMMIT;
	r.covers_all = scope == SCOPE_ALL;
	r.tree = next_line(w, &facts);
	r.is_in_base = str_is(next_line(w, &facts), "yes");
	r.is_recorded_in_base = str_is(next_line(w, &facts), "yes") && g->commit.n > 0;
	r.files = files_on_disk(w, facts);
	if (scope == SCOPE_ALL)
		choose_comparison(m, merge_base, &r);
	struct str names = changed_names(m, &r, scope), name;

	if (scope == SCOPE_ALL && names.n == 0 && !str_is(r.branch, "main")) {
		choose_hidden_start(m, &r);
		names = changed_names(m, &r, scope);
	}
	r.has_changes = names.n > 0;
	while (str_next(&names, '\n', &name))
		r.changed |= jobs_for(m->config, name);
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
		if (!check_is_good(w, str_fmt(w->arena, "src/c%d", i).s))
			failing |= job_bit(i);
		for (int k = 0; k < PACKAGES; k++)
			if (!check_is_good(w, str_fmt(w->arena, "packages/%s/c", package_names[k]).s))
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

	if (!c->has_gates || !trust_allows(m, e->front_end))
		return (struct gates_step){ 0 };
	if (e->is_active && !c->reverifies)
		return (struct gates_step){ .status = "stop_hook_active", .is_certain = true };
	if (!c->is_enabled)
		return (struct gates_step){ .status = "stop_hook_disabled", .is_certain = true };
	if (g->has_foreign_lock)
		return (struct gates_step){ .status = "lock_exists", .is_certain = true };
	struct repository r = repository_read(m, SCOPE_ALL, e->session);

	if (c->interval > 0 && !g->is_interval_over && g->has_state && !g->is_partial && !g->outstanding &&
	    str_eq(g->branch, r.branch))
		return (struct gates_step){ .status = "interval_not_elapsed", .repository = r };
	struct gates_step step = gates_expect(m, &r, ~0u);

	step.is_stop = true;
	content_reuse(m, &step);
	step.failing &= ~step.reused;
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
	step->reused |= step->unsure & ~r->ran;
	step->unsure = 0;
	step->failing &= ~step->reused;
	if ((step->planned & ~step->reused) == 0) {
		step->status = "unchanged";
	} else if (step->failing || outcome == FAILS) {
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
		r.again |= r.ran & job;
		r.ran |= job;
		if (str_find(line, STR(" fail")) > 0)
			r.failed |= job;
	}
	return r;
}

void
gates_archived(struct model *m)
{
	struct gates *g = &m->gates;

	/* A reviewer's limit does not depend on the branch, nor does what a check has passed for. */
	g->has_state = g->is_partial = g->was_in_base = g->is_interval_over = g->is_untracked = false;
	g->branch = g->commit = g->passed_at = g->tree = STR_NONE;
	g->is_passed_at_known = true;
	g->review = (struct review){ .is_on_cooldown = g->review.is_on_cooldown,
				     .base = g->review.base,
				     .is_archived = g->outstanding & JOB_REVIEW };
}

/* Where the next changes on this branch count from. */
static void
note_seen(struct gates *g, const struct repository *r, struct str branch, bool is_all_clear)
{
	g->passed_at = r->commit;
	if (str_is(branch, "main")) {
		g->main_start = r->commit;
		g->is_start_known = true;
	}
	if (is_all_clear && r->session != NO_SESSION) {
		g->session_starts[r->session] = r->commit;
		g->unknown_starts &= ~(1u << r->session);
	}
}

/* A run with nothing to do records the commit, at which nothing failed. */
static void
note_commit(struct gates *g, const struct gates_step *step)
{
	if ((strcmp(step->status, "no_applicable_gates") == 0 && g->passed_at.n > 0) ||
	    str_eq(g->passed_at, step->repository.commit))
		return;
	note_seen(g, &step->repository, step->repository.branch, true);
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
	struct str branch = world_sh(m->world, BRANCH);
	struct gates_ran done = *r;

	if (starts_over(g, &step->repository))
		gates_archived(m);
	if ((step->planned & ~step->reused) == 0) {
		if (!is_partial)
			note_commit(g, step);
		return;
	}
	bool cannot_run = !review_after(m, step, &done);

	g->outstanding = (g->outstanding & ~done.ran) | done.failed;
	g->has_state = true;
	g->is_interval_over = false;
	g->is_partial = is_partial || (cannot_run && !done.failed);
	/* A check that failed may have switched to another branch, where the work continues. */
	g->branch = done.failed && !str_is(branch, "HEAD") ? branch : step->repository.branch;
	/* With holdfast.yml everything counts as changed until all gates have passed. */
	if ((g->passed_at.n == 0 && !m->config->is_native) || (!g->is_partial && !g->outstanding)) {
		g->is_passed_at_known |= !g->is_partial && !g->outstanding;
		note_seen(g, &step->repository, g->branch, !g->is_partial && !g->outstanding);
	}
	g->commit = step->repository.commit;
	g->was_in_base = step->repository.is_in_base;
	g->tree = step->repository.covers_all ? step->repository.tree : STR_NONE;
	content_after(m, step, r);
	if (!g->outstanding && !g->is_partial) {
		g->review.has_skipped = false; /* the next run archives the logs */
		g->review.skipped_files = STR_NONE;
	}
}

bool
gates_have_run(const struct model *m, const struct gates_ran *r, const struct gates_step *step)
{
	unsigned planned = step->planned & ~step->reused & ~JOB_REVIEW;

	return !r->again && (gates_cut_short(m, r) ? (r->ran & ~planned) == 0 : r->ran == planned);
}

bool
gates_have_moved(const struct model *m, const struct gates_ran *r)
{
	for (int i = 0; i < m->config->check_count && r->again; i++)
		if ((r->ran & check_jobs(m->config, i)) && m->config->checks[i].manner >= MANNER_SWITCHES)
			return true;
	return false;
}

void
gates_lose_track(struct model *m, const struct gates_ran *r)
{
	unsigned ran = r->ran | (r->asked ? JOB_REVIEW : 0);

	/* A failure in the trace may not have been recorded, and a job whose failure was recorded may have passed. */
	m->gates.outstanding &= ~ran;
	m->gates.is_passed_at_known = m->gates.is_start_known = false;
	m->gates.unknown_keys = m->gates.unknown_starts = ~0u;
	if (r->asked && r->answer == REVIEWER_LIMITED && m->gates.review.is_on_cooldown == NO)
		m->gates.review.is_on_cooldown = PERHAPS;
	m->gates.is_untracked = true;
}
