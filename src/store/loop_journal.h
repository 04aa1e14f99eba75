/* SPDX-License-Identifier: MIT */
/* The history of loops: a JSON line for each that ended, in holdfast/loops.jsonl under the XDG state directory. */
#ifndef STORE_LOOP_JOURNAL_H
#define STORE_LOOP_JOURNAL_H

#include "base/base.h"

struct loop_journal_entry {
	int64_t ended_us;
	struct str project, session, state_file;
	uint64_t passes;
	const char *reason; /* complete, max_iterations, cancelled, corrupt_state */
};

int loop_journal_add(struct arena *a, const struct loop_journal_entry *e, struct err *err) MUST_CHECK;

#endif
