/* SPDX-License-Identifier: MIT */
/* A run before it runs anything. Under the lock it may archive logs; a dry run changes nothing. */
#include "gates/run_inspect.h"

#include "import/gates.h"
#include "gates/check.h"
#include "gates/plan.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "model/logname.h"
#include "record/fold.h"
#include "record/journal.h"

struct git_known
known_by_runs(struct arena *a, struct str root, bool is_read_only)
{
	return (struct git_known){
		.blob_file = journal_beside(a, root, "contents"),
		.index_file = journal_beside(a, root, "index"),
		.answer_file = journal_beside(a, root, "answers"),
		.index_least_bytes = OWN_INDEX_LEAST_BYTES,
		.is_read_only = is_read_only,
	};
}

void
run_init(struct run *r, struct arena *a, const struct gates_config *c, const struct run_options *o)
{
	*r = (struct run){
		.arena = a,
		.config = c,
		.options = o,
		.repository = { .root = c->root, .deadline_ms = o->deadline_ms, .known = &r->known },
		.logs = logdir_of(a, c->root, c->log_dir, c->dialect),
		.base_branch = gates_base_branch(c, o->base_branch),
		.own_base = gates_base_branch(c, STR_NONE),
	};
	r->known = known_by_runs(a, c->root, o->is_dry);
	console_init(&r->console, a, o->is_silent, o->view);
	r->console.has_plain_texts = c->dialect->has_plain_texts;
	r->console.shows_output = o->shows_output;
	r->console.shows_progress = o->shows_progress && !c->dialect->has_plain_texts;
	if (!o->is_silent)
		r->console.up = path_up(a, path_below(fs_cwd(a), c->root));
	r->debug = debug_log_of(a, &c->sourced, &r->logs);
}

static bool
is_directory(const void *context, struct str path)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct gates_config *c = context;

	return fs_kind(path_join(&scratch, c->root, path).s) == FS_DIR;
}

struct plan_facts
plan_facts_for(const struct gates_config *c, const struct change_list *changes)
{
	return (struct plan_facts){
		.config = c,
		.changes = changes->items,
		.change_count = changes->count,
		.is_ci = gates_are_in_ci(),
		.has_checks = true,
		.has_reviews = true,
		.is_directory = is_directory,
		.context = c,
	};
}

void
find_base_branch(struct arena *a, struct gates_config *c)
{
	if (!c->base_branch.s)
		c->base_branch = git_usual_base(a, &(struct repository){ .root = c->root });
}

struct change_spec
change_spec_for(const struct gates_config *c, const struct change_request *q)
{
	struct change_spec spec = { .log_dir = c->log_dir };

	if (q->commit.s) {
		spec.mode = CHANGES_COMMIT;
		spec.commit = q->commit;
	} else if (q->is_uncommitted) {
		spec.mode = CHANGES_UNCOMMITTED;
	} else {
		spec.mode = gates_are_in_ci() && !q->is_at_stop ? CHANGES_CI : CHANGES_LOCAL;
		spec.base = gates_base_branch(c, q->base_branch);
		if (spec.mode == CHANGES_CI && env_has("GITHUB_SHA"))
			spec.head = env_get("GITHUB_SHA");
	}
	return spec;
}

bool
run_covers_all_changes(const struct run_options *o)
{
	return !o->commit.s && !o->is_uncommitted && !o->base_branch.s;
}

/* ---- what earlier runs left ---- */

struct str_list
outstanding_gates(struct arena *a, const struct gates_config *c, const struct past_results *past)
{
	struct change_list none = { 0 };
	struct plan_facts facts = plan_facts_for(c, &none);
	struct job_list jobs = { 0 };

	outstanding_add(a, c, past, &facts, &jobs);
	struct str_list ids = { arena_array(a, jobs.count, struct str), jobs.count };

	for (size_t i = 0; i < jobs.count; i++)
		ids.items[i] = jobs.items[i].id;
	return ids;
}

bool
run_has_failures(const struct run *r)
{
	return outstanding_gates(r->arena, r->config, &r->record.latest).count > 0;
}

bool
run_may_write(struct run *r)
{
	r->needs_lock |= r->is_unlocked;
	return !r->options->is_dry && !r->is_unlocked;
}

