/* SPDX-License-Identifier: MIT */
/* Review gates: a reviewer is shown a prompt and the changes, and its findings must be fixed or skipped with a reason. */
#ifndef REVIEW_REVIEW_H
#define REVIEW_REVIEW_H

#include "record/record.h"
#include "task/runner.h"
#include "git/git.h"

/* The run that the reviews belong to. */
struct review_facts {
	const struct gates_config *config;
	struct repository repository;
	const struct git_head *head;
	struct change_spec requested_changes;
	struct change_spec all_changes; /* since the base */
	bool covers_all_changes;
	struct str base_commit; /* that all_changes are compared with; absent: not known */
	const struct past_results *past;
	const struct execution_state *state; /* of the previous run */
	struct str base_branch;
	int64_t deadline_ms;
	bool is_dry; /* nothing will run: no reviewer is probed, no snapshot is made */
	/* A line for stderr and the console log; NULL: neither. */
	void (*log)(void *context, const char *level, const char *who, struct str text);
	void *log_context;
};

/* The reviews of one run. */
struct reviews;
struct reviews *reviews_open(struct arena *a, const struct review_facts *f);

struct task_list {
	struct task *items;
	size_t count;
};
/* The tasks of one job: one for each slot, in their order. One for all of them where there is nothing to review, or
 * where no reviewer can be asked. */
struct task_list review_prepare(struct reviews *r, const struct job *job);

/* After the run: adds cooldowns, and the tree that each review has seen. */
void reviews_store(struct reviews *r, struct execution_state *s);

/* What the task would run: the command line and the exact prompt. */
struct str review_describe(struct arena *a, const struct task *t);

#endif
