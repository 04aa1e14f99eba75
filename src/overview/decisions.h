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

/* The lines of the journal that pass, oldest first, those that were moved aside among them. A line that is not complete
 * is left out. Their sessions are added to ret_known. */
int decisions_load(struct arena *a, const struct decision_filter *f, struct str_list *ret,
		   struct str_list *ret_known, struct err *err) MUST_CHECK;

/* ---- session_names.c ---- */

/* Adds the id, unless it is among them. */
void session_names_add(struct arena *a, struct str_list *known, struct str id);
/* The shortest part of the id that none of the other sessions has, of 8 characters or more. That is its end, if possible: ids of some
 * clients begin with the time, or all alike. */
struct str session_name(const struct str_list *known, struct str id);
/* Does the text mean this session: does the id begin with it, or is it an end that session_name() may have shown? */
bool session_is_named(struct str id, struct str text);

#endif
