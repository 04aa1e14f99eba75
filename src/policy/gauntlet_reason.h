/* SPDX-License-Identifier: MIT */
/* What the agent is told when gates have failed. Pure. */
#ifndef POLICY_GAUNTLET_REASON_H
#define POLICY_GAUNTLET_REASON_H

#include "gates/run.h"

/* Within REASON_LIMIT_BYTES: what must be done, where the output is, which gates failed with the last lines of each,
 * how to answer reviews, and when it ends. */
struct str gauntlet_reason(struct arena *a, const struct run_result *r);

#endif
