/* SPDX-License-Identifier: MIT */
/* Changes to a text in place: a list of spans and of what replaces them, applied at once. All other bytes stay. */
#ifndef DOC_EDIT_H
#define DOC_EDIT_H

#include "doc/node.h"

struct edit_part {
	size_t begin, end, order;
	struct str text;
};

/* Begins as { .arena, .text }. */
struct edit {
	struct arena *arena; /* for the list */
	struct str text;
	struct edit_part *parts;
	size_t count;
};

/* Replaces the bytes from `begin` to before `end`. An empty span inserts, after what was inserted at the same place before.
 * A replacement inside the span of another has no effect. `text` must live until the edit is applied. */
void edit_replace(struct edit *e, size_t begin, size_t end, struct str text);
/* The text, or a part of it, with all changes. */
struct str edit_apply(struct edit *e, struct arena *a);
struct str edit_apply_span(struct edit *e, struct arena *a, struct span span);

#endif
