/* SPDX-License-Identifier: MIT */
/* The review in the model: when its reviewer must be asked, and what the answer means (doc/decisions/0014). */
#include "model.h"

/* What the review covers, by its entry point. */
static const char *const review_paths[ENTRY_COUNT] = { ".", "src", "docs", "packages" };

/* Has anything below the path changed since the review's last answer? */
static bool
has_changed(const struct model *m, struct str now, const char *path)
{
	struct str since = m->gates.review.tree;

	return !str_eq(since, now) &&
	       world_sh(m->world, "git diff --no-renames --name-only %s %s -- %s", since.s, now.s, path).n >
		       0;
}

/* A finding that the agent did not mark stays open until its file changes, even if the reviewer passes. */
static bool
stays_open(const struct model *m, struct str now)
{
	const struct review *v = &m->gates.review;
	struct str files = v->files, file;

	if (v->mark == MARK_FIXED || v->mark == MARK_SKIPPED)
		return false;
	while (str_next(&files, '\n', &file))
		if (!has_changed(m, now, str_copy(m->world->arena, file).s))
			return true;
	return false;
}

bool
review_is_undone(const struct model *m, struct str tree)
{
	struct str base = m->gates.review.base;

	return base.n > 0 && world_sh(m->world, "git diff --name-only %s %s -- %s", base.s, tree.s,
				      review_paths[m->config->review_entry])
					     .n == 0;
}

struct review_step
review_expect(const struct model *m, const struct repository *r, bool is_outstanding)
{
	const struct review *v = &m->gates.review;
	struct review_step step = { .is_outstanding = is_outstanding, .is_asked = YES, .unasked = FAILS };

	step.skipped_files = v->skipped_files;
	step.has_skipped = v->has_skipped || (is_outstanding && v->mark == MARK_SKIPPED);
	if (v->is_archived) {
		step.is_asked = r->changed & JOB_REVIEW && !review_is_undone(m, r->tree) ? YES : PERHAPS;
		step.unasked = PASSES; /* nothing is left of the change */
	} else if (v->tree.n == 0) {
		step.is_asked = is_outstanding ? PERHAPS : YES;
	} else if (is_outstanding || v->has_passed) {
		/* After a failure, a change outside of the entry point may be a reason to ask again. */
		if (!has_changed(m, r->tree, review_paths[m->config->review_entry]))
			step.is_asked = is_outstanding && has_changed(m, r->tree, ".") ? PERHAPS : NO;
		step.unasked = !is_outstanding || v->mark == MARK_SKIPPED ? PASSES : FAILS;
		step.stays_open = is_outstanding && stays_open(m, r->tree);
		/* Findings that can't be read and that nothing has touched are open, whatever a reviewer says. */
		if (v->mark == MARK_BROKEN && step.stays_open && step.is_asked == YES)
			step.is_asked = PERHAPS;
	}
	if (v->is_on_cooldown != NO && step.is_asked != NO) {
		step.is_asked = v->is_on_cooldown == YES ? NO : PERHAPS;
		step.unasked = CANNOT_RUN;
	}
	return step;
}

/* The reviewer finds one thing in a file, with the same words each time: a finding that was skipped stays skipped. */
bool
review_was_skipped(struct str files, struct str file)
{
	struct str line;

	while (str_next(&files, '\n', &line))
		if (str_eq(line, file))
			return true;
	return false;
}

enum outcome
review_outcome(const struct review_step *s, const struct gates_ran *r)
{
	if (r->asked == 0)
		return s->unasked;
	if (r->answer == REVIEWER_PASSES ||
	    (r->answer == REVIEWER_FINDS && review_was_skipped(s->skipped_files, r->file)))
		return s->stays_open ? FAILS : PASSES;
	return r->answer == REVIEWER_FINDS ? FAILS : CANNOT_RUN;
}

bool
review_cannot_run(const struct model *m, const struct gates_ran *r)
{
	if (r->asked == 0)
		return m->config->has_review && m->gates.review.is_on_cooldown != NO;
	return r->answer == REVIEWER_FAILS || r->answer == REVIEWER_LIMITED;
}

const char *
review_judge(const struct model *m, const struct gates_step *step, const struct gates_ran *r)
{
	bool is_planned = step->runs && (step->planned & JOB_REVIEW);

	if (r->asked > 0 && (!is_planned || step->review.is_asked == NO))
		return "the reviewer was asked";
	return is_planned && step->review.is_asked == YES && r->asked == 0 && !gates_cut_short(m, r)
		       ? "the reviewer was not asked"
		       : NULL;
}

bool
review_after(struct model *m, const struct gates_step *step, struct gates_ran *done)
{
	struct review *v = &m->gates.review;
	enum outcome outcome = review_outcome(&step->review, done);

	if (!(step->planned & JOB_REVIEW))
		return true;
	if (done->asked == 0 && gates_cut_short(m, done)) {
		/* It may have ended before the check, without a question, and have taken the mark back. */
		m->gates.is_untracked |= v->mark == MARK_FIXED;
		return true;
	}
	if (done->asked > 0 && done->answer == REVIEWER_LIMITED)
		v->is_on_cooldown = YES;
	if (outcome == CANNOT_RUN)
		return false;
	done->ran |= JOB_REVIEW;
	v->is_archived = false;
	if (outcome == FAILS)
		done->failed |= JOB_REVIEW;
	v->has_skipped = step->review.has_skipped;
	v->has_passed = outcome == PASSES;
	if (done->asked > 0) {
		bool is_added = step->review.stays_open && done->answer == REVIEWER_FINDS;

		v->tree = step->repository.tree;
		v->base = step->repository.compared;
		if (is_added)
			v->files = str_fmt(m->world->arena, STR_FMT STR_FMT "\n", STR_ARG(v->files),
					   STR_ARG(done->file));
		else if (done->answer == REVIEWER_FINDS)
			v->files = str_fmt(m->world->arena, STR_FMT "\n", STR_ARG(done->file));
	}
	v->mark = MARK_NEW;
	return true;
}
