/* SPDX-License-Identifier: MIT */
/* Are gates run at this stop? Pure. */
#ifndef POLICY_GAUNTLET_H
#define POLICY_GAUNTLET_H

#include "base/base.h"

struct gauntlet_facts {
	bool is_stop_hook_active; /* the event's flag */
	bool reverifies;          /* run all the same on such a stop */
	bool has_config;
	bool is_enabled;
	bool is_locked;           /* another run is in progress */
	int64_t interval_minutes; /* 0: none */
	bool has_state;
	bool is_outstanding;       /* a gate has failed and not passed since */
	bool is_other_branch;      /* than the one that the state was written on */
	int64_t since_last_run_us; /* negative: in the future */
};

enum gauntlet_step {
	GAUNTLET_ACTIVE,
	GAUNTLET_NO_CONFIG,
	GAUNTLET_DISABLED,
	GAUNTLET_LOCKED,
	GAUNTLET_TOO_SOON,
	GAUNTLET_RUN,
};

enum gauntlet_step gauntlet_decide(const struct gauntlet_facts *f);

#endif
