/* SPDX-License-Identifier: MIT */
/* Builds a document of holdfast.yml from the configuration of another tool. Keys and values keep the places of those that they come
 * from, and line 0 where they come from none. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "conf/schema.h"

struct import {
	struct arena *arena;
	struct str file;              /* of the original, for notes */
	struct node document;         /* of holdfast.yml */
	struct config_problems notes; /* what of the original is not in it, and why; none is an error */
};
/* Adds a note, a text of pieces; `n` is its place, NULL: the file as such. */
#define import_note(m, n, path, ...)                                                    \
	problem_add((m)->arena, &(m)->notes,                                            \
		    &(const struct problem_at){ SEVERITY_WARNING, (m)->file, path, n }, \
		    str_cat((m)->arena, __VA_ARGS__))

/* The entry of a key whose value is not null; NULL: there is none. */
const struct node_entry *import_entry(const struct node *map, const char *key);
/* The value as a text; absent: there is none. */
struct str import_text(const struct node *map, const char *key);

struct node import_bool(bool value);
/* Adds a key, unless its value is null: a list or map to which nothing was added. `from` NULL: it comes from nowhere. */
void import_add(struct import *m, struct node *map, const char *key, struct node value,
		const struct node_entry *from);
/* Adds an item, at the place of the original; NULL: it has none. */
void import_push(struct import *m, struct node *list, struct node item, const struct node *from);
/* A list of them; they have no place. */
struct node import_texts(struct import *m, const struct str_list *texts);

/* How the value of a key becomes that of another. */
enum import_how {
	IMPORT_TEXT,     /* the same text */
	IMPORT_FILLED,   /* the same, left out if it is blank */
	IMPORT_PATTERN,  /* the same, left out if it is for everything */
	IMPORT_NUMBER,   /* an integer up to INT32_MAX */
	IMPORT_SECONDS,  /* a duration */
	IMPORT_IF_TRUE,  /* left out unless it is true */
	IMPORT_IF_FALSE, /* left out unless it is false */
};
struct import_row {
	const char *from, *to;
	enum import_how how;
};
/* Adds the keys of `from` that have a row, in the order of the rows. */
void import_rows(struct import *m, const struct node *from, const struct import_row *rows, size_t count,
		 struct node *to);

#endif
