/* SPDX-License-Identifier: MIT */
/* A run of the gates. The order is the contract: nothing is looked at before the lock is held, a passing run archives
 * its logs before it writes the state, and what was interrupted leaves the state of the run before. */
#include "gauntlet/run.h"

#include "base/buf.h"
#include "gauntlet/changes.h"
#include "gauntlet/check.h"
#include "gauntlet/console.h"
#include "gauntlet/outstanding.h"
#include "gauntlet/plan.h"
#include "gauntlet/run_failures.h"
#include "conf/gauntlet.h"
#include "os/clock.h"
#include "os/fs.h"

#include <inttypes.h>
#include <stdio.h>

/* One run under way. */
struct run {
	struct arena *arena;
	const struct gauntlet_config *config;
	const struct run_options *options;
	struct repository repository;
	struct logdir logs;
	struct console console;
	struct debug_log debug;
	struct git_head head;
	struct execution_state state; /* of the run before */
	bool has_state;
	bool is_rerun, is_ci;
	struct str base_branch;
	struct past_results past;
	struct change_list changes;
	struct job_list jobs;
	struct task *tasks;
	int64_t number, attempt;
	bool is_interrupted;
	bool has_others; /* a failure is left in the logs: a run of some gates says nothing about the others */
};

static struct run_result
ended(const struct run *r, enum status status, struct str message)
{
	return (struct run_result){
		.status = status,
		.message = message.s ? message : status_message(status),
		.console_log_path = r->console.path,
		.run_number = r->number,
	};
}

static struct run_result
failed(const struct run *r, const struct err *err)
{
	struct run_result result = ended(r, STATUS_ERROR, STR_NONE);

	result.error_message = str_copy(r->arena, str_from(err->msg));
	return result;
}

/* check and review tell on stdout what they find; run does not. */
static void tell(const struct run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void
tell(const struct run *r, const char *fmt, ...)
{
	va_list args;

	if (!r->options->shows_progress || r->options->is_silent)
		return;
	va_start(args, fmt);
	(void)vprintf(fmt, args);
	va_end(args);
	(void)printf("\n");
	(void)fflush(stdout);
}

/* ---- what earlier runs left ---- */

static bool
is_directory(const void *context, struct str path)
{
	const struct run *r = context;
	CLEANUP(arena_free) struct arena scratch = { 0 };

	return fs_kind(fs_join(&scratch, r->config->root, path).s) == FS_DIR;
}

static struct plan_facts
facts_of_all(const struct run *r)
{
	return (struct plan_facts){
		.config = r->config,
		.changes = r->changes.items,
		.change_count = r->changes.count,
		.is_ci = r->is_ci,
		.has_checks = true,
		.has_reviews = true,
		.is_directory = is_directory,
		.context = r,
	};
}

/* Do the logs tell of a failure, of whatever run, in a gate that there still is? */
static bool
has_failures(const struct run *r)
{
	struct plan_facts facts = facts_of_all(r);
	struct past_results past;
	struct job_list jobs = { 0 };

	history_latest(r->arena, &r->logs, STR_NONE, &past);
	outstanding_add(r->arena, r->config, &past, &facts, &jobs);
	return jobs.count > 0;
}

/* Why what is there belongs to other work than this; NULL: it does not. */
static const char *
changed_context(const struct run *r)
{
	const struct execution_state *s = &r->state;

	if (!r->has_state)
		return NULL;
	if (r->head.branch.s && !str_eq(s->branch, r->head.branch))
		return "branch changed";
	/* A commit that was in the base when it was recorded says nothing by being there. */
	if (s->has_was_in_base && s->was_in_base)
		return NULL;
	return git_is_ancestor(r->arena, &r->repository, s->commit, r->base_branch) ? "commit merged" : NULL;
}

static int
clean_up(struct run *r, struct err *err)
{
	const char *why = changed_context(r);
	size_t moved;

	if (why) {
		console_say(&r->console, "Auto-cleaning logs (%s)...", why);
		debug_log(r->arena, &r->debug, "CLEAN type=auto reason=%s", why);
		r->has_state = false;
		r->state = (struct execution_state){ .attempts = -1 };
		return logdir_archive(r->arena, &r->logs, true, &moved, err);
	}
	/* After a pass with warnings the logs stay to be read, and the next run begins anew. A failure in them is of a
	 * run that was killed before it could write its state. */
	if (r->has_state && r->state.has_outstanding && !r->state.is_outstanding && !has_failures(r))
		return logdir_archive(r->arena, &r->logs, false, &moved, err);
	return 0;
}

static int
look_back(struct run *r, struct err *err)
{
	r->has_state = logdir_read_state(r->arena, &r->logs, &r->state);
	if (!r->has_state)
		r->state.attempts = -1;
	if (git_head(r->arena, &r->repository, &r->head, err) < 0 || clean_up(r, err) < 0)
		return -1;
	bool has_logs = logdir_has_gate_logs(r->arena, &r->logs);

	r->is_rerun = has_logs && !r->options->commit.s;
	r->number = logdir_next_run(r->arena, &r->logs);
	int64_t before = r->has_state && r->state.attempts >= 0 && has_logs
				 ? r->state.attempts
				 : logdir_gate_runs(r->arena, &r->logs);

	r->attempt = before + 1;
	if (r->is_rerun) {
		history_latest(r->arena, &r->logs, r->options->gate, &r->past);
		tell(r, "Existing logs detected — running in verification mode...");
		if (history_violations(&r->past) > 0)
			tell(r, "Found %zu gate(s) with %zu previous violation(s)",
			     history_failures(&r->past), history_violations(&r->past));
		for (size_t i = 0; i < r->past.warnings.count; i++)
			console_say(&r->console, "[WARNING][gauntlet.log-parser] " STR_FMT,
				    STR_ARG(r->past.warnings.items[i]));
	}
	return 0;
}

/* ---- what there is to do ---- */

/* There is nobody yet who reviews. */
static void
leave_out_reviews(struct run *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->jobs.count; i++) {
		if (r->jobs.items[i].kind == GATE_CHECK)
			r->jobs.items[kept++] = r->jobs.items[i];
		else
			console_say(&r->console,
				    "[WARNING][gauntlet.run] " STR_FMT
				    " is left out: this version runs no reviews",
				    STR_ARG(r->jobs.items[i].id));
	}
	r->jobs.count = kept;
}