/* Archives the logs of other work than this. */
static int
clean_up(struct run *r, struct err *err)
{
	struct record *record = &r->record;
	struct execution_state old = record->state;
	const char *why = NULL;

	if (record->has_state && r->look.head.branch.s && !str_eq(old.branch, r->look.head.branch))
		why = "branch changed";
	/* On the base branch itself a commit is there as soon as it is made, or pushed: the work goes on. */
	else if (record->has_state && r->look.is_in_base == ANSWER_YES && !r->is_on_base)
		why = "commit merged";
	if (why) {
		bool may_write = run_may_write(r);

		console_line(&r->console, "Auto-cleaning logs (", why, ")...");
		if (may_write)
			debug_log(r->arena, &r->debug, "CLEAN type=auto reason=%s", why);
		if (record_clear(record, true, !may_write, err) < 0)
			return -1;
		/* What was seen is a commit of that branch. A reviewer's cooldown does not depend on the branch. */
		record->state.seen = record->state.branch = STR_NONE;
		record->state.cooldowns = old.cooldowns;
		record->state.cooldown_count = old.cooldown_count;
		return 0;
	}
	/* After a pass with warnings the logs stay to be read, and the next run starts over. A failure in the record is of a
	 * run that was killed before it could write its state. */
	if (record->has_state && old.has_outstanding && !old.is_outstanding && record->result_count > 0 &&
	    !run_has_failures(r))
		return record_clear(record, false, !run_may_write(r), err);
	return 0;
}

struct change_spec
run_since(const struct run *r, struct str commit)
{
	return (struct change_spec){ .mode = CHANGES_SINCE, .commit = commit, .log_dir = r->config->log_dir };
}

bool
run_changes_since(const struct run *r, struct str commit, struct change_list *ret)
{
	struct change_spec spec = run_since(r, commit);

	return commit.s && git_changes(r->arena, &r->repository, &spec, ret, IGNORED) == 0;
}

bool
content_is(struct arena *a, const struct repository *repository, struct str log_dir, struct str commit,
	   struct str key)
{
	struct change_spec spec = { .mode = CHANGES_SINCE, .commit = commit, .log_dir = log_dir };
	struct git_known known = known_by_runs(a, repository->root, true);
	struct repository here = *repository;
	struct change_list now;

	if (!here.known)
		here.known = &known;
	return commit.s && key.s && git_changes(a, &here, &spec, &now, IGNORED) == 0 &&
	       git_read_contents(a, &here, &now, IGNORED) == 0 && str_eq(content_key(a, &now), key);
}

static int
look_at_repository(struct run *r, struct err *err)
{
	const struct run_options *o = r->options;
	struct change_request q = { .base_branch = o->base_branch, .is_at_stop = o->is_hook };
	const struct execution_state *s = &r->record.state;

	r->all_changes = change_spec_for(r->config, &q);
	q.commit = o->commit;
	q.is_uncommitted = o->is_uncommitted;
	r->requested_changes = change_spec_for(r->config, &q);
	struct repo_status_spec spec = { .changes = r->requested_changes };

	/* A commit that was in the base when it was recorded says nothing by being there. */
	if (r->record.has_state && !(s->has_was_in_base && s->was_in_base)) {
		spec.commit = s->commit;
		spec.base = r->own_base;
	}
	if (!r->known.status.s)
		r->ground.looked_ns = clock_file_ns();
	if (git_status(r->arena, &r->repository, &spec, &r->look, err) < 0)
		return -1;
	return run_look_at_base(r, err);
}

/* The results of the gates that the run is about. */
static struct past_results
past_of(const struct run *r)
{
	const struct past_results *all = &r->record.latest;
	const struct str_list *gates = &r->options->gates;

	if (gates->count == 0)
		return *all;
	struct past_results kept = { arena_array(r->arena, all->count, struct past_result), 0 };

	for_each (p, all->items, all->count) {
		bool is_asked = false;

		for (size_t k = 0; k < gates->count && !is_asked; k++)
			is_asked = p->name.s ? str_eq(p->name, gates->items[k])
					     : str_find(p->file_part,
							plan_file_part(r->arena, gates->items[k])) >= 0;
		if (is_asked)
			kept.items[kept.count++] = *p;
	}
	return kept;
}

int
run_inspect(struct run *r, struct err *err)
{
	struct record *record = &r->record;
	size_t moved;

	bool is_first = r->is_unlocked || r->looked_ms == 0;

	if (is_first && r->options->record && journal_is_as_read(&r->options->record->journal))
		*record = *r->options->record;
	else if (record_load(record, r->arena, r->config->root, &r->logs, err) < 0)
		return -1;
	r->has_record = true;
	if (!r->options->is_dry && !r->is_unlocked)
		record_compact(record);
	run_progress(r, "Detecting changes...");
	if (look_at_repository(r, err) < 0 || clean_up(r, err) < 0)
		return -1;
	record_read_findings(record);
	/* No number is left: start over at 1. What has failed is still known. */
	if (record->listing.last_run >= LOG_RUN_MAX) {
		if (run_may_write(r) && logdir_archive(&r->logs, false, &moved, err) < 0)
			return -1;
		record->listing.last_run = 0;
	}
	r->number = record->listing.last_run + 1;
	r->is_rerun = record->result_count > 0 && !r->options->commit.s;
	if (r->is_rerun) {
		run_progress(r, "Existing logs detected — running in verification mode...");
		struct past_results past = past_of(r);

		if (past_violations(&past) > 0)
			run_progress(r, "Found ", past_failures(&past), " gate(s) with ",
				     past_violations(&past), " previous violation(s)");
	}
	return 0;
}

