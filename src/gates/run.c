/* SPDX-License-Identifier: MIT */
/* A run of the gates. The order is the contract: nothing is looked at before the lock is held, a passing run archives
 * its logs before it writes the state, and what was interrupted leaves the state of the run before. */
#include "gates/run.h"

#include "base/buf.h"
#include "base/path.h"
#include "gates/plan.h"
#include "gates/run_inspect.h"
#include "os/clock.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "store/session.h"

#include <inttypes.h>

#define MESSAGE_BYTES 1000
/* Between two tries to get the lock. */
#define WAIT_MS 20

static struct run_result
ended(const struct run *r, enum status status)
{
	return (struct run_result){
		.status = status,
		.is_native = r->config->is_native,
		.message = r->config->is_native ? status_native_message(status) : status_message(status),
		.console_log_path = r->console.path,
		.log_dir = r->logs.path,
		.hidden = r->look.hidden,
		.run_number = r->number,
	};
}

static struct run_result
failed(const struct run *r, const struct err *err)
{
	struct run_result result = ended(r, STATUS_ERROR);

	result.error_message = str_copy(r->arena, str_from(err->msg));
	return result;
}

/* ---- doing it ---- */

static void
note_result(struct run *r, const struct gate_result *g)
{
	struct str slot = g->reviewer.s ? str_fmt(r->arena, " cli=" STR_FMT "@%" PRId64, STR_ARG(g->reviewer),
						  g->slot)
					: STR("");
	struct str found = g->findings.count > 0 ? str_fmt(r->arena, " violations=%zu", g->findings.count)
						 : STR("");

	debug_log(r->arena, &r->debug,
		  "GATE_RESULT " STR_FMT STR_FMT " status=" STR_FMT " duration=%.2fs" STR_FMT, STR_ARG(g->id),
		  STR_ARG(slot), STR_ARG(gate_outcome_name(g->outcome)), (double)g->elapsed_ms / 1000,
		  STR_ARG(found));
}

/* The result goes into the journal at once: a run that is killed has recorded what it found. */
static void
record_result(void *context, const struct gate_result *g)
{
	struct run *r = context;
	struct new_result n = {
		.result = {
			.kind = g->kind,
			.name = g->gate,
			.place = g->kind == GATE_REVIEW ? g->entry_point : g->dir,
			.file_part = g->file_part,
			.slot = g->slot,
			.adapter = g->reviewer,
			.run = r->number,
			.outcome = g->outcome,
			.key = g->key,
			.base = g->outcome == OUTCOME_FAIL && g->base.s ? g->base
				: g->key.s                              ? r->look.changes.commit
									: STR_NONE,
			.log = g->log_path.s ? path_base(g->log_path) : STR_NONE,
			.file = g->json_path.s ? path_base(g->json_path) : STR_NONE,
			.violations = g->open.items,
			.violation_count = g->open.count,
		},
		.job = g->id,
		.tree = g->tree,
		.session = r->options->session,
		.elapsed_ms = g->elapsed_ms,
	};
	struct err err;

	/* That there was nothing to review in a part of the change says nothing about the rest. */
	if (g->kind == GATE_REVIEW && g->slot == 0 && !run_covers_all_changes(r->options))
		return;
	if (g->outcome == OUTCOME_PASS || g->outcome == OUTCOME_FAIL)
		n.result.program = g->program;
	if (g->outcome == OUTCOME_PASS)
		n.result.pass_run = g->pass_run > 0 ? g->pass_run : r->number;
	/* What could not be written goes with the next line, at the latest with the state, which a block needs. */
	if (record_add(&r->record, &n, &err) < 0)
		console_stderr(&r->console, "[WARNING][gauntlet.run] %s", err.msg);
}

static void
run_tasks(struct run *r)
{
	struct run_watcher watcher = console_watcher(&r->console);
	struct runner runner = {
		.arena = r->arena,
		.tasks = r->tasks,
		.count = r->task_count,
		.logs = &r->logs,
		.run = r->number,
		.allows_parallel = r->config->allows_parallel,
		.max_parallel = (size_t)r->config->max_parallel,
		.deadline_ms = r->options->deadline_ms,
		.watcher = &watcher,
		.record = record_result,
		.record_context = r,
	};

	r->is_interrupted = runner_run(&runner);
	git_forget_files(&r->repository);
	r->results = task_results(r->arena, r->tasks, r->task_count);
	for (size_t i = 0; i < r->task_count; i++)
		if (r->results[i].outcome != OUTCOME_SKIPPED)
			note_result(r, &r->results[i]);
}

