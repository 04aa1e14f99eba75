/* SPDX-License-Identifier: MIT */
/* Counted strings, passed by value. A str is a view: it owns nothing, may contain any bytes and need not end in NUL. Those made
 * by an arena function have a NUL after the end. An absent string has s == NULL. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;
struct err;

struct str {
	const char *s;
	size_t n;
};

struct str_list {
	struct str *items;
	size_t count;
};

#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })
#define STR_NONE ((struct str){ NULL, 0 })
#define STR_FMT "%.*s"
#define STR_ARG(x) (int)(x).n, (x).s

/* A view of a C string; absent for NULL. */
static inline struct str
str_from(const char *z)
{
	return z ? (struct str){ z, strlen(z) } : STR_NONE;
}

/* Inline, because most compared texts differ in length. */
static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool
str_is(struct str a, const char *z)
{
	/* in a table most differ in their first character: then nobody asks for the length */
	if (!__builtin_constant_p(z) && z && a.n > 0 && a.s[0] != z[0])
		return false;
	return str_eq(a, str_from(z));
}

/* As str_is(), ignoring ASCII case. */
bool str_is_word(struct str a, const char *z);
/* Is z in the text, ignoring ASCII case? */
bool str_mentions(struct str text, const char *z);
bool str_is_among(struct str a, const struct str *items, size_t count);
/* Is it one of the words in a list with blanks between them? The list may be NULL. */
bool str_is_word_of(struct str a, const char *list);
bool str_starts(struct str a, struct str prefix);
bool str_ends(struct str a, struct str suffix);
/* Byte order, a shorter prefix first: for sorting. */
int str_cmp(struct str a, struct str b);
/* The same for qsort(). */
int str_compare(const void *x, const void *y);

/* FNV-1a: not for keys that an attacker may choose. The first call gets STR_HASH_START, each further one the last result. */
#define STR_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t
str_hash(uint64_t hash, struct str x)
{
	for (size_t i = 0; i < x.n; i++)
		hash = (hash ^ (unsigned char)x.s[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* The offset of needle in hay, or -1. */
ptrdiff_t str_find(struct str hay, struct str needle);
ptrdiff_t str_find_char(struct str hay, char c);

/* The bytes [from, to), clamped to the string. */
struct str str_sub(struct str a, size_t from, size_t to);
/* All from this byte on. */
static inline struct str
str_rest(struct str a, size_t from)
{
	return str_sub(a, from, a.n);
}

/* Removes the prefix. False: the string does not begin with it, and stays. */
static inline bool
str_skip(struct str *x, const char *prefix)
{
	size_t n = strlen(prefix);

	if (x->n < n || memcmp(x->s, prefix, n) != 0)
		return false;
	*x = str_sub(*x, n, x->n);
	return true;
}

/* The same for a character at either end, as often as it is there. */
struct str str_trim_start(struct str a, char c);
struct str str_trim_end(struct str a, char c);
/* How often it is in the string. */
size_t str_count(struct str a, char c);

/* ASCII alone. */
static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* The value of a hexadecimal digit in either case; 16 for any other character. */
static inline unsigned
hex_value(char c)
{
	unsigned letter = (unsigned)(c | 0x20) - 'a';

	return is_digit(c) ? (unsigned)(c - '0') : letter < 6 ? letter + 10 : 16;
}

/* The text before the first c; all of it where there is none. */
struct str str_before(struct str a, char c);
/* The offset of the last one, or -1. */
ptrdiff_t str_find_last(struct str hay, char c);
/* How many digits are there, from this byte on? */
size_t str_digits(struct str a, size_t at);
/* Space, tab, CR, LF, VT, FF. */
static inline bool
str_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}
/* Without blanks at either end. */
struct str str_trim(struct str a);
/* Removes the text up to the next c, and c itself, from *rest; false if *rest is empty. A trailing c ends the last piece; no
 * empty piece follows it. */
bool str_next(struct str *rest, char c, struct str *ret_piece);

struct str str_copy(struct arena *a, struct str x);
/* x itself if it is absent or part of `text`, which outlives it; else a copy. */
struct str str_keep(struct arena *a, struct str x, struct str text);
struct str str_fmt(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct str str_vfmt(struct arena *a, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

/* A C string for a system call; fails on an embedded NUL. */
int str_cz(struct arena *a, struct str x, const char **ret, struct err *err)
	__attribute__((warn_unused_result));

/* A hash set of strings, in the order in which they were added. */
struct strset {
	struct arena *arena;
	struct str *items;
	size_t count;
	/* private */
	uint32_t *slots; /* the number of a string, from 1; 0: free */
	size_t mask;
};

/* Has room for `count` strings from the start. All of them must outlive the set. */
struct strset strset_new(struct arena *a, size_t count);
/* False: it is already in the set. The string must not be absent. */
bool strset_add(struct strset *s, struct str x);
bool strset_has(const struct strset *s, struct str x);
/* Its place among the items; `count` if it is not in the set. */
size_t strset_at(const struct strset *s, struct str x);

/* Decimal digits only, leading zeros allowed; false on anything else and on overflow. */
bool number_parse(struct str x, uint64_t *ret);
/* One to eight hexadecimal digits in either case; false on anything else. */
bool number_parse_hex(struct str x, uint32_t *ret);

bool str_list_has(const struct str_list *l, struct str x);
/* Adds it unless it is there already. */
void str_list_add_new(struct arena *a, struct str_list *l, struct str x);
/* All of them in a row, with `between` between two. */
struct str str_list_join(struct arena *a, const struct str_list *l, const char *between);

#endif
