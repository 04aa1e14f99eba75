/* SPDX-License-Identifier: MIT */
/* The results of the journal one by one, which the record folds into the newest of each gate: how long gates took, and which are
 * flaky. */
#ifndef RECORD_HISTORY_H
#define RECORD_HISTORY_H

#include "record/record.h"

struct timed_result {
	bool is_check;
	struct str gate, place, key; /* absent: not known */
	struct str part;             /* of the job: check_src_lint */
	int64_t slot;                /* 0: a check */
	struct str log;              /* its name; absent: none */
	enum gate_outcome outcome;
	int64_t elapsed_ms, ended_us;
	size_t earlier; /* the number, from 1, of the one before it of the same part; 0: none */
};
struct history {
	struct timed_result *items; /* oldest first */
	size_t count;
	struct strset parts;
	size_t *last; /* of each part, the number of the newest */
};

/* Of the lines of a journal; those that are not results are passed over, and so are passes that were taken over from an
 * earlier run. Pure. */
void history_parse(struct arena *a, struct str lines, struct history *ret);
/* The newest of a job, or of a slot of a review; NULL: there is none. */
const struct timed_result *history_last(const struct history *h, struct str part, int64_t slot);
/* How long it usually takes: the median of the last passes, or of the last failures if it never passed; at least 1.
 * 0: not known. */
int64_t history_usual_ms(const struct history *h, struct str part, int64_t slot);

/* ---- checks whose result has changed though neither their definition nor the files that they are about had: the same key, and
 * another outcome ---- */

struct flaky_gate {
	struct str name, place;
	size_t changes;  /* of its result */
	int64_t last_us; /* the last of them */
};
struct flaky_gates {
	struct flaky_gate *items;
	size_t count;
};

/* In the lines of a results journal, those in a span of time; an until_us of 0 is no bound. A review does not count: what it
 * found may have been skipped since. Pure. */
void flaky_fold(struct arena *a, struct str lines, int64_t since_us, int64_t until_us,
		struct flaky_gates *ret);
/* Of a project; none where it has no journal. */
int flaky_read(struct arena *a, struct str root, int64_t since_us, int64_t until_us, struct flaky_gates *ret,
	       struct err *err) MUST_CHECK;

#endif
