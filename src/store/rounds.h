/* SPDX-License-Identifier: MIT */
/* How many rounds a session has completed: one small file each, /tmp/conclaude-<session>.rounds. */
#ifndef STORE_ROUNDS_H
#define STORE_ROUNDS_H

#include "os/locked.h"

#define ROUNDS_LOCK_MS 2000

/* In /tmp whatever TMPDIR says, so that every process of a session finds it; CONCLAUDE_STATE_DIR overrides. */
struct str rounds_path(struct arena *a, struct str session);

struct rounds {
	struct locked_file file;
	uint64_t completed;
	bool is_corrupt; /* it holds something else than a number */
};

/* Opens and locks it, creating it; an empty file is 0. Waits so long for others to be done with it. */
int rounds_open(struct arena *a, struct str session, int64_t wait_ms, struct rounds *ret,
		struct err *err) MUST_CHECK;
int rounds_save(struct arena *a, const struct rounds *r, uint64_t completed, struct err *err) MUST_CHECK;
/* Begins again at 0. */
int rounds_clear(const struct rounds *r, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void rounds_close(struct rounds *r);

/* At the end of a session: its file goes, if it is there and ours. */
int rounds_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

#endif
