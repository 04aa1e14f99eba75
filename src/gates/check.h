/* SPDX-License-Identifier: MIT */
/* Check gates: a command that exits with 0 or does not. */
#ifndef GATES_CHECK_H
#define GATES_CHECK_H

#include "task/runner.h"

/* Everything but the log, which is opened when the task starts. ${BASE_BRANCH} in the command is the base branch;
 * on a rerun, rerun_command counts where there is one. The outcome: a program that does not exist, a directory
 * that is not there, a signal from outside and the end of the hook's time are errors; a command that failed,
 * crashed or timed out is a failure. */
void check_prepare(struct arena *a, const struct gauntlet_config *c, const struct job *job,
		   struct str base_branch, bool is_rerun, struct task *ret);

/* The program that the command begins with, where it can be told without being a shell and is neither in PATH nor,
 * given with a slash, at its place below dir; absent: there is one, or it can't be told. */
struct str check_missing_program(struct arena *a, struct str command, struct str dir);

#endif
