/* SPDX-License-Identifier: MIT */
/* Blanks, lines and places in a text. Pure. */
#include "doc/text.h"

bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

size_t
skip_blanks(struct str x, size_t at)
{
	while (at < x.n && is_blank(x.s[at]))
		at++;
	return at;
}

size_t
break_at(struct str x, size_t at)
{
	if (at < x.n && x.s[at] == '\n')
		return 1;
	return at + 1 < x.n && x.s[at] == '\r' && x.s[at + 1] == '\n' ? 2 : 0;
}

size_t
line_start(struct str x, size_t at)
{
	return (size_t)(str_find_last(str_sub(x, 0, at), '\n') + 1);
}

size_t
line_after(struct str x, size_t at)
{
	ptrdiff_t n = str_find_char(str_rest(x, at), '\n');

	return n < 0 ? x.n : at + (size_t)n + 1;
}

struct place
place_of(struct str text, size_t offset)
{
	struct str rest = utf8_skip_mark(str_sub(text, 0, offset));
	struct str line = str_rest(rest, line_start(rest, rest.n));

	return (struct place){ (int)str_count(rest, '\n') + 1, (int)utf8_length(line) + 1 };
}
