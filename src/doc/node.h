/* SPDX-License-Identifier: MIT */
/* One tree for every kind of document. Nodes live in the arena that they were read into. */
#ifndef DOC_NODE_H
#define DOC_NODE_H

#include "base/base.h"

enum node_kind {
	NODE_NULL,
	NODE_BOOL,
	NODE_INT,
	NODE_FLOAT,
	NODE_STRING,
	NODE_LIST,
	NODE_MAP,
} __attribute__((packed));

struct node_entry;

/* The bytes of a text that a node was read from. A YAML block list or map ends with its last value. */
struct span {
	uint32_t begin, end;
};

/* Kept small: a hostile document has one of these for a few bytes of text. */
struct node {
	enum node_kind kind;
	bool is_plain; /* YAML: an unquoted scalar, whose text any string field may take */
	bool is_empty; /* YAML: a null that was not written at all */
	bool boolean;
	uint32_t count;   /* of items or entries */
	int line, column; /* from 1, the column in code points */
	struct span span;
	struct str text; /* NODE_STRING: the value; other YAML scalars and JSON numbers: as written */
	union {
		int64_t integer; /* NODE_INT; a number that does not fit is NODE_FLOAT and has only its text */
		struct node *items;         /* NODE_LIST */
		struct node_entry *entries; /* NODE_MAP, in the order of the document */
	};
};

struct node_entry {
	struct str key;
	int line, column;
	struct span span; /* of the key */
	struct node value;
};

/* Nodes that were read while the list or map that they belong to is still open: the items of lists, and keys and values
 * in turn of maps. Inside doc/ only. */
#define NODE_STACK_FEW 64

struct node_stack {
	struct node *items;
	size_t count, capacity;
	struct arena scratch;
	struct node few[NODE_STACK_FEW]; /* this many need no allocation */
};

/* Does not zero `few`: that would take longer than to read a small document. */
void node_stack_init(struct node_stack *s);
void node_stack_free(struct node_stack *s);
void node_stack_grow(struct node_stack *s);
static inline void
node_stack_push(struct node_stack *s, const struct node *n)
{
	if (s->count == s->capacity)
		node_stack_grow(s);
	s->items[s->count++] = *n;
}
/* Moves the nodes that were pushed since the count was `first` into the list or map. */
void node_stack_close(struct node_stack *s, struct arena *a, size_t first, struct node *ret);

/* The kind in words: "a string", "a list". */
const char *node_kind_name(enum node_kind kind);

/* The member with that key, the last one where it is there twice; NULL when the node is no map or has none. */
const struct node_entry *node_find(const struct node *map, struct str key);
/* Its value. */
const struct node *node_get(const struct node *map, const char *key);
/* The value as text if it is a string, else absent. */
struct str node_get_str(const struct node *map, const char *key);
/* True only for a boolean true. */
bool node_get_bool(const struct node *map, const char *key);
/* The value if it is an integer from 0 to `most`, else 0. */
int64_t node_get_count(const struct node *map, const char *key, int64_t most);
/* The value if it is a list, else an empty list: never NULL. */
const struct node *node_get_list(const struct node *map, const char *key);

static inline struct node
node_text(struct str text)
{
	return (struct node){ .kind = NODE_STRING, .text = text };
}
static inline struct node
node_int(int64_t value)
{
	return (struct node){ .kind = NODE_INT, .integer = value };
}
/* Builds a map: first an empty one with room for that many members, then its members. An absent text is not added. */
static inline struct node
node_map(struct arena *a, size_t room)
{
	return (struct node){ .kind = NODE_MAP, .entries = arena_array(a, room, struct node_entry) };
}
static inline void
node_add(struct node *map, struct str key, struct node value)
{
	map->entries[map->count++] = (struct node_entry){ .key = key, .value = value };
}
static inline void
node_add_text(struct node *map, const char *key, struct str text)
{
	if (text.s)
		node_add(map, str_from(key), node_text(text));
}
static inline void
node_add_bool(struct node *map, const char *key, bool value)
{
	node_add(map, str_from(key), (struct node){ .kind = NODE_BOOL, .boolean = value });
}
/* A deep copy in another arena. */
struct node node_copy(struct arena *a, const struct node *n);

#endif
