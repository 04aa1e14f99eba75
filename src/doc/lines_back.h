/* SPDX-License-Identifier: MIT */
/* The lines of a file from its last to its first, in bounded memory. Reads through a callback, so that it runs
 * on memory as well as on a file. */
#ifndef DOC_LINES_BACK_H
#define DOC_LINES_BACK_H

#include "base/base.h"

/* Fills `to` as far as the file goes: fewer bytes than asked for mean that it ends there. */
typedef int read_at_fn(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err);

enum lines_back_end { LINES_LINE, LINES_START, LINES_TOO_LONG, LINES_TOO_FAR };

struct lines_back {
	read_at_fn *read_at;
	void *file;
	size_t chunk_bytes, line_limit_bytes;
	uint64_t scan_limit_bytes;
	/* inner state */
	uint64_t at, scanned; /* where the window begins in the file; how much was read */
	struct arena arena;   /* holds only the window */
	char *window;         /* the bytes [begin, end) of it are read and not yet given out */
	size_t begin, end, capacity;
	bool is_begun;           /* the newline at the end of the file has been seen to */
	enum lines_back_end why; /* LINES_LINE while it goes on */
};

/* With the limits for transcripts, which the caller may change. */
void lines_back_init(struct lines_back *l, read_at_fn *read_at, void *file, uint64_t size);
/* Also the CLEANUP function. */
void lines_back_free(struct lines_back *l);

/* The next line towards the start, without its newline, valid until the next call. LINES_TOO_LONG and
 * LINES_TOO_FAR end the iteration: a line or a distance over the limits. A newline at the end of the file ends its
 * last line and begins none. A file that was truncated meanwhile is read from where it ends now. -1 only when reading
 * failed. */
int lines_back_next(struct lines_back *l, struct str *ret_line, enum lines_back_end *ret_end,
		    struct err *err) MUST_CHECK;

#endif
