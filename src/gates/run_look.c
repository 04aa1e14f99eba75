/* SPDX-License-Identifier: MIT */
/* What a run knows before it runs anything. Under the lock it may archive; in a dry run it changes nothing. */
#include "gates/run_look.h"

#include "conf/gauntlet.h"
#include "gates/check.h"
#include "gates/outstanding.h"
#include "record/logname.h"
#include "gates/plan_build.h"
#include "gates/remembered.h"

void
run_init(struct run *r, struct arena *a, const struct gauntlet_config *c, const struct run_options *o)
{
	*r = (struct run){
		.arena = a,
		.config = c,
		.options = o,
		.repository = { .root = c->root, .deadline_ms = o->deadline_ms },
		.logs = logdir_of(a, c->root, c->log_dir),
		.base_branch = gauntlet_base_branch(c, o->base_branch),
		.own_base = gauntlet_base_branch(c, STR_NONE),
	};
	console_init(&r->console, a, o->is_silent, o->view);
	r->debug = debug_log_of(a, &c->sourced, &r->logs);
}

void
run_tell(struct run *r, const char *fmt, ...)
{
	va_list args;

	if (!r->options->shows_progress)
		return;
	va_start(args, fmt);
	console_tell(&r->console, str_vfmt(r->arena, fmt, args));
	va_end(args);
}

bool
run_is_whole(const struct run_options *o)
{
	return !o->commit.s && !o->is_uncommitted && !o->base_branch.s;
}

/* ---- what earlier runs left ---- */

bool
run_has_failures(const struct run *r, bool *ret_has_skipped)
{
	struct plan_facts facts = plan_facts_for(r->config, &r->look.changes);
	struct past_results past;
	struct job_list jobs = { 0 };

	history_latest(r->arena, &r->logs, STR_NONE, &past);
	remembered_add(r->arena, &r->state, &past);
	outstanding_add(r->arena, r->config, &past, &facts, &jobs);
	*ret_has_skipped = history_skipped(&past) > 0;
	return jobs.count > 0;
}

/* Why what is there belongs to other work than this; NULL: it does not. */
static const char *
changed_context(const struct run *r)
{
	const struct execution_state *s = &r->state;

	if (!r->has_state)
		return NULL;
	if (r->look.head.branch.s && !str_eq(s->branch, r->look.head.branch))
		return "branch changed";
	/* On the base branch itself a commit is there as soon as it is made, or pushed: the work goes on. */
	return r->look.is_in_base == ANSWER_YES && !r->is_on_base ? "commit merged" : NULL;
}

static int
archive(struct run *r, bool with_state, struct err *err)
{
	size_t moved;

	r->is_anew = true;
	if (r->options->is_dry)
		return 0;
	return logdir_archive(r->arena, &r->logs, with_state, &moved, err);
}

static int
clean_up(struct run *r, struct err *err)
{
	const char *why = changed_context(r);
	bool has_skipped;

	if (why) {
		struct execution_state fresh = {
			.attempts = -1,
			.resting = r->state.resting,
			.resting_count = r->state.resting_count,
		};

		console_say(&r->console, "Auto-cleaning logs (%s)...", why);
		if (!r->options->is_dry)
			debug_log(r->arena, &r->debug, "CLEAN type=auto reason=%s", why);
		r->has_state = false;
		r->state = fresh; /* who rests does so on any branch */
		return archive(r, true, err);
	}
	/* After a pass with warnings the logs stay to be read, and the next run begins anew. A failure in them is of a
	 * run that was killed before it could write its state. */
	if (r->has_state && r->state.has_outstanding && !r->state.is_outstanding &&
	    !run_has_failures(r, &has_skipped))
		return archive(r, false, err);
	return 0;
}

static struct change_spec
since(const struct run *r, struct str commit)
{
	return (struct change_spec){ .mode = CHANGES_SINCE, .commit = commit, .log_dir = r->config->log_dir };
}

