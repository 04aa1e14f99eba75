/* SPDX-License-Identifier: MIT */
/* conclaude's pattern language, on whole strings and code points: ? * ** [abc] [a-z] [!abc]. Matching is linear
 * in pattern times text; nothing in a pattern makes it worse. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include "base/base.h"

/* 0 when the pattern is well formed; else the error names the position. */
int glob_check(struct str pattern, struct err *err) MUST_CHECK;
/* False for a malformed pattern. */
bool glob_match(struct str pattern, struct str text);
/* Is there a ? * or [ in it? */
bool glob_has_wildcard(struct str pattern);
/* How many code points the shortest text has that it matches; 0 for a malformed pattern. */
size_t glob_min_length(struct str pattern);

#endif
