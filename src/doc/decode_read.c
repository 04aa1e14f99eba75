/* SPDX-License-Identifier: MIT */
/* The readers of single values: scalars, objects, lists and pattern tables. Each writes its member only when the value
 * is good. */
#include "doc/decode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_scalar_text(const struct node *n)
{
	return n->kind == NODE_STRING ||
	       (n->is_plain && n->kind != NODE_NULL && n->kind != NODE_LIST && n->kind != NODE_MAP);
}

int
decode_bool(struct arena *a, const struct node *n, const struct field *f, void *to,
	    const struct decode_at *at, struct err *err)
{
	(void)a;
	(void)f;
	if (n->kind == NODE_NULL)
		return 0;
	if (n->kind != NODE_BOOL)
		return decode_fail_type(n, at, err, "a boolean");
	*(bool *)to = n->boolean;
	return 0;
}

static int
fail_range(const struct node *n, const struct field *f, const struct decode_at *at, struct err *err)
{
	bool is_any = f->least == 0 && f->most == 0;

	return decode_fail(n, at, err, "out of range: " STR_FMT " is not in %lld..%lld", STR_ARG(n->text),
			   (long long)(is_any ? INT64_MIN : f->least),
			   (long long)(is_any ? INT64_MAX : f->most));
}

/* An integer that is too large for one is a float whose text has neither point nor exponent. */
static bool
is_huge_integer(const struct node *n)
{
	for (size_t i = n->text.n > 0 && n->text.s[0] == '-'; i < n->text.n; i++)
		if (n->text.s[i] < '0' || n->text.s[i] > '9')
			return false;
	return n->kind == NODE_FLOAT && n->text.n < 100;
}

int
decode_int(struct arena *a, const struct node *n, const struct field *f, void *to, const struct decode_at *at,
	   struct err *err)
{
	bool is_any = f->least == 0 && f->most == 0;

	(void)a;
	if (n->kind == NODE_NULL)
		return 0;
	if (is_huge_integer(n))
		return fail_range(n, f, at, err);
	if (n->kind != NODE_INT)
		return decode_fail_type(n, at, err, "an integer");
	if (!is_any && (n->integer < f->least || n->integer > f->most))
		return fail_range(n, f, at, err);
	*(int64_t *)to = n->integer;
	return 0;
}

int
decode_number(struct arena *a, const struct node *n, const struct field *f, void *to,
	      const struct decode_at *at, struct err *err)
{
	bool is_any = f->least == 0 && f->most == 0;

	if (n->kind == NODE_NULL)
		return 0;
	if (n->kind != NODE_INT && n->kind != NODE_FLOAT)
		return decode_fail_type(n, at, err, "a number");
	double value = (double)n->integer;

	if (n->kind == NODE_FLOAT) {
		struct str text = str_copy(a, n->text);
		char *end;

		value = strtod(text.s, &end);
		if (end != text.s + text.n || !isfinite(value))
			return decode_fail_type(n, at, err, "a finite number");
	}
	if (!is_any && (value < (double)f->least || value > (double)f->most))
		return fail_range(n, f, at, err);
	*(double *)to = value;
	return 0;
}

int
decode_str(struct arena *a, const struct node *n, const struct field *f, void *to, const struct decode_at *at,
	   struct err *err)
{
	(void)a;
	(void)f;
	if (n->kind == NODE_NULL)
		return 0;
	if (!is_scalar_text(n))
		return decode_fail_type(n, at, err, "a string");
	*(struct str *)to = n->text;
	return 0;
}

int
decode_choice(struct arena *a, const struct node *n, const struct field *f, void *to,
	      const struct decode_at *at, struct err *err)
{
	char what[300] = "one of ";
	size_t used = strlen(what);

	(void)a;
	if (n->kind == NODE_NULL)
		return 0;
	for (size_t i = 0; f->choices[i]; i++) {
		if (is_scalar_text(n) && str_is_word(n->text, f->choices[i])) {
			*(struct str *)to = str_from(f->choices[i]);
			return 0;
		}
		if (used < sizeof(what))
			used += (size_t)snprintf(what + used, sizeof(what) - used, "%s%s", i ? ", " : "",
						 f->choices[i]);
	}
	return decode_fail_type(n, at, err, what);
}

/* A value that is not written at all is an empty object, list or table; a written null is none. */
static int
check_collection(const struct node *n, enum node_kind kind, const struct decode_at *at, struct err *err)
{
	if (n->kind == kind || (n->kind == NODE_NULL && n->is_empty))
		return 0;
	return decode_fail_type(n, at, err, node_kind_name(kind));
}