/* ---- what came of it ---- */

/* Which gates could not be run, and why. */
static struct str
error_message(const struct run *r)
{
	struct buf out = BUF(r->arena, MESSAGE_BYTES);

	if (r->config->is_native)
		buf_add(&out, r->is_interrupted ? STR("⚠ the gates did not end in time")
						: STR("⚠ gates could not be run"));
	else
		buf_add(&out, r->is_interrupted ? STR("⚠ Gauntlet not finished — the stop hook timed out")
						: STR("⚠ Gauntlet could not run its gates"));
	for (size_t i = 0; i < r->task_count; i++)
		if (r->results[i].outcome == OUTCOME_ERROR)
			buf_addf(&out, "; " STR_FMT ": " STR_FMT,
				 STR_ARG(gate_result_name(r->arena, &r->results[i])),
				 STR_ARG(r->results[i].message));
	return buf_str(&out);
}

static enum status
status_of(const struct run *r)
{
	if (run_count(r, OUTCOME_FAIL) > 0)
		return r->options->is_last_try ? STATUS_RETRY_LIMIT_EXCEEDED : STATUS_FAILED;
	if (r->is_interrupted || run_count(r, OUTCOME_ERROR) > 0)
		return STATUS_INFRASTRUCTURE_ERROR;
	for (size_t i = 0; i < r->task_count; i++)
		if (r->results[i].asides.count > 0)
			return STATUS_PASSED_WITH_WARNINGS;
	return r->has_skipped ? STATUS_PASSED_WITH_WARNINGS : STATUS_PASSED;
}

static struct run_result
run_jobs(struct run *r)
{
	struct fix_report fixes;
	struct err err;

	if (console_open(&r->console, &r->logs, &r->number, &err) < 0)
		return failed(r, &err);
	for (size_t i = 0; i < r->past.count; i++)
		for (size_t k = 0; k < r->past.items[i].warnings.count; k++)
			console_stderr(&r->console, "[WARNING][gauntlet.log-parser] " STR_FMT,
				       STR_ARG(r->past.items[i].warnings.items[k]));
	run_prepare(r);
	if (!r->options->shows_progress && !r->config->is_native && past_violations(&r->past) > 0)
		console_stderr(&r->console,
			       "[WARNING][gauntlet.run] Found %zu gate(s) with %zu previous violation(s)",
			       past_failures(&r->past), past_violations(&r->past));
	run_tasks(r);
	r->has_outstanding = run_has_failures(r);
	r->has_skipped = past_skipped(&r->record.latest) > 0;
	enum status status = status_of(r);
	struct run_result result = ended(r, status);

	if (status == STATUS_INFRASTRUCTURE_ERROR)
		result.message = error_message(r);
	if (status == STATUS_PASSED_WITH_WARNINGS && !r->has_skipped)
		result.message = str_fmt(
			r->arena, "%s (a reviewer reported problems, but not on lines that the change adds).",
			r->config->is_native ? "✓ gates passed with warnings"
					     : "✓ Gauntlet completed — passed with warnings");

	result.notes = review_notes(r->arena, r->results, r->task_count);
	for (size_t i = 0; i < result.notes.count; i++)
		console_stderr(&r->console, "[WARNING][gauntlet.gate.review] " STR_FMT,
			       STR_ARG(result.notes.items[i]));
	add_check_notes(r->arena, r->results, r->task_count, &result.notes); /* which the console has */
	record_report(&r->record, &fixes);
	fixes.runs = r->record.listing.runs + 1;
	console_summary(&r->console, &(struct run_summary){
					     .fixes = &fixes,
					     .results = r->results,
					     .count = r->task_count,
					     .reused_count = r->reused_count,
					     .status = status,
				     });
	result.results = r->results;
	result.result_count = r->task_count;
	debug_log(r->arena, &r->debug,
		  "RUN_END status=%s fixed=%zu skipped=%zu failed=%zu iterations=%" PRId64,
		  status == STATUS_PASSED || status == STATUS_PASSED_WITH_WARNINGS ? "pass" : "fail",
		  fixes.fixed, fixes.skipped, run_count(r, OUTCOME_FAIL) + run_count(r, OUTCOME_ERROR),
		  r->number);
	if (run_finish(r, status, &err) < 0) {
		if (!status_blocks(status))
			return failed(r, &err);
		result.warning = str_copy(r->arena, str_from(err.msg));
	} else if (r->record.is_local) {
		result.warning = str_fmt(r->arena,
					 "the state directory can't be written: results are kept in " STR_FMT,
					 STR_ARG(r->record.journal.local));
		console_stderr(&r->console, "[WARNING][gauntlet.run] " STR_FMT, STR_ARG(result.warning));
	}
	return result;
}

