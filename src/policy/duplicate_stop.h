/* SPDX-License-Identifier: MIT */
/* A client may run holdfast more than once for one stop: from its own settings and from Claude Code's, from the settings
 * and from the plugin, from the project's settings and from the user's. Exactly one of these calls decides. */
#ifndef POLICY_DUPLICATE_STOP_H
#define POLICY_DUPLICATE_STOP_H

#include "policy/chain.h"

/* For a call without --client, which may come from Claude Code's settings: do the client's own settings register the same
 * front end with --client? Then that call decides. */
bool registered_by_client(struct arena *a, const struct event *e, enum front_end front_end);
/* For a call from the plugin: is holdfast registered in Claude Code's settings, too? Then that call decides. */
bool registered_in_settings(struct arena *a, const struct event *e);
/* For a call that may come from a project's settings: do the user's own settings register holdfast with --user? Then that
 * call decides. */
bool registered_by_user(struct arena *a, const struct event *e);

#endif
