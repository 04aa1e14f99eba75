/* SPDX-License-Identifier: MIT */
/* Looks values up in a tree, copies trees and builds them. Never fails: a missing value is absent. */
#include "doc/node.h"

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

const struct node_entry *
node_find(const struct node *map, struct str key)
{
	if (!map || map->kind != NODE_MAP)
		return NULL;
	for (size_t i = map->count; i-- > 0;)
		if (str_eq(map->entries[i].key, key))
			return &map->entries[i];
	return NULL;
}

const struct node *
node_get(const struct node *map, const char *key)
{
	const struct node_entry *e = node_find(map, str_from(key));

	return e ? &e->value : NULL;
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

int64_t
node_get_count(const struct node *map, const char *key, int64_t most)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_INT && n->integer > 0 && n->integer <= most ? n->integer : 0;
}

const struct node *
node_get_list(const struct node *map, const char *key)
{
	static const struct node none = { .kind = NODE_LIST };
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_LIST ? n : &none;
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

void
node_stack_init(struct node_stack *s)
{
	s->items = s->few;
	s->count = 0;
	s->capacity = NODE_STACK_FEW;
	s->scratch = (struct arena){ 0 };
}

void
node_stack_free(struct node_stack *s)
{
	arena_free(&s->scratch);
}

void
node_stack_grow(struct node_stack *s)
{
	arena_make_room(&s->scratch, s->items, s->count, &s->capacity);
}

/* Fewer nodes are copied. */
#define TAKEN_OVER_MIN 128

/* Gives the stack's memory to the tree: a long list would be in memory twice if it were copied. The stack goes on in what is left
 * of that memory, with a copy of the nodes below `first`. */
static struct node *
take_over(struct node_stack *s, struct arena *a, size_t first)
{
	struct node *all = s->items;
	size_t used = s->count, left = s->capacity - used;

	arena_adopt(a, &s->scratch);
	if (left >= first + NODE_STACK_FEW) {
		s->items = all + used;
		s->capacity = left;
		s->count = first;
		memcpy(s->items, all, first * sizeof(*all));
		return all + first;
	}
	node_stack_init(s);
	for (size_t i = 0; i < first; i++)
		node_stack_push(s, &all[i]);
	return all + first;
}

/* Turns pairs of nodes into entries. Those take less room, so that it may be the same memory. */
static struct node_entry *
pair_up(void *to, const struct node *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct node key = nodes[2 * i], value = nodes[2 * i + 1];
		struct node_entry e = { key.text, key.line, key.column, key.span, value };

		memcpy((char *)to + i * sizeof(e), &e, sizeof(e));
	}
	return to;
}

void
node_stack_close(struct node_stack *s, struct arena *a, size_t first, struct node *ret)
{
	size_t count = s->count - first;
	struct node *nodes = s->items + first;

	bool is_list = ret->kind == NODE_LIST;

	ret->count = (uint32_t)(is_list ? count : count / 2);
	if (count >= TAKEN_OVER_MIN && first <= count) {
		nodes = take_over(s, a, first);
		if (is_list)
			ret->items = nodes;
		else
			ret->entries = pair_up(nodes, nodes, ret->count);
		return;
	}
	s->count = first;
	if (count == 0)
		return;
	if (is_list)
		ret->items = memcpy(arena_array(a, count, struct node), nodes, count * sizeof(*nodes));
	else
		ret->entries = pair_up(arena_array(a, ret->count, struct node_entry), nodes, ret->count);
}
