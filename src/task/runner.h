/* SPDX-License-Identifier: MIT */
/* Runs jobs: side by side as far as they may, the others in a lane of their own, within deadlines. Knows processes
 * and their output, not what they mean: a gate's own file turns a job into tasks and results into an outcome. */
#ifndef TASK_RUNNER_H
#define TASK_RUNNER_H

#include "record/gatelog.h"
#include "os/proc.h"

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
	struct str label;    /* behind the id on the console: "(claude@1)"; absent: none */
	struct str command;  /* as it is run, for the log */
	struct proc_spec spec;
	bool is_parallel, fails_fast;
	struct gatelog log;    /* fd -1 before and after */
	struct str log_path;   /* as shown; absent: there is none */
	struct str json_path;  /* a slot's findings, as shown; absent: none */
	struct capture output; /* the end of what came on both streams, in the order in which it came */

	/* What came of it. */
	bool is_started; /* begun: it has ended too when runner_run() returns */
	bool is_ended;
	bool is_skipped;    /* never begun, because another failed fast or the deadline had come */
	bool is_first;      /* of its job's tasks to be started */
	bool is_again;      /* set by judge: it has become another task in this place, and is begun anew */
	bool was_begun;     /* once at least */
	int64_t started_ms; /* on clock_mono_ms() */
	bool cannot_start;
	struct err why; /* it could not start */
	struct proc_result result;
	enum gate_outcome outcome;
	struct str message;
	struct str findings;     /* of a slot, a line for each; absent: what it printed tells */
	int64_t violation_count; /* of a slot; 0: not counted, which is one where it did not pass */
	int64_t elapsed_ms;
};

/* The job's id and, behind it, the label if there is one. */
struct str task_name(struct arena *a, const struct task *t);
/* What is said of a process that was killed, and of one that the run had no time for. */
struct str task_signal(const struct task *t);
#define TASK_NO_TIME STR("Not finished before the deadline of the run")

/* Who watches: the console, the terminal, the report. Called in the order of events; each may be NULL. */
struct run_watcher {
	void *context;
	void (*started)(void *context, const struct task *t);
	void (*ended)(void *context, const struct task *t);
	/* About ten times a second while anything runs, for a live view. */
	void (*tick)(void *context, const struct task *tasks, size_t count);
	/* Lines for stderr, from the console: a live view goes out of their way. NULL: the console writes them. */
	void (*say)(void *context, struct str text);
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
};

/* Ends when every task has ended or was skipped. True: the deadline came before that. A signal that ends us does
 * not come back here: see os/lastwords.h. */
bool runner_run(struct runner *r);

#endif
