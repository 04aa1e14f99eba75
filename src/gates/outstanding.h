/* SPDX-License-Identifier: MIT */
/* Gates that have failed are run until they pass, whatever has become of the changes. Pure. */
#ifndef GATES_OUTSTANDING_H
#define GATES_OUTSTANDING_H

#include "record/record.h"
#include "gates/plan.h"

/* Adds to the plan the gates that failed and are not in it, as far as the configuration still has them at that place
 * and the facts want them: CI or not, kind, name. Which gate it was is told by its log; where that does not say, by
 * the log's name. */
void outstanding_add(struct arena *a, const struct gauntlet_config *c, const struct past_results *past,
		     const struct plan_facts *facts, struct job_list *jobs);

#endif
