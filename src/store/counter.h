/* SPDX-License-Identifier: MIT */
/* Counters of a session, such as the number of completed rounds: a small file for each, /tmp/conclaude-<session>.<name>. */
#ifndef STORE_COUNTER_H
#define STORE_COUNTER_H

#include "os/locked.h"

#define COUNTER_LOCK_MS 2000

#define COUNTER_ROUNDS "rounds"
#define COUNTER_SESSION "session" /* store/session.h keeps it where there is no state directory */

/* CONCLAUDE_STATE_DIR, else /tmp. TMPDIR is ignored, so that every process of a session finds them. */
struct str counter_dir(void);
struct str counter_path(struct arena *a, struct str session, const char *name);

struct counter {
	struct locked_file file; /* without it, the value is 0 */
	uint64_t value;
	bool is_corrupt; /* the file does not contain a number */
};

/* Opens, locks and, if it `creates`, creates it; no file and an empty file are 0. Waits up to wait_ms for the lock. */
int counter_open(struct arena *a, struct str path, bool creates, int64_t wait_ms, struct counter *ret,
		 struct err *err) MUST_CHECK;
int counter_save(struct arena *a, const struct counter *c, uint64_t value, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void counter_close(struct counter *c);

/* At the end of a session: removes the files that are ours. */
int counters_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

#endif
