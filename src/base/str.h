/* SPDX-License-Identifier: MIT */
/* Counted strings, passed by value. A str is a view: it owns nothing, may hold any bytes and need not be
 * terminated. Those that an arena function made carry a NUL past the end. An absent string has s == NULL. */
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

/* A view of a terminated string; absent for NULL. */
static inline struct str
str_from(const char *z)
{
	return z ? (struct str){ z, strlen(z) } : STR_NONE;
}

/* Most texts that are compared differ in their length: here, so that this costs no call. */
static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool
str_is(struct str a, const char *z)
{
	return str_eq(a, str_from(z));
}

/* The same, ASCII case ignored. */
bool str_is_word(struct str a, const char *z);
/* Is it one of them? */
bool str_is_among(struct str a, const struct str *items, size_t count);
bool str_starts(struct str a, struct str prefix);
bool str_ends(struct str a, struct str suffix);
/* Byte order, a shorter prefix first: for sorting. */
int str_cmp(struct str a, struct str b);

/* FNV-1a, for keys that tell texts apart but need not withstand an attack. Begins with STR_HASH_START; what it returns
 * may be passed on with the next text. */
#define STR_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t
str_hash(uint64_t hash, struct str x)
{
	for (size_t i = 0; i < x.n; i++)
		hash = (hash ^ (unsigned char)x.s[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Where needle begins in hay, or -1. */
ptrdiff_t str_find(struct str hay, struct str needle);
ptrdiff_t str_find_char(struct str hay, char c);

/* The bytes [from, to), clamped to the string. */
struct str str_sub(struct str a, size_t from, size_t to);
/* Space, tab, CR, LF, VT, FF. */
bool str_is_blank(char c);
/* Without blanks at both ends. */
struct str str_trim(struct str a);
/* Takes the text up to the next c off *rest, c itself dropped; false when *rest is used up. A trailing c ends
 * the last piece rather than beginning an empty one. */
bool str_next(struct str *rest, char c, struct str *ret_piece);

struct str str_copy(struct arena *a, struct str x);
/* x itself where it is absent or a part of `text`, which outlives it; else a copy. */
struct str str_keep(struct arena *a, struct str x, struct str text);
struct str str_fmt(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct str str_vfmt(struct arena *a, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

/* A terminated copy for a system call; fails on an embedded NUL. */
int str_cz(struct arena *a, struct str x, const char **ret, struct err *err)
	__attribute__((warn_unused_result));

#endif
