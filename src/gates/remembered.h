/* SPDX-License-Identifier: MIT */
/* Failures that the state remembers, whatever has become of their logs: a gate may delete them, and whoever works on
 * the gate may, too. Pure. */
#ifndef GATES_REMEMBERED_H
#define GATES_REMEMBERED_H

#include "record/history.h"
#include "task/runner.h"

/* Adds to what the logs tell the failures that they do not tell of, each is_lost. They stand behind the others. */
void remembered_add(struct arena *a, const struct execution_state *s, struct past_results *past);

/* What is to be remembered when these tasks have ended: those that failed, and what was remembered before and did not
 * pass now. `is_whole`: it was about the whole change, so that a review that had nothing to look at has passed. */
void remembered_update(struct arena *a, const struct task *tasks, size_t count, bool is_whole,
		       struct execution_state *s);

#endif
