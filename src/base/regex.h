/* SPDX-License-Identifier: MIT */
/* Is a text a regular expression in the syntax of Rust's regex crate? Nothing here matches. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/base.h"

/* -1 with what is wrong and its offset in bytes. Names of Unicode properties, and the size of the compiled program, are
 * not checked. */
int regex_check(struct str pattern, struct err *err) MUST_CHECK;

#endif
