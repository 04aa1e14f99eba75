/* SPDX-License-Identifier: MIT */
/* Growing texts. The bytes belong to the buffer's arena. */
#include "base/buf.h"

#include <stdio.h>

static void
grow(struct buf *b, size_t capacity)
{
	b->s = arena_extend(b->arena, b->s, b->n, capacity);
	b->capacity = capacity;
}

void
buf_reserve(struct buf *b, size_t n)
{
	if (n > b->limit - b->n)
		n = b->limit - b->n;
	if (n > b->capacity - b->n)
		grow(b, b->n + n);
}

static size_t
make_room(struct buf *b, size_t n)
{
	size_t left = b->limit - b->n;

	if (n > left) {
		n = left;
		b->is_cut = true;
	}
	if (n > b->capacity - b->n) {
		size_t want = b->capacity ? b->capacity : 256;

		while (want < b->n + n)
			want *= 2;
		grow(b, want);
	}
	return n;
}

void
buf_add(struct buf *b, struct str x)
{
	size_t n = make_room(b, x.n);

	if (n)
		memcpy(b->s + b->n, x.s, n);
	b->n += n;
}

void
buf_addc(struct buf *b, char c)
{
	if (make_room(b, 1))
		b->s[b->n++] = c;
}

void
buf_cat_list(struct buf *b, const struct str *pieces, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_add(b, pieces[i]);
}

void
buf_addf(struct buf *b, const char *fmt, ...)
{
	char small[256]; /* most texts fit, and leave nothing behind in the arena */
	va_list args, again;

	va_start(args, fmt);
	va_copy(again, args);
	int n = vsnprintf(small, sizeof(small), fmt, again);

	va_end(again);
	if (n >= 0 && (size_t)n < sizeof(small))
		buf_add(b, (struct str){ small, (size_t)n });
	else
		buf_add(b, str_vfmt(b->arena, fmt, args));
	va_end(args);
}

struct str
buf_str(const struct buf *b)
{
	return b->n ? (struct str){ b->s, b->n } : STR("");
}

void
buf_lines(struct buf *b, const char *mark, struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line))
		buf_cat(b, mark, line, "\n");
}
