/* SPDX-License-Identifier: MIT */
/* The history of loops: a JSON line for each that ended, in holdfast/loops.jsonl under the XDG state directory. Only what can be
 * recorded is in it: a loop whose file was deleted by hand is not. */
#ifndef STORE_LOOP_JOURNAL_H
#define STORE_LOOP_JOURNAL_H

#include "doc/node.h"

/* Appends a line that ends with a newline. A loop ends even if that can't be recorded. */
void loop_journal_add(struct arena *a, struct str line);

/* All lines that can be understood, oldest first, each a map. Its members are those that loop.c writes. */
int loop_journal_read(struct arena *a, struct node **ret, size_t *ret_count, struct err *err) MUST_CHECK;

#endif