static int
make_plan(struct run *r, struct err *err)
{
	struct change_wish wish = {
		.base_branch = r->options->base_branch,
		.commit = r->options->commit,
		.is_uncommitted = r->options->is_uncommitted,
	};
	struct change_spec spec = change_spec_for(r->config, &wish);

	tell(r, "Detecting changes...");
	if (git_changes(r->arena, &r->repository, &spec, &r->changes, err) < 0)
		return -1;
	if (r->changes.warning.s)
		console_say(&r->console, "[WARNING][gauntlet.run] " STR_FMT, STR_ARG(r->changes.warning));
	struct plan_facts facts = facts_of_all(r);

	facts.gate = r->options->gate;
	facts.has_checks = r->options->has_checks;
	facts.has_reviews = r->options->has_reviews;
	r->jobs = plan_jobs(r->arena, &facts);
	/* A gate that has failed is run until it passes, whatever has become of the changes. */
	if (r->is_rerun)
		outstanding_add(r->arena, r->config, &r->past, &facts, &r->jobs);
	leave_out_reviews(r);
	return 0;
}

/* ---- doing it ---- */

static void
prepare_tasks(struct run *r)
{
	r->tasks = arena_array(r->arena, r->jobs.count, struct task);
	for (size_t i = 0; i < r->jobs.count; i++)
		check_prepare(r->arena, r->config, &r->jobs.items[i], r->base_branch, r->is_rerun,
			      &r->tasks[i]);
}

static const char *
outcome_word(enum gate_outcome o)
{
	return o == OUTCOME_PASS ? "pass" : o == OUTCOME_FAIL ? "fail" : "error";
}

static void
run_tasks(struct run *r)
{
	struct run_watcher watcher = console_watcher(&r->console);
	struct runner runner = {
		.arena = r->arena,
		.tasks = r->tasks,
		.count = r->jobs.count,
		.logs = &r->logs,
		.run = r->number,
		.allows_parallel = r->config->allows_parallel,
		.max_parallel = (size_t)r->config->max_parallel,
		.deadline_ms = r->options->deadline_ms,
		.watcher = &watcher,
	};

	r->is_interrupted = runner_run(&runner);
	for (size_t i = 0; i < r->jobs.count; i++)
		if (!r->tasks[i].is_skipped)
			debug_log(r->arena, &r->debug, "GATE_RESULT " STR_FMT " status=%s duration=%.2fs",
				  STR_ARG(r->tasks[i].job->id), outcome_word(r->tasks[i].outcome),
				  (double)r->tasks[i].elapsed_ms / 1000);
}

