/* SPDX-License-Identifier: MIT */
/* UTF-8, as strict as RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/base.h"

#define UTF8_REPLACEMENT 0xFFFDu
#define UTF8_REPLACEMENT_TEXT STR("\xEF\xBF\xBD")

/* The code point at the start of a non-empty string and its length in bytes; an invalid byte is U+FFFD. */
uint32_t utf8_decode(struct str x, size_t *ret_n);
/* Removes that code point. */
static inline uint32_t
utf8_take(struct str *x)
{
	size_t n;
	uint32_t cp = utf8_decode(*x, &n);

	*x = str_rest(*x, n);
	return cp;
}
/* A byte of a code point that is not its first. */
static inline bool
utf8_is_continuation(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* Was an invalid byte decoded? A real U+FFFD has three bytes. */
static inline bool
utf8_is_bad(uint32_t cp, size_t n)
{
	return cp == UTF8_REPLACEMENT && n == 1;
}

/* Writes its bytes, at most four, to `to` and returns their number. An invalid code point is written as U+FFFD. */
size_t utf8_encode(uint32_t cp, char *to);
bool utf8_is_valid(struct str x);
/* Without a byte order mark at the start. */
struct str utf8_skip_mark(struct str x);
/* The text with each invalid byte replaced by U+FFFD; x itself if it is valid. */
struct str utf8_clean(struct arena *a, struct str x);
/* At most max bytes from the start or the end, never a part of a code point. */
struct str utf8_head(struct str x, size_t max);
struct str utf8_tail(struct str x, size_t max);
/* The first `count` code points. */
struct str utf8_prefix(struct str x, size_t count);
size_t utf8_length(struct str x);
/* At most so many code points: an ellipsis is in the place of those that are left out. */
struct str utf8_cut(struct arena *a, struct str x, size_t most);
/* How many columns of a terminal it takes, and the longest start that takes at most `width` of them. */
size_t utf8_width(struct str x);
struct str utf8_fit(struct str x, size_t width);

#endif
