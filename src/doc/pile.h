/* SPDX-License-Identifier: MIT */
/* Items that are read while the list or map that they belong to is still open. Inside doc/ only. */
#ifndef DOC_PILE_H
#define DOC_PILE_H

#include "doc/node.h"

/* This many without an allocation. */
#define PILE_FEW 32

struct pile {
	struct node_entry *items;
	size_t count, capacity;
	struct arena scratch;
	struct node_entry few[PILE_FEW];
};

/* `few` is left as it is: zeroing it would cost more than a small document. */
void pile_init(struct pile *p);
void pile_free(struct pile *p);
void pile_push(struct pile *p, const struct node_entry *e);
/* Moves what was pushed since the count was `first` into the list or map. */
void pile_close(struct pile *p, struct arena *a, size_t first, struct node *ret);

#endif
