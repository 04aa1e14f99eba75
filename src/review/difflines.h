/* SPDX-License-Identifier: MIT */
/* Which lines a unified diff adds, by file, and a diff made to fit. Pure; survives any diff. */
#ifndef REVIEW_DIFFLINES_H
#define REVIEW_DIFFLINES_H

#include "base/base.h"

struct diff_lines; /* sorted by file, several sections of one file merged */
const struct diff_lines *diff_lines_of(struct arena *a, struct str diff);
/* Any file that the diff names: also one that is renamed or deleted, which has no lines, or binary, which has all. */
bool diff_lines_has_file(const struct diff_lines *d, struct str file);
bool diff_lines_has(const struct diff_lines *d, struct str file, int64_t line);
size_t diff_lines_file_count(const struct diff_lines *d);
/* The file of the diff that a reviewer means by this spelling of its path: the path itself, without ./ or a/ or b/ in
 * front, or the one file that an absolute path ends in. Absent: none. */
struct str diff_lines_meant(const struct diff_lines *d, struct str spelling);

/* The diff cut by file to at most `limit` bytes: whole files as far as they fit, then a note that names those left
 * out. Where not even one fits, the first is cut at the end of a line. `has_more`: files are missing in it already, of
 * which the note tells, too. *ret_is_cut tells. A limit below DIFF_CUT_LEAST leaves nothing but a part of the note. */
#define DIFF_CUT_LEAST 1024
struct str diff_cut(struct arena *a, struct str diff, size_t limit, bool has_more, bool *ret_is_cut);

#endif
