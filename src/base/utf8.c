/* SPDX-License-Identifier: MIT */
/* UTF-8. Pure. Accepts any bytes. */
#include "base/utf8.h"

uint32_t
utf8_decode(struct str x, size_t *ret_n)
{
	static const struct {
		unsigned char mask, lead, bytes;
		uint32_t least;
	} forms[] = {
		{ 0x80, 0x00, 1, 0 },
		{ 0xE0, 0xC0, 2, 0x80 },
		{ 0xF0, 0xE0, 3, 0x800 },
		{ 0xF8, 0xF0, 4, 0x10000 },
	};
	unsigned char first = (unsigned char)x.s[0];

	*ret_n = 1;
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		if ((first & forms[i].mask) != forms[i].lead)
			continue;
		size_t n = forms[i].bytes;
		uint32_t cp = first & (unsigned char)~forms[i].mask;

		if (x.n < n)
			break;
		for (size_t k = 1; k < n; k++) {
			if (!utf8_is_continuation(x.s[k]))
				return UTF8_REPLACEMENT;
			cp = cp << 6 | ((unsigned char)x.s[k] & 0x3F);
		}
		if (cp < forms[i].least || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
			return UTF8_REPLACEMENT;
		*ret_n = n;
		return n == 1 ? first : cp;
	}
	return UTF8_REPLACEMENT;
}

size_t
utf8_encode(uint32_t cp, char *to)
{
	static const unsigned char leads[] = { 0, 0xC0, 0xE0, 0xF0 };

	if (cp >= 0x110000 || (cp >= 0xD800 && cp < 0xE000))
		cp = UTF8_REPLACEMENT;
	size_t more = cp < 0x80 ? 0 : cp < 0x800 ? 1 : cp < 0x10000 ? 2 : 3;

	to[0] = (char)(leads[more] | cp >> (6 * more));
	for (size_t i = 1; i <= more; i++)
		to[i] = (char)(0x80 | (cp >> (6 * (more - i)) & 0x3F));
	return more + 1;
}

/* The number of valid bytes at the start. */
static size_t
valid_prefix(struct str x)
{
	size_t at = 0;

	while (at < x.n) {
		if ((unsigned char)x.s[at] < 0x80) {
			at++;
			continue;
		}
		size_t n;
		uint32_t cp = utf8_decode(str_rest(x, at), &n);

		if (utf8_is_bad(cp, n))
			break;
		at += n;
	}
	return at;
}

bool
utf8_is_valid(struct str x)
{
	return valid_prefix(x) == x.n;
}

struct str
utf8_skip_mark(struct str x)
{
	return str_starts(x, STR("\xEF\xBB\xBF")) ? str_rest(x, 3) : x;
}

struct str
utf8_clean(struct arena *a, struct str x)
{
	size_t good = valid_prefix(x);

	if (good == x.n)
		return x;
	struct buf out = BUF(a, SIZE_MAX);

	while (x.n > 0) {
		buf_add(&out, str_sub(x, 0, good));
		x = str_rest(x, good);
		if (x.n == 0)
			break;
		buf_add(&out, UTF8_REPLACEMENT_TEXT);
		x = str_rest(x, 1);
		good = valid_prefix(x);
	}
	buf_addc(&out, '\0');
	return str_sub(buf_str(&out), 0, out.n - 1);
}

struct str
utf8_head(struct str x, size_t max)
{
	if (x.n <= max)
		return x;
	while (max > 0 && utf8_is_continuation(x.s[max]))
		max--;
	return str_sub(x, 0, max);
}

struct str
utf8_tail(struct str x, size_t max)
{
	if (x.n <= max)
		return x;
	size_t from = x.n - max;

	while (from < x.n && utf8_is_continuation(x.s[from]))
		from++;
	return str_rest(x, from);
}

struct str
utf8_prefix(struct str x, size_t count)
{
	struct str rest = x;

	while (rest.n > 0 && count-- > 0)
		(void)utf8_take(&rest);
	return str_sub(x, 0, x.n - rest.n);
}

size_t
utf8_length(struct str x)
{
	size_t count = 0;

	for (; x.n > 0; count++)
		(void)utf8_take(&x);
	return count;
}

struct str
utf8_cut(struct arena *a, struct str x, size_t most)
{
	return utf8_length(x) <= most ? x : str_cat(a, utf8_prefix(x, most - 1), "\xE2\x80\xA6");
}

/* Ranges of characters that take two columns, and of those that take none. */
static size_t
width_of(uint32_t cp)
{
	static const struct {
		uint32_t from, to;
		size_t width;
	} rows[] = {
		{ 0x300, 0x36f, 0 },     { 0x1100, 0x115f, 2 },   { 0x200b, 0x200f, 0 },
		{ 0x2e80, 0x303e, 2 },   { 0x3041, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
		{ 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },   { 0xfe30, 0xfe6f, 2 },
		{ 0xff00, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },   { 0x1f300, 0x1f64f, 2 },
		{ 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1f9ff, 2 }, { 0x20000, 0x3fffd, 2 },
	};

	for (size_t i = 0; cp >= rows[0].from && i < COUNT_OF(rows); i++)
		if (cp >= rows[i].from && cp <= rows[i].to)
			return rows[i].width;
	return 1;
}

struct str
utf8_fit(struct str x, size_t width)
{
	size_t at = 0, used = 0, n;

	while (at < x.n) {
		used += width_of(utf8_decode(str_rest(x, at), &n));
		if (used > width)
			break;
		at += n;
	}
	return str_sub(x, 0, at);
}

size_t
utf8_width(struct str x)
{
	size_t used = 0;

	while (x.n > 0)
		used += width_of(utf8_take(&x));
	return used;
}
