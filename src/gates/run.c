/* SPDX-License-Identifier: MIT */
/* A run of the gates. The order is the contract: nothing is looked at before the lock is held, a passing run archives
 * its logs before it writes the state, and what was interrupted leaves the state of the run before. */
#include "gates/run.h"

#include "gates/run_inspect.h"
#include "os/clock.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "record/journal.h"
#include "store/baseline.h"
#include "store/session.h"

#include <inttypes.h>

#define MESSAGE_BYTES 1000
/* How often a stop that waits looks whether its client is still there. */
#define LOOK_MS 1000

/* Of a run that could not be completed: which gates could not be run, and why. */
static struct str
message_of(const struct run *r, enum status status)
{
	bool is_plain = r->config->dialect->has_plain_texts;
	struct buf out = BUF(r->arena, MESSAGE_BYTES);

	if (status == STATUS_PASSED_WITH_WARNINGS && !r->has_skipped)
		return str_cat(r->arena,
			       is_plain ? "✓ gates passed with warnings"
					: "✓ Gauntlet completed — passed with warnings",
			       " (a reviewer reported problems, but not on lines that the change adds).");
	if (status != STATUS_INFRASTRUCTURE_ERROR)
		return status_text(status, r->config->dialect);
	if (r->is_interrupted)
		buf_cat(&out, is_plain ? "⚠ the gates did not end in time"
				       : "⚠ Gauntlet not finished — the stop hook timed out");
	else if (r->is_unsettled)
		buf_cat(&out, "⚠ ", settle_problem(r));
	else
		buf_cat(&out, is_plain ? "⚠ gates could not be run" : "⚠ Gauntlet could not run its gates");
	for (size_t i = 0; i < r->task_count; i++)
		if (r->results[i].outcome == OUTCOME_ERROR)
			buf_cat(&out, "; ", gate_result_name(r->arena, &r->results[i]), ": ",
				r->results[i].message);
	return buf_str(&out);
}

static struct run_result
ended(const struct run *r, enum status status)
{
	return (struct run_result){
		.status = status,
		.message = message_of(r, status),
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

	result.error_message = str_cat(r->arena, err->msg);
	return result;
}

/* ---- doing it ---- */

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
		.record = run_record_result,
		.record_context = r,
	};

	settle_begin(r);
	r->is_interrupted = runner_run(&runner);
	git_forget_files(&r->repository);
	int64_t least_ms = clock_mono_ms() + STATE_MS;

	/* What the gates left of the time may be too little for git, and a block needs its state. */
	if (r->repository.deadline_ms > 0 && r->repository.deadline_ms < least_ms)
		r->repository.deadline_ms = least_ms;
	r->results = task_results(r->arena, r->tasks, r->task_count);
	for_each (g, r->results, r->task_count) {
		struct str slot = g->reviewer.s ? str_cat(r->arena, " cli=", g->reviewer, "@", g->slot)
						: STR("");
		struct str found = g->findings.count > 0
					   ? str_cat(r->arena, " violations=", g->findings.count)
					   : STR("");

		if (g->outcome != OUTCOME_SKIPPED)
			debug_log(r->arena, &r->debug,
				  "GATE_RESULT " STR_FMT STR_FMT " status=" STR_FMT " duration=%.2fs" STR_FMT,
				  STR_ARG(g->id), STR_ARG(slot), STR_ARG(gate_outcome_name(g->outcome)),
				  (double)g->elapsed_ms / 1000, STR_ARG(found));
	}
}

/* ---- what came of it ---- */

