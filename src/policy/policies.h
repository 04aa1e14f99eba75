/* SPDX-License-Identifier: MIT */
/* The policies. One that is not configured has no verdict, and finds that out cheaply. */
#ifndef POLICY_POLICIES_H
#define POLICY_POLICIES_H

#include "policy/chain.h"
#include "store/queue.h"

/* False: the policy does not apply to this stop. True: *ret is its verdict, which may block or allow. */
typedef bool policy_fn(struct stop_context *s, struct verdict *ret);

#define POLICY(id, name, ...) policy_fn name##_policy;
#define OTHER(...)
#include "policy/policy.def"
#undef POLICY
#undef OTHER

/* The verdict of the gates of all configurations, for a policy that needs it before their turn. False: there are none. */
bool chain_ask_gates(struct stop_context *s, struct verdict *ret);

/* What is open in the agent's todo list. */
struct open_todos {
	size_t count;
	struct str text;    /* a line each, in the order of the list, the rest counted */
	struct str problem; /* why the list can't be read; absent: it was */
};
struct open_todos todos_look(struct stop_context *s);
/* "1 item of your todo list is open" */
struct str todos_in_words(struct arena *a, size_t count);
/* At the end of a session. */
int rounds_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;
int todos_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

/* The rule of rounds. Pure. */
struct rounds_step {
	bool is_last;   /* allow this stop, and start over with the next */
	uint64_t round; /* the round that this stop completes */
};
struct rounds_step rounds_decide(uint64_t completed, uint64_t max);

/* The rule of follow-up messages: the one that is due, NULL: none is; and the row goes on to the place that is stored before the
 * message is sent. Messages are sent in order, each exactly as often as configured. A place that another version or configuration
 * stored never causes a message to be sent more often. Pure. */
const struct follow_up *follow_up_take(struct queue_row *row, const struct follow_ups *c);

/* Lets a prompt that a person has typed hold the session's loop for one turn, or, where the turn has failed with this error, notes
 * in the loop that a usage limit has ended it. */
void loop_hear(struct stop_context *s, struct str error);
/* Stores the first prompt of a session, for its stops to compare with the patterns. */
void follow_up_store_prompt(struct stop_context *s);

#endif
