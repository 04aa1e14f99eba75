/* SPDX-License-Identifier: MIT */
/* conclaude's patterns: ? * ** [abc] [a-z] [!abc]. A pattern must match all of the text; it works on code points. Matching takes
 * at most pattern times text steps. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include "base/base.h"

/* Fails if the pattern is malformed; the error names the position. */
int glob_check(struct str pattern, struct err *err) MUST_CHECK;
/* False for a malformed pattern. */
bool glob_match(struct str pattern, struct str text);
/* Does one of the patterns, with blanks between, match? */
bool glob_match_any(const char *patterns, struct str text);
/* Is the character in a class, of which this is the text between the brackets? For all kinds of patterns; in some a backslash quotes
 * the next character. */
bool glob_class_has(struct str class, uint32_t c, bool has_escapes);
/* Does it contain ? * or [ ? */
bool glob_has_wildcard(struct str pattern);
/* The length in code points of the shortest text that it matches; 0 for a malformed pattern. */
size_t glob_min_length(struct str pattern);

#endif
