/* SPDX-License-Identifier: MIT */
/* Patterns for paths, as the gates' configuration has them: * and ? stay within a path component, ** as a whole
 * component is any number of them (behind the last slash at least one), [abc] [a-z] [!a] [^a] are one character that
 * is no slash, {a,b/c} is each of its alternatives, also nested, \ takes the next character as it is, a leading !
 * negates. The whole path must match, a leading dot is nothing special, and ./ is not taken off. */
#ifndef BASE_PATHGLOB_H
#define BASE_PATHGLOB_H

#include "base/base.h"

/* A pattern that is not well formed (an open [ or {) matches nothing, negated or not. The work is bounded: a pattern
 * longer than PATHGLOB_BYTES, with more than sixteen pairs of braces to go through, or with so many alternatives that
 * trying them would take too long, matches nothing either. */
#define PATHGLOB_BYTES 4096
bool pathglob_match(struct str pattern, struct str path);
/* Is there any of * ? [ { in it? */
bool pathglob_is_pattern(struct str text);

#endif
