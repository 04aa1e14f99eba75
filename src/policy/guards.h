/* SPDX-License-Identifier: MIT */
/* What the policies of guards share. */
#ifndef POLICY_GUARDS_H
#define POLICY_GUARDS_H

#include "model/guard.h"
#include "policy/chain.h"

/* The guards of the holdfast.yml that is being asked; NULL: it has none, or they can't be read, which the gates report. Costs
 * next to nothing where the file has none. */
const struct guards_config *stop_guards(struct stop_context *s);

/* Blocks with the reason, as often as there are tries; then allows, and `names` says to the user what was not fixed. */
struct verdict guard_block(struct stop_context *s, enum status status, struct str names, struct str reason);

/* guarded_files.c: at a prompt, and at the start of a session, protected files count as they are then. */
void guarded_note_work(struct stop_context *s, bool has_prompt);

#endif
