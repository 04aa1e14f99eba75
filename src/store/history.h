/* SPDX-License-Identifier: MIT */
/* The loops that have ended: one JSON line each in holdfast/loops.jsonl under the XDG state directory. */
#ifndef STORE_HISTORY_H
#define STORE_HISTORY_H

#include "base/base.h"

struct history_entry {
	int64_t ended_us;
	struct str project, session, state_file;
	uint64_t passes;
	const char *reason; /* complete, max_iterations, cancelled, corrupt_state */
};

int history_add(struct arena *a, const struct history_entry *e, struct err *err) MUST_CHECK;

#endif
