/* SPDX-License-Identifier: MIT */
/* A hash set of strings with a fixed capacity. */
#ifndef BASE_STRSET_H
#define BASE_STRSET_H

#include "base/base.h"

struct strset {
	struct str *slots; /* absent: free */
	size_t mask;
};

/* Room for at most `count` strings, which must outlive the set. */
struct strset strset_new(struct arena *a, size_t count);
/* False: it is already in the set. The string must not be absent. */
bool strset_add(struct strset *s, struct str x);
bool strset_has(const struct strset *s, struct str x);

#endif
