/* SPDX-License-Identifier: MIT */
/* "Did you mean". Pure. Allocates nothing: the distance table is on the stack, so words and names longer than NAME_MAX_CHARS code
 * points are never suggested. */
#include "base/nearest.h"

#define NAME_MAX_CHARS 64
#define DISTANCE_MAX 3
#define PREFIX_MIN_CHARS 3
#define PREFIX_MIN_DISTANCE 2

struct word {
	uint32_t chars[NAME_MAX_CHARS];
	size_t n;
};

static bool
word_read(struct str x, struct word *ret)
{
	ret->n = 0;
	while (x.n > 0) {
		if (ret->n == NAME_MAX_CHARS)
			return false;
		uint32_t c = utf8_take(&x);

		ret->chars[ret->n++] = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
	}
	return true;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Levenshtein, one row at a time. */
static size_t
distance(const struct word *a, const struct word *b)
{
	size_t row[NAME_MAX_CHARS + 1];

	for (size_t k = 0; k <= b->n; k++)
		row[k] = k;
	for (size_t i = 0; i < a->n; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < b->n; k++) {
			size_t replaced = diagonal + (a->chars[i] != b->chars[k]);

			diagonal = row[k + 1];
			row[k + 1] = least(replaced, least(row[k], diagonal) + 1);
		}
	}
	return row[b->n];
}

size_t
nearest(struct str word, const struct str *names, size_t count, struct str ret[NEAREST_MAX])
{
	struct word w, name;
	size_t distances[NEAREST_MAX];
	size_t found = 0;

	if (!word_read(word, &w))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (!word_read(names[i], &name))
			continue;
		size_t d = distance(&w, &name);

		if (d > DISTANCE_MAX || d >= name.n)
			continue;
		size_t at = found;

		while (at > 0 && distances[at - 1] > d)
			at--;
		if (at == NEAREST_MAX)
			continue;
		if (found < NEAREST_MAX)
			found++;
		for (size_t k = found - 1; k > at; k--) {
			ret[k] = ret[k - 1];
			distances[k] = distances[k - 1];
		}
		ret[at] = names[i];
		distances[at] = d;
	}
	size_t by_prefix = 0, kept = 0;
	bool asks_for_prefix = w.n >= PREFIX_MIN_CHARS && (found == 0 || distances[0] >= PREFIX_MIN_DISTANCE);

	for (size_t i = 0; asks_for_prefix && i < count && by_prefix < NEAREST_MAX; i++)
		if (word_read(names[i], &name) && name.n >= w.n &&
		    memcmp(name.chars, w.chars, w.n * sizeof(*w.chars)) == 0)
			ret[by_prefix++] = names[i];
	/* Those that are about as near as the first. */
	while (kept < found && distances[kept] <= (distances[0] > 0 ? distances[0] + 1 : 0))
		kept++;
	return by_prefix > 0 ? by_prefix : kept;
}
