/* SPDX-License-Identifier: MIT */
/* The pile of open items that both readers build their trees from. Knows nothing of either format. */
#include "doc/pile.h"

#include <string.h>

void
pile_init(struct pile *p)
{
	p->items = p->few;
	p->count = 0;
	p->capacity = PILE_FEW;
	p->scratch = (struct arena){ 0 };
}

void
pile_free(struct pile *p)
{
	arena_free(&p->scratch);
}

void
pile_push(struct pile *p, const struct node_entry *e)
{
	arena_make_room(&p->scratch, p->items, p->count, &p->capacity);
	p->items[p->count++] = *e;
}

void
pile_close(struct pile *p, struct arena *a, size_t first, struct node *ret)
{
	ret->count = p->count - first;
	p->count = first;
	if (ret->count == 0)
		return;
	if (ret->kind == NODE_MAP) {
		ret->entries = arena_array(a, ret->count, struct node_entry);
		memcpy(ret->entries, p->items + first, ret->count * sizeof(*ret->entries));
		return;
	}
	ret->items = arena_array(a, ret->count, struct node);
	for (size_t i = 0; i < ret->count; i++)
		ret->items[i] = p->items[first + i].value;
}
