/* SPDX-License-Identifier: MIT */
/* The loop's rules, in their order. Pure: no clock, no file, no environment. */
#include "loop/decide.h"

enum loop_step
loop_decide(const struct loop_facts *f)
{
	uint64_t max = f->max_iterations > 0 ? f->max_iterations : LOOP_NUMBER_MAX;
	/* A loop with an owner is closed to every other session. One without belongs to the next session that stops,
	 * unless another session's agent started that one: such helpers stop before the session that the user sees. */
	bool is_foreign = f->owner.n > 0 ? !str_eq(f->owner, f->session) : f->is_nested || f->is_refused;

	if (is_foreign)
		return LOOP_NOT_OWNED;
	if (f->is_paused)
		return LOOP_PAUSED;
	if (f->waits_for_background && f->background_tasks > 0 && f->waits < LOOP_WAITS_MAX)
		return LOOP_WAITS;
	if (f->is_promise_kept) /* before the limit: the last iteration may keep the promise */
		return LOOP_COMPLETE;
	return f->iteration >= max ? LOOP_LIMIT : LOOP_CONTINUES;
}