int
decode_object(struct arena *a, const struct node *n, const struct field *f, void *to,
	      const struct decode_at *at, struct err *err)
{
	if (check_collection(n, NODE_MAP, at, err) < 0)
		return -1;
	return decode_map(a, n, f->fields, f->field_count, to, at, err);
}

static void *
new_items(struct arena *a, const struct field *f, size_t count, size_t size)
{
	char *items = arena_alloc(a, count, size);

	for (size_t i = 0; i < count && f->item_defaults; i++)
		memcpy(items + i * size, f->item_defaults, size);
	return items;
}

int
decode_opt_object(struct arena *a, const struct node *n, const struct field *f, void *to,
		  const struct decode_at *at, struct err *err)
{
	if (n->kind == NODE_NULL)
		return 0;
	void *object = new_items(a, f, 1, f->item_size);

	if (decode_object(a, n, f, object, at, err) < 0)
		return -1;
	*(void **)to = object;
	return 0;
}

static int
read_string_item(struct arena *a, const struct node *n, const struct field *f, void *to,
		 const struct decode_at *at, struct err *err)
{
	if (n->kind == NODE_NULL)
		return decode_fail_type(n, at, err, "a string");
	return decode_str(a, n, f, to, at, err);
}

int
decode_list(struct arena *a, const struct node *n, const struct field *f, void *to,
	    const struct decode_at *at, struct err *err)
{
	decode_fn *read = f->read_item ? f->read_item : f->fields ? decode_object : read_string_item;
	size_t size = read == read_string_item ? sizeof(struct str) : f->item_size;
	struct decode_list list = { NULL, n->count };

	if (check_collection(n, NODE_LIST, at, err) < 0)
		return -1;
	if (n->count > 0)
		list.items = new_items(a, f, n->count, size);
	for (size_t i = 0; i < n->count; i++) {
		struct decode_at here = { .outer = at, .index = i };

		if (read(a, &n->items[i], f, (char *)list.items + i * size, &here, err) < 0)
			return -1;
	}
	*(struct decode_list *)to = list;
	return 0;
}

int
decode_opt_list(struct arena *a, const struct node *n, const struct field *f, void *to,
		const struct decode_at *at, struct err *err)
{
	return n->kind == NODE_NULL ? 0 : decode_list(a, n, f, to, at, err);
}

/* The place of a pattern: where it stands already, else behind the last. */
static struct decode_pattern *
find_pattern(struct decode_pattern *patterns, size_t count, struct str pattern)
{
	size_t i = 0;

	while (i < count && !str_eq(patterns[i].pattern, pattern))
		i++;
	return &patterns[i];
}

int
decode_table(struct arena *a, const struct node *n, const struct field *f, void *to,
	     const struct decode_at *at, struct err *err)
{
	struct decode_list table = { NULL, 0 };

	if (check_collection(n, NODE_MAP, at, err) < 0)
		return -1;
	if (n->count > DECODE_PATTERN_LIMIT)
		return decode_fail(n, at, err, "out of range: more than %d patterns", DECODE_PATTERN_LIMIT);
	struct decode_pattern *patterns = n->count ? arena_array(a, n->count, struct decode_pattern) : NULL;

	for (size_t i = 0; i < n->count; i++) {
		const struct node_entry *e = &n->entries[i];
		struct decode_at here = { .outer = at, .name = e->key };
		struct node place = { .line = e->line, .column = e->column };
		struct decode_list list = { NULL, 0 };

		if (str_trim(e->key).n == 0)
			return decode_fail(&place, at, err, "pattern key cannot be empty");
		if (decode_list(a, &e->value, f, &list, &here, err) < 0)
			return -1;
		struct decode_pattern *p = find_pattern(patterns, table.count, e->key);

		table.count += p == &patterns[table.count];
		*p = (struct decode_pattern){ e->key, e->line, e->column, list };
	}
	table.items = patterns;
	*(struct decode_list *)to = table;
	return 0;
}

int
decode_ignored(struct arena *a, const struct node *n, const struct field *f, void *to,
	       const struct decode_at *at, struct err *err)
{
	(void)a;
	(void)n;
	(void)f;
	(void)to;
	(void)at;
	(void)err;
	return 0;
}

int
decode_removed(struct arena *a, const struct node *n, const struct field *f, void *to,
	       const struct decode_at *at, struct err *err)
{
	(void)a;
	(void)to;
	return decode_fail(n, at, err, "removed key '%s': %s", f->key, f->help);
}
