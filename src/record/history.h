/* SPDX-License-Identifier: MIT */
/* How long gates took: the results of the journal one by one, which the record folds into the newest of each gate. */
#ifndef RECORD_HISTORY_H
#define RECORD_HISTORY_H

#include "record/record.h"

struct timed_result {
	struct str part; /* of the job: check_src_lint */
	int64_t slot;    /* 0: a check */
	struct str log;  /* its name; absent: none */
	enum gate_outcome outcome;
	int64_t elapsed_ms, ended_us;
};
struct history {
	struct timed_result *items; /* oldest first */
	size_t count;
};

/* Of the lines of a journal; those that are not results are passed over, and so are passes that were taken over from an
 * earlier run. Pure. */
void history_parse(struct arena *a, struct str lines, struct history *ret);
/* The newest of a job, or of a slot of a review; NULL: there is none. */
const struct timed_result *history_last(const struct history *h, struct str part, int64_t slot);
/* How long it usually takes: the median of the last passes, or of the last failures if it never passed; at least 1.
 * 0: not known. */
int64_t history_usual_ms(const struct history *h, struct str part, int64_t slot);

#endif
