/* SPDX-License-Identifier: MIT */
/* The parts of the stop commands' policy. Inside policy/ only. */
#ifndef POLICY_COMMANDS_H
#define POLICY_COMMANDS_H

#include "os/fs.h"
#include "os/proc.h"
#include "policy/policies.h"
#include "store/spill.h"

/* ---- command_report.c: what the agent and the user read about a command that failed ---- */

/* The output that a command may show, kept in a file in case an answer can't hold all of it. */
struct command_output {
	const struct conclaude_command *command;
	struct spill file;
	struct str file_error; /* why there is no file; absent: there is one */
};

/* The block for a command that exited with another code than 0, or timed out. */
struct verdict command_failure(struct stop_context *s, const struct command_output *output,
			       const struct proc_result *r);

#endif
