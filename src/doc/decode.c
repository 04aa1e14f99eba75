/* SPDX-License-Identifier: MIT */
/* Maps by tables: which keys there are, which must be there, and the path and place of what is wrong. The readers of
 * single values are in decode_read.c. Never prints and never knows what a key means. */
#include "doc/decode.h"

#include "base/nearest.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>

/* As many as a table may have rows. */
#define ROW_LIMIT 256
/* How much of a value or a pattern an error shows. */
#define SHOWN_BYTES 60

/* One line of the text, cut where it is long. */
static struct str
show(char to[SHOWN_BYTES + 4], struct str x)
{
	struct str head = utf8_head(x, SHOWN_BYTES);
	size_t n = 0;

	for (; n < head.n; n++)
		to[n] = (unsigned char)head.s[n] < ' ' || head.s[n] == 0x7F ? ' ' : head.s[n];
	for (int i = 0; i < 3 && head.n < x.n; i++)
		to[n++] = '.';
	return (struct str){ to, n };
}

static size_t
add_path(char *to, size_t size, const struct decode_at *at)
{
	if (!at)
		return 0;
	size_t n = add_path(to, size, at->outer);
	char shown[SHOWN_BYTES + 4];
	struct str name;
	int added;

	if (n >= size)
		return size;
	if (at->key) {
		added = snprintf(to + n, size - n, "%s%s", n ? "." : "", at->key);
	} else if (at->name.s) {
		name = show(shown, at->name);
		added = snprintf(to + n, size - n, "[\"" STR_FMT "\"]", STR_ARG(name));
	} else {
		added = snprintf(to + n, size - n, "[%zu]", at->index);
	}
	return n + (size_t)added;
}

int
decode_fail(const struct node *n, const struct decode_at *at, struct err *err, const char *fmt, ...)
{
	char path[400] = "", what[560];
	va_list args;

	(void)add_path(path, sizeof(path), at);
	va_start(args, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return err_at(err, ERR_VALUE, n->line, n->column, "%s%s%s", path, *path ? ": " : "", what);
}

int
decode_fail_type(const struct node *n, const struct decode_at *at, struct err *err, const char *what)
{
	static const char *const kinds[] = {
		[NODE_BOOL] = "the boolean ",
		[NODE_INT] = "the integer ",
		[NODE_FLOAT] = "the number ",
		[NODE_STRING] = "the string ",
	};
	char shown[SHOWN_BYTES + 4];

	if (n->kind == NODE_NULL || n->kind == NODE_LIST || n->kind == NODE_MAP)
		return decode_fail(n, at, err, "expected %s, not %s", what, node_kind_name(n->kind));
	struct str text = n->kind == NODE_BOOL ? (n->boolean ? STR("true") : STR("false"))
					       : show(shown, n->text);
	const char *quote = n->kind == NODE_STRING ? "\"" : "";

	return decode_fail(n, at, err, "expected %s, not %s%s" STR_FMT "%s", what, kinds[n->kind], quote,
			   STR_ARG(text), quote);
}

/* The valid keys that are near the unknown one, or else all of them. */
static int
fail_unknown(const struct node_entry *e, const struct field *fields, size_t count,
	     const struct decode_at *outer, struct err *err)
{
	struct str names[ROW_LIMIT], near[NEAREST_MAX];
	char list[400] = "", key[SHOWN_BYTES + 5];
	size_t valid = 0, n = 0;
	struct str shown = show(key, e->key);
	struct node place = { .line = e->line, .column = e->column };
	struct decode_at at = { .outer = outer, .key = key };

	key[shown.n] = '\0';
	for (size_t i = 0; i < count; i++)
		if (fields[i].read != decode_removed)
			names[valid++] = str_from(fields[i].key);
	size_t near_count = nearest(e->key, names, valid, near);

	for (size_t i = 0; i < (near_count ? near_count : valid) && n < sizeof(list); i++) {
		bool is_last = i + 1 == near_count;

		if (near_count)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s'" STR_FMT "'",
					      i == 0    ? ""
					      : is_last ? " or "
							: ", ",
					      STR_ARG(near[i]));
		else
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s" STR_FMT, i == 0 ? "" : ", ",
					      STR_ARG(names[i]));
	}
	if (near_count)
		return decode_fail(&place, &at, err, "unknown key '%s', did you mean %s?", key, list);
	return decode_fail(&place, &at, err, "unknown key '%s'; valid keys: %s", key, list);
}

/* The row of a key; that for any other key where there is one; else NULL. */
static const struct field *
find_field(struct str key, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!fields[i].key || str_is(key, fields[i].key))
			return &fields[i];
	return NULL;
}

static int
read_entry(struct arena *a, const struct node_entry *e, const struct field *f, void *to,
	   const struct decode_at *outer, struct err *err)
{
	struct decode_at at = { .outer = outer, .key = f->key };

	if (f->read == decode_removed) {
		/* the key is what is wrong, not its value */
		struct node place = { .line = e->line, .column = e->column };

		return f->read(a, &place, f, to, &at, err);
	}
	if (f->is_required && e->value.kind == NODE_NULL)
		return decode_fail(&e->value, outer, err, "missing key '%s': there is no value", f->key);
	return f->read(a, &e->value, f, (char *)to + f->offset, &at, err);
}

int
decode_map(struct arena *a, const struct node *n, const struct field *fields, size_t count, void *to,
	   const struct decode_at *at, struct err *err)
{
	bool is_seen[ROW_LIMIT] = { false };

	assert(count <= ROW_LIMIT);
	if (n->kind != NODE_MAP && n->kind != NODE_NULL)
		return decode_fail_type(n, at, err, "a map");
	for (size_t i = 0; i < n->count; i++) {
		const struct node_entry *e = &n->entries[i];
		const struct field *f = find_field(e->key, fields, count);

		if (!f)
			return fail_unknown(e, fields, count, at, err);
		if (f->key && is_seen[f - fields]) {
			struct node place = { .line = e->line, .column = e->column };
			struct decode_at here = { .outer = at, .key = f->key };

			return decode_fail(&place, &here, err, "duplicate key '%s'", f->key);
		}
		is_seen[f - fields] = true;
		if (read_entry(a, e, f, to, at, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		if (fields[i].is_required && !is_seen[i])
			return decode_fail(n, at, err, "missing key '%s'", fields[i].key);
	return 0;
}
