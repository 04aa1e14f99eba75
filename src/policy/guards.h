/* SPDX-License-Identifier: MIT */
/* The guards: what their policies share, and what is asked before a tool runs. */
#ifndef POLICY_GUARDS_H
#define POLICY_GUARDS_H

#include "guards/rules.h"
#include "policy/chain.h"

/* The guards of the holdfast.yml that is being asked; NULL: it has none, or they can't be read, which the gates report. Costs
 * next to nothing where the file has none. */
const struct guards_config *stop_guards(struct stop_context *s);

/* Blocks with the reason, as often as there are tries; then allows, and `names` says to the user what was not fixed. */
struct verdict guard_block(struct stop_context *s, enum status status, struct str names, struct str reason);

/* guarded_files.c: at a prompt of the user, and where nothing is known of protected files yet, they count as they are then. */
void guarded_note_work(struct stop_context *s, bool is_users_prompt);

/* ---- before a tool runs ---- */

/* What the guards are asked about a tool. `root` is the project's, `cwd` that of the tool; the agent is of this type or name; empty:
 * it is the session's own. Has no deadline yet. */
struct guard_request guard_request_of(struct arena *a, const struct tool_call *tool, struct str agent,
				      struct str root, struct str cwd);

#endif
