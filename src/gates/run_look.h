/* SPDX-License-Identifier: MIT */
/* A run before anything runs: what earlier ones left, and what there is to do. Inside gates/ only. */
#ifndef GATES_RUN_LOOK_H
#define GATES_RUN_LOOK_H

#include "gates/changes.h"
#include "gates/console.h"
#include "review/review.h"
#include "gates/run.h"
#include "record/record.h"

/* One run under way. */
struct run {
	struct arena *arena;
	const struct gauntlet_config *config;
	const struct run_options *options;
	struct repository repository;
	struct logdir logs;
	struct record record; /* what earlier runs found, and then this one */
	struct console console;
	struct debug_log debug;
	bool is_rerun;
	struct str base_branch;
	struct str own_base;       /* the configured one: what is merged into another by name is not merged */
	struct change_spec wished; /* what it is about */
	struct change_spec whole;  /* what it would be about with no options but the base */
	struct past_results past;  /* of the gates that it is about */
	struct look look;
	struct job_list jobs;
	struct reviews *reviews; /* NULL: there is none */
	struct task *tasks;
	size_t task_count;
	struct gate_result *results; /* of the tasks, once they have ended */
	int64_t number, attempt;
	bool is_on_base;       /* the branch is the base's own */
	bool has_unanswered;   /* git could not answer a question: nothing is recorded as seen */
	struct err unanswered; /* why */
	bool is_interrupted;
	bool has_skipped; /* findings that the agent skipped are in the logs */
	bool has_others; /* a failure is left in the logs: a run of some gates says nothing about the others */
};

/* Before the lock. */
void run_init(struct run *r, struct arena *a, const struct gauntlet_config *c, const struct run_options *o);

/* check and review tell on stdout what they find; run does not. */
void run_tell(struct run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Is it about all of the change? */
bool run_is_whole(const struct run_options *o);
/* Repository, state, logs and run number; what belongs to other work is archived. */
int run_look(struct run *r, struct err *err) MUST_CHECK;
/* What has changed since a commit or snapshot; false: git does not know that, or any more. */
bool run_changes_since(const struct run *r, struct str commit, struct change_list *ret);
/* After the look: have gates failed so often that they are run no more? */
bool run_is_over_limit(const struct run *r);
/* The jobs. */
void run_plan(struct run *r);
/* Is a failure outstanding in a gate that is still configured? */
bool run_has_failures(const struct run *r);
/* The tasks of all jobs, in their order. */
void run_prepare(struct run *r);

#endif