/* ---- what there is to do ---- */

/* The gates that were asked for by name and that no change is for. */
static struct str_list
names_without_job(const struct run *r)
{
	const struct str_list *asked = &r->options->gates;
	struct str_list names = { arena_array(r->arena, asked->count, struct str), 0 };

	for (size_t i = 0; i < asked->count; i++) {
		size_t k = 0;

		while (k < r->jobs.count && !str_eq(r->jobs.items[k].gate->name, asked->items[i]))
			k++;
		if (k == r->jobs.count)
			names.items[names.count++] = asked->items[i];
	}
	return names;
}

int
run_plan(struct run *r, struct err *err)
{
	const struct run_options *o = r->options;

	r->past = past_of(r);
	r->jobs = (struct job_list){ 0 };
	if (r->look.changes.warning.s)
		console_warn(&r->console, "run", r->look.changes.warning);
	if (r->look.changes.fallback_reason.s)
		console_warn(&r->console, "run", r->look.changes.fallback_reason);
	struct plan_facts facts = plan_facts_for(r->config, &r->look.changes);

	facts.gates = o->gates;
	facts.has_checks = o->has_checks;
	facts.has_reviews = o->has_reviews;
	if (!o->is_all)
		r->jobs = plan_jobs(r->arena, &facts);
	struct str_list missing = o->runs_named ? names_without_job(r) : (struct str_list){ 0 };

	if (o->is_all || missing.count > 0) {
		struct change_spec spec = run_since(r, STR(GIT_EMPTY_TREE));
		struct plan_facts all = facts;

		if (git_changes(r->arena, &r->repository, &spec, &r->all_files, err) < 0)
			return -1;
		all.gates = o->is_all ? o->gates : missing;
		all.is_all = true;
		all.changes = r->all_files.items;
		all.change_count = r->all_files.count;
		plan_add_jobs(r->arena, &all, &r->jobs);
	}
	/* A gate that has failed is run until it passes, whatever has become of the changes. */
	if (!r->options->commit.s)
		outstanding_add(r->arena, r->config, &r->past, &facts, &r->jobs);
	return 0;
}

void
run_read_contents(struct run *r)
{
	struct change_list *changes = &r->look.changes;
	struct err err;

	/* A part of the changes says nothing about the rest of a gate's files. */
	if (!run_covers_all_changes(r->options) || !changes->commit.s)
		return;
	if (git_read_contents(r->arena, &r->repository, changes, &err) < 0) {
		console_warn(&r->console, "run", "no result can be reused: ", err.msg);
		return;
	}
	r->content_key = content_key(r->arena, changes);
	struct key_memory memory = { 0 };

	for (size_t i = 0; i < r->jobs.count; i++)
		r->jobs.items[i].key = job_key(r->arena, &memory, &r->jobs.items[i], changes);
}

/* ---- tasks ---- */

static void
log_of_reviews(void *context, const char *level, const char *who, struct str text)
{
	struct run *r = context;

	console_log(&r->console, level, who, text);
}

static struct reviews *
open_reviews(struct run *r)
{
	const struct run_options *o = r->options;
	struct review_facts facts = {
		.config = r->config,
		.repository = r->repository,
		.head = &r->look.head,
		.requested_changes = r->requested_changes,
		.all_changes = r->all_changes,
		.covers_all_changes = run_covers_all_changes(o),
		.base_commit = run_covers_all_changes(o) ? r->look.changes.commit : STR_NONE,
		.past = &r->past,
		.state = &r->record.state,
		.base_branch = r->base_branch,
		.deadline_ms = o->deadline_ms,
		.is_dry = o->is_dry,
		.log = log_of_reviews,
		.log_context = r,
	};

	return reviews_open(r->arena, &facts);
}

static struct str
last_program(const struct run *r, const struct job *job)
{
	const struct past_result *p = fold_find(&r->record,
						&(struct past_result){ .kind = GATE_CHECK,
								       .name = job->gate->name,
								       .place = job->dir,
								       .file_part = job->file_part });

	return p ? p->program : STR_NONE;
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
			struct check_facts facts = {
				r->base_branch,
				r->is_rerun,
				last_program(r, job),
				&r->repository,
				job->is_for_all_files ? &r->all_files : &r->look.changes,
				r->config->log_dir,
			};

			lists[i] = (struct task_list){ arena_new(r->arena, struct task), 1 };
			check_prepare(r->arena, r->config, job, &facts, lists[i].items);
		}
		count += lists[i].count;
	}
	r->tasks = arena_array(r->arena, count, struct task);
	for (size_t i = 0; i < r->jobs.count; i++)
		for (size_t k = 0; k < lists[i].count; k++)
			r->tasks[r->task_count++] = lists[i].items[k];
	for (size_t i = 0; r->config->dialect->has_plain_texts && i < r->task_count; i++)
		r->tasks[i].result.title = gate_result_title(r->arena, &r->tasks[i].result);
}
