/* SPDX-License-Identifier: MIT */
/* A slot of a review, from its prompt to its files. Treats a reviewer's output as data; the decisions are in decide.c. */
#include "review/slot.h"

#include "client/shell_words.h"
#include "base/capture.h"
#include "review/diff.h"
#include "os/clock.h"
#include "os/fs.h"

#define REFUSAL_SHOWN_BYTES 2000

/* ---- the prompt ---- */

static struct str
with_reason(struct arena *a, struct str path, const char *why)
{
	return str_cat(a, strip_escapes_line(a, path), " (", why, ")");
}

/* What no reviewer of the job can read in the diff. */
static struct str_list
list_hidden(const struct review_job *j, size_t room)
{
	const struct hidden_files *hidden = &j->diff.hidden;
	struct arena *a = j->reviews->arena;
	struct str_list l = { arena_array(a, hidden->count + room, struct str), 0 };

	for (size_t i = 0; i < hidden->count; i++)
		l.items[l.count++] = with_reason(a, hidden->items[i].path, hidden->items[i].why);
	return l;
}

struct str_list
slot_not_shown(const struct slot *s)
{
	struct arena *a = s->job->reviews->arena;
	struct str_list l = list_hidden(s->job, s->left_out.count + 1);

	for (size_t i = 0; i < s->left_out.count; i++)
		l.items[l.count++] = with_reason(a, s->left_out.items[i], "too long");
	if (s->job->diff.has_more)
		l.items[l.count++] = STR("further files (the change is too long)");
	return l;
}

struct finding_list
slot_found_before(const struct slot *s)
{
	return s->past && past_is_failure(s->past) ? s->past->open : (struct finding_list){ 0 };
}

static struct str
prompt_with(struct slot *s, struct str diff)
{
	struct review_prompt_facts f = {
		.gate = s->job->job->gate,
		.diff = diff,
		.not_shown = list_hidden(s->job, 0),
		.previous = slot_found_before(s),
	};

	return review_prompt(s->job->reviews->arena, &f);
}

void
slot_assign(struct slot *s, struct task *t, struct pooled_reviewer *m)
{
	struct reviews *r = s->job->reviews;
	struct buf line = BUF(r->arena, SIZE_MAX);
	size_t limit = DIFF_SHOWN_LIMIT_BYTES;
	struct proc_spec *process = &t->call.process;

	s->reviewer = m;
	s->adapter = m->name;
	if (m->reviewer->takes_argument) {
		size_t taken = prompt_with(s, STR("")).n;

		limit = taken < PROMPT_ARGUMENT_LIMIT_BYTES ? PROMPT_ARGUMENT_LIMIT_BYTES - taken : 0;
	}
	s->prompt = prompt_with(s, diff_cut(r->arena, s->job->diff.text, limit, s->job->diff.has_more,
					    &s->is_diff_cut, &s->left_out));
	reviewer_call(r->arena, m->reviewer, r->run.config, s->job->job->gate, s->prompt, process);
	t->result.slot = s->index;
	t->result.reviewer = m->name;
	t->result.not_shown = slot_not_shown(s);
	/* As a shell would read it, with `<prompt>` in place of the prompt. */
	for (size_t i = 0; process->argv[i]; i++) {
		struct str word = str_from(process->argv[i]);
		bool is_prompt = !process->input.s && !process->argv[i + 1] && word.n == s->prompt.n;

		buf_cat(&line, i ? " " : "", is_prompt ? STR("<prompt>") : shell_quote(r->arena, word));
	}
	t->command = buf_str(&line);
}

/* ---- the log ---- */

