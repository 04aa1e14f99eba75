/* SPDX-License-Identifier: MIT */
/* What is told about the gates of a run that did not pass. */
#ifndef GATES_RUN_FAILURES_H
#define GATES_RUN_FAILURES_H

#include "gates/run.h"

/* Which gates could not be run, and why. */
struct str run_what_failed(struct arena *a, const struct task *tasks, size_t count, bool is_interrupted);
/* Fills in `failed` from the tasks: those that did not pass, with the end of what each printed. */
void run_list_failures(struct arena *a, const struct logdir *logs, struct run_result *r);

#endif
