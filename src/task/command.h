/* SPDX-License-Identifier: MIT */
/* A command of a project: of a gate, a stop, an event, a loop or a notice. This decides how it is started and ended. Its
 * caller decides what its end means. */
#ifndef TASK_COMMAND_H
#define TASK_COMMAND_H

#include "os/proc.h"

/* How the script is run; strict: the first line that fails ends it. */
enum command_shell { COMMAND_SH, COMMAND_BASH, COMMAND_BASH_STRICT };

struct command_call {
	enum command_shell shell;
	struct str script;         /* absent: process.argv is the program with its arguments */
	struct str_list arguments; /* "$@" of the script */
	struct capture
		*output; /* gets both streams in the order in which they come; NULL: they are kept apart */
	struct proc_spec process; /* where it runs, its environment, its limits */
};

/* The grace of a command that a hook waits for: all of its processes are gone within a second. */
#define COMMAND_GRACE_MS 500
/* In the environment of every script: the stop of an agent that it runs must not run it again. Reviewers get the same. */
#define COMMAND_MARK "GAUNTLET_STOP_HOOK_ACTIVE=1"

/* Completes call->process: the shell's command line, and the mark. Fails if the script or an argument has a NUL. */
int command_prepare(struct arena *a, struct command_call *call, struct err *err) MUST_CHECK;
/* Runs it to its end. -1: it could not be started. */
int command_run(struct arena *a, struct command_call *call, struct proc_result *ret,
		struct err *err) MUST_CHECK;

bool command_passed(const struct proc_result *r);
/* The exit code; 1 for a process that did not exit by itself. */
int command_code(const struct proc_result *r);

#endif
