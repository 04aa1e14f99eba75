/* SPDX-License-Identifier: MIT */
/* The walk over rows, the list of all keys, and the list of problems. Knows no particular schema and reads no file. */
#include "conf/schema.h"

#include <stdint.h>

#define PATH_SHOWN_BYTES 1000
/* The longest name that a path shows. */
#define NAME_SHOWN_BYTES 255
/* More than any schema has. */
#define OBJECTS_MAX 64

/* ---- paths ---- */

struct str
config_shown(struct arena *a, struct str text, size_t limit)
{
	struct str head = utf8_head(text, limit);
	struct buf b = BUF(a, limit + 3);

	for (size_t i = 0; i < head.n; i++)
		buf_addc(&b, (unsigned char)head.s[i] < ' ' || head.s[i] == 0x7F ? ' ' : head.s[i]);
	if (head.n < text.n)
		buf_add(&b, STR("..."));
	return buf_str(&b);
}

static void
add_path(struct buf *b, const struct config_path *at)
{
	if (!at)
		return;
	add_path(b, at->outer);
	struct str name = config_shown(b->arena, at->name, NAME_SHOWN_BYTES);

	if (at->is_pattern)
		buf_addf(b, "[\"" STR_FMT "\"]", STR_ARG(name));
	else if (at->name.s)
		buf_addf(b, "%s" STR_FMT, b->n > 0 ? "." : "", STR_ARG(name));
	else if (at->index == SIZE_MAX)
		buf_add(b, STR("[]"));
	else
		buf_addf(b, "[%zu]", at->index);
}

struct str
config_path_text(struct arena *a, const struct config_path *at)
{
	struct buf b = BUF(a, PATH_SHOWN_BYTES);

	add_path(&b, at);
	return b.n > 0 ? buf_str(&b) : STR("");
}

/* ---- the walk ---- */

const struct field *
field_row(const struct field *object, struct str key)
{
	for (size_t i = 0; i < object->field_count; i++)
		if (str_is(key, object->fields[i].key))
			return &object->fields[i];
	return NULL;
}

static void
walk_fields(struct walker *w, const struct visit *v)
{
	const struct field *f = v->field;
	size_t count = v->node && v->node->kind == NODE_MAP ? v->node->count : 0;
	char *to = v->member;

	if (to && f->size > 0 && f->has_member)
		memcpy(&to, v->member, sizeof(to));
	for_each (row, f->fields, f->field_count) {
		struct config_path at = { .outer = v->at, .name = str_from(row->key) };
		struct visit inner = { .field = row, .at = &at, .outer = v };
		size_t k = 0;

		if (row->type == FIELD_OTHERS)
			continue;
		while (k < count && !str_eq(v->node->entries[k].key, at.name))
			k++;
		if (k < count) {
			inner.entry = &v->node->entries[k];
			inner.node = &inner.entry->value;
		}
		if (to && row->has_member)
			inner.member = to + row->offset;
		else if (row->type == FIELD_OBJECT)
			inner.member = to;
		schema_walk(w, &inner);
	}
}

static void
walk_items(struct walker *w, const struct visit *v)
{
	const struct field *f = v->field;
	bool is_map = f->type == FIELD_MAP;
	char *items = NULL;
	bool has_items = v->node && v->node->kind == (is_map ? NODE_MAP : NODE_LIST);
	bool is_one = f->takes_one && v->node && !has_items && w->has_document;
	size_t count = !w->has_document || is_one ? 1 : has_items ? v->node->count : 0;

	if (v->member && w->has_document && !f->is_in_place)
		memcpy(&items, v->member, sizeof(items));
	for (size_t i = 0; i < count; i++) {
		if (w->take && has_items && !is_map)
			i += w->take(v, i);
		if (i == count)
			break;
		struct config_path at = { .outer = v->at, .index = w->has_document ? i : SIZE_MAX };
		struct visit inner = { .field = f->item, .at = is_one ? v->at : &at, .outer = v };

		if (is_one) {
			inner.node = v->node;
		} else if (is_map && w->has_document) {
			inner.entry = &v->node->entries[i];
			inner.node = &inner.entry->value;
			at.name = inner.entry->key;
			at.is_pattern = f->has_pattern_keys;
		} else if (is_map) {
			at.name = f->has_pattern_keys ? STR_NONE : STR("NAME");
		} else if (w->has_document) {
			inner.node = &v->node->items[i];
		}
		if (items)
			inner.member = items + i * f->size + f->item->offset;
		schema_walk(w, &inner);
	}
}

