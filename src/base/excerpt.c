/* SPDX-License-Identifier: MIT */
/* Excerpts. Pure. */
#include "base/excerpt.h"

#include "base/buf.h"
#include "base/utf8.h"

/* The room that the line in the middle takes at the most. */
#define NOTE_BYTES 48

/* Back to the end of the last whole line, if that loses less than half. */
static struct str
whole_lines_head(struct str x)
{
	for (size_t n = x.n; n > x.n / 2; n--)
		if (x.s[n - 1] == '\n')
			return str_sub(x, 0, n - 1);
	return x;
}

static struct str
whole_lines_tail(struct str x)
{
	ptrdiff_t at = str_find_char(str_sub(x, 0, x.n / 2), '\n');

	return at < 0 ? x : str_sub(x, (size_t)at + 1, x.n);
}

struct str
excerpt(struct arena *a, struct str text, size_t max)
{
	if (text.n <= max)
		return text;
	size_t room = max > NOTE_BYTES ? max - NOTE_BYTES : 0;
	struct str head = whole_lines_head(utf8_head(text, room / 3));
	struct str tail = whole_lines_tail(utf8_tail(text, room - room / 3));

	struct buf out = BUF(a, SIZE_MAX);

	buf_add(&out, head);
	buf_addf(&out, "\n... (%zu bytes omitted)\n", text.n - head.n - tail.n);
	buf_add(&out, tail);
	return buf_str(&out);
}
