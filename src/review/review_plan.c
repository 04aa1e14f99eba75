/* SPDX-License-Identifier: MIT */
/* The decisions about reviews. What would let a failed review pass without anybody having looked is refused here. */
#include "review/review_plan.h"

static bool
are_all(const struct slot_facts *slots, size_t count, enum slot_past past)
{
	for (size_t i = 0; i < count; i++)
		if (slots[i].past != past)
			return false;
	return true;
}

static enum slot_step
step_of_failed(const struct slot_facts *f, const struct review_situation *now)
{
	if (f->past == SLOT_BROKEN)
		return SLOT_KEEP;
	if (now->is_tree_changed && !now->is_diff_empty)
		return SLOT_ASK;
	return f->open > 0 ? SLOT_KEEP : SLOT_ACCEPT;
}

void
review_plan(const struct slot_facts *slots, size_t count, const struct review_situation *now,
	    enum slot_step *ret_steps, bool *ret_is_latched)
{
	bool have_all_passed = are_all(slots, count, SLOT_PASSED);

	*ret_is_latched = count > 1 && have_all_passed && !now->is_diff_empty;
	for (size_t i = 0; i < count; i++) {
		/* Where all have passed, and there is something to review, the first is the latch. */
		bool is_spared = slots[i].past == SLOT_PASSED && count > 1 &&
				 (have_all_passed ? i > 0 && !now->is_diff_empty : true);

		if (slots[i].past == SLOT_FAILED || slots[i].past == SLOT_BROKEN)
			ret_steps[i] = step_of_failed(&slots[i], now);
		else if (is_spared)
			ret_steps[i] = SLOT_SKIP;
		else
			ret_steps[i] = now->is_diff_empty ? SLOT_NOTHING : SLOT_ASK;
	}
}
