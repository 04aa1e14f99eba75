/* SPDX-License-Identifier: MIT */
/* Readers for the values of the gauntlet's files. Pure; each stores a value that the rest can rely on or fails with
 * the place. Unlike elsewhere, null is not the same as a key that is not there: it is an error. */
#include "conf/gauntlet_keys.h"

/* Beyond this no number of the configuration means anything. */
#define NUMBER_LIMIT 1000000000

/* What is not below 0 and within the limit, rounded up. */
static int64_t
up(double x)
{
	return (int64_t)x + ((double)(int64_t)x < x);
}

int
gauntlet_read_bool(struct arena *a, const struct node *n, const struct field *f, void *to,
		   const struct decode_at *at, struct err *err)
{
	if (n->kind == NODE_NULL)
		return decode_fail_type(n, at, err, "a boolean");
	return decode_bool(a, n, f, to, at, err);
}

int
gauntlet_read_flag(struct arena *a, const struct node *n, const struct field *f, void *to,
		   const struct decode_at *at, struct err *err)
{
	bool value = false;

	if (gauntlet_read_bool(a, n, f, &value, at, err) < 0)
		return -1;
	*(int64_t *)to = value;
	return 0;
}

static int
read_string(struct arena *a, const struct node *n, const struct field *f, struct str *ret,
	    const struct decode_at *at, struct err *err)
{
	if (n->kind == NODE_NULL)
		return decode_fail_type(n, at, err, "a string");
	struct str text;

	if (decode_str(a, n, f, &text, at, err) < 0)
		return -1;
	/* Neither a path nor a command can have one. */
	if (str_find_char(text, '\0') >= 0)
		return decode_fail(n, at, err, "expected a text, not one with a NUL byte in it");
	*ret = text;
	return 0;
}

int
gauntlet_read_text(struct arena *a, const struct node *n, const struct field *f, void *to,
		   const struct decode_at *at, struct err *err)
{
	struct str text = STR_NONE;

	if (read_string(a, n, f, &text, at, err) < 0)
		return -1;
	if (str_trim(text).n == 0)
		return decode_fail(n, at, err, "expected a text, not %s",
				   text.n == 0 ? "an empty one" : "one of blanks");
	*(struct str *)to = text;
	return 0;
}

int
gauntlet_read_maybe_text(struct arena *a, const struct node *n, const struct field *f, void *to,
			 const struct decode_at *at, struct err *err)
{
	struct str text = STR_NONE;

	if (read_string(a, n, f, &text, at, err) < 0)
		return -1;
	if (text.n > 0)
		*(struct str *)to = text;
	return 0;
}

int
gauntlet_read_strings(struct arena *a, const struct node *n, const struct field *f, void *to,
		      const struct decode_at *at, struct err *err)
{
	struct str_list list = { n->count ? arena_array(a, n->count, struct str) : NULL, n->count };

	if (n->kind != NODE_LIST)
		return decode_fail_type(n, at, err, "a list of strings");
	if (n->count < (size_t)f->least)
		return decode_fail(n, at, err, "expected a list of at least %d, not of %u", (int)f->least,
				   n->count);
	for (size_t i = 0; i < n->count; i++) {
		struct decode_at here = { .outer = at, .index = i };

		if (gauntlet_read_text(a, &n->items[i], f, &list.items[i], &here, err) < 0)
			return -1;
	}
	*(struct str_list *)to = list;
	return 0;
}

int
gauntlet_read_choice(struct arena *a, const struct node *n, const struct field *f, void *to,
		     const struct decode_at *at, struct err *err)
{
	if (n->kind == NODE_NULL)
		return decode_fail_type(n, at, err, "a word");
	return decode_choice(a, n, f, to, at, err);
}

static int
read_number(struct arena *a, const struct node *n, const struct decode_at *at, double *ret, struct err *err)
{
	static const struct field any = { .least = 0, .most = 0 };

	if (n->kind == NODE_NULL)
		return decode_fail_type(n, at, err, "a number");
	if (decode_number(a, n, &any, ret, at, err) < 0)
		return -1;
	if (*ret > NUMBER_LIMIT || *ret < -NUMBER_LIMIT)
		return decode_fail(n, at, err, "out of range: " STR_FMT " is not in %d..%d", STR_ARG(n->text),
				   -NUMBER_LIMIT, NUMBER_LIMIT);
	return 0;
}

int
gauntlet_read_whole(struct arena *a, const struct node *n, const struct field *f, void *to,
		    const struct decode_at *at, struct err *err)
{
	int64_t most = f->most ? f->most : NUMBER_LIMIT;
	double value = 0;

	if (n->kind != NODE_INT && n->kind != NODE_FLOAT)
		return decode_fail_type(n, at, err, "an integer");
	if (read_number(a, n, at, &value, err) < 0)
		return -1;
	if (value != (double)(int64_t)value)
		return decode_fail_type(n, at, err, "an integer");
	if (value < (double)f->least || value > (double)most)
		return decode_fail(n, at, err, "out of range: " STR_FMT " is not in %lld..%lld",
				   STR_ARG(n->text), (long long)f->least, (long long)most);
	*(int64_t *)to = (int64_t)value;
	return 0;
}

int
gauntlet_read_floor(struct arena *a, const struct node *n, const struct field *f, void *to,
		    const struct decode_at *at, struct err *err)
{
	double value = 0;

	(void)f;
	if (read_number(a, n, at, &value, err) < 0)
		return -1;
	*(int64_t *)to = value < 0 ? 0 : (int64_t)value;
	return 0;
}

int
gauntlet_read_ceil(struct arena *a, const struct node *n, const struct field *f, void *to,
		   const struct decode_at *at, struct err *err)
{
	double value = 0;

	(void)f;
	if (read_number(a, n, at, &value, err) < 0)
		return -1;
	*(int64_t *)to = value < 0 ? 0 : up(value);
	return 0;
}

int
gauntlet_read_seconds(struct arena *a, const struct node *n, const struct field *f, void *to,
		      const struct decode_at *at, struct err *err)
{
	double value = 0;

	(void)f;
	if (read_number(a, n, at, &value, err) < 0)
		return -1;
	if (value < 0)
		return decode_fail(n, at, err, "out of range: timeout must be greater than 0, not " STR_FMT,
				   STR_ARG(n->text));
	/* to the nearest millisecond; less than one is not none at all */
	*(int64_t *)to = value > 0 && value < 0.001 ? 1 : (int64_t)(value * 1000 + 0.5);
	return 0;
}

int
gauntlet_read_megabytes(struct arena *a, const struct node *n, const struct field *f, void *to,
			const struct decode_at *at, struct err *err)
{
	double value = 0;

	(void)f;
	if (read_number(a, n, at, &value, err) < 0)
		return -1;
	*(int64_t *)to = value < 0 ? 0 : up(value * (double)MIB(1));
	return 0;
}

int
gauntlet_read_prompt_way(struct arena *a, const struct node *n, const struct field *f, void *to,
			 const struct decode_at *at, struct err *err)
{
	struct str word = STR_NONE;

	if (gauntlet_read_choice(a, n, f, &word, at, err) < 0)
		return -1;
	*(bool *)to = str_is(word, "arg");
	return 0;
}

int
gauntlet_read_nullable(struct arena *a, const struct node *n, const struct field *f, void *to,
		       const struct decode_at *at, struct err *err)
{
	(void)a;
	(void)f;
	if (n->kind == NODE_NULL)
		return 0;
	if (n->kind != NODE_MAP)
		return decode_fail_type(n, at, err, "a map");
	*(const struct node **)to = n;
	return 0;
}
