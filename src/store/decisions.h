/* SPDX-License-Identifier: MIT */
/* The journal of decisions: a JSON line for each, in holdfast/decisions.jsonl under the XDG state directory, for all projects
 * and sessions. One that has grown is moved aside to decisions.1.jsonl, and the oldest is removed. */
#ifndef STORE_DECISIONS_H
#define STORE_DECISIONS_H

#include "base/base.h"

#define DECISIONS_MAX_BYTES MIB(8)
/* That were moved aside. */
#define DECISIONS_OLD 4

/* The file, or one that was moved aside, from 1, the newest, to DECISIONS_OLD; absent: there is no home directory. */
struct str decisions_path(struct arena *a, int old);

/* Appends a line that ends with a newline by one write, not synced. What can't be written is lost: a decision never waits
 * for its journal. */
void decisions_add(struct arena *a, struct str line);
/* The same, if a signal ends this process before it has decided; see exit_reply_note(). The line must stay valid. */
void decisions_prepare(struct arena *a, struct str line);

#endif