static int
begin(struct task *t, const struct logdir *logs, int64_t run, struct err *err)
{
	struct slot *s = t->own;

	s->logs = logs;
	s->run = run;
	capture_init(&t->output, t->arena, 0, GATE_TAIL_BYTES);
	if (s->step == SLOT_NOTHING || s->error.s)
		return 1;
	struct str part = review_file_part(t->arena, t->job->file_part, s->adapter, s->index);
	struct str now = clock_format_millis(t->arena, clock_real_us()), notes = s->job->notes, line;

	if (gatelog_open(t->arena, logs, part, run, &t->log, err) < 0)
		return -1;
	t->result.log_path = t->log.path;
	t->result.tree = s->job->reviews->tree;
	t->result.base = s->job->base;
	gatelog_add(&t->log, "[", now, "] Starting review: ", t->job->gate->name);
	gatelog_add(&t->log, "Entry point: ", t->job->entry_point);
	gatelog_add(&t->log, "Base branch: ", s->job->reviews->run.base_branch);
	if (s->job->diff.since.s)
		gatelog_add(&t->log, "Changes since: ", s->job->diff.since);
	while (str_next(&notes, '\n', &line))
		gatelog_entry(&t->log, line);
	if (s->refusals.s)
		gatelog_entry(&t->log, s->refusals);
	if (s->step != SLOT_ASK)
		return 1;
	capture_init(&s->out, t->arena, ANSWER_HEAD_BYTES, ANSWER_TAIL_BYTES);
	capture_init(&s->err, t->arena, KIB(4), KIB(60));
	gatelog_add(&t->log, "[START] ", gate_result_name(t->arena, &t->result));
	gatelog_add(&t->log, "Executing command: ", t->command);
	if (s->is_diff_cut)
		gatelog_entry(&t->log, STR("Note: the diff was too long; the reviewer sees a part of it"));
	for (size_t i = 0; i < t->result.not_shown.count; i++)
		gatelog_add(&t->log, "Not shown to the reviewer: ", t->result.not_shown.items[i]);
	gatelog_add(&t->log, "\n--- Review Output (", s->adapter, ") ---");
	return 0;
}

static void
on_output(struct task *t, int stream, struct str bytes)
{
	struct slot *s = t->own;

	capture_put(stream == 1 ? &s->out : &s->err, bytes);
}

/* ---- the end ---- */

static void
end_slot(struct task *t, enum gate_outcome outcome, struct str message)
{
	struct slot *s = t->own;

	s->outcome = t->result.outcome = outcome;
	t->result.message = message;
}

/* The agent works on the findings in this file: without it the slot could not be run. */
static void
write_findings(struct task *t, const struct review_file *f)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct slot *s = t->own;
	struct str part = review_file_part(t->arena, t->job->file_part, s->adapter, s->index);
	struct str name = str_cat(t->arena, part, ".", s->run, ".json");
	struct str json = review_file_json(&scratch, f);
	struct err err;

	if (!json.s) {
		end_slot(t, OUTCOME_ERROR, STR("There are too many findings to write them to a file"));
	} else if (logdir_make(s->logs, &err) < 0 ||
		   fs_replace_unsynced(&scratch, path_join(&scratch, s->logs->path, name).s, json, 0600,
				       &err) < 0) {
		end_slot(t, OUTCOME_ERROR, str_cat(t->arena, "Cannot write the findings: ", err.msg));
	} else {
		t->result.json_path = path_join(t->arena, s->logs->shown, name);
	}
}

/* Without findings, which the caller adds, but with those that were skipped before. */
static struct review_file
file_of(const struct task *t, const char *status)
{
	const struct slot *s = t->own;
	struct review_file f = {
		.adapter = s->adapter,
		.timestamp = clock_format_millis(t->arena, clock_real_us()),
		.status = str_from(status),
		.raw_output = STR(""),
	};

	if (s->past)
		f.skipped = s->past->skipped;
	return f;
}

static void
close_log(struct task *t, const struct review_file *f)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct slot *s = t->own;
	struct review_file shown = *f;
	struct str word = gate_outcome_name(t->result.outcome);

	t->result.open = f->open;
	t->result.findings = (struct str_list){ arena_array(t->arena, f->open.count, struct str),
						f->open.count };
	for (size_t i = 0; i < f->open.count; i++)
		t->result.findings.items[i] = review_finding(t->arena, &f->open.items[i]);
	shown.status = word;
	gatelog_entry(&t->log, review_file_section(&scratch, &shown, t->result.json_path, t->result.message));
	gatelog_add(&t->log, "Review result (", s->adapter, "@", s->index, "): ", word, " - ",
		    t->result.message);
	gatelog_add(&t->log, "Result: ", word, " - ", t->result.message);
	gatelog_close(&t->log);
}

