/* SPDX-License-Identifier: MIT */
/* What a run of the gates came to, as plain values: for reports that other programs read. */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include "model/gate.h"
#include "model/status.h"

/* A gate in a place, or one slot of a review. Absent strings are left out. */
struct report_job {
	enum gate_kind kind;
	struct str id;    /* check:src:lint */
	struct str label; /* of a slot: (claude@1) */
	struct str name;  /* of the gate */
	struct str entry_point, working_directory, reason;
	enum gate_outcome outcome;
	bool is_skipped; /* it was never started, and outcome means nothing */
	struct str message;
	int64_t elapsed_ms;
	struct str log_path, review_path;
	struct str output; /* the end of it, any bytes; shown where it did not pass */
};

struct report {
	enum status status;
	bool is_ok; /* the run's exit code is 0 */
	struct str message;
	int64_t run_number;    /* 0: no run was made */
	struct str started_at; /* 2026-11-15T01:26:52.653Z; absent: not known */
	int64_t elapsed_ms;
	struct str console_log_path;
	const struct report_job *jobs; /* in the order of the plan */
	size_t job_count;
};

struct report_totals {
	size_t jobs, passed, failed, errors, skipped;
};
struct report_totals report_totals(const struct report *r);

#endif
