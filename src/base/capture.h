/* SPDX-License-Identifier: MIT */
/* Long output, shortened: an output stream in bounded memory, and excerpts of a text. */
#ifndef BASE_CAPTURE_H
#define BASE_CAPTURE_H

#include "base/base.h"

/* The start and the end of a stream, and the size of all of it. */
struct capture {
	struct arena *arena;
	char *head, *tail; /* tail is a ring; NULL: nothing is in it yet */
	size_t head_n, head_max;
	size_t tail_n, tail_max, tail_at;
	uint64_t bytes, newlines; /* of the stream */
	char last;                /* its last byte */
};

void capture_init(struct capture *c, struct arena *a, size_t head_max, size_t tail_max);
void capture_put(struct capture *c, struct str x);
/* Were bytes lost between start and end? */
bool capture_is_cut(const struct capture *c);

/* The text as valid UTF-8, without its final newline. If bytes were lost, or there are more than max_lines lines (0: no
 * limit): a third of max_lines from the start, a line `... (K lines omitted)`, and the rest from the end. Incomplete lines
 * count as omitted. If no line is complete, both parts are shown around `... (K bytes omitted)`, or only the second if
 * max_lines is 1. */
struct str capture_text(const struct capture *c, struct arena *a, size_t max_lines);

/* The text itself if it has at most `max` bytes; else a third of that from its start, a line `... (N bytes omitted)`, and the
 * rest from its end, where the cause of a failure usually is. Cut at line ends if there are any near. Valid UTF-8 stays
 * valid. At most max bytes, if max is at least EXCERPT_LEAST_BYTES. */
#define EXCERPT_LEAST_BYTES 120
struct str excerpt(struct arena *a, struct str text, size_t max);

#endif