/* The console reports these errors while the run is still under way. */
static void
end_with_error(struct task *t, struct str message)
{
	const struct slot *s = t->own;

	end_slot(t, OUTCOME_ERROR, message);
	reviews_log(
		s->job->reviews, "ERROR", "gate.review",
		str_cat(s->job->reviews->arena, "Error running ", s->adapter, "@", s->index, ": ", message));
}

/* ---- the answer ---- */

static bool
is_untouched(const void *context, const struct finding *v)
{
	const struct task *t = context;
	const struct slot *s = t->own;
	struct str root = s->job->reviews->run.repository.root, file = review_path(root, v->file);
	const struct change_list *changes = &s->job->diff.changes;

	return file.n > 0 && !str_is_among(file, changes->items, changes->count) &&
	       fs_kind(path_join(t->arena, root, file).s) == FS_FILE;
}

static void
judge_answer(struct task *t, const struct answer *answer, struct str output)
{
	struct slot *s = t->own;
	bool is_rerun = s->past && past_is_failure(s->past);
	struct review_file f = file_of(t, "pass");
	struct verify_facts facts = {
		.answer = answer,
		.lines = diff_lines_of(t->arena, s->job->diff.text),
		.root = s->job->reviews->run.repository.root,
		.open = slot_found_before(s),
		.skipped = f.skipped,
		.threshold = is_rerun ? s->job->reviews->run.config->rerun_threshold : STR_NONE,
		.is_untouched = s->job->diff.has_changes ? is_untouched : NULL,
		.context = t,
	};
	struct verified v = review_verify(t->arena, &facts);

	s->is_answered = true;
	if (v.out_of_scope > 0)
		gatelog_add(&t->log, "Note: ", v.out_of_scope, " out-of-scope violations filtered");
	t->result.asides = (struct str_list){ arena_array(t->arena, v.out_of_scope, struct str),
					      v.out_of_scope };
	for (size_t i = 0; i < v.out_of_scope; i++) {
		t->result.asides.items[i] = review_finding(t->arena, &v.asides[i]);
		gatelog_add(&t->log, "Not on a line that the change adds: ", t->result.asides.items[i]);
	}
	if (v.below_threshold > 0)
		gatelog_add(&t->log, "Note: ", v.below_threshold,
			    " new violations filtered due to rerun threshold (", facts.threshold, ")");
	if (answer->unreadable.s)
		gatelog_add(&t->log, "Warning: Violation missing required fields: ", answer->unreadable);
	if (answer->is_cut_off)
		gatelog_entry(&t->log, STR("Warning: the answer is cut off"));
	f.status = v.is_pass ? STR("pass") : STR("fail");
	f.raw_output = output;
	f.open = (struct finding_list){ v.findings, v.count };
	end_slot(t, v.is_pass ? OUTCOME_PASS : OUTCOME_FAIL, v.message);
	write_findings(t, &f);
	close_log(t, &f);
}

/* Gives the slot to another reviewer, whose log quotes the refusal. False: there is no other. */
static bool
reassign(struct task *t, enum reviewer_refusal refusal)
{
	struct slot *s = t->own;
	struct reviews *r = s->job->reviews;
	struct pooled_reviewer *from = s->reviewer;
	struct str output = excerpt(t->arena, capture_text(&t->output, t->arena, 0), REFUSAL_SHOWN_BYTES);

	reviewer_pool_retire(&r->pool, from, refusal);
	struct pooled_reviewer *to = reviewer_pool_pick(&r->pool, t->job->gate->cli_preference,
							(size_t)s->index - 1);

	if (!to)
		return false;
	reviews_log(r, "WARNING", "gate.review",
		    str_cat(r->arena, from->name, "@", s->index, ": ", from->message, ", ", to->name,
			    " takes its place"));
	s->refusals = str_cat(t->arena, from->name, "@", s->index, ": ", from->message, ", ", to->name,
			      " takes its place. It said:\n", output, "\n");
	/* A slot has one log, named after its reviewer. */
	gatelog_close(&t->log);
	(void)!fs_remove(path_join(t->arena, s->logs->path, path_base(t->result.log_path)).s, IGNORED);
	t->result.log_path = STR_NONE;
	slot_assign(s, t, to);
	t->is_again = true;
	return true;
}

