/* SPDX-License-Identifier: MIT */
/* Path patterns against a second matcher, which is slow and tries everything: they agree on short inputs. Long inputs
 * only have to come to an end. The first byte is the length of the pattern. */
#include "base/pathglob.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_MAX 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static struct str
rest(struct str x, size_t from)
{
	return str_sub(x, from, x.n);
}

static uint32_t
char_at(struct str x, size_t *ret_n)
{
	return utf8_decode(x, ret_n);
}

/* Behind the class, whose opening bracket is at `at`; 0: there is no end. */
static size_t
behind_class(struct str p, size_t at)
{
	at++;
	if (at < p.n && (p.s[at] == '!' || p.s[at] == '^'))
		at++;
	for (bool is_first = true; at < p.n; is_first = false) {
		if (p.s[at] == ']' && !is_first)
			return at + 1;
		at += p.s[at] == '\\' && at + 1 < p.n ? 2 : 1;
	}
	return 0;
}

/* Is the character in the class at the start, which ends before `end`? */
static bool
slow_class(struct str p, size_t end, uint32_t c)
{
	bool is_negated = p.s[1] == '!' || p.s[1] == '^', is_in = false;
	size_t at = is_negated ? 2 : 1, n;

	while (at < end - 1) {
		at += p.s[at] == '\\' && at + 1 < end - 1;
		uint32_t from = char_at(str_sub(p, at, end - 1), &n), to = from;

		at += n;
		if (at + 1 < end - 1 && p.s[at] == '-') {
			at++;
			at += p.s[at] == '\\' && at + 1 < end - 1;
			to = char_at(str_sub(p, at, end - 1), &n);
			at += n;
		}
		is_in |= from <= c && c <= to;
	}
	return is_in != is_negated;
}

/* Without braces; `at` is how far the pattern is used up. */
static bool
slow_plain(struct str p, size_t at, struct str t)
{
	size_t n = 0, m;

	if (at == p.n)
		return t.n == 0;
	bool is_begin = at == 0 || p.s[at - 1] == '/';

	if (is_begin && str_eq(rest(p, at), STR("**")))
		return t.n > 0;
	if (is_begin && str_starts(rest(p, at), STR("**/"))) {
		if (slow_plain(p, at + 3, t))
			return true;
		for (size_t i = 0; i < t.n; i++)
			if (t.s[i] == '/' && slow_plain(p, at + 3, rest(t, i + 1)))
				return true;
		return false;
	}
	uint32_t c = t.n ? char_at(t, &n) : 0;

	if (p.s[at] == '*') {
		size_t behind = at;

		while (behind < p.n && p.s[behind] == '*')
			behind++;
		return slow_plain(p, behind, t) || (t.n && t.s[0] != '/' && slow_plain(p, at, rest(t, n)));
	}
	if (t.n == 0)
		return false;
	if (p.s[at] == '?')
		return t.s[0] != '/' && slow_plain(p, at + 1, rest(t, n));
	if (p.s[at] == '[') {
		size_t end = behind_class(p, at);

		return t.s[0] != '/' && slow_class(rest(p, at), end - at, c) &&
		       slow_plain(p, end, rest(t, n));
	}
	at += p.s[at] == '\\' && at + 1 < p.n;
	(void)char_at(rest(p, at), &m);
	return m == n && memcmp(p.s + at, t.s, n) == 0 && slow_plain(p, at + m, rest(t, n));
}

/* Takes the first braces out, an alternative at a time; -1: not well formed. */
static int
slow_braces(struct str p, struct str t)
{
	size_t depth = 0, begin = SIZE_MAX, end = SIZE_MAX, commas[SHORT_MAX + 2], count = 0;
	bool is_match = false;

	for (size_t i = 0; i < p.n;) {
		if (p.s[i] == '[') {
			i = behind_class(p, i);
			if (i == 0)
				return -1;
			continue;
		}
		if (p.s[i] == '\\') {
			i += 2;
			continue;
		}
		if (p.s[i] == '{' && depth++ == 0 && begin == SIZE_MAX)
			commas[count++] = begin = i;
		if (p.s[i] == ',' && depth == 1 && end == SIZE_MAX)
			commas[count++] = i;
		if (p.s[i] == '}' && depth > 0 && --depth == 0 && end == SIZE_MAX)
			commas[count++] = end = i;
		i++;
	}
	if (depth > 0)
		return -1;
	if (begin == SIZE_MAX)
		return slow_plain(p, 0, t);
	for (size_t i = 0; i + 1 < count; i++) {
		char joined[SHORT_MAX];
		size_t n = 0;

		for (size_t k = 0; k < p.n; k++)
			if (k < begin || k > end || (k > commas[i] && k < commas[i + 1]))
				joined[n++] = p.s[k];
		is_match |= slow_braces((struct str){ joined, n }, t) == 1;
	}
	return is_match;
}

static bool
slow_match(struct str p, struct str t)
{
	bool is_negated = false;

	for (; p.n > 0 && p.s[0] == '!'; p = rest(p, 1))
		is_negated = !is_negated;
	int found = slow_braces(p, t);

	return found >= 0 && (found == 1) != is_negated;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n == 0)
		return 0;
	struct str all = { (const char *)data + 1, n - 1 };
	struct str pattern = str_sub(all, 0, data[0]), path = rest(all, data[0]);
	bool is_match = pathglob_match(pattern, path);

	if (pattern.n <= SHORT_MAX && path.n <= SHORT_MAX && is_match != slow_match(pattern, path))
		abort();
	return 0;
}
