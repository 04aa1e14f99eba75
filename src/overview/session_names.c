/* SPDX-License-Identifier: MIT */
/* How people are shown a session, and how they may name one. Pure. */
#include "overview/decisions.h"

/* Enough to tell apart what is random. */
#define SHOWN_LEAST 8

static bool
is_only_one(const struct str_list *known, struct str id, struct str part, bool (*has)(struct str, struct str))
{
	for (size_t i = 0; i < known->count; i++)
		if (has(known->items[i], part) && !str_eq(known->items[i], id))
			return false;
	return true;
}

void
session_names_add(struct arena *a, struct str_list *known, struct str id)
{
	for (size_t i = known->count; i-- > 0;) /* it is often the newest */
		if (str_eq(known->items[i], id))
			return;
	*arena_push(a, known->items, known->count) = str_copy(a, id);
}

struct str
session_name(const struct str_list *known, struct str id)
{
	for (size_t n = SHOWN_LEAST; n < id.n; n++) {
		struct str end = utf8_tail(id, n), start = utf8_head(id, n);

		if (is_only_one(known, id, end, str_ends))
			return end;
		if (is_only_one(known, id, start, str_starts))
			return start;
	}
	return id;
}

bool
session_is_named(struct str id, struct str text)
{
	return str_starts(id, text) || (text.n >= SHOWN_LEAST && str_ends(id, text));
}
