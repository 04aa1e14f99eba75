/* SPDX-License-Identifier: MIT */
/* Whether the gates run at this stop. Pure. */
#include "policy/policies.h"

#define MINUTE_US INT64_C(60000000)

/* The order is part of the contract: the first rule that applies gives the answer. */
enum gates_step
gates_decide(const struct gates_facts *f)
{
	if (f->is_stop_hook_active && !(f->has_config && f->reverifies))
		return GATES_ACTIVE;
	if (!f->has_config)
		return GATES_NO_CONFIG;
	if (!f->is_enabled)
		return GATES_DISABLED;
	if (f->is_locked)
		return GATES_LOCKED;
	/* The interval delays neither a fix nor work on another branch. A last run in the future means that the clock was
	 * set back: it counts as long ago. */
	if (f->has_state && !f->is_outstanding && !f->is_other_branch && f->since_last_run_us >= 0 &&
	    f->since_last_run_us / MINUTE_US < f->interval_minutes)
		return GATES_TOO_SOON;
	return GATES_RUN;
}
