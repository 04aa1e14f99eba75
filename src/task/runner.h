/* SPDX-License-Identifier: MIT */
/* Runs jobs: side by side as far as they may, the others in a lane of their own, within deadlines. Knows processes
 * and their output, not what they mean: a gate's own file turns a job into tasks and results into an outcome. */
#ifndef TASK_RUNNER_H
#define TASK_RUNNER_H

#include "model/gate_result.h"
#include "os/proc.h"
#include "record/gatelog.h"

struct task;

/* What a kind of gate does at the beginning and at the end of a task. */
struct task_kind {
	/* Opens the log, writes its beginning and completes spec. On failure the process is not started; nor is it
	 * on 1, which says that there is nothing to run for this task. */
	int (*begin)(struct task *t, const struct logdir *logs, int64_t run, struct err *err);
	/* Turns what came of the process into outcome and message, writes the end of the log and closes it. Called
	 * once for every task that was begun, also where begin failed. It may set is_again. */
	void (*judge)(struct task *t);
	/* Told of output as it comes, beside the log and the end that is kept; stream is 1 or 2. May be NULL. */
	void (*output)(struct task *t, int stream, struct str bytes);
};

/* One process to run for a job: a check has one, a review one for each slot that is due. The tasks of one job are
 * neighbours. */
struct task {
	const struct task_kind *kind;
	const struct job *job;
	struct arena *arena; /* for what the kind makes */
	void *own;           /* the kind's */
	struct str command;  /* as it is run, for the log */
	struct proc_spec spec;
	bool is_parallel, fails_fast;
	struct gatelog log;    /* fd -1 before it starts and after it has ended */
	struct capture output; /* the end of both streams, in the order in which it came */
	struct gate_result result;

	/* While it runs. */
	bool was_begun; /* once at least */
	bool is_again;  /* set by judge: begin it again, with what judge has changed */
	bool cannot_start;
	struct err start_error;
	struct proc_result process;
};

/* The results in the order of the tasks. */
struct gate_result *task_results(struct arena *a, const struct task *tasks, size_t count);

/* The message for a process that was killed by a signal, and for one that the deadline ended. */
struct str task_signal(const struct task *t);
#define TASK_NO_TIME STR("Not finished before the deadline of the run")

/* Called in the order of events; each may be NULL. */
struct run_watcher {
	void *context;
	void (*started)(void *context, const struct gate_result *r, bool is_first_of_job);
	void (*ended)(void *context, const struct gate_result *r);
	/* About ten times a second while anything runs, with all results in the order of the plan. */
	void (*tick)(void *context, const struct gate_result *results, size_t count);
};

struct runner {
	struct arena *arena;
	struct task *tasks; /* in the order of the plan */
	size_t count;
	const struct logdir *logs;
	int64_t run; /* its number */
	bool allows_parallel;
	size_t max_parallel;               /* processes at once; 0: as many as there are cores */
	int64_t deadline_ms;               /* 0: none */
	const struct run_watcher *watcher; /* may be NULL */
	/* Called for each result, before the watcher: to record it. */
	void (*record)(void *context, const struct gate_result *r);
	void *record_context;
};

/* Ends when every task has ended or was skipped. True: the deadline came before that. A signal that ends us does
 * not come back here: see os/lastwords.h. */
bool runner_run(struct runner *r);

#endif
