/* SPDX-License-Identifier: MIT */
/* How people are shown a session, and how they may name one. Pure. */
#include "overview/decisions.h"

/* Enough to tell apart what is random. */
#define SHOWN_LEAST 8

size_t
session_names_add(struct arena *a, struct session_names *known, struct str id)
{
	if (!known->ids.arena)
		known->ids = strset_new(a, 0);
	size_t at = strset_at(&known->ids, id);

	if (at == known->ids.count)
		(void)strset_add(&known->ids, str_copy(a, id.s ? id : STR("")));
	return at;
}

/* How many bytes at the start, or at the end, two texts have in common. */
static size_t
common(struct str x, struct str y, bool at_end)
{
	size_t most = x.n < y.n ? x.n : y.n, n = 0;

	while (n < most && (at_end ? x.s[x.n - 1 - n] == y.s[y.n - 1 - n] : x.s[n] == y.s[n]))
		n++;
	return n;
}

static int
by_end(const void *left, const void *right)
{
	struct str x = *(const struct str *)left, y = *(const struct str *)right;
	size_t n = common(x, y, true);

	if (n == x.n || n == y.n)
		return (x.n > y.n) - (x.n < y.n);
	return (unsigned char)x.s[x.n - 1 - n] - (unsigned char)y.s[y.n - 1 - n];
}

static void
sort_names(struct session_names *known)
{
	size_t count = known->ids.count, bytes = count * sizeof(struct str);

	if (known->sorted_count == count)
		return;
	known->by_start = arena_array(known->ids.arena, 2 * count, struct str);
	known->by_end = known->by_start + count;
	memcpy(known->by_start, known->ids.items, bytes);
	memcpy(known->by_end, known->ids.items, bytes);
	sort(known->by_start, count, str_compare);
	sort(known->by_end, count, by_end);
	known->sorted_count = count;
}

/* The most that the id has in common with another. That is one of its neighbours. */
static size_t
most_common(const struct str *sorted, size_t count, struct str id, int (*compare)(const void *, const void *))
{
	size_t low = 0, high = count, most = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&sorted[middle], &id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		most = common(sorted[low - 1], id, compare == by_end);
	low += low < count && str_eq(sorted[low], id);
	if (low < count && common(sorted[low], id, compare == by_end) > most)
		most = common(sorted[low], id, compare == by_end);
	return most;
}

struct str
session_name(struct session_names *known, struct str id)
{
	sort_names(known);
	size_t starts = most_common(known->by_start, known->sorted_count, id, str_compare);
	size_t ends = most_common(known->by_end, known->sorted_count, id, by_end);

	for (size_t n = SHOWN_LEAST; n < id.n; n++) {
		struct str end = utf8_tail(id, n), start = utf8_head(id, n);

		if (end.n > ends)
			return end;
		if (start.n > starts)
			return start;
	}
	return id;
}

bool
session_is_named(struct str id, struct str text)
{
	return str_starts(id, text) || (text.n >= SHOWN_LEAST && str_ends(id, text));
}
