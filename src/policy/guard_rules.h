/* SPDX-License-Identifier: MIT */
/* The guards of holdfast.yml, asked before a tool runs. */
#ifndef POLICY_GUARD_RULES_H
#define POLICY_GUARD_RULES_H

#include "guards/rules.h"
#include "model/event.h"

/* What the guards are asked about a tool. `root` is the project's, `cwd` that of the tool; the agent is of this type. */
struct guard_request guard_request_of(struct arena *a, const struct tool_call *tool, struct str agent,
				      struct str root, struct str cwd);

/* What they say, with the files as they are. Questions to git end at the deadline, on clock_mono_ms(). */
struct guard_decision guards_ask(struct arena *a, const struct guards_config *guards,
				 const struct guard_request *request, int64_t deadline_ms);

#endif
