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
	/* Promises come before the limit: the last iteration may keep one. */
	if (f->promised == PROMISED_STOPPED)
		return LOOP_STOPPED;
	if (f->promised == PROMISED_DONE && f->proof == PROOF_DUE)
		return LOOP_VERIFIES;
	if (f->promised == PROMISED_DONE && f->proof == PROOF_UNKNOWN)
		return LOOP_UNVERIFIED;
	if (f->promised == PROMISED_DONE && f->proof != PROOF_FAILED)
		return LOOP_COMPLETE;
	if (f->is_held)
		return LOOP_HELD;
	if (f->iteration >= max)
		return LOOP_LIMIT;
	if (f->max_minutes > 0 && f->minutes >= f->max_minutes)
		return LOOP_TIME;
	if (f->max_tokens > 0 && f->tokens >= f->max_tokens)
		return LOOP_TOKENS;
	if (f->max_cost > 0 && f->cost >= f->max_cost)
		return LOOP_COST;
	return f->stuck_after > 0 && f->idle / 2 >= f->stuck_after ? LOOP_STUCK : LOOP_CONTINUES;
}

static const char *const step_reasons[LOOP_CONTINUES + 1] = {
	[LOOP_COMPLETE] = "complete", [LOOP_UNVERIFIED] = "unverified", [LOOP_STUCK] = "stuck",
	[LOOP_STOPPED] = "stopped",   [LOOP_LIMIT] = "max_iterations",  [LOOP_TIME] = "max_minutes",
	[LOOP_TOKENS] = "max_tokens", [LOOP_COST] = "max_cost_usd",
};

const char *const loop_end_names[] = {
	"complete",   "unverified",   "stopped",      "stuck",       "max_iterations",   "max_minutes",
	"max_tokens", "max_cost_usd", LOOP_CANCELLED, LOOP_REPLACED, LOOP_CORRUPT_STATE, NULL,
};

const char *
loop_step_reason(enum loop_step step)
{
	return step_reasons[step];
}
