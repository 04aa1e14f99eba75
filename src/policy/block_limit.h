/* SPDX-License-Identifier: MIT */
/* How many stops in a row gates and stop commands may block, and what a user's prompt resets. */
#ifndef POLICY_BLOCK_LIMIT_H
#define POLICY_BLOCK_LIMIT_H

#include "policy/chain.h"

#define BLOCKS_MAX 20

/* The verdict, or an allowed stop in place of a block by gates or stop commands that goes beyond BLOCKS_MAX or can't be
 * counted. A stop that is allowed resets the count. */
struct verdict block_limit(struct stop_context *s, struct verdict v);

/* What a session remembers of the reason of its last block. */
struct str reason_hash(struct arena *a, struct str reason);
/* Did a person write this prompt? Clients also send prompts by themselves: a task's end, or the reason of a block. Pure. */
bool prompt_is_users(struct arena *a, const struct event *e, struct str last_reason);
/* At a prompt of the user the counts of the session start at zero. */
void block_limit_prompt(struct stop_context *s);

#endif
