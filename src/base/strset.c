/* SPDX-License-Identifier: MIT */
#include "base/strset.h"

struct strset
strset_new(struct arena *a, size_t count)
{
	size_t size = 8;

	while (size < 2 * count)
		size *= 2;
	return (struct strset){ arena_array(a, size, struct str), size - 1 };
}

/* The slot of the string, or the free one for it. */
static struct str *
find_slot(const struct strset *s, struct str x)
{
	size_t at = (size_t)str_hash(STR_HASH_START, x) & s->mask;

	while (s->slots[at].s && !str_eq(s->slots[at], x))
		at = (at + 1) & s->mask;
	return &s->slots[at];
}

bool
strset_add(struct strset *s, struct str x)
{
	struct str *slot = find_slot(s, x);

	if (slot->s)
		return false;
	*slot = x;
	return true;
}

bool
strset_has(const struct strset *s, struct str x)
{
	return find_slot(s, x)->s;
}
