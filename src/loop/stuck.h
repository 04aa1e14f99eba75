/* SPDX-License-Identifier: MIT */
/* Does the loop still get anywhere? By facts, not by what the agent says. */
#ifndef LOOP_STUCK_H
#define LOOP_STUCK_H

#include "loop/options.h"
#include "model/event.h"

/* What an iteration did. 0: not known. */
struct loop_trace {
	uint64_t message, tree; /* hashes of the final message and of the files that git does not ignore */
	bool has_no_tool;       /* it is certain that no tool was called */
};
/* The counts after an iteration that did this. Pure. */
struct loop_stuck loop_stuck_next(const struct loop_stuck *before, const struct loop_trace *now);
/* The longest of them, and what it is about, in words: "called no tool". Pure. */
uint64_t loop_stuck_longest(const struct loop_stuck *s, const char **ret_what);

/* Asks git and the transcript. */
struct loop_trace loop_trace(struct arena *a, struct str root, const struct event *event, struct str message);

#endif
