/* SPDX-License-Identifier: MIT */
/* The end of a run: what it leaves for the next one. A passing run archives its logs before it writes the state. */
#include "gates/run_inspect.h"

#include "os/clock.h"
#include "project/definitions.h"
#include "record/journal.h"
#include "store/baseline.h"

size_t
run_count(const struct run *r, enum gate_outcome outcome)
{
	return gate_results_count(r->results, r->task_count, outcome);
}

void
run_record_result(void *run, const struct gate_result *g)
{
	struct run *r = run;
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
			.definition = g->definition,
			.base = g->outcome == OUTCOME_FAIL && g->base.s ? g->base
				: g->key.s                              ? r->look.changes.commit
									: STR_NONE,
			.log = g->log_path.s ? path_base(g->log_path) : STR_NONE,
			.file = g->json_path.s ? path_base(g->json_path) : STR_NONE,
			.open = g->open,
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
		console_warn(&r->console, "run", err.msg);
}

/* Is the commit that was looked at in the base now? Where nobody knows, its being there will not count. */
static enum git_answer
is_in_base(const struct run *r)
{
	const struct git_head *head = &r->look.head;

	if (!head->commit.s)
		return ANSWER_UNKNOWN;
	if (head->merge_base.s && str_eq(r->base_branch, r->own_base)) /* git has been asked */
		return str_eq(head->merge_base, head->commit) ? ANSWER_YES : ANSWER_NO;
	return git_is_ancestor(r->arena, &r->repository, head->commit, r->own_base, IGNORED);
}

/* Did it run every gate that applies to all of the changes? */
static bool
covers_all_gates(const struct run *r)
{
	const struct run_options *o = r->options;

	return run_covers_all_changes(o) && o->gates.count == 0 &&
	       (o->has_checks || r->config->check_count == 0) &&
	       (o->has_reviews || r->config->review_count == 0);
}

/* Did it also see every change? In CI it sees only the commits that the job was started for. */
static bool
covers_everything(const struct run *r)
{
	return covers_all_gates(r) && r->requested_changes.mode != CHANGES_CI && !r->has_unanswered;
}

/* Have all gates passed for all changes? */
static bool
is_all_clear(const struct run *r, enum status status)
{
	return (status == STATUS_PASSED || status == STATUS_PASSED_WITH_WARNINGS) && covers_everything(r) &&
	       !r->has_outstanding;
}

/* All gates have passed at that commit, or had nothing to do. */
static void
note_seen(const struct run *r, struct str branch, struct str commit, bool is_sessions)
{
	struct str session = start_key_of_session(r->arena, r->options->session);

	(void)(start_note(r->arena, r->config->root, branch, commit, true, IGNORED) == 0);
	if (session.s && is_sessions)
		(void)(start_note(r->arena, r->config->root, session, commit, true, IGNORED) == 0);
}

void
run_record_gated_commit(struct run *r)
{
	struct execution_state s = r->record.state;
	const struct git_head *head = &r->look.head;

	if (!covers_everything(r) || !head->commit.s || str_eq(s.seen, head->commit) || !run_may_write(r))
		return;
	if (!r->record.has_state) {
		s.completed_at = clock_format_millis(r->arena, clock_real_us());
		s.is_partial = true;
		s.branch = head->branch;
		s.commit = s.working_tree_ref = head->commit;
		s.has_was_in_base = s.was_in_base = true; /* nobody asked: its being there will not count */
		s.has_outstanding = true;
	}
	s.seen = head->commit;
	note_seen(r, head->branch, s.seen, true);
	(void)(record_add_state(&r->record, &s, &(struct str_list){ 0 }, IGNORED) == 0);
}

/* Keeps what the definitions are while a failure is outstanding, so that later stops can name those that change. */
static void
keep_definitions(struct run *r, bool is_outstanding)
{
	const struct definitions *used = r->options->definitions;
	struct str root = r->config->root;
	struct definitions d;

	if (is_outstanding && !used && definitions_read(r->arena, root, &d, IGNORED) == 0)
		used = &d;
	if (!is_outstanding)
		(void)(baseline_forget_failure(r->arena, root, IGNORED) == 0);
	else if (used)
		(void)(baseline_keep_failure(r->arena, root, definitions_text(r->arena, used), IGNORED) == 0);
}

static int
write_state(struct run *r, enum status status, struct err *err)
{
	struct execution_state s = r->record.state;
	struct str branch = git_branch_now(r->arena, r->config->root);
	bool has_failed = run_count(r, OUTCOME_FAIL) > 0;
	struct err why;

	s.completed_at = clock_format_millis(r->arena, clock_real_us());
	/* Gates that were not run, or could not be, have verified nothing: the next stop must not wait for the interval. */
	s.is_partial = status == STATUS_INFRASTRUCTURE_ERROR || !covers_all_gates(r);
	/* A gate that fails and leaves the repository on yet another branch must not start over with every run: nothing would
	 * bound it. */
	s.branch = has_failed && branch.s && !str_is(branch, "HEAD") ? branch : r->look.head.branch;
	s.commit = r->look.head.commit.s ? r->look.head.commit : STR("");
	/* A snapshot of the files, which the next review is compared with. */
	s.working_tree_ref = STR_NONE;
	if (r->reviews && git_snapshot(r->arena, &r->repository, &r->look.head, r->config->log_dir,
				       &s.working_tree_ref, &why) < 0)
		console_warn(&r->console, "run", "no snapshot of the working tree: ", why.msg);
	s.content_commit = r->content_key.s ? r->look.changes.commit : STR_NONE;
	s.content_key = r->content_key;
	/* Where all files count as changed before the first pass, a run that is none says nothing of them. Before the first
	 * commit, what was seen is what was compared with: the empty tree. */
	if (is_all_clear(r, status) || (!s.seen.s && !r->config->dialect->starts_with_all_files)) {
		s.seen = s.commit.n > 0 ? s.commit : r->look.changes.commit;
		note_seen(r, s.branch, s.seen, is_all_clear(r, status));
	}
	s.has_was_in_base = true;
	s.was_in_base = is_in_base(r) != ANSWER_NO;
	s.has_outstanding = true;
	s.is_outstanding = has_failed || r->has_outstanding; /* a gate may have deleted its log */
	if (r->reviews)
		reviews_store(r->reviews, &s);
	keep_definitions(r, s.is_outstanding);
	return record_add_state(&r->record, &s, &r->settling.keys, err);
}

int
run_finish(struct run *r, enum status status, struct err *err)
{
	/* The state of the run before stays; but a block is counted, or nothing would bound it. */
	if (r->is_interrupted && !status_blocks(status))
		return 0;
	if (status == STATUS_PASSED && !r->has_outstanding) {
		if (record_clear(&r->record, false, false, err) < 0)
			return -1;
		debug_log(r->arena, &r->debug, "CLEAN type=auto reason=all_passed");
	}
	return write_state(r, status, err);
}
