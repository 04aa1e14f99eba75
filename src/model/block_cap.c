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
	struct str count = c->blocks == BLOCKS_ENDLESS ? STR("any number of")
						       : str_fmt(a, "%llu", (unsigned long long)c->blocks);

	return str_fmt(
		a, STR_FMT " stops in a row may be blocked" STR_FMT ", and %s ends the turn after %llu%s",
		STR_ARG(count), STR_ARG(c->parts.s ? c->parts : STR("")), c->title,
		(unsigned long long)c->cap, c->is_reset_by_a_tool ? " with no tool call between them" : "");
}
