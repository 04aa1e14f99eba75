/* SPDX-License-Identifier: MIT */
/* Check gates: a command that exits with 0 or does not. */
#ifndef GATES_CHECK_H
#define GATES_CHECK_H

#include "task/runner.h"

struct change_list;
struct repository;

/* What a check needs to know besides its job. */
struct check_facts {
	struct str base_branch;  /* ${BASE_BRANCH} in the command */
	bool is_rerun;           /* rerun_command is used where there is one */
	struct str last_program; /* that it started with when it last ran; absent: not known */
	const struct repository
		*repository;               /* which may have a program that is missing; NULL: there is none */
	const struct change_list *changes; /* for {files} in a command of holdfast.yml; NULL: none is known */
	struct str log_dir;                /* never part of what a fix changed */
};

/* Prepares everything except the log, which is opened when the task starts. A command that exits with another code than 0,
 * crashes or times out has failed, and so has one whose program git has, or was there when it last ran, and is gone. Any
 * other missing program, a missing directory, a signal from outside and the deadline of the run are errors. */
void check_prepare(struct arena *a, const struct gates_config *c, const struct job *job,
		   const struct check_facts *facts, struct task *ret);

/* The program that the command starts with; absent: only a shell could say, or it is a word of the shell. */
struct str check_program(struct str command);

/* The program that the command starts with, if it is clear which one that is and it exists neither in PATH nor, given
 * with a slash, relative to dir. Absent: it exists, or only a shell could say. */
struct str check_missing_program(struct arena *a, struct str command, struct str dir);

#endif
