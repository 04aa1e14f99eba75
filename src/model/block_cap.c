/* SPDX-License-Identifier: MIT */
/* The sentence about a client's limit on blocks. */
#include "model/block_cap.h"

bool
block_cap_is_low(const struct block_cap *c)
{
	return c->cap > 0 && c->blocks > c->cap;
}

struct str
block_cap_text(struct arena *a, const struct block_cap *c)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (c->blocks == BLOCKS_ENDLESS)
		buf_cat(&b, "any number of");
	else
		buf_cat(&b, c->blocks);
	buf_cat(&b, " stops in a row may be blocked", c->parts, ", and ", c->title, " ends the turn after ",
		c->cap, c->is_reset_by_a_tool ? " with no tool call between them" : "");
	return buf_str(&b);
}
