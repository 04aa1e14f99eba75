/* SPDX-License-Identifier: MIT */
/* Text from elsewhere that is to be shown: it must not be able to command the terminal. */
#ifndef BASE_ESCAPES_H
#define BASE_ESCAPES_H

#include "base/base.h"

/* The text as valid UTF-8 without control characters: terminals' escape sequences are taken out, an unfinished one
 * up to the end of its line; a carriage return ends a line; newline and tab stay, any other is U+FFFD. x itself
 * where there is nothing to do. */
struct str strip_escapes(struct arena *a, struct str x);
/* The same on one line: newlines and tabs are blanks. */
struct str strip_escapes_line(struct arena *a, struct str x);

#endif
