/* SPDX-License-Identifier: MIT */
/* "Did you mean": the valid names that are nearest to a word. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/base.h"

#define NEAREST_MAX 3

/* The names within Levenshtein distance 3 of `word` (code points, ASCII case ignored), at most NEAREST_MAX, nearest first, in the
 * given order among equals; returns their count. Not suggested: a name that has nothing in common with the word (a distance
 * as large as its length), one that is farther than the nearest by two, and any other if one differs only in case. If none is
 * nearer than 2, names that start with the word are suggested instead, if the word has at least three characters. */
size_t nearest(struct str word, const struct str *names, size_t count, struct str ret[NEAREST_MAX]);

#endif