/* ---- what came of it ---- */

static size_t
count_outcome(const struct run *r, enum gate_outcome outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < r->jobs.count; i++)
		count += !r->tasks[i].is_skipped && r->tasks[i].outcome == outcome;
	return count;
}

static enum status
status_of(const struct run *r)
{
	if (count_outcome(r, OUTCOME_FAIL) > 0)
		return r->attempt > r->config->max_retries ? STATUS_RETRY_LIMIT_EXCEEDED : STATUS_FAILED;
	if (r->is_interrupted || count_outcome(r, OUTCOME_ERROR) > 0)
		return STATUS_INFRASTRUCTURE_ERROR;
	return STATUS_PASSED;
}

static int
write_state(struct run *r, enum status status, struct err *err)
{
	struct execution_state s = r->state;

	s.completed_at = clock_format_millis(r->arena, clock_real_us());
	s.branch = r->head.branch;
	s.commit = r->head.commit.s ? r->head.commit : STR("");
	if (git_snapshot(r->arena, &r->repository, r->config->log_dir, &s.working_tree_ref, err) < 0)
		return -1;
	s.has_was_in_base = true;
	s.was_in_base = r->head.commit.s &&
			git_is_ancestor(r->arena, &r->repository, s.commit, r->base_branch);
	s.has_outstanding = true;
	s.is_outstanding = r->has_others;
	s.attempts = count_outcome(r, OUTCOME_FAIL) > 0 ? r->attempt : s.is_outstanding ? r->attempt - 1 : 0;
	if (status == STATUS_PASSED && !s.is_outstanding)
		s.pass_ref = s.working_tree_ref;
	return logdir_write_state(r->arena, &r->logs, &s, err);
}

static int
leave(struct run *r, enum status status, struct err *err)
{
	size_t moved;

	/* The state of the run before stays; but a block is counted, or nothing would bound it. */
	if (r->is_interrupted && !is_blocking_status(status))
		return 0;
	r->has_others = has_failures(r);
	if (status == STATUS_PASSED && !r->has_others) {
		if (logdir_archive(r->arena, &r->logs, false, &moved, err) < 0)
			return -1;
		debug_log(r->arena, &r->debug, "CLEAN type=auto reason=all_passed");
	}
	return write_state(r, status, err);
}

static struct run_result
run_jobs(struct run *r)
{
	struct history_tale tale;
	struct err err;

	if (console_open(&r->console, &r->logs, &r->number, &err) < 0)
		return failed(r, &err);
	prepare_tasks(r);
	if (!r->options->shows_progress && history_violations(&r->past) > 0)
		console_say(&r->console,
			    "[WARNING][gauntlet.run] Found %zu gate(s) with %zu previous violation(s)",
			    history_failures(&r->past), history_violations(&r->past));
	run_tasks(r);
	enum status status = status_of(r);
	struct run_result result = ended(r, status, STR_NONE);

	if (status == STATUS_INFRASTRUCTURE_ERROR)
		result.message = run_what_failed(r->arena, r->tasks, r->jobs.count, r->is_interrupted);

	history_tell(r->arena, &r->logs, &tale);
	console_summary(&r->console, &tale, r->tasks, r->jobs.count, status);
	result.tasks = r->tasks;
	result.task_count = r->jobs.count;
	run_list_failures(r->arena, &r->logs, &result);
	debug_log(r->arena, &r->debug,
		  "RUN_END status=%s fixed=%zu skipped=%zu failed=%zu iterations=%" PRId64,
		  status == STATUS_PASSED ? "pass" : "fail", tale.fixed, tale.skipped, result.failed_count,
		  r->number);
	if (leave(r, status, &err) < 0)
		return failed(r, &err);
	return result;
}

