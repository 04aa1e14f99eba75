/* SPDX-License-Identifier: MIT */
/* The log directory: the lock that one run holds, run numbers, what is archived and when, and the state that one
 * run leaves for the next. */
#ifndef RECORD_LOGDIR_H
#define RECORD_LOGDIR_H

#include "model/gate.h"
#include "os/pidfile.h"

struct logdir {
	struct str path;  /* absolute */
	struct str shown; /* as configured, for messages */
};
struct logdir logdir_of(struct arena *a, struct str root, struct str log_dir);
/* A name in it, absolute. */
struct str logdir_file(struct arena *a, const struct logdir *d, const char *name);
/* Where it is missing; a gate may have deleted it, as by git clean. */
int logdir_make(const struct logdir *d, struct err *err) MUST_CHECK;

/* ---- the lock ---- */
#define LOGDIR_LOCK ".gauntlet-run.lock"
/* A look without taking it: held by a live process, or left behind by a dead one. */
enum pidfile_state logdir_lock_state(struct arena *a, const struct logdir *d);
/* Creates the directory where it is missing. ERR_BUSY: another run is in progress. The lock ends with the process
 * however that ends; its file is removed by logdir_unlock(), or when a signal ends us. */
int logdir_lock(struct arena *a, const struct logdir *d, int *ret_fd, struct err *err) MUST_CHECK;
void logdir_unlock(struct arena *a, const struct logdir *d, int *fd);

/* ---- the marker that a stop hook runs gates: .stop-hook-active ---- */
bool logdir_has_live_marker(struct arena *a, const struct logdir *d);
/* Like the lock. */
int logdir_mark(struct arena *a, const struct logdir *d, int *ret_fd, struct err *err) MUST_CHECK;
void logdir_unmark(struct arena *a, const struct logdir *d, int *fd);

/* ---- what is there ---- */
/* Any gate log: *.log or *.json that is neither console.* nor begins with a dot. */
bool logdir_has_gate_logs(struct arena *a, const struct logdir *d);
/* One above the highest number among gate logs and console logs. */
int64_t logdir_next_run(struct arena *a, const struct logdir *d);
/* How many runs the gate logs tell of: for the retry limit, where no state says it. */
int64_t logdir_gate_runs(struct arena *a, const struct logdir *d);

/* ---- .execution_state ---- */
/* A reviewer that is not asked for a while: unhealthy_adapters. */
struct resting_reviewer {
	struct str name, marked_at, reason;
};
/* The tree, as a snapshot, that a review has seen, and whether all its slots passed then: reviewed. */
struct reviewed_tree {
	struct str part; /* of the job's file names */
	struct str tree;
	bool is_pass;
};
/* A gate, or a slot of a review, that has failed and not passed since, whatever has become of its log: failed. */
struct failed_job {
	struct str part; /* of the job's file names */
	struct str name,
		place; /* of the gate; the working directory of a check, the entry point of a review */
	int64_t slot;  /* 0: a check */
	int64_t run;
};
struct execution_state {
	struct str completed_at, branch, commit;
	struct str working_tree_ref; /* absent: none */
	struct str seen;             /* the commit up to which no gate has anything to say; absent: none */
	bool was_in_base;            /* the commit was in the base branch when this was written */
	bool has_was_in_base;        /* the file says so: ours do, the original's do not */
	bool is_partial;             /* not all gates were run on all of the change: no interval begins */
	bool is_outstanding;         /* a gate had failed and has not passed since */
	bool has_outstanding;        /* the file says so: ours do */
	int64_t attempts;            /* runs that count towards the retry limit; -1: the file does not say */
	struct resting_reviewer *resting;
	size_t resting_count;
	struct reviewed_tree *reviewed;
	size_t reviewed_count;
	struct failed_job *failed;
	size_t failed_count;
	const struct node *document; /* all of it: keys that we do not know are kept */
};
/* False: there is none that can be used. */
bool logdir_read_state(struct arena *a, const struct logdir *d, struct execution_state *ret);
int logdir_write_state(struct arena *a, const struct logdir *d, const struct execution_state *s,
		       struct err *err) MUST_CHECK;

/* ---- archive ---- */
/* Moves what runs left, every *.log and *.json without a dot before it, into previous/, which is replaced as a whole;
 * .execution_state too where `with_state`, and last. Where there is no log, the state is put beside what is in
 * previous/. Everything else stays. Nothing to archive: nothing is touched. The error names what could not be moved;
 * what was moved before it is not lost: the next archive has it. */
int logdir_archive(struct arena *a, const struct logdir *d, bool with_state, size_t *ret_moved,
		   struct err *err) MUST_CHECK;

/* ---- .debug.log ---- */
struct debug_log {
	struct str path; /* absent: off */
	int64_t max_bytes;
};
struct debug_log debug_log_of(struct arena *a, const struct sourced_values *v, const struct logdir *d);
/* One line: time, event, fields. Never fails visibly; rotates to .debug.log.1. */
void debug_log(struct arena *a, const struct debug_log *l, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
