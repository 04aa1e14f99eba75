/* SPDX-License-Identifier: MIT */
/* Output in bounded memory. The first bytes fill the head; all later ones go into the tail, a ring. Bytes are interpreted as
 * text only when they are read. */
#include "base/capture.h"

/* The most that the line in the middle of an excerpt takes. */
#define NOTE_BYTES 48

void
capture_init(struct capture *c, struct arena *a, size_t head_max, size_t tail_max)
{
	*c = (struct capture){
		.arena = a,
		.head_max = head_max,
		.tail_max = tail_max,
	};
}

void
capture_put(struct capture *c, struct str x)
{
	size_t room = c->head_max - c->head_n, n = x.n < room ? x.n : room;

	/* Many streams stay empty. */
	if (!c->head && c->arena && x.n > 0)
		c->head = arena_bytes(c->arena, c->head_max);
	if (!c->tail && c->arena && n < x.n)
		c->tail = arena_bytes(c->arena, c->tail_max);
	if (x.n)
		c->last = x.s[x.n - 1];
	c->bytes += x.n;
	c->newlines += str_count(x, '\n');
	if (n)
		memcpy(c->head + c->head_n, x.s, n);
	c->head_n += n;
	x = str_rest(x, n);
	if (x.n > c->tail_max)
		x = str_rest(x, x.n - c->tail_max);
	/* tail_at is the position of the next byte; in a full ring the oldest byte is there. */
	for (; x.n > 0; x = str_rest(x, n)) {
		room = c->tail_max - c->tail_at;
		n = x.n < room ? x.n : room;
		memcpy(c->tail + c->tail_at, x.s, n);
		c->tail_at = (c->tail_at + n) % c->tail_max;
		c->tail_n = c->tail_n + n < c->tail_max ? c->tail_n + n : c->tail_max;
	}
}

bool
capture_is_cut(const struct capture *c)
{
	return c->bytes > (uint64_t)c->head_n + c->tail_n;
}

/* Adds the tail in its order. */
static void
add_tail(const struct capture *c, struct buf *b)
{
	bool is_full = c->tail_n == c->tail_max;

	if (c->tail_n == 0)
		return; /* there may be no memory for it yet */
	if (is_full)
		buf_add(b, (struct str){ c->tail + c->tail_at, c->tail_max - c->tail_at });
	buf_add(b, (struct str){ c->tail, is_full ? c->tail_at : c->tail_n });
}

static size_t
count_lines(struct str x)
{
	return str_count(x, '\n') + (x.n > 0 && x.s[x.n - 1] != '\n');
}

/* The first `count` lines, with their newlines. */
static struct str
first_lines(struct str x, size_t count)
{
	size_t n = 0;

	for (; count > 0; count--) {
		ptrdiff_t at = str_find_char(str_rest(x, n), '\n');

		n = at < 0 ? x.n : n + (size_t)at + 1;
	}
	return str_sub(x, 0, n);
}

static struct str
without_newline(struct str x)
{
	return str_ends(x, STR("\n")) ? str_sub(x, 0, x.n - 1) : x;
}

/* Takes a third of max lines from the head and the rest from the tail; if one has fewer, the other gives more. Both consist of
 * complete lines; `lines` is the number of lines in the stream. */
static struct str
compose(struct arena *a, struct str head, struct str tail, uint64_t lines, size_t max)
{
	size_t in_head = count_lines(head), in_tail = count_lines(tail);
	size_t from_head = in_head, from_tail = in_tail;

	if (max > 0 && (in_head > max || in_tail > max - in_head)) {
		from_head = in_head < max / 3 ? in_head : max / 3;
		from_tail = in_tail < max - from_head ? in_tail : max - from_head;
		if (from_tail < max - from_head)
			from_head = max - from_tail < in_head ? max - from_tail : in_head;
	}
	return str_cat(a, first_lines(head, from_head), "... (", lines - from_head - from_tail,
		       " lines omitted)\n", str_rest(tail, first_lines(tail, in_tail - from_tail).n));
}

/* Without the code point that the byte limit cut. */
static struct str
without_half_at_end(struct str x)
{
	for (size_t k = 1; k <= 3 && k <= x.n; k++) {
		unsigned char c = (unsigned char)x.s[x.n - k];
		size_t n;

		if (c < 0x80)
			break;
		if (c < 0xC0)
			continue;
		(void)utf8_decode(str_rest(x, x.n - k), &n);
		return n == 1 ? str_sub(x, 0, x.n - k) : x;
	}
	return x;
}

struct str
capture_text(const struct capture *c, struct arena *a, size_t max_lines)
{
	struct str head = { c->head, c->head_n };
	struct buf b = BUF(a, SIZE_MAX);

	if (!capture_is_cut(c)) {
		buf_add(&b, head);
		add_tail(c, &b);
		struct str all = buf_str(&b);
		size_t lines = count_lines(all);

		if (max_lines > 0 && lines > max_lines) {
			struct str first = first_lines(all, max_lines / 3);

			all = compose(a, first, str_rest(all, first.n), lines, max_lines);
		}
		return utf8_clean(a, without_newline(all));
	}
	add_tail(c, &b);
	struct str tail = buf_str(&b), head_lines = head, tail_lines = STR(""), text;
	ptrdiff_t newline = str_find_char(tail, '\n');
	uint64_t lines = c->newlines + (c->last != '\n');

	/* Without the incomplete lines at the end of the head and at the start of the tail. */
	head_lines.n = (size_t)(str_find_last(head, '\n') + 1);
	if (newline >= 0)
		tail_lines = str_rest(tail, (size_t)newline + 1);

	if (head_lines.n + tail_lines.n > 0) {
		text = compose(a, head_lines, tail_lines, lines, max_lines);
	} else {
		head = max_lines == 1 ? STR("") : without_half_at_end(head);
		for (int k = 0; k < 3 && tail.n > 0 && utf8_is_continuation(tail.s[0]); k++)
			tail = str_rest(tail, 1);
		text = str_cat(a, head, head.n > 0 ? "\n" : "", "... (", c->bytes - head.n - tail.n,
			       " bytes omitted)\n", tail);
	}
	return utf8_clean(a, without_newline(text));
}

struct str
excerpt(struct arena *a, struct str text, size_t max)
{
	if (text.n <= max)
		return text;
	size_t room = max > NOTE_BYTES ? max - NOTE_BYTES : 0;
	struct str head = utf8_head(text, room / 3), tail = utf8_tail(text, room - room / 3);

	/* At line ends, if that loses less than half. */
	for (size_t n = head.n; n > head.n / 2; n--)
		if (head.s[n - 1] == '\n') {
			head.n = n - 1;
			break;
		}
	ptrdiff_t at = str_find_char(str_sub(tail, 0, tail.n / 2), '\n');

	if (at >= 0)
		tail = str_rest(tail, (size_t)at + 1);
	return str_cat(a, head, "\n... (", text.n - head.n - tail.n, " bytes omitted)\n", tail);
}
