/* SPDX-License-Identifier: MIT */
/* The policies. Each has nothing to say where it is not configured, and finding that out is cheap. */
#ifndef POLICY_POLICIES_H
#define POLICY_POLICIES_H

#include "policy/chain.h"

/* False: the policy has nothing to say about this stop. True: *ret is its verdict, a block or not. */
typedef bool policy_fn(struct stop_context *s, struct verdict *ret);

policy_fn follow_up_policy, commands_policy, gates_policy, rounds_policy, infinite_policy;

/* The rule of rounds. Pure. */
struct rounds_step {
	bool is_last;   /* allow this stop, and start over with the next */
	uint64_t round; /* that this stop completes */
};
struct rounds_step rounds_decide(uint64_t completed, uint64_t max);

#endif
