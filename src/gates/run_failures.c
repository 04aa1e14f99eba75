/* SPDX-License-Identifier: MIT */
/* The gates that did not pass, as the run's caller is told of them. */
#include "gates/run_failures.h"

#include "base/buf.h"
#include "base/excerpt.h"
#include "base/plain.h"
#include "os/fs.h"

#define LAST_LINES 20
#define LAST_LINES_BYTES 2000
#define MESSAGE_BYTES 1000

struct str
run_what_failed(struct arena *a, const struct task *tasks, size_t count, bool is_interrupted)
{
	struct buf out = BUF(a, MESSAGE_BYTES);

	buf_add(&out, is_interrupted ? STR("⚠ Gauntlet not finished — the stop hook timed out")
				     : STR("⚠ Gauntlet could not run its gates"));
	for (size_t i = 0; i < count; i++)
		if (!tasks[i].is_skipped && tasks[i].outcome == OUTCOME_ERROR)
			buf_addf(&out, "; " STR_FMT ": " STR_FMT, STR_ARG(task_name(a, &tasks[i])),
				 STR_ARG(tasks[i].message));
	return buf_str(&out);
}

/* The end of what a gate printed: from its log, else, as the gate may have deleted that, from what is kept of it. */
static struct str
last_lines(struct arena *a, const struct task *t, struct str log)
{
	struct str lines = gatelog_last_lines(a, log.s, LAST_LINES, LAST_LINES_BYTES);

	if (lines.n > 0 || fs_kind(log.s) != FS_NOTHING)
		return lines;
	return excerpt(a, plain_text(a, capture_text(&t->output, a, LAST_LINES)), LAST_LINES_BYTES);
}

void
run_list_failures(struct arena *a, const struct logdir *logs, struct run_result *r)
{
	r->failed = arena_array(a, r->task_count, struct failed_gate);
	for (size_t i = 0; i < r->task_count; i++) {
		const struct task *t = &r->tasks[i];

		if (t->is_skipped || t->outcome == OUTCOME_PASS)
			continue;
		struct str log = t->log_path.s ? fs_join(a, logs->path, fs_base(t->log_path)) : STR("");
		bool has_findings = t->outcome == OUTCOME_FAIL && t->json_path.s;

		r->failed[r->failed_count++] = (struct failed_gate){
			.id = task_name(a, t),
			.log_path = has_findings ? fs_join(a, logs->path, fs_base(t->json_path)) : log,
			.has_findings = has_findings,
			.message = t->message,
			.last_lines = t->findings.s ? excerpt(a, t->findings, LAST_LINES_BYTES)
						    : last_lines(a, t, log),
		};
	}
}
