/* SPDX-License-Identifier: MIT */
/* The facts about a stop in a loop, from the event, the transcript, the clock and git. */
#ifndef LOOP_GATHER_H
#define LOOP_GATHER_H

#include "loop/state.h"
#include "model/event.h"

/* What follows from the facts, and those of them that people are told. */
struct loop_decision {
	enum loop_step step;
	const struct loop_outcome *promised; /* NULL: nothing */
	struct usage usage;                  /* with what is new since the last stop */
	struct str uncounted; /* why a limit can't be checked; absent: it can, or there is none */
	struct loop_stuck stuck;
	const char *stuck_how;   /* what the last iterations have in common; NULL: they get somewhere */
	struct loop_edits edits; /* to be written with the next iteration */
};
/* `path` is the loop's file, `refusal` why the session may not adopt the loop; absent: it may. */
struct loop_decision loop_gather(struct arena *a, const struct loop_state *s, struct str path,
				 struct str refusal, const struct event *event, enum loop_proof proof);

#endif
