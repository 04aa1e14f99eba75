/* SPDX-License-Identifier: MIT */
/* A session's first prompt, and its position in the queue of follow-up messages: the table prompt_prefix_sessions of conclaude's
 * database. Rows are never deleted. The only file that uses SQLite. */
#ifndef STORE_QUEUE_H
#define STORE_QUEUE_H

#include "base/base.h"

/* How long to wait for the lock while no process writes... */
#define QUEUE_PROMPT_MS 2000
#define QUEUE_STOP_MS 5000
/* ...and while other processes make progress. */
#define QUEUE_PROMPT_MOST_MS 20000
#define QUEUE_STOP_MOST_MS 120000

/* $CONCLAUDE_DATA_DIR/conclaude.db; else `configured` (the key database.path, ~/ expanded, relative to
 * config_dir; a directory means conclaude.db in it); else conclaude/conclaude.db under the XDG data directory.
 * Absent without a home. */
struct str queue_path(struct arena *a, struct str configured, struct str config_dir);

struct queue_row {
	struct str prompt; /* the start of the session's first prompt */
	int64_t position;  /* in the list of messages */
	int64_t remaining; /* how often the message at this position is still to be sent */
};

/* Stores a session's first prompt; later ones are ignored. Creates directory (0700), file (0600) and table. */
int queue_add(struct arena *a, struct str path, struct str session, const struct queue_row *row,
	      struct err *err) MUST_CHECK;

/* A session's row, locked until queue_close(). */
struct queue;
struct queue_key {
	struct str path, session;
	int64_t wait_ms; /* for the lock, at most */
};
/* *ret is NULL if there is no database, table or row. Never creates anything. */
int queue_open(struct arena *a, const struct queue_key *key, struct queue **ret, struct queue_row *ret_row,
	       struct err *err) MUST_CHECK;
/* When it returns 0, the change is on disk. */
int queue_advance(struct queue *q, const struct queue_row *row, struct err *err) MUST_CHECK;
/* Releases the row; NULL is allowed. The CLEANUP function. */
void queue_close(struct queue **q);

/* For doctor: can the database be written or created? */
int queue_probe(struct arena *a, struct str path, struct err *err) MUST_CHECK;

#endif
