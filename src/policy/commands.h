/* SPDX-License-Identifier: MIT */
/* Running the commands of a configuration: those of a stop, and those of other events. Inside policy/ only. */
#ifndef POLICY_COMMANDS_H
#define POLICY_COMMANDS_H

#include "os/fs.h"
#include "os/proc.h"
#include "policy/policies.h"
#include "store/spill.h"

/* ---- executor.c: one command ---- */

/* Only blank lines and comments: nothing to run. */
bool command_is_empty(struct str run);

struct command_variable {
	const char *name; /* without CONCLAUDE_ */
	struct str value; /* absent: not set */
};
/* What every command gets, the fields of the event in addition (NULL: of a stop, which has none), and `more`. */
struct event_call;
const char *const *command_environment(struct stop_context *s, const struct event_call *event,
				       const struct command_variable *more, size_t count);

/* ---- command_report.c: what the agent and the user read about a command that failed ---- */

/* The output that a command may show, kept in a file in case an answer can't hold all of it. */
struct command_output {
	const struct conclaude_command *command;
	struct spill file;
	struct str file_error; /* why there is no file; absent: there is one */
};

/* Runs it by bash in the configuration's directory, in a process group of its own, with its timeout and the hook's
 * deadline. -1: it could not be started. */
int command_execute(struct stop_context *s, const struct conclaude_command *c, const char *const *env,
		    struct command_output *output, struct proc_result *ret, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void command_output_close(struct command_output *o);

/* What it printed, as far as its keys say that it is shown; absent: nothing. */
struct command_shown {
	struct str out, err;
};
struct command_shown command_shown(struct stop_context *s, const struct conclaude_command *c,
				   const struct proc_result *r);
/* The command in messages. */
struct str command_name(struct stop_context *s, const struct conclaude_command *c);

/* The block for a command that exited with another code than 0, or timed out. */
struct verdict command_failure(struct stop_context *s, const struct command_output *output,
			       const struct proc_result *r);

/* ---- commands.c ---- */

/* Runs them until one fails. False: all passed. `call` is as in command_environment(). */
bool stop_commands_run(struct stop_context *s, const struct event_call *call,
		       const struct conclaude_command *commands, size_t count, struct verdict *ret);

#endif
