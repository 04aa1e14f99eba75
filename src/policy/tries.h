/* SPDX-License-Identifier: MIT */
/* Tries: the blocks of a session by gates and guards since the user's last prompt. When they are used up, a stop is allowed. */
#ifndef POLICY_TRIES_H
#define POLICY_TRIES_H

#include "policy/chain.h"

/* Where the configuration can't be read. */
#define TRIES_DEFAULT 3

struct tries {
	struct str root; /* of the project that they are counted for */
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