static struct run_result
over_limit(struct run *r)
{
	struct str text = str_fmt(r->arena,
				  "Retry limit exceeded: run %" PRId64 " exceeds max allowed %" PRId64
				  " (max_retries: %" PRId64 "). Human input required on what to do next.",
				  r->attempt, r->config->max_retries + 1, r->config->max_retries);

	console_say(&r->console, STR_FMT, STR_ARG(text));
	console_say(&r->console, "Run `agent-gauntlet clean` to archive the logs and continue.");
	return ended(r, STATUS_RETRY_LIMIT_EXCEEDED, STR_NONE);
}

static struct run_result
run_locked(struct run *r)
{
	const struct run_options *o = r->options;
	struct err err;

	if (look_back(r, &err) < 0)
		return failed(r, &err);
	if (r->attempt > r->config->max_retries + 1)
		return over_limit(r);
	if (make_plan(r, &err) < 0)
		return failed(r, &err);
	if (r->changes.count == 0 && r->jobs.count == 0) {
		if (o->shows_progress)
			tell(r, "No changes detected.");
		else
			console_say(&r->console, "[INFO][gauntlet.run] No changes detected.");
		return ended(r, STATUS_NO_CHANGES, STR_NONE);
	}
	tell(r, "Found %zu changed files.", r->changes.count);
	const char *kind = o->has_checks && o->has_reviews ? "gates" : o->has_checks ? "checks" : "reviews";

	if (r->jobs.count == 0) {
		if (o->shows_progress)
			tell(r, "No applicable %s for these changes.", kind);
		else
			console_say(&r->console,
				    "[WARNING][gauntlet.run] No applicable gates for these changes.");
		return ended(r, STATUS_NO_APPLICABLE_GATES, STR_NONE);
	}
	tell(r, "Running %zu %.*s(s)...", r->jobs.count, (int)(str_from(kind).n - 1), kind);
	debug_log(r->arena, &r->debug,
		  "RUN_START mode=%s base_ref=" STR_FMT
		  " files_changed=%zu files_new=%zu files_modified=%zu files_deleted=%zu lines_added=%" PRIu64
		  " lines_removed=%" PRIu64 " gates=%zu",
		  r->is_rerun ? "verification" : "full", STR_ARG(r->changes.base_used), r->changes.count,
		  r->changes.added, r->changes.modified, r->changes.deleted, r->changes.lines_added,
		  r->changes.lines_removed, r->jobs.count);
	return run_jobs(r);
}

struct run_result
execute_run(struct arena *a, const struct gauntlet_config *c, const struct run_options *o)
{
	struct run r = {
		.arena = a,
		.config = c,
		.options = o,
		.repository = { .root = c->root, .deadline_ms = o->deadline_ms },
		.logs = logdir_of(a, c->root, c->log_dir),
		.is_ci = gauntlet_is_ci(),
		.base_branch = gauntlet_base_branch(c, o->base_branch),
	};
	int64_t started_ms = clock_mono_ms();
	int lock = -1, marker = -1;
	struct err err;

	console_init(&r.console, a, o->is_silent, o->watcher);
	r.debug = debug_log_of(a, c, &r.logs);
	if (logdir_lock(a, &r.logs, &lock, &err) < 0) {
		struct run_result busy = failed(&r, &err);

		if (err.code == ERR_BUSY)
			busy.status = STATUS_LOCK_EXISTS;
		busy.message = busy.error_message;
		return busy;
	}
	if (o->is_hook && logdir_mark(a, &r.logs, &marker, &err) < 0)
		console_say(&r.console, "[WARNING][gauntlet.run] %s", err.msg);
	struct run_result result = run_locked(&r);

	result.elapsed_ms = clock_mono_ms() - started_ms;
	console_close(&r.console);
	if (marker >= 0)
		logdir_unmark(a, &r.logs, &marker);
	logdir_unlock(a, &r.logs, &lock);
	return result;
}

int
execute_clean(struct arena *a, const struct gauntlet_config *c, struct err *err)
{
	struct logdir logs = logdir_of(a, c->root, c->log_dir);
	struct debug_log debug = debug_log_of(a, c, &logs);
	size_t moved;
	int lock = -1;

	if (fs_kind(logs.path.s) == FS_NOTHING)
		return 0;
	if (logdir_lock(a, &logs, &lock, err) < 0)
		return -1;
	debug_log(a, &debug, "CLEAN type=manual reason=user_request");
	int result = logdir_archive(a, &logs, true, &moved, err);

	logdir_unlock(a, &logs, &lock);
	return result;
}
