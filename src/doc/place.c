/* SPDX-License-Identifier: MIT */
/* Line and column of an offset. Pure. */
#include "doc/place.h"

#include "base/utf8.h"

struct place
place_of(struct str text, size_t offset)
{
	struct str rest = utf8_skip_mark(str_sub(text, 0, offset));
	int line = 1;

	for (ptrdiff_t at = str_find_char(rest, '\n'); at >= 0; at = str_find_char(rest, '\n')) {
		rest = str_sub(rest, (size_t)at + 1, rest.n);
		line++;
	}
	return (struct place){ line, (int)utf8_length(rest) + 1 };
}
