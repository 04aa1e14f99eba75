/* SPDX-License-Identifier: MIT */
/* The collecting walk over a document, and the list of problems. Never prints, never reads a file. */
#include "conf/gauntlet_collect.h"

#include "base/buf.h"
#include "base/nearest.h"
#include "os/fs.h"

#include <assert.h>
#include <string.h>

#define PATH_TEXT_LIMIT_BYTES 1000
/* As many as a table may have. */
#define ROWS_MAX 64

void
collect_in(struct collector *k, struct str file)
{
	struct str_list *files = &k->problems->files;

	arena_make_room(k->arena, files->items, files->count, &k->file_capacity);
	files->items[files->count++] = file;
	k->file = file;
}

static void
add(struct collector *k, const struct gauntlet_problem *p)
{
	struct gauntlet_problems *list = k->problems;

	if (k->is_lenient)
		return;
	arena_make_room(k->arena, list->items, list->count, &k->capacity);
	list->items[list->count++] = *p;
}

void
collect(struct collector *k, enum problem_level level, const struct node *n, struct str field,
	const char *fmt, ...)
{
	struct gauntlet_problem p = {
		.is_fatal = level == PROBLEM_FATAL,
		.is_error = level != PROBLEM_WARNING,
		.file = k->file,
		.field = field,
		.line = n ? n->line : 0,
		.column = n ? n->column : 0,
	};
	va_list args;

	if (k->is_lenient)
		return;
	va_start(args, fmt);
	p.text = str_vfmt(k->arena, fmt, args);
	va_end(args);
	add(k, &p);
}

/* How much of the text is the path that begins so, with the indices of a list behind it. */
static size_t
path_length(struct str text, struct str path)
{
	size_t at = path.n;

	if (path.n == 0 || !str_starts(text, path))
		return 0;
	while (at < text.n && text.s[at] == '[') {
		ptrdiff_t end = str_find_char(str_sub(text, at, text.n), ']');

		if (end < 0)
			break;
		at += (size_t)end + 1;
	}
	return str_starts(str_sub(text, at, text.n), STR(": ")) ? at : 0;
}

/* An error as decode_fail() makes it: its text is `path: what is wrong`. */
static void
add_err(struct collector *k, const struct err *err, struct str path)
{
	struct gauntlet_problem p = { .is_fatal = true, .is_error = true, .file = k->file, .field = STR("") };
	struct str text = str_from(err->msg + err->text);

	if (k->is_lenient)
		return;
	p.line = err->line;
	p.column = err->column;
	size_t n = path_length(text, path);

	if (n > 0) {
		p.field = str_copy(k->arena, str_sub(text, 0, n));
		text = str_sub(text, n + 2, text.n);
	}
	p.text = str_copy(k->arena, text);
	add(k, &p);
}

void
collect_err(struct collector *k, const struct err *err)
{
	add_err(k, err, STR(""));
}

static void
add_path(struct buf *b, const struct decode_at *at)
{
	if (!at)
		return;
	add_path(b, at->outer);
	if (at->key)
		buf_addf(b, "%s%s", b->n ? "." : "", at->key);
	else
		buf_addf(b, "[%zu]", at->index);
}

static struct str
path_of(struct arena *a, const struct decode_at *at)
{
	struct buf b = BUF(a, PATH_TEXT_LIMIT_BYTES);

	add_path(&b, at);
	return buf_str(&b);
}

static void
add_type(struct collector *k, const struct node *n, const struct decode_at *at, const char *what)
{
	struct err err;

	if (k->is_lenient)
		return;
	(void)decode_fail_type(n, at, &err, what);
	add_err(k, &err, path_of(k->arena, at));
}

static void
warn_unknown(struct collector *k, const struct node_entry *e, const struct field *fields, size_t count,
	     const struct decode_at *outer)
{
	struct str names[ROWS_MAX], near[NEAREST_MAX];
	struct node place = { .line = e->line, .column = e->column };
	size_t valid = 0;

	if (k->is_lenient)
		return;
	for (size_t i = 0; i < count && valid < ROWS_MAX; i++)
		if (fields[i].key)
			names[valid++] = str_from(fields[i].key);
	if (nearest(e->key, names, valid, near) == 0)
		return;
	struct str path = path_of(k->arena, outer);

	path = str_fmt(k->arena, STR_FMT "%s" STR_FMT, STR_ARG(path), path.n ? "." : "", STR_ARG(e->key));
	collect(k, PROBLEM_WARNING, &place, path,
		"unknown key '" STR_FMT "' has no effect, did you mean '" STR_FMT "'?", STR_ARG(e->key),
		STR_ARG(near[0]));
}

