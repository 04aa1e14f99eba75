/* SPDX-License-Identifier: MIT */
/* The lines that were added to a transcript since it was read last, from the newest to the oldest. What a stop costs depends on
 * them, not on the size of the file. */
#ifndef CLIENT_NEW_LINES_H
#define CLIENT_NEW_LINES_H

#include "doc/reverse_lines.h"

/* Up to where a transcript was read. */
struct read_place {
	uint64_t offset;
	uint64_t mark; /* a hash of the bytes before that: a transcript with others is read from its start */
};

struct new_lines {
	bool is_other; /* it is another transcript: what is known of the last one does not count */
	/* private */
	int fd;
	struct reverse_lines lines;
	uint64_t at, from, end;
	bool is_complete; /* else the client is still writing the line before `at` */
};
#define NEW_LINES_NONE ((struct new_lines){ .fd = -1 })

int new_lines_open(struct new_lines *n, const char *path, const struct read_place *place,
		   struct err *err) MUST_CHECK;
/* The next older line, valid until the next call; absent: there are no more. A line that the client is still writing is left for
 * the next reading, and one over the limit is left out. */
int new_lines_next(struct new_lines *n, struct str *ret, struct err *err) MUST_CHECK;
/* For the next reading, after this one has come to its end or to where the caller knows enough. */
struct read_place new_lines_place(const struct new_lines *n);
/* The CLEANUP function. */
void new_lines_close(struct new_lines *n);

#endif
