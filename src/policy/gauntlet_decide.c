/* SPDX-License-Identifier: MIT */
/* The gates' early decisions, in their order. Pure. */
#include "policy/gauntlet.h"

#define MINUTE_US INT64_C(60000000)

static bool
is_active(const struct gauntlet_facts *f)
{
	return f->is_stop_hook_active && !(f->has_config && f->reverifies);
}

static bool
has_no_config(const struct gauntlet_facts *f)
{
	return !f->has_config;
}

static bool
is_disabled(const struct gauntlet_facts *f)
{
	return !f->is_enabled;
}

static bool
is_locked(const struct gauntlet_facts *f)
{
	return f->is_locked;
}

/* A fix is never made to wait, nor is another branch by what happened on this one. A time in the future tells of a
 * clock that was set back: it counts as long ago. */
static bool
is_too_soon(const struct gauntlet_facts *f)
{
	return f->has_state && !f->is_outstanding && !f->is_other_branch && f->since_last_run_us >= 0 &&
	       f->since_last_run_us / MINUTE_US < f->interval_minutes;
}

static bool
is_always(const struct gauntlet_facts *f)
{
	(void)f;
	return true;
}

static const struct {
	bool (*when)(const struct gauntlet_facts *f);
	enum gauntlet_step then;
} rules[] = {
	{ is_active, GAUNTLET_ACTIVE },
	{ has_no_config, GAUNTLET_NO_CONFIG },
	{ is_disabled, GAUNTLET_DISABLED },
	{ is_locked, GAUNTLET_LOCKED },
	{ is_too_soon, GAUNTLET_TOO_SOON },
	{ is_always, GAUNTLET_RUN }, /* last: the loop below relies on it */
};

enum gauntlet_step
gauntlet_decide(const struct gauntlet_facts *f)
{
	size_t i = 0;

	while (!rules[i].when(f))
		i++;
	return rules[i].then;
}
