/* SPDX-License-Identifier: MIT */
/* The bound for what has none of its own. */
#ifndef POLICY_FAILURES_H
#define POLICY_FAILURES_H

#include "policy/policies.h"

/* So many stops in a row are held back by failing commands where the client itself would never give up. */
#define FAILURES_MAX 20

/* The verdict of the stop commands, or, where it is one block too many or can't be counted, that the agent may stop
 * all the same. Only for a client that has no cap. */
struct verdict failures_bound(struct stop_context *s, struct verdict v);

#endif
