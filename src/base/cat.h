/* SPDX-License-Identifier: MIT */
/* Texts put together from pieces, without a format:
 *
 *     str_cat(arena, "deletes ", path, ", ", count, " times")
 *     buf_cat(&b, i > 0 ? ", " : "", name)
 *
 * A piece is a struct str, a C string, a char, or an integer, which is written in decimal. An absent string is empty. Any
 * other type does not compile. A literal such as 'x' is an int to C: write "x". */
#ifndef BASE_CAT_H
#define BASE_CAT_H

#include "base/str.h"

struct buf;

/* Up to 16 pieces. */
#define str_cat(arena, ...) str_cat_list((arena), CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
#define buf_cat(b, ...) buf_cat_list((b), CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))

struct str str_cat_list(struct arena *a, const struct str *pieces, size_t count);
void buf_cat_list(struct buf *b, const struct str *pieces, size_t count);

/* The text with each `from`, which is not empty, replaced by `to`. */
struct str str_replace(struct arena *a, struct str text, struct str from, struct str to);

/* An array of the pieces. A number has its digits in the second argument, which lives as long as the array. */
#define CAT_PIECES(...) ((const struct str[]){ CAT_EACH(CAT_COUNT(__VA_ARGS__), CAT_PIECE, __VA_ARGS__) })
#define CAT_DIGITS 24
#define CAT_PIECE(x) CAT_FUNCTION(x)(x, (char[CAT_DIGITS]){ 0 })
#define CAT_FUNCTION(x) \
	_Generic((x), \
		struct str: cat_str, \
		char *: cat_cz, \
		const char *: cat_cz, \
		char: cat_char, \
		int: cat_signed, \
		long: cat_signed, \
		long long: cat_signed, \
		unsigned: cat_unsigned, \
		unsigned long: cat_unsigned, \
		unsigned long long: cat_unsigned)

struct str cat_signed(int64_t x, char *digits);
struct str cat_unsigned(uint64_t x, char *digits);

static inline struct str
cat_str(struct str x, const char *unused)
{
	(void)unused;
	return x;
}

static inline struct str
cat_cz(const char *z, const char *unused)
{
	(void)unused;
	return str_from(z);
}

static inline struct str
cat_char(char c, char *room)
{
	*room = c;
	return (struct str){ room, 1 };
}

#define CAT_COUNT(...) CAT_17TH(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CAT_17TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, x, ...) x
/* What the macro `each` makes of each of them, with commas between. */
#define CAT_EACH(count, each, ...) CAT_EACH_(count, each, __VA_ARGS__)
#define CAT_EACH_(count, each, ...) CAT_##count(each, __VA_ARGS__)
#define CAT_1(each, x) each(x)
#define CAT_2(each, x, ...) each(x), CAT_1(each, __VA_ARGS__)
#define CAT_3(each, x, ...) each(x), CAT_2(each, __VA_ARGS__)
#define CAT_4(each, x, ...) each(x), CAT_3(each, __VA_ARGS__)
#define CAT_5(each, x, ...) each(x), CAT_4(each, __VA_ARGS__)
#define CAT_6(each, x, ...) each(x), CAT_5(each, __VA_ARGS__)
#define CAT_7(each, x, ...) each(x), CAT_6(each, __VA_ARGS__)
#define CAT_8(each, x, ...) each(x), CAT_7(each, __VA_ARGS__)
#define CAT_9(each, x, ...) each(x), CAT_8(each, __VA_ARGS__)
#define CAT_10(each, x, ...) each(x), CAT_9(each, __VA_ARGS__)
#define CAT_11(each, x, ...) each(x), CAT_10(each, __VA_ARGS__)
#define CAT_12(each, x, ...) each(x), CAT_11(each, __VA_ARGS__)
#define CAT_13(each, x, ...) each(x), CAT_12(each, __VA_ARGS__)
#define CAT_14(each, x, ...) each(x), CAT_13(each, __VA_ARGS__)
#define CAT_15(each, x, ...) each(x), CAT_14(each, __VA_ARGS__)
#define CAT_16(each, x, ...) each(x), CAT_15(each, __VA_ARGS__)

#endif
