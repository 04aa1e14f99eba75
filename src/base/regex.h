/* SPDX-License-Identifier: MIT */
/* Checks the syntax of a regular expression for Rust's regex crate, which conclaude uses. Does not match. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/base.h"

/* The error names the problem and its offset in bytes. Does not check the names of Unicode properties and the size of the
 * compiled program. */
int regex_check(struct str pattern, struct err *err) MUST_CHECK;

#endif
