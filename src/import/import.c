/* SPDX-License-Identifier: MIT */
/* Nodes of an imported document. */
#include "import/import.h"

#include "base/duration.h"

const struct node_entry *
import_entry(const struct node *map, const char *key)
{
	for (size_t i = 0; map && map->kind == NODE_MAP && i < map->count; i++)
		if (str_is(map->entries[i].key, key) && map->entries[i].value.kind != NODE_NULL)
			return &map->entries[i];
	return NULL;
}

struct str
import_text(const struct node *map, const char *key)
{
	const struct node_entry *e = import_entry(map, key);

	return e ? e->value.text : STR_NONE;
}

struct node
import_bool(bool value)
{
	return (struct node){ .kind = NODE_BOOL,
			      .is_plain = true,
			      .boolean = value,
			      .text = value ? STR("true") : STR("false") };
}

void
import_add(struct import *m, struct node *map, const char *key, struct node value,
	   const struct node_entry *from)
{
	struct node_entry e = { .key = str_from(key) };

	if (value.kind == NODE_NULL)
		return;
	if (from) {
		e = (struct node_entry){ e.key, from->line, from->column, from->span, { 0 } };
		value.line = from->value.line;
		value.column = from->value.column;
		value.span = from->value.span;
		value.is_empty = from->value.is_empty;
	}
	e.value = value;
	map->kind = NODE_MAP;
	*arena_push(m->arena, map->entries, map->count) = e;
}

void
import_push(struct import *m, struct node *list, struct node item, const struct node *from)
{
	if (from) {
		item.line = from->line;
		item.column = from->column;
		item.span = from->span;
	}
	list->kind = NODE_LIST;
	*arena_push(m->arena, list->items, list->count) = item;
}

struct node
import_texts(struct import *m, const struct str_list *texts)
{
	struct node list = { .kind = NODE_LIST };

	for (size_t i = 0; i < texts->count; i++)
		import_push(m, &list, node_text(texts->items[i]), NULL);
	return list;
}

void
import_rows(struct import *m, const struct node *from, const struct import_row *rows, size_t count,
	    struct node *to)
{
	for_each (row, rows, count) {
		const struct node_entry *e = import_entry(from, row->from);
		struct node value;

		if (!e)
			continue;
		value = node_text(e->value.text);
		switch (row->how) {
		case IMPORT_TEXT:
			break;
		case IMPORT_FILLED:
			if (str_trim(value.text).n == 0)
				continue;
			break;
		case IMPORT_PATTERN:
			if (str_is(value.text, "*"))
				continue;
			break;
		case IMPORT_NUMBER:
			value = e->value;
			if (value.integer > INT32_MAX)
				value.integer = INT32_MAX;
			break;
		case IMPORT_SECONDS:
			value.text = duration_text(m->arena, e->value.integer * 1000);
			break;
		case IMPORT_IF_TRUE:
		case IMPORT_IF_FALSE:
			if (e->value.boolean != (row->how == IMPORT_IF_TRUE))
				continue;
			value = import_bool(e->value.boolean);
			break;
		}
		import_add(m, to, row->to, value, e);
	}
}
