/* SPDX-License-Identifier: MIT */
/* Reads the journal of decisions. */
#ifndef OVERVIEW_DECISIONS_H
#define OVERVIEW_DECISIONS_H

#include "doc/node.h"

/* Which decisions; absent: all of them. */
struct decision_filter {
	struct str project; /* exactly */
	struct str session; /* what session_is_named() takes */
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

/* Takes a decision that passes the filter, with its line; both are valid until it returns. False: no more of them. */
typedef bool decision_fn(void *context, struct str line, const struct decision *d);

/* Hands over the decisions of the journal, also of the files that were moved aside: the oldest first, or, reading no more than is taken,
 * the newest first. A line that is not complete is left out. */
int decisions_each(const struct decision_filter *f, decision_fn *take, void *context,
		   struct err *err) MUST_CHECK;
int decisions_each_back(const struct decision_filter *f, decision_fn *take, void *context,
			struct err *err) MUST_CHECK;

/* ---- session_names.c ---- */

/* The ids of sessions, each once. A zeroed one is empty. */
struct session_names {
	struct strset ids;
	/* All of them at the last question, sorted by their starts and by their ends. */
	struct str *by_start, *by_end;
	size_t sorted_count;
};

/* Adds a copy of the id, unless it is among them, and returns its place. */
size_t session_names_add(struct arena *a, struct session_names *known, struct str id);
/* The shortest part of the id that none of the other sessions has, of 8 characters or more. That is its end, if possible: ids of some
 * clients begin with the time, or all alike. */
struct str session_name(struct session_names *known, struct str id);
/* Does the text mean this session: does the id begin with it, or is it an end that session_name() may have shown? */
bool session_is_named(struct str id, struct str text);

#endif
