/* SPDX-License-Identifier: MIT */
/* Users' regular expressions, compiled by PCRE2 and matched within bounds. Pattern and text are UTF-8; classes
 * such as \w and \d are Unicode's. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/base.h"

/* 0 when it compiles; else the error names the offset and what is wrong there. */
int regex_check(struct str pattern, bool ignore_case, struct err *err) MUST_CHECK;

/* Is it anywhere in the text? Bytes that are not UTF-8 match nothing. An error (ERR_LIMIT) when finding out would
 * take longer or more memory than the bounds allow, or when the pattern does not compile. */
int regex_match(struct str pattern, bool ignore_case, struct str text, bool *ret_is_match,
		struct err *err) MUST_CHECK;

#endif