void
schema_walk(struct walker *w, const struct visit *v)
{
	if (!w->enter(w, v))
		return;
	if (v->field->type == FIELD_OBJECT)
		walk_fields(w, v);
	else if (v->field->type == FIELD_LIST || v->field->type == FIELD_MAP)
		walk_items(w, v);
}

/* ---- all keys ---- */

struct key_walk {
	struct walker walk;
	struct arena *arena;
	const char *file;
	struct schema_keys *keys;
	const struct field *seen[OBJECTS_MAX]; /* objects of items, which are listed once */
	size_t seen_count;
};

static bool
is_seen(struct key_walk *k, const struct field *fields)
{
	for (size_t i = 0; i < k->seen_count; i++)
		if (k->seen[i] == fields)
			return true;
	if (k->seen_count < OBJECTS_MAX)
		k->seen[k->seen_count++] = fields;
	return false;
}

static bool
list_key(struct walker *w, const struct visit *v)
{
	struct key_walk *k = (struct key_walk *)w;
	const struct field *f = v->field;

	if (!f->key)
		return !v->at || f->type != FIELD_OBJECT || !is_seen(k, f->fields);
	if (!f->help || f->type == FIELD_REMOVED)
		return false;
	*arena_push(k->arena, k->keys->items,
		    k->keys->count) = (struct schema_key){ k->file, config_path_text(k->arena, v->at), f };
	return true;
}

void
schema_add_keys(struct arena *a, const struct schema *s, struct schema_keys *keys)
{
	struct key_walk k = { .walk.enter = list_key, .arena = a, .file = s->file, .keys = keys };

	schema_walk(&k.walk, &(struct visit){ .field = &s->root });
}

/* ---- problems ---- */

struct config_problem *
problem_new(struct arena *a, struct config_problems *list, enum severity severity)
{
	if (list->count == CONFIG_PROBLEM_LIMIT) {
		/* It replaces the last one, so that the caller learns that the file can't be used. */
		if (severity != SEVERITY_FATAL || problems_first_fatal(list))
			return NULL;
		list->count--;
	}
	arena_make_room(a, list->items, list->count, &list->capacity);
	list->items[list->count] = (struct config_problem){ .severity = severity,
							    .path = STR(""),
							    .outer = STR("") };
	return &list->items[list->count++];
}

struct config_problem *
problem_add(struct arena *a, struct config_problems *list, const struct problem_at *at, struct str text)
{
	struct config_problem *p = problem_new(a, list, at->severity);

	if (!p)
		return NULL;
	p->file = at->file;
	p->path = at->path;
	p->line = at->node ? at->node->line : 0;
	p->column = at->node ? at->node->column : 0;
	p->text = text;
	return p;
}

void
problem_add_err(struct arena *a, struct config_problems *list, struct str file, const struct err *err)
{
	const struct node place = { .line = err->line, .column = err->column };
	const struct problem_at at = { SEVERITY_FATAL, file, STR(""), &place };
	struct config_problem *p = problem_add(a, list, &at, str_copy(a, str_from(err->msg + err->text)));

	if (p && err->code == ERR_SYNTAX)
		p->kind = PROBLEM_SYNTAX;
}

const struct config_problem *
problems_first_fatal(const struct config_problems *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].severity == SEVERITY_FATAL)
			return &list->items[i];
	return NULL;
}

struct str
problem_position(struct arena *a, struct str dir, const struct config_problem *p)
{
	struct str file = path_join(a, dir, p->file);

	if (p->line == 0)
		return str_cat(a, file, ": ");
	return str_cat(a, file, ":", p->line, ":", p->column, ": ");
}

struct str
problem_text(struct arena *a, const struct config_problem *p)
{
	return str_cat(a, p->path, p->path.n > 0 ? ": " : "", p->text);
}

int
problems_fail(struct arena *a, struct str dir, const struct config_problems *list, struct err *err)
{
	const struct config_problem *p = problems_first_fatal(list);

	if (!p)
		return 0;
	(void)err_set(err, p->kind == PROBLEM_SYNTAX ? ERR_SYNTAX : ERR_VALUE, "%s%s",
		      str_copy(a, problem_position(a, dir, p)).s, str_copy(a, problem_text(a, p)).s);
	err->line = p->line;
	err->column = p->column;
	return -1;
}
