/* SPDX-License-Identifier: MIT */
/* Makes text from other programs safe to show: it must not control the terminal. */
#ifndef BASE_ESCAPES_H
#define BASE_ESCAPES_H

#include "base/base.h"

/* Controls of the terminal, and those that change the direction of text, which can make it read as something else. */
bool is_control(uint32_t cp);
/* The text as valid UTF-8 without control characters: escape sequences are removed, an unfinished one up to the end of its
 * line; a carriage return becomes a newline; newline and tab stay, any other becomes U+FFFD. x itself if nothing changes. */
struct str strip_escapes(struct arena *a, struct str x);
/* The same on one line: newlines and tabs become blanks. */
struct str strip_escapes_line(struct arena *a, struct str x);
/* The offset, from `at` on, of the first byte that is not printable ASCII, or the end. */
size_t skip_printable(struct str x, size_t at);

#endif
