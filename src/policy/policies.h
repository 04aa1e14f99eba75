/* SPDX-License-Identifier: MIT */
/* The policies, each in the file of its name. Each says *not mine* when what turns it on is not there, and that
 * costs no more than finding so. */
#ifndef POLICY_POLICIES_H
#define POLICY_POLICIES_H

#include "policy/chain.h"

/* False: not mine. True: *ret is what this policy has to say, a block or not. */
typedef bool policy_fn(struct stop_context *s, struct verdict *ret);

policy_fn ralph_policy, follow_up_policy, commands_policy, gates_policy, rounds_policy, infinite_policy;

#endif
