/* SPDX-License-Identifier: MIT */
/* What a session was first asked, and how far its queue of follow-up messages has come: the table
 * prompt_prefix_sessions of conclaude's database. Rows are never deleted here. The only file that knows SQLite. */
#ifndef STORE_QUEUE_H
#define STORE_QUEUE_H

#include "base/base.h"

/* How long is waited for somebody who does not get on with it; as long as others write, their number alone is no
 * reason to give up before the second. */
#define QUEUE_PROMPT_MS 2000
#define QUEUE_STOP_MS 5000
#define QUEUE_PROMPT_MOST_MS 20000
#define QUEUE_STOP_MOST_MS 120000

/* $CONCLAUDE_DATA_DIR/conclaude.db; else `configured` (the key database.path, ~/ expanded, relative to
 * config_dir; a directory means conclaude.db in it); else conclaude/conclaude.db under the XDG data directory.
 * Absent when there is no home. */
struct str queue_path(struct arena *a, struct str configured, struct str config_dir);

struct queue_row {
	struct str prompt; /* the beginning of the session's first prompt */
	int64_t position;  /* in the list of messages */
	int64_t remaining; /* how often the message there is still to be sent */
};

/* Stores a session's first prompt; a later one changes nothing. Creates directory (0700), file (0600) and table. */
int queue_remember(struct arena *a, struct str path, struct str session, const struct queue_row *row,
		   struct err *err) MUST_CHECK;

/* A session's row, with the right to change it: nobody else can until queue_close(). */
struct queue;
struct queue_key {
	struct str path, session;
	int64_t wait_ms; /* at the most, for others to be done with it */
};
/* *ret is NULL where there is no database, table or row. Never creates anything. */
int queue_open(struct arena *a, const struct queue_key *key, struct queue **ret, struct queue_row *ret_row,
	       struct err *err) MUST_CHECK;
/* Safely on disk when it returns 0. */
int queue_advance(struct queue *q, const struct queue_row *row, struct err *err) MUST_CHECK;
/* Gives up what was not advanced; NULL is fine. The CLEANUP function. */
void queue_close(struct queue **q);

/* For doctor: can it be written, or made? */
int queue_probe(struct arena *a, struct str path, struct err *err) MUST_CHECK;

#endif
