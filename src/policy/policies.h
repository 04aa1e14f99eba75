/* SPDX-License-Identifier: MIT */
/* The policies. One that is not configured has no verdict, and finds that out cheaply. */
#ifndef POLICY_POLICIES_H
#define POLICY_POLICIES_H

#include "policy/chain.h"

/* False: the policy does not apply to this stop. True: *ret is its verdict, which may block or allow. */
typedef bool policy_fn(struct stop_context *s, struct verdict *ret);

policy_fn protected_policy, loop_policy, follow_up_policy, todos_policy, commands_policy, tests_policy,
	gates_policy, rounds_policy, infinite_policy;

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
int todos_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

/* The rule of rounds. Pure. */
struct rounds_step {
	bool is_last;   /* allow this stop, and start over with the next */
	uint64_t round; /* the round that this stop completes */
};
struct rounds_step rounds_decide(uint64_t completed, uint64_t max);

/* The rule of follow-up messages. Pure. */
struct follow_up_place {
	int64_t position, remaining;
};

struct follow_up_step {
	bool is_due;
	size_t message;              /* which one is sent */
	struct follow_up_place next; /* stored before the message is sent */
};

/* times[i] is how often message i is sent in total. Messages are sent in order, each exactly as often as configured.
 * A place that another version or configuration stored never causes a message to be sent more often. */
struct follow_up_step follow_up_decide(struct follow_up_place at, const int64_t *times, size_t count);

/* Lets a prompt that a person has typed hold the session's loop for one turn. */
void loop_hear_prompt(struct stop_context *s);
/* Notes that a usage limit has ended the turn, in the session's loop. */
void loop_hear_failure(struct stop_context *s, struct str error);
/* Stores the first prompt of a session, for its stops to compare with the patterns. */
void follow_up_store_prompt(struct stop_context *s);

#endif
