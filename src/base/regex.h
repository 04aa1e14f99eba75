/* SPDX-License-Identifier: MIT */
/* Users' regular expressions, compiled by PCRE2. A pattern is UTF-8; classes such as \w and \d are Unicode's. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/base.h"

/* 0 when it compiles; else the error names the offset and what is wrong there. */
int regex_check(struct str pattern, struct err *err) MUST_CHECK;

#endif
