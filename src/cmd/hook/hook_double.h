/* SPDX-License-Identifier: MIT */
/* A stop that reaches us twice, because the client runs the hooks in its own settings and those in Claude Code's, those in
 * Claude Code's settings and those of the plugin, or those of the project and those of the user. */
#ifndef CMD_HOOK_HOOK_DOUBLE_H
#define CMD_HOOK_HOOK_DOUBLE_H

#include "model/event.h"
#include "policy/chain.h"

/* For a call that does not name its client, so that it may come from Claude Code's settings: is the same front end
 * registered in the client's own settings with --client, and decides there? */
bool hook_is_double(struct arena *a, const struct event *e, enum front_end front_end);
/* For a call from the plugin: is holdfast registered in Claude Code's settings as well, and decides there? */
bool hook_is_in_settings(struct arena *a, const struct event *e);
/* For a call that may come from a project's settings: has the user a registration of his own with the client, which says
 * that it decides? */
bool hook_is_users(struct arena *a, const struct event *e);

#endif
