/* SPDX-License-Identifier: MIT */
/* Runs jobs within their deadlines: those that allow it in parallel, the others one after the other. It knows processes
 * and their output, not what they mean: each kind of gate turns a job into tasks and a process's end into an outcome. */
#ifndef TASK_RUNNER_H
#define TASK_RUNNER_H

#include "model/gate_result.h"
#include "record/gatelog.h"
#include "task/command.h"

struct task;

/* What a kind of gate does when a task begins and ends. */
struct task_kind {
	/* Opens the log, writes its first entries and completes call. No process is started on failure, nor on 1, which
	 * means that this task has nothing to run. */
	int (*begin)(struct task *t, const struct logdir *logs, int64_t run, struct err *err);
	/* Sets outcome and message by how the process ended, writes the end of the log and closes it. Called once for
	 * every task that was begun, even where begin failed. It may set is_again. */
	void (*judge)(struct task *t);
	/* Called with output as it arrives; stream is 1 or 2. May be NULL: the log and `output` get it in any case. */
	void (*output)(struct task *t, int stream, struct str bytes);
	const char *timeout_title; /* "Timed out", before " after 5s" */
};

/* One process to run for a job: a check has one, a review one for each slot that is due. The tasks of a job follow each
 * other. */
struct task {
	const struct task_kind *kind;
	const struct job *job;
	struct arena *arena;
	void *own;          /* data of the kind */
	struct str command; /* for the log */
	struct command_call call;
	bool is_parallel, fails_fast;
	bool is_exclusive; /* nothing else runs at the same time */
	const struct str_list
		*needs; /* names of gates that must have passed, if they are among the tasks; may be NULL */
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

/* The message for a process that a signal, its timeout or the deadline ended; absent: it exited. */
struct str task_kill_message(const struct task *t);

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
	size_t max_parallel;               /* processes at once; 0: one for each core */
	int64_t deadline_ms;               /* 0: none */
	const struct run_watcher *watcher; /* may be NULL */
	/* Called for each result, before the watcher: to record it. */
	void (*record)(void *context, const struct gate_result *r);
	void *record_context;
};

/* Returns when every task has ended or was skipped. True: the deadline came before that. A signal that ends this process
 * does not return here: see os/exit_reply.h. */
bool runner_run(struct runner *r);
/* How many tasks run at once by default: one for each core, and one that begins while another ends. Where other programs keep the cores busy, as many as these, but at most
 * two for each core: the kernel shares the cores among all who want them. `runnable` is runnable_count(). Pure. */
size_t runner_places(size_t cores, size_t runnable);

#endif
