/* SPDX-License-Identifier: MIT */
/* Which hooks a client needs for what a project configures: the stop always, other events where the configuration uses them. */
#ifndef INSTALL_WANTED_H
#define INSTALL_WANTED_H

#include "client/client.h"
#include "install/project_facts.h"

#define HOOKS_WANTED_MAX (EVENT_COUNT + 8)

struct hooks_wanted {
	struct hook_wanted items[HOOKS_WANTED_MAX];
	size_t count;
};
/* `facts` is NULL where no project counts, as in the user's own settings: then only what is always registered. */
void hooks_wanted(struct arena *a, const struct client *c, const struct project_facts *facts,
		  struct hooks_wanted *ret);
/* Is the event one of those that holdfast can be registered for? */
bool hook_is_known(const struct client *c, struct str event);

/* The events that the configuration uses and the client does not have, as in `TaskCompleted, Setup`; empty: none. */
struct str hooks_missing(struct arena *a, const struct client *c, const struct project_facts *facts);

/* What the client shows while the stop hook runs: the gates, as far as they fit. NULL: there are none. */
const char *gates_message(struct arena *a, const struct project_facts *facts);

#endif
