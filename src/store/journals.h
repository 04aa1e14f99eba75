/* SPDX-License-Identifier: MIT */
/* Two journals of lines of JSON under holdfast/ in the XDG state directory, for all projects and sessions: decisions.jsonl, and
 * loops.jsonl, the history of loops. A line is appended by one write, not synced. What can't be written is lost: neither a decision nor
 * the end of a loop waits for its journal. */
#ifndef STORE_JOURNALS_H
#define STORE_JOURNALS_H

#include "doc/node.h"

/* Decisions that have grown are moved aside to decisions.1.jsonl, and the oldest are removed. */
#define DECISIONS_MAX_BYTES MIB(8)
/* That were moved aside. */
#define DECISIONS_OLD 4

/* The file, or one that was moved aside, from 1, the newest, to DECISIONS_OLD; absent: there is no home directory. */
struct str decisions_path(struct arena *a, int old);

/* Appends a line that ends with a newline. */
void decisions_add(struct arena *a, struct str line);
/* The same, if a signal ends this process before it has decided; see exit_reply_note(). The line must stay valid. */
void decisions_prepare(struct arena *a, struct str line);

/* The same for a loop that has ended. One whose file was deleted by hand is not there. */
void loop_journal_add(struct arena *a, struct str line);
/* All lines that can be understood, oldest first, each a map. Its members are those that loop.c writes. */
int loop_journal_read(struct arena *a, struct node **ret, size_t *ret_count, struct err *err) MUST_CHECK;

#endif
