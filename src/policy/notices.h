/* SPDX-License-Identifier: MIT */
/* Tells the user of what has happened at a stop, as `notify` in holdfast.yml says: by the terminal of the client, on the desktop,
 * by a command. Never changes the decision, and never delays it. */
#ifndef POLICY_NOTICES_H
#define POLICY_NOTICES_H

#include "policy/chain.h"

/* Finds what the user is told of this decision. Call it before the answer, of which the terminal's sequence is a part. */
void notices_find(struct stop_context *s, const struct verdict *v);
/* Starts the other ways, in the background. Call it after the answer. */
void notices_send(struct stop_context *s, const struct verdict *v);

#endif
