/* SPDX-License-Identifier: MIT */
/* Follow-up messages: the rule, which is pure, and what a prompt leaves for the stops after it. */
#ifndef POLICY_FOLLOW_UP_H
#define POLICY_FOLLOW_UP_H

#include "base/base.h"

struct follow_up_place {
	int64_t position, remaining;
};

struct follow_up_step {
	bool is_due;
	size_t message;              /* which one is sent */
	struct follow_up_place next; /* stored before the message is sent */
};

/* times[i] is how often message i is sent in total. Messages are sent in order, each exactly as often as configured.
 * A place that another version or another configuration has stored never makes a message go out more often. */
struct follow_up_step follow_up_decide(struct follow_up_place at, const int64_t *times, size_t count);

struct stop_context;
/* Stores the first prompt of a session, for its stops to compare with the patterns. */
void follow_up_remember(struct stop_context *s);

#endif
