/* SPDX-License-Identifier: MIT */
/* Reads the journal of decisions. */
#ifndef OVERVIEW_DECISIONS_H
#define OVERVIEW_DECISIONS_H

#include "doc/node.h"

/* Which decisions; absent: all of them. */
struct decision_filter {
	struct str project; /* exactly */
	struct str session; /* its beginning */
	struct str policy;
	struct str decision; /* block, allow, deny or ask */
	struct str event;
	int64_t since_us, until_us; /* on clock_real_us(); 0: no bound */
};

struct decision {
	struct node fields; /* of the line, into which it points */
	int64_t time_us;
};

/* False: the line is not a decision, or does not pass the filter. */
bool decision_read(struct arena *a, struct str line, const struct decision_filter *f, struct decision *ret);

/* The lines of the journal that pass, oldest first, those that were moved aside among them. A line that is not complete
 * is left out. */
int decisions_load(struct arena *a, const struct decision_filter *f, struct str_list *ret,
		   struct err *err) MUST_CHECK;

#endif
