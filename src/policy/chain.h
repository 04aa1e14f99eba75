/* SPDX-License-Identifier: MIT */
/* May the agent stop? The policies in their order; the first that blocks wins. */
#ifndef POLICY_CHAIN_H
#define POLICY_CHAIN_H

#include "base/buf.h"
#include "conf/conclaude.h"
#include "model/event.h"
#include "model/verdict.h"
#include "os/upward.h"

/* Who asks decides which policies answer. */
enum door { DOOR_HOLDFAST, DOOR_CONCLAUDE, DOOR_GAUNTLET, DOOR_RALPH };

struct stop {
	struct arena *arena;
	const struct event *event;
	enum door door;
	bool is_main;        /* the session's main thread: queue and rounds are its own */
	struct str agent;    /* conclaude --agent; absent: none */
	int64_t deadline_ms; /* by when there must be an answer, on clock_mono_ms() */
	struct upward where;

	/* .conclaude.yaml; NULL where there is none, or none that can be used. */
	const struct conclaude_config *conclaude;

	/* What is said beside the verdict: lines of progress, the details of a failure, and what went wrong
	 * without changing the decision. Each line ends in a newline. */
	struct buf progress, details, warnings;
};

/* Fills in where the project is and what turns the conclaude policies on. The event's own directory counts, else
 * the process's. A configuration that does not parse is a warning. */
void stop_prepare(struct stop *s, struct arena *a, const struct event *event, enum door door);

/* How long may be waited for something: `most`, but not past the deadline. */
int64_t stop_wait_ms(const struct stop *s, int64_t most);
void stop_warn(struct stop *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The verdict on this stop. A block always has a reason that says something. */
struct verdict chain_decide(struct stop *s);

#endif
