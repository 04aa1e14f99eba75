/* SPDX-License-Identifier: MIT */
/* Counted strings, sets of them, and numbers in them. Owns no memory: copies are in the caller's arena. */
#include "base/base.h"

#include <stdio.h>

bool
str_is_word(struct str a, const char *z)
{
	size_t i = 0;

	while (i < a.n && z[i] && (a.s[i] == z[i] || (is_letter(z[i]) && (a.s[i] ^ z[i]) == 0x20)))
		i++;
	return i == a.n && !z[i];
}

bool
str_mentions(struct str text, const char *z)
{
	for (size_t i = 0, n = strlen(z); i + n <= text.n; i++)
		if (str_is_word(str_sub(text, i, i + n), z))
			return true;
	return false;
}

bool
str_is_among(struct str a, const struct str *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(a, items[i]))
			return true;
	return false;
}

bool
str_list_has(const struct str_list *l, struct str x)
{
	return str_is_among(x, l->items, l->count);
}

void
str_list_add_new(struct arena *a, struct str_list *l, struct str x)
{
	if (!str_list_has(l, x))
		*arena_push(a, l->items, l->count) = x;
}

bool
str_is_word_of(struct str a, const char *list)
{
	for (const char *at = list; at && *at;) {
		size_t n = 0;

		while (n < a.n && at[n] == a.s[n] && at[n] && at[n] != ' ')
			n++;
		if (n > 0 && n == a.n && (!at[n] || at[n] == ' '))
			return true;
		at = strchr(at + n, ' ');
		at = at ? at + 1 : NULL;
	}
	return false;
}

bool
str_starts(struct str a, struct str prefix)
{
	return a.n >= prefix.n && str_eq(str_sub(a, 0, prefix.n), prefix);
}

bool
str_ends(struct str a, struct str suffix)
{
	return a.n >= suffix.n && str_eq(str_rest(a, a.n - suffix.n), suffix);
}

int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.s, b.s, n) : 0;

	if (order != 0)
		return order;
	return a.n < b.n ? -1 : a.n > b.n;
}