bool
run_changes_since(const struct run *r, struct str commit, struct change_list *ret)
{
	struct change_spec spec = since(r, commit);
	struct err ignored;

	return commit.s && git_changes(r->arena, &r->repository, &spec, ret, &ignored) == 0;
}

static void
note_unanswered(struct run *r, const struct err *err)
{
	if (!r->has_unanswered)
		r->unanswered = *err;
	r->has_unanswered = true;
}

static bool
is_ancestor(struct run *r, struct str commit, struct str of)
{
	struct err err;
	enum git_answer answer = git_is_ancestor(r->arena, &r->repository, commit, of, &err);

	if (answer == ANSWER_UNKNOWN)
		note_unanswered(r, &err);
	return answer == ANSWER_YES;
}

/* Is there a commit on the base branch that no gate has seen, and that the comparison with the base does not tell of? One of
 * what has passed before it was committed has been seen. */
static bool
has_unseen_commit(struct run *r)
{
	const struct execution_state *s = &r->state;
	struct str head = r->look.head.commit, base = r->look.changes.base_used;
	bool has_passed = !s->is_partial && !s->is_outstanding;
	struct change_list now;

	return r->has_state && s->seen.s && head.s && !str_eq(s->seen, head) &&
	       str_eq(s->branch, r->look.head.branch) &&
	       (is_ancestor(r, head, base) || is_ancestor(r, s->seen, base)) &&
	       !(has_passed && run_changes_since(r, s->working_tree_ref, &now) && now.count == 0);
}

/* Compared with the base, what is committed on it is no change: an agent that works there would be let go with all that
 * it has committed. So there it is compared with what was last seen. */
static int
look_at_base(struct run *r, struct err *err)
{
	struct str branch = r->look.head.branch, base = r->look.changes.base_used;
	struct change_spec spec = since(r, r->state.seen);
	struct change_list found;
	struct err ignored;

	r->is_on_base = branch.s && (str_eq(branch, base) ||
				     str_eq(str_fmt(r->arena, "origin/" STR_FMT, STR_ARG(branch)), base));
	if (r->look.is_in_base == ANSWER_UNKNOWN && !r->is_on_base && str_eq(r->state.branch, branch))
		note_unanswered(r, &r->look.in_base_err);
	if (!r->is_on_base || r->wished.mode != CHANGES_LOCAL || !run_is_whole(r->options) ||
	    !has_unseen_commit(r))
		return 0;
	/* Only a commit that no longer exists may be ignored. */
	if (git_changes(r->arena, &r->repository, &spec, &found, err) < 0)
		return git_has_commit(r->arena, &r->repository, r->state.seen, &ignored) == ANSWER_NO ? 0
												      : -1;
	found.warning = r->look.changes.warning;
	r->look.changes = found;
	r->wished = r->whole = spec;
	return 0;
}

static int
look_at_repository(struct run *r, struct err *err)
{
	const struct run_options *o = r->options;
	struct change_wish all = { .base_branch = o->base_branch, .is_at_stop = o->is_hook }, wish = all;
	const struct execution_state *s = &r->state;

	wish.commit = o->commit;
	wish.is_uncommitted = o->is_uncommitted;
	r->whole = change_spec_for(r->config, &all);
	r->wished = change_spec_for(r->config, &wish);
	struct look_spec spec = { .changes = r->wished };

	/* A commit that was in the base when it was recorded says nothing by being there. */
	if (r->has_state && !(s->has_was_in_base && s->was_in_base)) {
		spec.commit = s->commit;
		spec.base = r->own_base;
	}
	if (git_look(r->arena, &r->repository, &spec, &r->look, err) < 0)
		return -1;
	return look_at_base(r, err);
}

