/* SPDX-License-Identifier: MIT */
/* The types of plain scalars, as in serde_yaml 0.9: close to YAML 1.2's core schema, but with 0b numbers, and digits after
 * a leading zero are a string. Pure. */
#include "doc/yaml_scalar.h"

#include <math.h>
#include <stdlib.h>

static bool
is_word(struct str x, const struct str words[3])
{
	return str_is_among(x, words, 3);
}

static int
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return 99;
}

/* Digits of the radix: an integer, or a float where it does not fit. False: not a number. */
static bool
read_digits(struct str x, unsigned radix, bool is_negative, struct node *n)
{
	uint64_t value = 0, most = (uint64_t)INT64_MAX + is_negative;
	bool fits = true;

	if (x.n == 0)
		return false;
	for (size_t i = 0; i < x.n; i++) {
		unsigned digit = (unsigned)digit_value(x.s[i]);

		if (digit >= radix)
			return false;
		fits = fits && value <= (most - digit) / radix;
		if (fits)
			value = value * radix + digit;
	}
	n->kind = fits ? NODE_INT : NODE_FLOAT;
	n->integer = !fits ? 0 : is_negative ? (int64_t)(0 - value) : (int64_t)value;
	return true;
}

static bool
read_integer(struct str x, bool is_negative, struct node *n)
{
	if (str_starts(x, STR("0x")))
		return read_digits(str_sub(x, 2, x.n), 16, is_negative, n);
	if (str_starts(x, STR("0o")))
		return read_digits(str_sub(x, 2, x.n), 8, is_negative, n);
	if (str_starts(x, STR("0b")))
		return read_digits(str_sub(x, 2, x.n), 2, is_negative, n);
	return read_digits(x, 10, is_negative, n);
}

static size_t
skip_digits(struct str x, size_t at)
{
	while (at < x.n && x.s[at] >= '0' && x.s[at] <= '9')
		at++;
	return at;
}

/* Digits, a point and an exponent in their usual places, and not beyond what a double holds. */
static bool
is_float(struct str x)
{
	size_t point = skip_digits(x, 0), at = point, digits = point;

	if (at < x.n && x.s[at] == '.') {
		at = skip_digits(x, at + 1);
		digits += at - point - 1;
	}
	if (digits == 0)
		return false;
	if (at < x.n && (x.s[at] | 0x20) == 'e') {
		at++;
		if (at < x.n && (x.s[at] == '+' || x.s[at] == '-'))
			at++;
		size_t end = skip_digits(x, at);

		if (end == at)
			return false;
		at = end;
	}
	return at == x.n && isfinite(strtod(x.s, NULL));
}

static void
type_number(struct node *n)
{
	static const struct str infinities[] = { STR(".inf"), STR(".Inf"), STR(".INF") };
	static const struct str nans[] = { STR(".nan"), STR(".NaN"), STR(".NAN") };
	bool has_sign = n->text.s[0] == '-' || n->text.s[0] == '+';
	struct str rest = str_sub(n->text, has_sign, n->text.n);

	if (rest.n > 1 && rest.s[0] == '0' && skip_digits(rest, 0) == rest.n)
		return;
	if (read_integer(rest, n->text.s[0] == '-', n))
		return;
	if (is_float(rest) || is_word(rest, infinities) || (!has_sign && is_word(rest, nans)))
		n->kind = NODE_FLOAT;
}

void
yaml_scalar_read(struct node *n)
{
	static const struct str nulls[] = { STR("null"), STR("Null"), STR("NULL") };
	static const struct str trues[] = { STR("true"), STR("True"), STR("TRUE") };
	static const struct str falses[] = { STR("false"), STR("False"), STR("FALSE") };

	n->kind = NODE_STRING;
	switch (n->text.n ? n->text.s[0] : '\0') {
	case '\0':
		n->is_empty = n->text.n == 0;
		n->kind = n->is_empty ? NODE_NULL : NODE_STRING;
		break;
	case '~':
		n->kind = n->text.n == 1 ? NODE_NULL : NODE_STRING;
		break;
	case 'n':
	case 'N':
		n->kind = is_word(n->text, nulls) ? NODE_NULL : NODE_STRING;
		break;
	case 't':
	case 'T':
		n->boolean = is_word(n->text, trues);
		n->kind = n->boolean ? NODE_BOOL : NODE_STRING;
		break;
	case 'f':
	case 'F':
		n->kind = is_word(n->text, falses) ? NODE_BOOL : NODE_STRING;
		break;
	case '+':
	case '-':
	case '.':
	case '0' ... '9':
		type_number(n);
		break;
	default:
		break;
	}
}