/* What the debug log counts: as in the original, what has changed since the snapshot of the last run. Where that is
 * gone, a verification has nothing to count, and another run what came after the commit. */
static struct change_list
changes_to_count(struct run *r, struct line_counts *ret)
{
	const struct execution_state *s = &r->record.state;
	struct change_list since = { .base_used = s->working_tree_ref };
	/* One that was in the base from the start says nothing about the change. */
	bool is_of_change = r->record.has_state && (r->is_rerun || !s->was_in_base);
	struct str commits[] = { s->working_tree_ref, r->is_rerun ? STR_NONE : s->commit };
	struct err ignored;

	*ret = (struct line_counts){ 0 };
	if (is_of_change && !r->options->commit.s && s->working_tree_ref.s) {
		for (size_t i = 0; i < COUNT_OF(commits); i++) {
			struct change_spec spec = run_since(r, commits[i]);

			if (!run_changes_since(r, commits[i], &since))
				continue;
			(void)(git_count_lines(r->arena, &r->repository, &spec, ret, &ignored) == 0);
			return since;
		}
		if (r->is_rerun)
			return since;
	}
	(void)(git_count_lines(r->arena, &r->repository, &r->requested_changes, ret, &ignored) == 0);
	return r->look.changes;
}

/* The two forms that users of the original's debug log know. */
static void
log_start(struct run *r)
{
	const char *mode = r->is_rerun ? "verification" : "full";

	if (!r->debug.path.s)
		return; /* to count costs time */
	if (r->options->shows_progress) {
		debug_log(r->arena, &r->debug, "RUN_START mode=%s changes=%zu gates=%zu", mode,
			  r->look.changes.count, r->jobs.count);
		return;
	}
	struct line_counts lines;
	struct change_list c = changes_to_count(r, &lines);

	debug_log(r->arena, &r->debug,
		  "RUN_START mode=%s base_ref=" STR_FMT
		  " files_changed=%zu files_new=%zu files_modified=%zu files_deleted=%zu lines_added=%" PRIu64
		  " lines_removed=%" PRIu64 " gates=%zu",
		  mode, STR_ARG(c.base_used), c.count, c.added, c.modified, c.deleted, lines.added,
		  lines.removed, r->jobs.count);
}

static struct run_result
run_locked(struct run *r)
{
	const struct run_options *o = r->options;
	struct err err;

	if (run_inspect(r, &err) < 0 || run_plan(r, &err) < 0)
		return failed(r, &err);
	if (r->look.changes.count == 0 && r->jobs.count == 0) {
		if (r->config->is_native)
			console_stderr(&r->console,
				       "nothing to check: no changes since " STR_FMT
				       "; 'holdfast run --all' runs every gate",
				       STR_ARG(run_base_name(r)));
		else if (o->shows_progress)
			run_progress(r, "No changes detected.");
		else
			console_stderr(&r->console, "[INFO][gauntlet.run] No changes detected.");
		run_record_gated_commit(r);
		return ended(r, STATUS_NO_CHANGES);
	}
	run_progress(r, "Found %zu changed files.", r->look.changes.count);
	const char *kind = o->has_checks && o->has_reviews ? "gates" : o->has_checks ? "checks" : "reviews";

	if (r->jobs.count == 0) {
		if (r->config->is_native)
			console_stderr(&r->console,
				       "nothing to check: none of these %s is for the files that changed; "
				       "'holdfast run --all' runs every gate",
				       kind);
		else if (o->shows_progress)
			run_progress(r, "No applicable %s for these changes.", kind);
		else
			console_stderr(&r->console,
				       "[WARNING][gauntlet.run] No applicable gates for these changes.");
		/* Only the first: what no gate is for must not hide what one is. */
		if (!r->record.state.seen.s)
			run_record_gated_commit(r);
		return ended(r, STATUS_NO_APPLICABLE_GATES);
	}
	struct gate_result *shared;
	size_t shared_count;

	run_read_contents(r);
	run_reuse(r, &shared, &shared_count);
	if (shared_count > 0) {
		struct run_result result = ended(r, STATUS_FAILED);

		result.results = shared;
		result.result_count = shared_count;
		return result;
	}
	if (r->jobs.count == 0) {
		run_record_gated_commit(r);
		return ended(r, STATUS_UNCHANGED);
	}
	run_progress(r, "Running %zu %.*s(s)...", r->jobs.count, (int)(str_from(kind).n - 1), kind);
	log_start(r);
	return run_jobs(r);
}

