/* SPDX-License-Identifier: MIT */
/* One tree for every kind of document. Nodes live in the arena that they were read into. */
#ifndef DOC_NODE_H
#define DOC_NODE_H

#include "base/base.h"

enum node_kind { NODE_NULL, NODE_BOOL, NODE_INT, NODE_FLOAT, NODE_STRING, NODE_LIST, NODE_MAP };

struct node_entry;

struct node {
	enum node_kind kind;
	bool is_plain;    /* YAML: an unquoted scalar, whose text any string field may take */
	bool is_empty;    /* YAML: a null that was not written at all */
	int line, column; /* from 1, the column in code points */
	bool boolean;
	int64_t integer; /* NODE_INT; what does not fit 64 bits is NODE_FLOAT, which has only its text */
	struct str text; /* NODE_STRING: the value; other YAML scalars and JSON numbers: as written */
	size_t count;
	struct node *items;         /* NODE_LIST */
	struct node_entry *entries; /* NODE_MAP, in the order of the document */
};

struct node_entry {
	struct str key;
	int line, column;
	struct node value;
};

/* The kind as people call it: "a string", "a list". */
const char *node_kind_name(enum node_kind kind);

/* The value of a key, the last one where it is there twice; NULL when the node is no map or has no such key. */
const struct node *node_get(const struct node *map, const char *key);
/* The value as text if it is a string, else absent. */
struct str node_get_str(const struct node *map, const char *key);
/* True only for a boolean true. */
bool node_get_bool(const struct node *map, const char *key);

/* To put a map together: an empty one with room for so many members, and then those. A text that is absent is not added. */
struct node node_map(struct arena *a, size_t room);
void node_add(struct node *map, struct str key, struct node value);
void node_add_text(struct node *map, const char *key, struct str text);
void node_add_int(struct node *map, const char *key, int64_t value);
void node_add_bool(struct node *map, const char *key, bool value);
/* All of it, in another arena. */
struct node node_copy(struct arena *a, const struct node *n);

#endif
