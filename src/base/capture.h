/* SPDX-License-Identifier: MIT */
/* An output stream kept in bounded memory: its beginning and its end, and a count of all of it. */
#ifndef BASE_CAPTURE_H
#define BASE_CAPTURE_H

#include "base/base.h"

struct capture {
	char *head, *tail; /* tail is a ring */
	size_t head_n, head_max;
	size_t tail_n, tail_max, tail_at;
	uint64_t bytes, newlines; /* of all that was put in */
	char last;                /* the last byte of it */
};

void capture_init(struct capture *c, struct arena *a, size_t head_max, size_t tail_max);
void capture_put(struct capture *c, struct str x);
/* Was anything lost between beginning and end? */
bool capture_is_cut(const struct capture *c);

/* The text as valid UTF-8, without its final newline. Where bytes were lost between beginning and end, or more
 * than max_lines lines came (0: no limit): the first third of max_lines, a line `... (K lines omitted)`, and the
 * rest from the end. Lines cut in half by the byte bound count as omitted; only where no whole line is left, the
 * halves are shown around `... (K bytes omitted)`, for max_lines 1 only the second. */
struct str capture_text(const struct capture *c, struct arena *a, size_t max_lines);

#endif
