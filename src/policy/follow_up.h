/* SPDX-License-Identifier: MIT */
/* The follow-up queue: its rule, which is pure, and what happens at a prompt. */
#ifndef POLICY_FOLLOW_UP_H
#define POLICY_FOLLOW_UP_H

#include "base/base.h"

struct follow_up_place {
	int64_t position, remaining;
};

struct follow_up_step {
	bool is_due;
	size_t message;              /* which one is sent */
	struct follow_up_place next; /* what is stored before it is sent */
};

/* times[i] is how often message i is sent in all. Every message is sent exactly as often as configured, in order;
 * a row left by another version, or by a configuration that has changed, is made sense of without ever sending
 * more than that. */
struct follow_up_step follow_up_decide(struct follow_up_place at, const int64_t *times, size_t count);

/* At a prompt: a session's first one is remembered, so that its stops can be held against the patterns. */
struct stop_context;
void follow_up_remember(struct stop_context *s);

#endif
