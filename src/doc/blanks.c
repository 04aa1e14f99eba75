/* SPDX-License-Identifier: MIT */
/* Blanks and line breaks. Pure. */
#include "doc/blanks.h"

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
