/* SPDX-License-Identifier: MIT */
/* Globs against a second matcher, which is slow and tries everything: they agree on short inputs. Long inputs only
 * have to come to an end. The first byte is the length of the pattern. */
#include "base/glob.h"
#include "base/utf8.h"

#include <stdlib.h>

#define SHORT_MAX 24

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint32_t
char_at(struct str x, size_t *ret_n)
{
	return utf8_decode(x, ret_n);
}

static struct str
rest(struct str x, size_t from)
{
	return str_sub(x, from, x.n);
}

/* Does the class that the pattern begins with have c? *ret_n is the length of the class in the pattern. */
static bool
slow_class(struct str pattern, uint32_t c, size_t *ret_n)
{
	bool is_negated = pattern.s[1] == '!', is_in = false, is_first = true;
	size_t at = is_negated ? 2 : 1, n, m;

	while (is_first || pattern.s[at] != ']') {
		uint32_t from = char_at(rest(pattern, at), &n);

		is_first = false;
		/* a range needs something other than the closing bracket behind its - */
		if (pattern.s[at + n] == '-' && pattern.s[at + n + 1] != ']') {
			uint32_t to = char_at(rest(pattern, at + n + 1), &m);

			is_in |= from <= c && c <= to;
			at += n + 1 + m;
		} else {
			is_in |= from == c;
			at += n;
		}
	}
	*ret_n = at + 1;
	return is_in != is_negated;
}

static bool
slow_match(struct str pattern, struct str text)
{
	size_t n, m;

	if (pattern.n == 0)
		return text.n == 0;
	if (str_starts(pattern, STR("**"))) {
		bool has_slash = pattern.n > 2;
		struct str after = rest(pattern, has_slash ? 3 : 2);

		if (slow_match(after, text) || slow_match(after, STR("")))
			return true;
		for (size_t i = 0; i < text.n; i++)
			if (text.s[i] == '/' && slow_match(after, rest(text, i + 1)))
				return true;
		return false;
	}
	if (pattern.s[0] == '*') {
		for (size_t i = 0; i <= text.n; i += i < text.n ? (char_at(rest(text, i), &n), n) : 1)
			if (slow_match(rest(pattern, 1), rest(text, i)))
				return true;
		return false;
	}
	if (text.n == 0)
		return false;
	uint32_t c = char_at(text, &n);

	if (pattern.s[0] == '?')
		return slow_match(rest(pattern, 1), rest(text, n));
	if (pattern.s[0] == '[')
		return slow_class(pattern, c, &m) && slow_match(rest(pattern, m), rest(text, n));
	return char_at(pattern, &m) == c && slow_match(rest(pattern, m), rest(text, n));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err;

	if (n == 0)
		return 0;
	struct str all = { (const char *)data + 1, n - 1 };
	struct str pattern = str_sub(all, 0, data[0]), text = rest(all, data[0]);
	bool is_match = glob_match(pattern, text);

	if (glob_check(pattern, &err) < 0) {
		if (is_match)
			abort();
		return 0;
	}
	if (!glob_has_wildcard(pattern) && is_match != str_eq(pattern, text) && utf8_is_valid(pattern) &&
	    utf8_is_valid(text))
		abort();
	if (pattern.n <= SHORT_MAX && text.n <= SHORT_MAX && is_match != slow_match(pattern, text))
		abort();
	return 0;
}
