/* SPDX-License-Identifier: MIT */
/* The lines of a file from the last to the first, in bounded memory. Reads through a callback, so that it works on memory
 * as well as on a file. */
#ifndef DOC_REVERSE_LINES_H
#define DOC_REVERSE_LINES_H

#include "base/base.h"

/* Reads up to n bytes; fewer mean that the file ends there. */
typedef int read_at_fn(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err);

enum reverse_lines_end { LINES_LINE, LINES_START, LINES_TOO_LONG, LINES_TOO_FAR };

struct reverse_lines {
	read_at_fn *read_at;
	void *file;
	size_t chunk_bytes, line_limit_bytes;
	uint64_t scan_limit_bytes;
	/* private */
	uint64_t at, scanned; /* the window's offset in the file; how many bytes were read */
	struct arena arena;   /* holds only the window */
	char *window;         /* its bytes from `begin` to before `end` are read and not yet returned */
	size_t begin, end, capacity;
	bool is_begun;              /* the newline at the end of the file was handled */
	enum reverse_lines_end why; /* LINES_LINE until the iteration ends */
};

/* With the limits for transcripts, which the caller may change. */
void reverse_lines_init(struct reverse_lines *l, read_at_fn *read_at, void *file, uint64_t size);
/* Also the CLEANUP function. */
void reverse_lines_free(struct reverse_lines *l);

/* The next line towards the start, without its newline, valid until the next call. LINES_TOO_LONG and
 * LINES_TOO_FAR end the iteration: a line or a distance over the limits. A newline at the end of the file ends its
 * last line and does not begin another. A file that was truncated meanwhile is read from where it ends now. -1 only when reading
 * failed. */
int reverse_lines_next(struct reverse_lines *l, struct str *ret_line, enum reverse_lines_end *ret_end,
		       struct err *err) MUST_CHECK;

#endif