const struct node *
collect_item(const struct node *list, size_t i)
{
	return list && list->kind == NODE_LIST && i < list->count ? &list->items[i] : NULL;
}

static void
walk_list(struct collector *k, const struct node *n, const struct field *f, struct decode_list *to,
	  const struct decode_at *at)
{
	if (n->kind == NODE_NULL && f->read == decode_opt_list)
		return;
	if (n->kind != NODE_LIST) {
		add_type(k, n, at, "a list");
		return;
	}
	if (n->count < (size_t)f->least) {
		collect(k, PROBLEM_FATAL, n, path_of(k->arena, at),
			"expected a list of at least %d, not of %u", (int)f->least, n->count);
		return;
	}
	char *items = n->count ? arena_alloc(k->arena, n->count, f->item_size) : NULL;

	for (size_t i = 0; i < n->count; i++) {
		struct decode_at here = { .outer = at, .index = i };

		if (f->item_defaults)
			memcpy(items + i * f->item_size, f->item_defaults, f->item_size);
		collect_map(k, &n->items[i], f->fields, f->field_count, items + i * f->item_size, &here);
	}
	*to = (struct decode_list){ items, n->count };
}

static void
walk_entry(struct collector *k, const struct node_entry *e, const struct field *f, void *to,
	   const struct decode_at *outer)
{
	struct decode_at at = { .outer = outer, .key = f->key };
	void *member = (char *)to + f->offset;
	struct err err;

	if (f->read == decode_object)
		collect_map(k, &e->value, f->fields, f->field_count, member, &at);
	else if ((f->read == decode_list || f->read == decode_opt_list) && f->fields)
		walk_list(k, &e->value, f, member, &at);
	else if (f->read(k->arena, &e->value, f, member, &at, &err) < 0)
		add_err(k, &err, k->is_lenient ? STR("") : path_of(k->arena, &at));
}

void
collect_map(struct collector *k, const struct node *n, const struct field *fields, size_t count, void *to,
	    const struct decode_at *at)
{
	bool is_seen[ROWS_MAX] = { false };

	assert(count <= ROWS_MAX);
	if (n->kind != NODE_MAP) {
		add_type(k, n, at, "a map");
		return;
	}
	for (size_t i = 0; i < n->count; i++) {
		const struct node_entry *e = &n->entries[i];
		struct node place = { .line = e->line, .column = e->column };
		struct decode_at here = { .outer = at };
		size_t row = 0;

		while (row < count && !(fields[row].key && str_is(e->key, fields[row].key)))
			row++;
		if (row == count) {
			warn_unknown(k, e, fields, count, at);
		} else if (is_seen[row]) {
			here.key = fields[row].key;
			collect(k, PROBLEM_FATAL, &place, path_of(k->arena, &here), "duplicate key '%s'",
				here.key);
		} else {
			is_seen[row] = true;
			walk_entry(k, e, &fields[row], to, at);
		}
	}
	for (size_t i = 0; i < count && !k->is_lenient; i++) {
		struct decode_at here = { .outer = at, .key = fields[i].key };

		if (fields[i].is_required && !is_seen[i])
			collect(k, PROBLEM_FATAL, n, path_of(k->arena, &here), "missing key '%s'",
				fields[i].key);
	}
}

static struct str
problem_text(struct arena *a, struct str root, const struct gauntlet_problem *p)
{
	struct buf b = BUF(a, KIB(8));

	buf_add(&b, fs_join(a, root, p->file));
	if (p->line > 0)
		buf_addf(&b, ":%d:%d", p->line, p->column);
	buf_add(&b, STR(": "));
	if (p->field.n > 0)
		buf_addf(&b, STR_FMT ": ", STR_ARG(p->field));
	buf_add(&b, p->text);
	return buf_str(&b);
}

int
gauntlet_problems_fail(struct arena *a, struct str root, const struct gauntlet_problems *p, struct err *err)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].is_fatal)
			return err_set(err, ERR_VALUE, "%s",
				       str_copy(a, problem_text(a, root, &p->items[i])).s);
	return 0;
}
