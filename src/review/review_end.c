/* SPDX-License-Identifier: MIT */
/* How a slot ends: its outcome, its findings and the end of its log; and the slots that end without anybody having been
 * asked. */
#include "review/review_slot.h"

#include "base/path.h"
#include "os/clock.h"
#include "os/fs.h"

#include <inttypes.h>

void
slot_end(struct task *t, enum gate_outcome outcome, struct str message)
{
	struct slot *s = t->own;

	s->outcome = t->result.outcome = outcome;
	t->result.message = message;
}

void
slot_write_findings(struct task *t, const struct review_file *f)
{
	const struct slot *s = t->own;
	struct str part = review_file_part(t->arena, t->job->file_part, s->adapter, s->index);
	struct str name = str_fmt(t->arena, STR_FMT ".%" PRId64 ".json", STR_ARG(part), s->run);
	struct str json = review_file_json(t->arena, f);
	struct err err;

	if (!json.s) {
		slot_end(t, OUTCOME_ERROR, STR("The findings are too many to be kept"));
	} else if (logdir_make(s->logs, &err) < 0 ||
		   fs_replace_unsynced(t->arena, path_join(t->arena, s->logs->path, name).s, json, 0644,
				       &err) < 0) {
		slot_end(t, OUTCOME_ERROR, str_fmt(t->arena, "The findings can't be written: %s", err.msg));
	} else {
		t->result.json_path = path_join(t->arena, s->logs->shown, name);
	}
}

struct review_file
slot_file(const struct task *t, const char *status)
{
	const struct slot *s = t->own;
	struct review_file f = {
		.adapter = s->adapter,
		.timestamp = clock_format_millis(t->arena, clock_real_us()),
		.status = str_from(status),
		.raw_output = STR(""),
	};

	if (s->past) {
		f.skipped = s->past->skipped;
		f.skipped_count = s->past->skipped_count;
	}
	return f;
}

static struct str_list
findings_of(struct arena *a, const struct review_file *f)
{
	struct str_list l = { arena_array(a, f->open_count, struct str), f->open_count };

	for (size_t i = 0; i < l.count; i++)
		l.items[i] = review_finding(a, &f->open[i]);
	return l;
}

void
slot_close_log(struct task *t, const struct review_file *f)
{
	const struct slot *s = t->own;
	struct review_file shown = *f;
	struct str word = gate_outcome_name(t->result.outcome);

	t->result.findings = findings_of(t->arena, f);
	t->result.open = (struct finding_list){ f->open, f->open_count };
	shown.status = word;
	gatelog_entry(&t->log, review_file_section(t->arena, &shown, t->result.json_path, t->result.message));
	gatelog_say(&t->log, "Review result (" STR_FMT "@%" PRId64 "): " STR_FMT " - " STR_FMT,
		    STR_ARG(s->adapter), s->index, STR_ARG(word), STR_ARG(t->result.message));
	gatelog_say(&t->log, "Result: " STR_FMT " - " STR_FMT, STR_ARG(word), STR_ARG(t->result.message));
	gatelog_close(&t->log);
}

/* ---- slots that nobody is asked about ---- */

void
slot_judge_skip(struct task *t)
{
	const struct slot *s = t->own;
	struct review_file f = slot_file(t, "skipped_prior_pass");
	int64_t run = s->past->pass_run;
	struct str now = f.timestamp;

	f.pass_run = t->result.pass_run = run;
	slot_end(t, OUTCOME_PASS, str_fmt(t->arena, "Skipped: previously passed in iteration %" PRId64, run));
	slot_write_findings(t, &f);
	gatelog_say(&t->log, "[" STR_FMT "] Review skipped: previously passed in iteration %" PRId64,
		    STR_ARG(now), run);
	gatelog_say(&t->log, "Adapter: " STR_FMT, STR_ARG(s->adapter));
	gatelog_say(&t->log, "Review index: @%" PRId64, s->index);
	gatelog_entry(&t->log, STR("Status: skipped_prior_pass"));
	gatelog_close(&t->log);
}

void
slot_judge_keep(struct task *t)
{
	const struct slot *s = t->own;
	struct review_file f = slot_file(t, "fail");

	f.open = s->past->violations;
	f.open_count = s->past->violation_count;
	if (s->past->file_error.s)
		slot_end(t, OUTCOME_FAIL,
			 str_fmt(t->arena,
				 "Found %zu violations. " STR_FMT
				 ". They are all in the new file again, as new.",
				 f.open_count, STR_ARG(s->past->file_error)));
	else
		slot_end(t, OUTCOME_FAIL,
			 str_fmt(t->arena, "Found %zu violations (nothing has changed since)", f.open_count));
	slot_write_findings(t, &f);
	slot_close_log(t, &f);
}

void
slot_judge_accept(struct task *t)
{
	struct review_file f = slot_file(t, "pass");

	slot_end(t, OUTCOME_PASS, str_fmt(t->arena, "Passed (%zu skipped)", f.skipped_count));
	slot_write_findings(t, &f);
	slot_close_log(t, &f);
}
