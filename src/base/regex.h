/* SPDX-License-Identifier: MIT */
/* Regular expressions of Rust's regex crate, which conclaude uses. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/base.h"

/* The error names the problem and its offset in bytes. Does not check the names of Unicode properties and the size of the
 * compiled program. */
int regex_check(struct str pattern, struct err *err) MUST_CHECK;

/* Does it match anywhere in the text? The time is bounded by the size of pattern and text; where PCRE2's limits would be exceeded,
 * it does not match. Neither does a malformed pattern, nor one with sets of sets ([a&&b]) or a Unicode property that PCRE2 does not know.
 * Only the beginning of a long text is searched. */
#define REGEX_TEXT_BYTES KIB(128)
bool regex_match(struct arena *a, struct str pattern, struct str text, bool ignores_case);

#endif
