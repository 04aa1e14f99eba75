/* SPDX-License-Identifier: MIT */
/* A gate that failed runs until it passes, even if the changes are gone. Pure. */
#ifndef GATES_OUTSTANDING_H
#define GATES_OUTSTANDING_H

#include "record/record.h"
#include "gates/plan.h"

/* Adds the gates that failed and are not in the plan, if the configuration still has them at that place and the facts allow
 * them (CI or local, kind, name). The record names the gate; if it does not, the name of the log does. */
void outstanding_add(struct arena *a, const struct gates_config *c, const struct past_results *past,
		     const struct plan_facts *facts, struct job_list *jobs);

#endif
