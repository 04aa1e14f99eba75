/* SPDX-License-Identifier: MIT */
/* A run, and its parts before and after the gates run: what earlier runs found, the changes, the jobs, the state. Inside gates/
 * only. */
#ifndef GATES_RUN_INSPECT_H
#define GATES_RUN_INSPECT_H

#include "gates/console.h"
#include "gates/plan.h"
#include "gates/run.h"
#include "gates/settle.h"
#include "record/record.h"
#include "review/review.h"

/* One run. */
struct run {
	struct arena *arena;
	const struct gates_config *config;
	const struct run_options *options;
	struct repository repository;
	struct git_known known; /* the repository's */
	struct logdir logs;
	struct record record; /* what earlier runs found, and then this one */
	bool has_record;      /* it could be read */
	struct console console;
	struct debug_log debug;
	bool is_rerun;
	struct str base_branch;
	struct str own_base; /* the configured one: only a merge into this one counts */
	struct change_spec requested_changes;
	struct change_spec all_changes; /* with no option but the base branch */
	struct past_results past;       /* of the gates that it is about */
	struct repo_status look;
	struct job_list jobs;
	struct change_list all_files; /* where a gate runs whatever has changed */
	struct reviews *reviews;      /* NULL: there is none */
	struct task *tasks;
	size_t task_count;
	struct gate_result *results; /* of the tasks, once they have ended */
	struct job_list reused;      /* that have passed for the same content */
	struct ground ground;
	struct settling settling;
	/* A run whose files moved is followed by another one, of the gates that this concerns. */
	size_t round;                    /* from 0 */
	bool was_own_work;               /* what moved in the round before was the gates' own */
	const struct run_result *before; /* the round before; NULL: this is the first */
	bool writes_files;               /* the gates do that themselves */
	bool is_unsettled;               /* files moved after they passed, or git can't say */
	bool is_repeated;                /* so another round follows */
	int64_t looked_ms; /* on the real clock: when a stop first looked; what ended since is shared; 0: no stop */
	bool is_unlocked;       /* the lock is not held: what only a run may write is not written... */
	bool needs_lock;        /* ...but has to be */
	bool is_looked_at;      /* before the lock was taken, and nothing has ended since */
	struct str content_key; /* of the changes before anything ran; absent: not known */
	int64_t number;
	bool is_on_base;       /* the current branch is the base branch */
	bool has_unanswered;   /* git could not answer a question: nothing is recorded as seen */
	struct err unanswered; /* why */
	bool is_interrupted;
	bool has_skipped; /* findings that the agent skipped are in the logs */
	bool has_outstanding; /* a gate that is still configured has failed and not passed since, in this run or before */
};

/* Does nothing that needs the lock. */
void run_init(struct run *r, struct arena *a, const struct gates_config *c, const struct run_options *o);

/* Prints a line on stdout for check and review; run prints none. */
#define run_progress(r, ...) console_progress(&(r)->console, str_cat((r)->arena, __VA_ARGS__))

/* True unless an option selects some of the changes. */
bool run_covers_all_changes(const struct run_options *o);
/* Compared with the base, what is committed on it is no change: an agent that works there would be let go with all that
 * it has committed. So there it is compared with what was last seen. */
int run_look_at_base(struct run *r, struct err *err) MUST_CHECK;
/* What the changes are compared with, for people. */
struct str run_base_name(const struct run *r);
/* May it change what other runs read? If only the lock is missing, it `needs_lock`. */
bool run_may_write(struct run *r);
/* Reads the repository, the record and the logs, and chooses the run number. Archives the logs of other work. */
int run_inspect(struct run *r, struct err *err) MUST_CHECK;
struct change_spec run_since(const struct run *r, struct str commit);
/* The changes since a commit or snapshot; false: git does not have it, or failed. */
bool run_changes_since(const struct run *r, struct str commit, struct change_list *ret);
/* The jobs, by the record as it is now. */
int run_plan(struct run *r, struct err *err) MUST_CHECK;
/* Reads the content of what changed, for the keys of the jobs. Without keys, nothing that passes is reused. */
void run_read_contents(struct run *r);
/* Is a failure outstanding in a gate that is still configured? */
bool run_has_failures(const struct run *r);
/* The tasks of all jobs, in their order. */
void run_prepare(struct run *r);

/* ---- outstanding.c: a gate that failed runs until it passes, even if the changes are gone. Pure ---- */

/* Adds the gates that failed and are not in the plan, if the configuration still has them at that place and the facts allow
 * them (CI or local, kind, name). The record names the gate; if it does not, the name of the log does. */
void outstanding_add(struct arena *a, const struct gates_config *c, const struct past_results *past,
		     const struct plan_facts *facts, struct job_list *jobs);

/* ---- reuse.c: at a stop a result that is known may stand for a job ---- */

/* Of the results of a job for what is there: its definition and its files. */
struct reuse_facts {
	size_t passes, slots; /* that passed, and that it has */
	bool has_failure;
	bool reuses;    /* `reuse` is not false */
	bool is_shared; /* all of them are of a run that ended while this stop waited for it */
};
enum reuse {
	REUSE_NOTHING, /* the job runs */
	REUSE_PASS,
	REUSE_FAILURE,
};
enum reuse reuse_decide(const struct reuse_facts *f);

/* Is it a result of this job that counts for its key? A run that has not ended confirms no key. */
bool reuse_is_of(const struct past_result *p, const struct job *job);

/* At a stop: takes out the jobs that have a result for the same content. *ret: those that failed while this stop waited for
 * another run, which are not run again either. */
void run_reuse(struct run *r, struct gate_result **ret, size_t *ret_count);

/* ---- run_end.c ---- */

/* To write the state at the deadline, which is the hook's own and some seconds before the client's. */
#define STATE_MS 2000

/* The results with this outcome. */
size_t run_count(const struct run *r, enum gate_outcome outcome);
/* The result goes into the journal at once: a run that is killed has recorded what it found. A `record` of the runner. */
void run_record_result(void *run, const struct gate_result *g);
/* A run that had nothing to do still records the commit that the next one starts from. It starts no interval, since no gate has
 * verified anything. */
void run_record_gated_commit(struct run *r);
/* Archives the logs where all has passed, and writes the state. */
int run_finish(struct run *r, enum status status, struct err *err) MUST_CHECK;

#endif
