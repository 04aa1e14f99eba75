/* SPDX-License-Identifier: MIT */
/* Review gates: a prompt, put to a reviewer with what has changed, and findings that must be fixed or skipped with a
 * reason. */
#ifndef REVIEW_REVIEW_H
#define REVIEW_REVIEW_H

#include "record/record.h"
#include "task/runner.h"
#include "git/git.h"

struct review_facts {
	const struct gauntlet_config *config;
	struct repository repository;
	const struct git_head *head;
	struct change_spec wished; /* what the run is about */
	struct change_spec whole;  /* everything since the base */
	bool is_whole;             /* the run is about everything */
	const struct past_results *past;
	const struct execution_state *state; /* of the run before; NULL: none */
	struct str base_branch;
	int64_t deadline_ms;
	bool is_dry; /* nothing will be run: no reviewer is tried, no snapshot is made */
	/* For people, while the run is under way; NULL: nobody listens. */
	void (*say)(void *context, struct str text);
	void *say_context;
};

/* The reviews of one run. */
struct reviews;
struct reviews *reviews_open(struct arena *a, const struct review_facts *f);

struct task_list {
	struct task *items;
	size_t count;
};
/* The tasks of one job: one for each slot, in their order. One for all of them where there is nothing to review, or
 * where nobody can be asked. */
struct task_list review_prepare(struct reviews *r, const struct job *job);

/* After the run: who rests, and what each review has seen. */
void reviews_leave(struct reviews *r, struct execution_state *s);

/* Slot by slot what would be run for the tasks of a job: the command line, and the prompt to the letter; to be
 * printed one behind the other. */
struct str_list review_describe(struct arena *a, const struct task_list *tasks);

#endif
