/* SPDX-License-Identifier: MIT */
/* Reading by tables without stopping at the first mistake: what is wrong is noted, its key keeps its default, and the
 * rest is read. Loading and validating are the same walk. */
#ifndef CONF_GAUNTLET_COLLECT_H
#define CONF_GAUNTLET_COLLECT_H

#include "conf/gauntlet.h"
#include "doc/decode.h"

struct collector {
	struct arena *arena;
	struct gauntlet_problems *problems;
	size_t capacity, file_capacity;
	struct str file; /* that is being read, relative to the root */
	bool is_lenient; /* the problems are not wanted: none is noted */
};

enum problem_level { PROBLEM_FATAL, PROBLEM_ERROR, PROBLEM_WARNING };

/* From here on, problems are in this file. */
void collect_in(struct collector *k, struct str file);
/* n: where it is; NULL: nowhere in particular. */
void collect(struct collector *k, enum problem_level level, const struct node *n, struct str field,
	     const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Of an error about the file's text. */
void collect_err(struct collector *k, const struct err *err);

/* Reads the map by the table; unknown keys pass, with a warning where they are nearly a known one. Readers are called
 * as by decode_map(); rows of decode_object, and of decode_list and decode_opt_list with fields, are walked through. A list
 * with `least` has at least so many items. */
void collect_map(struct collector *k, const struct node *n, const struct field *fields, size_t count,
		 void *to, const struct decode_at *at);

/* The item of a list; NULL where it has none such. */
const struct node *collect_item(const struct node *list, size_t i);

/* The first fatal problem as an error, FILE:LINE:COL: field: text, the file below the root; 0: there is none. */
int gauntlet_problems_fail(struct arena *a, struct str root, const struct gauntlet_problems *p,
			   struct err *err) MUST_CHECK;

#endif
