/* SPDX-License-Identifier: MIT */
/* Checks whose result has changed though neither their definition nor the files that they are about had: the same key, and
 * another outcome. */
#ifndef RECORD_FLAKY_H
#define RECORD_FLAKY_H

#include "base/base.h"

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
