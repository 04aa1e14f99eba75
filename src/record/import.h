/* SPDX-License-Identifier: MIT */
/* The one reader of old logs: turns a log directory without a journal, as agent-gauntlet and older versions leave it,
 * into results. */
#ifndef RECORD_IMPORT_H
#define RECORD_IMPORT_H

#include "record/record.h"

/* Calls `add` for each result that the logs tell of, those of one gate or slot in the order of their runs. */
void import_logs(struct arena *a, const struct logdir *d, const struct log_listing *listing,
		 void (*add)(void *context, const struct past_result *r), void *context);
/* Failures that older versions kept in .execution_state, for logs that are gone. */
void import_failures(const struct execution_state *s, void (*add)(void *context, const struct past_result *r),
		     void *context);

#endif
