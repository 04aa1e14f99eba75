/* SPDX-License-Identifier: MIT */
/* Which definitions a stop may use: found in the project that the client names and above the event's directory, pinned or
 * not, trusted or not. */
#ifndef POLICY_SOURCES_H
#define POLICY_SOURCES_H

#include "policy/chain.h"

/* Fills s->gates and s->configs, and loads .conclaude.yaml. What the user should know about the definitions becomes a
 * warning: that they differ from the pinned ones, or have changed since the session began or since a failure that is
 * outstanding, or are gone. */
void stop_find_sources(struct stop_context *s, struct str start);

/* May what is in this directory be run, whether it has definitions or not? */
bool stop_may_run(struct stop_context *s, struct str root);

/* The verdict where only a project that is not trusted has something to say. The user is told once in a session. */
struct verdict not_trusted_verdict(struct stop_context *s);

#endif
