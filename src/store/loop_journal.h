/* SPDX-License-Identifier: MIT */
/* The history of loops: a JSON line for each that ended, in holdfast/loops.jsonl under the XDG state directory. Only what can be
 * recorded is in it: a loop whose file was deleted by hand is not. */
#ifndef STORE_LOOP_JOURNAL_H
#define STORE_LOOP_JOURNAL_H

#include "doc/node.h"

struct loop_journal_entry {
	int64_t ended_us;
	struct str project, session, state_file;
	uint64_t passes;
	const char *reason;    /* one of loop_end_names */
	struct str started_at; /* absent: not known */
	bool has_usage;
	int64_t tokens, cost; /* if has_usage; the cost in billionths of a US dollar */
};

int loop_journal_add(struct arena *a, const struct loop_journal_entry *e, struct err *err) MUST_CHECK;

/* All lines that can be understood, oldest first, each a map with the members of the file: time, project, session, state_file,
 * passes, reason and, where they are known, started_at, tokens, cost_usd. */
int loop_journal_read(struct arena *a, struct node **ret, size_t *ret_count, struct err *err) MUST_CHECK;

#endif