/* With holdfast.yml, a stop waits for a run that is in progress, and shares its results. */
static int
lock_logs(struct run *r, int *ret, struct err *err)
{
	int64_t until_ms = r->options->deadline_ms - STATE_MS;

	for (;;) {
		if (logdir_lock(r->arena, &r->logs, ret, err) == 0)
			return 0;
		if (err->code != ERR_BUSY || !r->config->is_native || !r->options->is_hook ||
		    clock_mono_ms() >= until_ms)
			return -1;
		if (r->waited_since_ms == 0)
			r->waited_since_ms = clock_real_us() / 1000;
		exit_if_orphaned();
		clock_sleep_ms(WAIT_MS);
	}
}

/* Those that have failed and are no longer configured. */
static struct str_list
forgotten_gates(const struct run *r, const struct str_list *outstanding)
{
	struct str_list all = record_failures(&r->record);
	size_t kept = 0;

	for (size_t i = 0; i < all.count; i++)
		if (!str_is_among(all.items[i], outstanding->items, outstanding->count))
			all.items[kept++] = all.items[i];
	all.count = kept;
	return all;
}

struct run_result
execute_run(struct arena *a, const struct gates_config *c, const struct run_options *o)
{
	struct run r;
	int64_t started_ms = clock_mono_ms();
	int lock = -1, marker = -1;
	struct err err;

	run_init(&r, a, c, o);
	if (lock_logs(&r, &lock, &err) < 0) {
		struct run_result busy = failed(&r, &err);

		if (err.code == ERR_BUSY)
			busy.status = STATUS_LOCK_EXISTS;
		busy.message = busy.error_message;
		return busy;
	}
	if (o->is_hook && logdir_mark(a, &r.logs, &marker, &err) < 0)
		console_stderr(&r.console, "[WARNING][gauntlet.run] %s", err.msg);
	struct run_result result = run_locked(&r);

	if (r.has_record) {
		result.outstanding = outstanding_gates(a, c, &r.record.latest);
		result.forgotten = forgotten_gates(&r, &result.outstanding);
	}
	/* A failure blocks whatever else is unknown; anything else must not pass for the answer. */
	if (r.has_unanswered && !status_blocks(result.status)) {
		result.status = STATUS_ERROR;
		result.message = status_message(STATUS_ERROR);
		result.error_message = str_copy(a, str_from(r.unanswered.msg));
	}
	result.elapsed_ms = clock_mono_ms() - started_ms;
	console_close(&r.console);
	if (marker >= 0)
		logdir_unmark(a, &r.logs, &marker);
	logdir_unlock(a, &r.logs, &lock);
	return result;
}

int
execute_clean(struct arena *a, const struct gates_config *c, struct err *err)
{
	struct logdir logs = logdir_of(a, c->root, c->log_dir);
	struct debug_log debug = debug_log_of(a, &c->sourced, &logs);
	struct record record;
	int lock = -1;

	if (record_load(&record, a, c->root, &logs, err) < 0)
		return -1;
	if (record_is_empty(&record) && fs_kind(logs.path.s) == FS_NOTHING)
		return 0;
	if (logdir_lock(a, &logs, &lock, err) < 0)
		return -1;
	debug_log(a, &debug, "CLEAN type=manual reason=user_request");
	int result = record_clear(&record, true, false, err);

	sessions_reset_tries(a, c->root);

	logdir_unlock(a, &logs, &lock);
	return result;
}
