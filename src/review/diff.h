/* SPDX-License-Identifier: MIT */
/* A unified diff: its files, the lines that it adds, and a version of it that fits a limit. Pure; accepts any bytes. */
#ifndef REVIEW_DIFF_H
#define REVIEW_DIFF_H

#include "base/base.h"

/* The diff by file; text before the first file is a section, too. */
struct diff_section {
	struct str text;
	struct str file; /* the last name in it; absent: none */
	struct str from; /* its name before it was renamed; absent: it was not */
	bool is_binary, is_repository;
};
struct diff_sections {
	struct diff_section *items;
	size_t count;
};
struct diff_sections diff_split(struct arena *a, struct str diff);

/* The diff cut to at most `limit` bytes: the files that fit, then a note that names the others. Where not even one fits,
 * the first is cut at the end of a line. `has_more`: files are missing in the diff already, which the note mentions. A
 * limit below DIFF_CUT_LEAST leaves only a part of the note. *ret_left_out: the files that are not shown, or not all of
 * whose changes are. */
#define DIFF_CUT_LEAST 1024
struct str diff_cut(struct arena *a, struct str diff, size_t limit, bool has_more, bool *ret_is_cut,
		    struct str_list *ret_left_out);

/* Which lines the diff adds, by file. */
struct diff_lines;
const struct diff_lines *diff_lines_of(struct arena *a, struct str diff);
bool diff_lines_has(const struct diff_lines *d, struct str file, int64_t line);
/* Does the diff name a file? Also one that is renamed or deleted, which has no lines, or binary, which has all. */
bool diff_lines_has_files(const struct diff_lines *d);
/* The file of the diff that a reviewer means by this spelling of its path: the path itself, without ./ or a/ or b/ in
 * front, or the one file that an absolute path ends in. Absent: none. */
struct str diff_lines_meant(const struct diff_lines *d, struct str spelling);

#endif
