/* SPDX-License-Identifier: MIT */
/* The record of an installation as a value. */
#include "model/installed.h"

bool
str_set_has(const struct str_set *set, struct str x)
{
	return str_is_among(x, set->items, set->count);
}

void
str_set_add(struct arena *a, struct str_set *set, struct str x)
{
	if (str_set_has(set, x))
		return;
	arena_make_room(a, set->items, set->count, &set->capacity);
	set->items[set->count++] = x;
}

void
settings_made_note(struct settings_made *made, struct str place, struct str text)
{
	for (size_t i = 0; i < made->count; i++)
		if (str_eq(made->items[i].place, place))
			return;
	if (made->count < SETTINGS_WAS_MAX)
		made->items[made->count++] = (struct settings_was){ place, text };
}