static void
judge_exit(struct task *t)
{
	struct slot *s = t->own;
	struct str out = capture_text(&s->out, t->arena, 0), err_text = capture_text(&s->err, t->arena, 0);
	struct str usage = reviewer_usage(t->arena, out, err_text);
	struct answer answer;
	struct err err = { .msg = "" };
	bool is_readable = answer_parse(t->arena, out, &answer, &err) == 0;

	if (usage.s)
		gatelog_add(&t->log, "Usage: ", usage);
	if (t->process.code == 0 && is_readable) {
		judge_answer(t, &answer, out);
		return;
	}
	enum reviewer_refusal refusal = reviewer_refusal(s->reviewer->reviewer, t->process.code, out,
							 err_text);

	if (refusal != REFUSAL_NONE && reassign(t, refusal))
		return;
	if (refusal != REFUSAL_NONE)
		end_with_error(t, s->reviewer->message);
	else if (t->process.code != 0)
		end_with_error(t, str_cat(t->arena, "Process exited with code ", t->process.code));
	else
		end_with_error(t, str_copy(t->arena, str_from(err.msg)));
}

static void
judge_asked(struct task *t)
{
	struct slot *s = t->own;

	s->is_answered = false;
	if (t->cannot_start)
		end_with_error(t, str_copy(t->arena, str_from(t->start_error.msg)));
	else if (t->process.end == PROC_EXITED)
		judge_exit(t);
	else if (t->process.end == PROC_DEADLINE)
		end_slot(t, OUTCOME_ERROR, task_kill_message(t));
	else
		end_with_error(t, task_kill_message(t));
	if (t->is_again || s->is_answered)
		return;
	struct review_file f = file_of(t, "error");

	close_log(t, &f);
}

/* ---- slots for which no reviewer is asked ---- */

static void
judge_skipped(struct task *t)
{
	const struct slot *s = t->own;
	struct review_file f = file_of(t, "skipped_prior_pass");
	int64_t run = s->past->pass_run;
	struct str now = f.timestamp;

	f.pass_run = t->result.pass_run = run;
	end_slot(t, OUTCOME_PASS, str_cat(t->arena, "Skipped: previously passed in iteration ", run));
	write_findings(t, &f);
	gatelog_add(&t->log, "[", now, "] Review skipped: previously passed in iteration ", run);
	gatelog_add(&t->log, "Adapter: ", s->adapter);
	gatelog_add(&t->log, "Review index: @", s->index);
	gatelog_add(&t->log, "Status: skipped_prior_pass");
	gatelog_close(&t->log);
}

static void
judge_kept(struct task *t)
{
	const struct slot *s = t->own;
	struct review_file f = file_of(t, "fail");
	struct str why = s->past->file_error.s ? str_cat(t->arena, ". ", s->past->file_error,
							 ". All of them are in the new file again, as new.")
					       : STR(" (nothing has changed since)");

	f.open = s->past->open;
	end_slot(t, OUTCOME_FAIL, str_cat(t->arena, "Found ", f.open.count, " violations", why));
	write_findings(t, &f);
	close_log(t, &f);
}

static void
judge_accepted(struct task *t)
{
	struct review_file f = file_of(t, "pass");

	end_slot(t, OUTCOME_PASS, str_cat(t->arena, "Passed (", f.skipped.count, " skipped)"));
	write_findings(t, &f);
	close_log(t, &f);
}

static void
judge(struct task *t)
{
	const struct slot *s = t->own;

	if (s->error.s)
		end_slot(t, OUTCOME_ERROR, s->error);
	else if (s->step == SLOT_NOTHING)
		end_slot(t, OUTCOME_PASS, STR("No changes to review"));
	else if (t->log.fd < 0)
		end_slot(t, OUTCOME_ERROR,
			 str_cat(t->arena, "The log can't be written: ", t->start_error.msg));
	else if (s->step == SLOT_SKIP)
		judge_skipped(t);
	else if (s->step == SLOT_KEEP)
		judge_kept(t);
	else if (s->step == SLOT_ACCEPT)
		judge_accepted(t);
	else
		judge_asked(t);
}

const struct task_kind review_tasks = {
	.begin = begin,
	.judge = judge,
	.output = on_output,
	.timeout_title = "Command timed out",
};
