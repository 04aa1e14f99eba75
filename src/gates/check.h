/* SPDX-License-Identifier: MIT */
/* Check gates: a command that exits with 0 or does not. */
#ifndef GATES_CHECK_H
#define GATES_CHECK_H

#include "task/runner.h"

/* Prepares everything except the log, which is opened when the task starts. ${BASE_BRANCH} in the command is the base
 * branch; a rerun uses rerun_command where there is one. A command that exits with another code than 0, crashes or times
 * out has failed; a missing program or directory, a signal from outside and the deadline of the run are errors. */
void check_prepare(struct arena *a, const struct gates_config *c, const struct job *job,
		   struct str base_branch, bool is_rerun, struct task *ret);

/* The program that the command starts with, if it is clear which one that is and it exists neither in PATH nor, given
 * with a slash, relative to dir. Absent: it exists, or only a shell could say. */
struct str check_missing_program(struct arena *a, struct str command, struct str dir);

#endif
