/* SPDX-License-Identifier: MIT */
/* The Ralph loop as a policy. */
#include "policy/policies.h"

#include "loop/loop.h"

bool
ralph_policy(struct stop_context *s, struct verdict *ret)
{
	return s->is_main && loop_stop(s->arena, &s->where, s->event, ret);
}
