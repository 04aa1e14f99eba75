/* SPDX-License-Identifier: MIT */
/* The rule of rounds. Pure. */
#ifndef POLICY_ROUNDS_H
#define POLICY_ROUNDS_H

#include "base/base.h"

struct rounds_step {
	bool is_last;   /* begin again, and let the agent stop */
	uint64_t round; /* that is completed with this stop */
};
struct rounds_step rounds_decide(uint64_t completed, uint64_t max);

#endif
