/* SPDX-License-Identifier: MIT */
/* What sessions leave in the state directory that never tell of their end. */
#ifndef STORE_PRUNE_H
#define STORE_PRUNE_H

#include "base/base.h"

/* Clients keep a conversation for 30 days; one that is resumed later starts over. */
#define SESSION_KEPT_DAYS 30

/* Removes the files of some of the sessions that have not been used for so long. Asks for a bounded number of files. */
void sessions_prune(struct arena *a);
/* `mark` is a directory of the session, whose time says when it was last used. */
void session_mark_used(const char *mark);

#endif
