/* SPDX-License-Identifier: MIT */
/* What the environment, the project and the user say about the same thing, and which of them counts. */
#ifndef CONF_GAUNTLET_SOURCES_H
#define CONF_GAUNTLET_SOURCES_H

#include "conf/gauntlet_keys.h"

/* The user's own file. One that is there and not right counts for nothing, which the warning says; else it is absent. */
struct shared_values sources_global(struct arena *a, struct str *ret_warning);
/* What the environment says. */
struct shared_values sources_environment(void);
/* Field by field. */
struct sourced_values sources_resolve(const struct shared_values *environment,
				      const struct shared_values *project,
				      const struct shared_values *global);

#endif
