/* SPDX-License-Identifier: MIT */
/* Internal to the migration: the comments of an old file, and the lines of the new one. */
#ifndef CONF_MIGRATE_TEXT_H
#define CONF_MIGRATE_TEXT_H

#include "base/buf.h"
#include "doc/node.h"

/* The text of an old file, by lines. A comment is written once: above the key that it was above, or at the end. */
struct old_text {
	struct str file; /* relative to the root */
	struct str text;
	struct str *lines;
	bool *is_comment; /* a line that is a comment and has not been written yet */
	size_t count;
};
/* Of the lines of a document; those of `document` that continue a text have no comments. */
struct old_text old_text_of(struct arena *a, struct str file, struct str text, const struct node *document);

/* Where a line of the new file comes from; `map` NULL: nowhere. */
struct old_map {
	struct old_text *text;
	const struct node *map;
};
const struct node_entry *old_entry(const struct old_map *m, const char *key);

/* The comments above a line, each indented. */
void add_comments_above(struct buf *b, struct old_text *t, int line, int indent);
/* Those that are left, after a line that says where they are from; `title` NULL: without it. */
void add_other_comments(struct buf *b, struct old_text *t, int indent, const char *title);
/* `key: value`, with the comments of the old key; the value is YAML. */
void add_key(struct buf *b, int indent, struct str key, struct str value, const struct old_map *from,
	     const char *old_key);
/* The same for a text, in the way in which it is best read. */
void add_key_text(struct buf *b, int indent, struct str key, struct str text, const struct old_map *from,
		  const char *old_key);
/* A list on one line. */
struct str flow_list(struct arena *a, const struct str_list *l);

#endif
