/* SPDX-License-Identifier: MIT */
/* The loop's rules, in their order. Pure: no clock, no file, no environment. */
#include "loop/decide.h"

/* An owner shuts everybody else out; a stop that can't say who it is has only what is nobody's. That is left to the
 * session at the terminal by those that its agent has started to help it, which stop first. */
static bool
is_foreign(const struct loop_facts *f)
{
	return f->owner.n > 0 ? !str_eq(f->owner, f->session) : f->is_within_another;
}

static bool
is_paused(const struct loop_facts *f)
{
	return f->is_paused;
}

static bool
is_waiting(const struct loop_facts *f)
{
	return f->waits_for_background && f->background_tasks > 0;
}

static bool
is_complete(const struct loop_facts *f)
{
	return f->is_promise_kept;
}

static bool
is_at_limit(const struct loop_facts *f)
{
	uint64_t max = f->max_iterations > 0 ? f->max_iterations : LOOP_NUMBER_MAX;

	return f->iteration >= max;
}

static bool
is_always(const struct loop_facts *f)
{
	(void)f;
	return true;
}

static const struct {
	bool (*when)(const struct loop_facts *f);
	enum loop_step then;
} rules[] = {
	{ is_foreign, LOOP_NOT_OWNED }, { is_paused, LOOP_PAUSED },    { is_waiting, LOOP_WAITS },
	{ is_complete, LOOP_COMPLETE }, /* before the limit: the last pass may keep the promise */
	{ is_at_limit, LOOP_LIMIT },    { is_always, LOOP_CONTINUES }, /* last: the loop below relies on it */
};

enum loop_step
loop_decide(const struct loop_facts *f)
{
	size_t i = 0;

	while (!rules[i].when(f))
		i++;
	return rules[i].then;
}
