/* SPDX-License-Identifier: MIT */
/* The lines of a unified diff, one after the other, and what each of them is. Inside review/ only. */
#ifndef REVIEW_DIFF_H
#define REVIEW_DIFF_H

#include "base/base.h"

enum diff_event {
	DIFF_END,
	DIFF_SECTION, /* the first line of a file's part; file may be absent when the line does not tell it */
	DIFF_NAME,    /* a line that tells the name of the file as it is now */
	DIFF_ADDED,   /* an added line; `line` is its number */
	DIFF_BINARY,  /* the lines of the file are not shown */
	DIFF_OTHER,
};

struct diff_reader {
	struct arena *arena; /* where names that were quoted are put */
	struct str rest;
	int64_t line;                /* the next one of the new file */
	uint64_t old_left, new_left; /* of the hunk */
	struct str file;             /* of DIFF_SECTION and DIFF_NAME */
	size_t at;                   /* where the line that was read begins */
	size_t total;
};

struct diff_reader diff_reader(struct arena *a, struct str diff);
enum diff_event diff_read(struct diff_reader *r);

/* The diff file by file; what is before the first is one, too. */
struct diff_section {
	struct str text;
	struct str file; /* the last name that it tells; absent: none */
};
struct diff_sections {
	struct diff_section *items;
	size_t count;
};
struct diff_sections diff_split(struct arena *a, struct str diff);

/* The diff cut by file to at most `limit` bytes: whole files as far as they fit, then a note that names those left
 * out. Where not even one fits, the first is cut at the end of a line. `has_more`: files are missing in it already, of
 * which the note tells, too. *ret_is_cut tells. A limit below DIFF_CUT_LEAST leaves nothing but a part of the note. */
#define DIFF_CUT_LEAST 1024
struct str diff_cut(struct arena *a, struct str diff, size_t limit, bool has_more, bool *ret_is_cut);

#endif