int
run_look(struct run *r, struct err *err)
{
	r->has_state = logdir_read_state(r->arena, &r->logs, &r->state);
	if (!r->has_state)
		r->state.attempts = -1;
	run_tell(r, "Detecting changes...");
	if (look_at_repository(r, err) < 0 || clean_up(r, err) < 0)
		return -1;
	r->number = logdir_next_run(r->arena, &r->logs);
	/* No number is left that would be the newest: the state knows what has failed. */
	if (r->number > LOG_RUN_MAX) {
		if (archive(r, false, err) < 0)
			return -1;
		r->number = logdir_next_run(r->arena, &r->logs);
	}
	bool has_logs = !r->is_anew && logdir_has_gate_logs(r->arena, &r->logs);

	r->is_rerun = has_logs && !r->options->commit.s;
	/* A failure counts even if its logs were deleted: else one that does so itself would have no bound. */
	bool is_counted = r->has_state && r->state.attempts >= 0 && (has_logs || r->state.is_outstanding);
	int64_t before = is_counted ? r->state.attempts : logdir_gate_runs(r->arena, &r->logs);

	r->attempt = before + 1;
	if (has_logs) {
		struct str gate = r->options->gate;

		history_latest(r->arena, &r->logs, gate.s ? plan_file_part(r->arena, gate) : gate, &r->past);
	}
	remembered_add(r->arena, &r->state, &r->past);
	if (r->is_rerun) {
		run_tell(r, "Existing logs detected — running in verification mode...");
		if (history_violations(&r->past) > 0)
			run_tell(r, "Found %zu gate(s) with %zu previous violation(s)",
				 history_failures(&r->past), history_violations(&r->past));
	}
	return 0;
}

bool
run_is_over_limit(const struct run *r)
{
	return r->attempt > r->config->max_retries + 1;
}

/* ---- what there is to do ---- */

static void
warn(struct run *r, struct str text)
{
	if (text.s)
		console_say(&r->console, "[WARNING][gauntlet.run] " STR_FMT, STR_ARG(text));
}

void
run_plan(struct run *r)
{
	warn(r, r->look.changes.warning);
	warn(r, r->look.changes.doubt);
	struct plan_facts facts = plan_facts_for(r->config, &r->look.changes);

	facts.gate = r->options->gate;
	facts.has_checks = r->options->has_checks;
	facts.has_reviews = r->options->has_reviews;
	r->jobs = plan_jobs(r->arena, &facts);
	/* A gate that has failed is run until it passes, whatever has become of the changes. */
	if (!r->options->commit.s)
		outstanding_add(r->arena, r->config, &r->past, &facts, &r->jobs);
}

/* ---- tasks ---- */

static void
say(void *context, struct str text)
{
	struct run *r = context;

	console_say(&r->console, STR_FMT, STR_ARG(text));
}

static struct reviews *
open_reviews(struct run *r)
{
	const struct run_options *o = r->options;
	struct review_facts facts = {
		.config = r->config,
		.repository = r->repository,
		.head = &r->look.head,
		.wished = r->wished,
		.whole = r->whole,
		.is_whole = run_is_whole(o),
		.past = &r->past,
		.state = &r->state,
		.base_branch = r->base_branch,
		.deadline_ms = o->deadline_ms,
		.is_dry = o->is_dry,
		.say = say,
		.say_context = r,
	};

	return reviews_open(r->arena, &facts);
}

void
run_prepare(struct run *r)
{
	struct task_list *lists = arena_array(r->arena, r->jobs.count, struct task_list);
	size_t count = 0;

	for (size_t i = 0; i < r->jobs.count; i++) {
		const struct job *job = &r->jobs.items[i];

		if (job->kind == GATE_REVIEW) {
			if (!r->reviews)
				r->reviews = open_reviews(r);
			lists[i] = review_prepare(r->reviews, job);
		} else {
			lists[i] = (struct task_list){ arena_new(r->arena, struct task), 1 };
			check_prepare(r->arena, r->config, job, r->base_branch, r->is_rerun, lists[i].items);
		}
		count += lists[i].count;
	}
	r->tasks = arena_array(r->arena, count, struct task);
	for (size_t i = 0; i < r->jobs.count; i++)
		for (size_t k = 0; k < lists[i].count; k++)
			r->tasks[r->task_count++] = lists[i].items[k];
}
