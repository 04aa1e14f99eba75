/* SPDX-License-Identifier: MIT */
/* "Did you mean": the nearest of the valid names. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/base.h"

#define NEAREST_MAX 3

/* The names within Levenshtein distance 3 of `word` (code points, ASCII case ignored), nearest first, in the
 * given order among equals, at most NEAREST_MAX; the count. A name that shares nothing with the word (a distance
 * as large as its own length) is no suggestion, nor is one that is farther by two than the nearest, or any beside one
 * that differs in case alone. Where none is nearer than 2, those that begin with the word come instead, if it has three
 * characters or more. */
size_t nearest(struct str word, const struct str *names, size_t count, struct str ret[NEAREST_MAX]);

#endif