static enum status
status_of(const struct run *r)
{
	if (run_count(r, OUTCOME_FAIL) > 0)
		return r->options->is_last_try ? STATUS_RETRY_LIMIT_EXCEEDED : STATUS_FAILED;
	if (r->is_interrupted || run_count(r, OUTCOME_ERROR) > 0 || r->is_unsettled)
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
			console_warn(&r->console, "log-parser", r->past.items[i].warnings.items[k]);
	run_prepare(r);
	if (!r->console.shows_progress && !r->config->dialect->has_plain_texts &&
	    past_violations(&r->past) > 0)
		console_warn(&r->console, "run", "Found ", past_failures(&r->past), " gate(s) with ",
			     past_violations(&r->past), " previous violation(s)");
	run_tasks(r);
	settle_end(r);
	enum status status = status_of(r);
	struct run_result result = ended(r, status);

	result.notes = review_notes(r->arena, r->results, r->task_count);
	for (size_t i = 0; i < result.notes.count; i++)
		console_warn(&r->console, "gate.review", result.notes.items[i]);
	add_check_notes(r->arena, r->results, r->task_count, &result.notes); /* which the console has */
	settle_note(r, &result.notes);
	settle_results(r);
	record_report(&r->record, &fixes);
	fixes.runs = r->record.listing.runs + 1;
	if (!r->is_repeated)
		console_summary(&r->console, &(struct run_summary){
						     .fixes = &fixes,
						     .results = r->results,
						     .count = r->task_count,
						     .reused_count = r->reused.count,
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
		result.warning = str_cat(r->arena, err.msg);
	} else if (r->record.is_local) {
		result.warning = str_cat(r->arena,
					 "the state directory can't be written: results are kept in ",
					 r->record.journal.local);
		console_warn(&r->console, "run", result.warning);
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
	struct change_spec spec = run_since(r, s->working_tree_ref);
	/* One that was in the base from the start says nothing about the change. */
	bool is_of_change = r->record.has_state && (r->is_rerun || !s->was_in_base) &&
			    !r->options->commit.s && s->working_tree_ref.s;
	bool is_known = is_of_change && run_changes_since(r, spec.commit, &since);

	*ret = (struct line_counts){ 0 };
	if (is_of_change && !is_known && r->is_rerun)
		return since;
	if (is_of_change && !is_known) {
		spec = run_since(r, s->commit);
		is_known = run_changes_since(r, s->commit, &since);
	}
	(void)(git_count_lines(r->arena, &r->repository, is_known ? &spec : &r->requested_changes, ret,
			       IGNORED) == 0);
	return is_known ? since : r->look.changes;
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

/* Says that there is nothing to do: in holdfast's own words, or in these, which are the original's. */
static struct run_result
nothing_to_do(struct run *r, enum status status, struct str why, struct str words)
{
	if (r->config->dialect->has_plain_texts)
		console_line(&r->console, "nothing to check: ", why,
			     "; 'holdfast run --all' runs every gate");
	else if (r->options->shows_progress)
		run_progress(r, words);
	else
		console_log(&r->console, status == STATUS_NO_CHANGES ? "INFO" : "WARNING", "run", words);
	/* Where no gate applies, only the first commit: what no gate is for must not hide what one is. */
	if (status == STATUS_NO_CHANGES || !r->record.state.seen.s)
		run_record_gated_commit(r);
	return ended(r, status);
}

/* The jobs that have no result yet for what is there. True: that is the end of it, *ret is the answer. */
static bool
plan(struct run *r, struct run_result *ret)
{
	const struct run_options *o = r->options;
	const char *kind = o->has_checks && o->has_reviews ? "gate" : o->has_checks ? "check" : "review";
	struct gate_result *shared;
	size_t shared_count;
	struct err err;

	*ret = (struct run_result){ 0 };
	if (run_plan(r, &err) < 0) {
		*ret = failed(r, &err);
	} else if (r->look.changes.count == 0 && r->jobs.count == 0) {
		*ret = nothing_to_do(r, STATUS_NO_CHANGES,
				     str_cat(r->arena, "no changes since ", run_base_name(r)),
				     STR("No changes detected."));
	} else if (r->jobs.count == 0) {
		run_progress(r, "Found ", r->look.changes.count, " changed files.");
		*ret = nothing_to_do(
			r, STATUS_NO_APPLICABLE_GATES,
			str_cat(r->arena, "none of these ", kind, "s is for the files that changed"),
			str_cat(r->arena, "No applicable ", kind, "s for these changes."));
	} else {
		run_progress(r, "Found ", r->look.changes.count, " changed files.");
		run_read_contents(r);
		run_reuse(r, &shared, &shared_count);
		if (shared_count == 0 && r->jobs.count > 0) {
			run_progress(r, "Running ", r->jobs.count, " ", kind, "(s)...");
			return false;
		}
		if (shared_count == 0)
			run_record_gated_commit(r);
		*ret = ended(r, shared_count > 0 ? STATUS_FAILED : STATUS_UNCHANGED);
		ret->results = shared;
		ret->result_count = shared_count;
	}
	return true;
}

/* Everything before the gates run. True: they need not, *ret is the answer. */
static bool
look(struct run *r, struct run_result *ret)
{
	struct err err;

	if (run_inspect(r, &err) == 0)
		return plan(r, ret);
	*ret = failed(r, &err);
	return true;
}

static struct run_result
run_locked(struct run *r)
{
	struct run_result result;

	if (look(r, &result))
		return result;
	log_start(r);
	return run_jobs(r);
}

/* ---- the lock ---- */

/* A stop looks without the lock, which is for those who run gates or change what others read. After another run has ended
 * it `has_looked`: the results of that run may be about what it has seen, and files are not looked at again. True: *ret is the answer,
 * and nothing has to be written. */
static bool
answer_unlocked(struct run *r, bool has_looked, struct run_result *ret)
{
	struct err err;

	if (has_looked && record_load(&r->record, r->arena, r->config->root, &r->logs, &err) < 0)
		return false;
	if (has_looked)
		record_read_findings(&r->record);
	r->is_unlocked = true;
	r->needs_lock = false;
	bool is_answered = (has_looked ? plan(r, ret) : look(r, ret)) && !r->needs_lock;

	r->is_unlocked = false;
	return is_answered;
}

static int64_t
wait_ms(void *run)
{
	const struct run *r = run;
	int64_t left = r->options->deadline_ms - STATE_MS - clock_mono_ms();

	exit_if_orphaned();
	return left < 0 ? 0 : left < LOOK_MS ? left : LOOK_MS;
}

/* A stop that waits sleeps, and wakes with all others that do. 1: no gate has to run, *ret is the answer; 0: it has the lock. */
static int
lock_logs(struct run *r, int *ret_fd, struct run_result *ret, struct err *err)
{
	const struct run_options *o = r->options;
	bool waits = o->is_hook && r->config->dialect->waits_for_run;
	/* Where nothing is known, the gates run. */
	bool has_looked = waits && o->record && journal_is_as_read(&o->record->journal), is_first = true;

	if (waits)
		r->looked_ms = clock_real_us() / 1000;
	if (has_looked && answer_unlocked(r, false, ret))
		return 1;
	while (logdir_lock(r->arena, &r->logs, ret_fd, err) < 0) {
		if (err->code != ERR_BUSY || !waits || !logdir_await(r->arena, &r->logs, wait_ms, r))
			return -1;
		is_first = false;
		if (has_looked && answer_unlocked(r, true, ret))
			return 1;
	}
	/* What was seen counts if no other run has ended since. */
	r->is_looked_at = has_looked && is_first && !r->needs_lock && journal_is_as_read(&r->record.journal);
	return 0;
}

/* The next round: what has passed and stayed is not run again. */
static struct run_result
run_again(struct run *r, const struct run_result *before)
{
	bool was_own_work = r->settling.is_own_work;
	size_t round = r->round + 1;

	console_close(&r->console);
	run_init(r, r->arena, r->config, r->options);
	r->round = round;
	r->was_own_work = was_own_work;
	r->before = before;
	struct run_result result = run_locked(r);

	for (size_t i = 0; i < before->notes.count; i++)
		str_list_add_new(r->arena, &result.notes, before->notes.items[i]);
	return result;
}

static struct run_result
run_under_lock(struct run *r)
{
	int64_t looked_ms = r->looked_ms;

	if (r->is_looked_at) {
		record_compact(&r->record);
		log_start(r);
		return run_jobs(r);
	}
	run_init(r, r->arena, r->config, r->options);
	r->looked_ms = looked_ms;
	return run_locked(r);
}

struct run_result
execute_run(struct arena *a, const struct gates_config *c, const struct run_options *o)
{
	struct run r;
	int64_t started_ms = clock_mono_ms();
	int lock = -1, marker = -1;
	struct run_result result;
	struct err err;

	run_init(&r, a, c, o);
	int answered = lock_logs(&r, &lock, &result, &err);

	if (answered < 0) {
		struct run_result busy = failed(&r, &err);

		if (err.code == ERR_BUSY)
			busy.status = STATUS_LOCK_EXISTS;
		busy.message = busy.error_message;
		return busy;
	}
	if (answered == 0 && o->is_hook && logdir_mark(a, &r.logs, &marker, &err) < 0)
		console_warn(&r.console, "run", err.msg);
	if (answered == 0)
		result = run_under_lock(&r);
	while (r.is_repeated) {
		const struct run_result before = result;

		result = run_again(&r, &before);
	}
	if (r.has_record) {
		const struct str_list *known = &result.outstanding;
		struct str_list all = record_failures(&r.record);

		result.outstanding = outstanding_gates(a, c, &r.record.latest);
		result.forgotten.items = all.items;
		for (size_t i = 0; i < all.count; i++)
			if (!str_is_among(all.items[i], known->items, known->count))
				all.items[result.forgotten.count++] = all.items[i];
	}
	/* A failure blocks whatever else is unknown; anything else must not pass for the answer. */
	if (r.has_unanswered && !status_blocks(result.status)) {
		result.status = STATUS_ERROR;
		result.message = status_rows[STATUS_ERROR].message;
		result.error_message = str_cat(a, r.unanswered.msg);
	}
	if (o->is_hook)
		result.ignored = git_newly_ignored(a, &r.repository, &r.look,
						   baseline_session_ns(a, o->session, c->root));
	result.elapsed_ms = clock_mono_ms() - started_ms;
	console_close(&r.console);
	logdir_unmark(a, &r.logs, &marker);
	logdir_unlock(a, &r.logs, &lock);
	return result;
}

int
execute_clean(struct arena *a, const struct gates_config *c, struct err *err)
{
	struct logdir logs = logdir_of(a, c->root, c->log_dir, c->dialect);
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

	(void)sessions_most_tries(a, c->root, /* resets= */ true);

	logdir_unlock(a, &logs, &lock);
	return result;
}
