/* SPDX-License-Identifier: MIT */
/* Which lines a unified diff adds, by file. Pure; accepts any bytes. */
#ifndef REVIEW_DIFF_LINES_H
#define REVIEW_DIFF_LINES_H

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

#endif
