/* SPDX-License-Identifier: MIT */
/* Collects replacements and applies them in the order of the text. Knows nothing of JSON or YAML. */
#include "doc/edit.h"

void
edit_replace(struct edit *e, size_t begin, size_t end, struct str text)
{
	if (begin == end && text.n == 0)
		return;
	size_t order = e->count;

	*arena_push(e->arena, e->parts, e->count) = (struct edit_part){ begin, end, order, text };
}

/* At the same place insertions come first, in their order, and then the longest span. */
static int
compare_parts(const void *x, const void *y)
{
	const struct edit_part *a = x, *b = y;
	bool is_a_insertion = a->begin == a->end, is_b_insertion = b->begin == b->end;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (is_a_insertion != is_b_insertion)
		return is_a_insertion ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

struct str
edit_apply_span(struct edit *e, struct arena *a, struct span span)
{
	struct buf out = BUF(a, SIZE_MAX);
	size_t at = span.begin;

	sort(e->parts, e->count, compare_parts);
	for_each (p, e->parts, e->count) {
		if (p->begin < at || p->end > span.end)
			continue;
		buf_add(&out, str_sub(e->text, at, p->begin));
		buf_add(&out, p->text);
		at = p->end;
	}
	buf_add(&out, str_sub(e->text, at, span.end));
	return buf_str(&out);
}

struct str
edit_apply(struct edit *e, struct arena *a)
{
	return edit_apply_span(e, a, (struct span){ 0, (uint32_t)e->text.n });
}
