/* SPDX-License-Identifier: MIT */
/* A number that a session has, such as how many rounds it has completed: one small file each,
 * /tmp/conclaude-<session>.<name>. */
#ifndef STORE_COUNTER_H
#define STORE_COUNTER_H

#include "os/locked.h"

#define COUNTER_LOCK_MS 2000

/* The counters that there are. */
#define COUNTER_ROUNDS "rounds"
#define COUNTER_SESSION "session"   /* store/session.h keeps it where there is no state directory */
#define COUNTER_FAILURES "failures" /* stops in a row that stop commands have held back */

/* /tmp whatever TMPDIR says, so that every process of a session finds them; CONCLAUDE_STATE_DIR overrides. */
struct str counter_dir(void);
struct str counter_path(struct arena *a, struct str session, const char *name);

struct counter {
	struct locked_file file;
	uint64_t value;
	bool is_corrupt; /* the file holds something else than a number */
};

/* Opens and locks it, creating it; an empty file is 0. Waits so long for others to be done with it. */
int counter_open(struct arena *a, struct str path, int64_t wait_ms, struct counter *ret,
		 struct err *err) MUST_CHECK;
int counter_save(struct arena *a, const struct counter *c, uint64_t value, struct err *err) MUST_CHECK;
/* Begins again at 0. */
int counter_clear(const struct counter *c, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void counter_close(struct counter *c);

/* Its file goes, if it is there and ours. */
int counter_forget(struct str path, struct err *err) MUST_CHECK;
/* At the end of a session: all of its counters, also behind one that can't be removed. */
int counters_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

#endif
