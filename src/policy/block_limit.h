/* SPDX-License-Identifier: MIT */
/* How often gates, guards and stop commands may block, and what a user's prompt resets. */
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
/* At a prompt of the user the counts of the session start at zero. False: the client has sent this prompt by itself. */
bool block_limit_prompt(struct stop_context *s);

/* ---- tries: the blocks of a session by gates and guards since the user's last prompt. When they are used up, a stop is allowed.
 * They are counted for the project that is being asked: s->gates_source ---- */

/* Where the configuration can't be read. */
#define TRIES_DEFAULT 3

struct tries {
	int64_t max;
	bool is_counted; /* this stop has been counted as a try */
};

/* How a block that uses a try goes out: from the end of the chain, where blocks in a row are counted, or prepared, for a signal
 * that ends this process before that. */
enum block_sent { SENT_BY_CHAIN, SENT_BY_SIGNAL };

/* Counts a try before the block that it bounds goes out, with the block's reason. False: the tries are used up, or can't be
 * counted; *ret_why says which. */
bool tries_count(struct stop_context *s, struct tries *t, struct str reason, enum block_sent sent,
		 struct str *ret_why);
/* After a stop that did not block: a pass starts the tries again at zero, unless they were used for the gates of another
 * configuration, and anything else gives back the one that was counted in advance. */
void tries_give_back(struct stop_context *s, const struct tries *t, bool has_passed);
bool tries_are_used_up(struct stop_context *s, const struct tries *t);

#endif