int
str_compare(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

ptrdiff_t
str_find(struct str hay, struct str needle)
{
	if (needle.n == 0)
		return 0;
	const char *at = hay.n ? memmem(hay.s, hay.n, needle.s, needle.n) : NULL;

	return at ? at - hay.s : -1;
}

ptrdiff_t
str_find_char(struct str hay, char c)
{
	const char *at = hay.n ? memchr(hay.s, c, hay.n) : NULL;

	return at ? at - hay.s : -1;
}

struct str
str_sub(struct str a, size_t from, size_t to)
{
	if (to > a.n)
		to = a.n;
	if (from > to)
		from = to;
	return (struct str){ a.n ? a.s + from : a.s, to - from };
}

struct str
str_trim_start(struct str a, char c)
{
	while (a.n > 0 && a.s[0] == c)
		a = str_rest(a, 1);
	return a;
}

struct str
str_trim_end(struct str a, char c)
{
	while (a.n > 0 && a.s[a.n - 1] == c)
		a.n--;
	return a;
}

size_t
str_count(struct str a, char c)
{
	size_t count = 0;
	ptrdiff_t at;

	for (; (at = str_find_char(a, c)) >= 0; count++)
		a = str_rest(a, (size_t)at + 1);
	return count;
}

size_t
str_digits(struct str a, size_t at)
{
	size_t n = 0;

	while (at + n < a.n && is_digit(a.s[at + n]))
		n++;
	return n;
}

struct str
str_before(struct str a, char c)
{
	ptrdiff_t at = str_find_char(a, c);

	return at < 0 ? a : str_sub(a, 0, (size_t)at);
}

ptrdiff_t
str_find_last(struct str hay, char c)
{
	const char *at = hay.n ? memrchr(hay.s, c, hay.n) : NULL;

	return at ? at - hay.s : -1;
}

struct str
str_trim(struct str a)
{
	while (a.n > 0 && str_is_blank(a.s[0]))
		a = str_rest(a, 1);
	while (a.n > 0 && str_is_blank(a.s[a.n - 1]))
		a.n--;
	return a;
}

bool
str_next(struct str *rest, char c, struct str *ret_piece)
{
	if (rest->n == 0)
		return false;
	*ret_piece = str_before(*rest, c);
	*rest = str_rest(*rest, ret_piece->n + 1);
	return true;
}

struct str
str_copy(struct arena *a, struct str x)
{
	char *s = arena_bytes(a, x.n + 1);

	if (x.n)
		memcpy(s, x.s, x.n);
	s[x.n] = '\0';
	return (struct str){ s, x.n };
}

struct str
str_keep(struct arena *a, struct str x, struct str text)
{
	uintptr_t begin = (uintptr_t)text.s, at = (uintptr_t)x.s;

	return !x.s || (text.s && at >= begin && at <= begin + text.n) ? x : str_copy(a, x);
}

struct str
str_vfmt(struct arena *a, const char *fmt, va_list args)
{
	char small[256]; /* most texts fit, and are formatted only once */
	va_list again;

	va_copy(again, args);
	int n = vsnprintf(small, sizeof(small), fmt, again);

	va_end(again);
	if (n < 0)
		return str_copy(a, STR(""));
	if ((size_t)n < sizeof(small))
		return str_copy(a, (struct str){ small, (size_t)n });
	char *s = arena_bytes(a, (size_t)n + 1);

	(void)vsnprintf(s, (size_t)n + 1, fmt, args);
	return (struct str){ s, (size_t)n };
}

struct str
str_fmt(struct arena *a, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str x = str_vfmt(a, fmt, args);

	va_end(args);
	return x;
}

struct str
str_cat_list(struct arena *a, const struct str *pieces, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += pieces[i].n;
	char *s = arena_bytes(a, n + 1), *at = s;

	for (size_t i = 0; i < count; i++)
		if (pieces[i].n)
			at = (char *)memcpy(at, pieces[i].s, pieces[i].n) + pieces[i].n;
	*at = '\0';
	return (struct str){ s, n };
}

struct str
cat_unsigned(uint64_t x, char *digits)
{
	char *end = digits + CAT_DIGITS, *at = end;

	do
		*--at = (char)('0' + x % 10);
	while ((x /= 10) > 0);
	return (struct str){ at, (size_t)(end - at) };
}

struct str
cat_signed(int64_t x, char *digits)
{
	if (x >= 0)
		return cat_unsigned((uint64_t)x, digits);
	struct str positive = cat_unsigned(-(uint64_t)x, digits);
	char *at = digits + CAT_DIGITS - positive.n - 1;

	*at = '-';
	return (struct str){ at, positive.n + 1 };
}

int
str_cz(struct arena *a, struct str x, const char **ret, struct err *err)
{
	if (str_find_char(x, '\0') >= 0)
		return err_set(err, ERR_VALUE, "a NUL byte in '" STR_FMT "'", STR_ARG(x));
	*ret = str_copy(a, x).s;
	return 0;
}

bool
number_parse(struct str x, uint64_t *ret)
{
	uint64_t value = 0;

	if (x.n == 0)
		return false;
	for (size_t i = 0; i < x.n; i++) {
		unsigned digit = (unsigned char)x.s[i] - (unsigned)'0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*ret = value;
	return true;
}

bool
number_parse_hex(struct str x, uint32_t *ret)
{
	uint32_t value = 0;

	if (x.n == 0 || x.n > 8)
		return false;
	for (size_t i = 0; i < x.n; i++) {
		if (hex_value(x.s[i]) > 15)
			return false;
		value = value << 4 | hex_value(x.s[i]);
	}
	*ret = value;
	return true;
}

static uint32_t *
find_slot(const struct strset *s, struct str x)
{
	size_t at = (size_t)str_hash(STR_HASH_START, x) & s->mask;

	while (s->slots[at] && !str_eq(s->items[s->slots[at] - 1], x))
		at = (at + 1) & s->mask;
	return &s->slots[at];
}

/* Makes room for so many strings, at half of the slots. */
static void
make_slots(struct strset *s, size_t count)
{
	size_t size = 8;

	while (size < 2 * count)
		size *= 2;
	s->slots = arena_array(s->arena, size, uint32_t);
	s->mask = size - 1;
	for (size_t i = 0; i < s->count; i++)
		*find_slot(s, s->items[i]) = (uint32_t)(i + 1);
}

struct strset
strset_new(struct arena *a, size_t count)
{
	struct strset s = { .arena = a };

	make_slots(&s, count);
	return s;
}

bool
strset_add(struct strset *s, struct str x)
{
	uint32_t *slot = find_slot(s, x);

	if (*slot)
		return false;
	*arena_push(s->arena, s->items, s->count) = x;
	if (2 * s->count > s->mask + 1)
		make_slots(s, 2 * s->count);
	else
		*slot = (uint32_t)s->count;
	return true;
}

bool
strset_has(const struct strset *s, struct str x)
{
	return *find_slot(s, x);
}

size_t
strset_at(const struct strset *s, struct str x)
{
	uint32_t slot = *find_slot(s, x);

	return slot > 0 ? slot - 1 : s->count;
}

struct str
str_list_join(struct arena *a, const struct str_list *l, const char *between)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < l->count; i++)
		buf_cat(&b, i > 0 ? between : "", l->items[i]);
	return buf_str(&b);
}

struct str
str_replace(struct arena *a, struct str text, struct str from, struct str to)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (ptrdiff_t at; (at = str_find(text, from)) >= 0; text = str_rest(text, (size_t)at + from.n))
		buf_cat(&b, str_sub(text, 0, (size_t)at), to);
	buf_add(&b, text);
	return buf_str(&b);
}
