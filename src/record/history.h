/* SPDX-License-Identifier: MIT */
/* What earlier runs found, read back from their logs. */
#ifndef RECORD_HISTORY_H
#define RECORD_HISTORY_H

#include "model/finding.h"
#include "record/logdir.h"

/* The newest result of a gate, or of a slot of a review. One that says nothing, as of a run that was killed, does not
 * count; one that says that the gate could not be run leaves a failure before it as it was. */
struct past_result {
	struct str file_part; /* of the job: check_src_lint */
	struct str adapter;   /* of a slot; absent: a check */
	int64_t slot;         /* 0: a check */
	int64_t run;
	bool is_pass;
	bool is_lost;  /* it failed, and no log tells what was found: it may be more than is here */
	bool is_error; /* it could not be run, and no failure is left from before: neither pass nor failure */
	int64_t pass_run; /* in which it passed; 0: it did not */
	struct str path;
	/* Of a failure, as its log tells; absent: it does not. Place is the working directory of a check, the entry
	 * point of a review. */
	struct str name, place;
	struct finding *violations; /* of a failure: those that are new or fixed; a check has one */
	size_t violation_count;
	struct finding *skipped; /* those that the agent has skipped, and gave a reason for */
	size_t skipped_count;
	struct str trouble; /* why the findings of a failure can't be read any more; absent: they can */
};
struct past_results {
	struct past_result *items; /* the newest of each, sorted by file_part and slot */
	size_t count;
	struct str_list warnings; /* about files that are broken; what is in one counts as failed */
};
/* console.* and what is in previous/ do not count. `gate`: only logs whose name has this part, a file's; absent: all. A review's
 * findings count as passed only where its log does not say otherwise. */
void history_latest(struct arena *a, const struct logdir *d, struct str gate, struct past_results *ret);
static inline bool
past_is_failure(const struct past_result *r)
{
	return !r->is_pass && !r->is_error;
}
/* Gates that have failed, and what is open about them. */
size_t history_failures(const struct past_results *h);
size_t history_violations(const struct past_results *h);
/* What was skipped, of all gates. */
size_t history_skipped(const struct past_results *h);

/* What became of each run's failures, for the summary. */
struct history_line {
	int64_t run;
	bool is_skip;      /* else fixed */
	struct str text;   /* review_._quality (1) - src/a.txt:2 Bad line */
	struct str reason; /* of a skip; absent: none */
};
struct history_tale {
	struct history_line *items; /* by run, what was fixed before what was skipped */
	size_t count;
	size_t runs, fixed, skipped; /* a violation is skipped once, in however many runs */
};
/* A gate that was not run, or could not be, has fixed nothing. */
void history_tell(struct arena *a, const struct logdir *d, struct history_tale *ret);

#endif
