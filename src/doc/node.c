/* SPDX-License-Identifier: MIT */
/* Looking things up in a tree, keeping a part of one, and putting one together. Never fails: what is not there is
 * absent. */
#include "doc/node.h"

#include <string.h>

const char *
node_kind_name(enum node_kind kind)
{
	static const char *const names[] = {
		[NODE_NULL] = "null",      [NODE_BOOL] = "a boolean",  [NODE_INT] = "an integer",
		[NODE_FLOAT] = "a number", [NODE_STRING] = "a string", [NODE_LIST] = "a list",
		[NODE_MAP] = "a map",
	};

	return names[kind];
}

const struct node *
node_get(const struct node *map, const char *key)
{
	size_t n = strlen(key);

	if (!map || map->kind != NODE_MAP)
		return NULL;
	for (size_t i = map->count; i-- > 0;) {
		const struct node_entry *e = &map->entries[i];

		if (e->key.n == n && memcmp(e->key.s, key, n) == 0)
			return &e->value;
	}
	return NULL;
}

struct str
node_get_str(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_STRING ? n->text : STR_NONE;
}

bool
node_get_bool(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_BOOL && n->boolean;
}

struct node
node_map(struct arena *a, size_t room)
{
	return (struct node){ .kind = NODE_MAP, .entries = arena_array(a, room, struct node_entry) };
}

void
node_add(struct node *map, struct str key, struct node value)
{
	map->entries[map->count++] = (struct node_entry){ .key = key, .value = value };
}

void
node_add_text(struct node *map, const char *key, struct str text)
{
	if (text.s)
		node_add(map, str_from(key), (struct node){ .kind = NODE_STRING, .text = text });
}

void
node_add_int(struct node *map, const char *key, int64_t value)
{
	node_add(map, str_from(key), (struct node){ .kind = NODE_INT, .integer = value });
}

void
node_add_bool(struct node *map, const char *key, bool value)
{
	node_add(map, str_from(key), (struct node){ .kind = NODE_BOOL, .boolean = value });
}

struct node
node_copy(struct arena *a, const struct node *n)
{
	struct node copy = *n;

	if (n->text.s)
		copy.text = str_copy(a, n->text);
	if (n->kind == NODE_LIST && n->count > 0)
		copy.items = arena_array(a, n->count, struct node);
	for (size_t i = 0; n->kind == NODE_LIST && i < n->count; i++)
		copy.items[i] = node_copy(a, &n->items[i]);
	if (n->kind == NODE_MAP && n->count > 0)
		copy.entries = arena_array(a, n->count, struct node_entry);
	for (size_t i = 0; n->kind == NODE_MAP && i < n->count; i++) {
		copy.entries[i] = n->entries[i];
		copy.entries[i].key = str_copy(a, n->entries[i].key);
		copy.entries[i].value = node_copy(a, &n->entries[i].value);
	}
	return copy;
}
