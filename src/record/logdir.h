/* SPDX-License-Identifier: MIT */
/* The log directory: lock, run numbers, archive and debug log. */
#ifndef RECORD_LOGDIR_H
#define RECORD_LOGDIR_H

#include "model/gate_result.h"
#include "os/pidfile.h"

struct logdir {
	struct str root;  /* of the project */
	struct str path;  /* absolute */
	struct str shown; /* as configured, for messages */
	const struct dialect *dialect;
};
struct logdir logdir_of(struct arena *a, struct str root, struct str log_dir, const struct dialect *dialect);
/* A name in it, absolute. */
struct str logdir_file(struct arena *a, const struct logdir *d, const char *name);
/* Logs hold whatever a gate prints: a new log directory is for its owner alone. */
#define LOGDIR_MODE 0700
/* Creates it if it is missing: a gate may have deleted it, for example with git clean. It gets a
 * .gitignore of its own where the dialect says so. One that leads out of the project by a link is an error: whoever writes, moves
 * or removes logs calls this first. */
int logdir_make(const struct logdir *d, struct err *err) MUST_CHECK;

/* ---- the lock ---- */
/* Checks it without taking it: is it held, or left by a process that is gone? */
enum pidfile_state logdir_lock_state(struct arena *a, const struct logdir *d);
/* Creates the directory if it is missing. ERR_BUSY: another run is in progress. The lock ends with the process, however
 * it ends; logdir_unlock(), or the handler of a signal that ends us, removes its file. */
int logdir_lock(struct arena *a, const struct logdir *d, int *ret_fd, struct err *err) MUST_CHECK;
/* Sleeps until no run is in progress; false: the time is over (os/locked.h). */
bool logdir_await(struct arena *a, const struct logdir *d, int64_t (*left_ms)(void *context), void *context);
void logdir_unlock(struct arena *a, const struct logdir *d, int *fd);

/* ---- the marker that a stop hook runs gates: .stop-hook-active ---- */
bool logdir_has_live_marker(struct arena *a, const struct logdir *d);
/* Like the lock. */
int logdir_mark(struct arena *a, const struct logdir *d, int *ret_fd, struct err *err) MUST_CHECK;
void logdir_unmark(struct arena *a, const struct logdir *d, int *fd);

/* ---- what is there ---- */
/* The names in it, listed once for a run. */
struct log_listing {
	struct str *names;
	size_t count;
	bool has_gate_logs; /* other than console logs */
	int64_t last_run;   /* the highest number among gate logs and console logs */
	size_t runs;        /* different numbers among them */
};
/* A directory that can't be read has no logs: whoever writes to it reports what is wrong. */
void logdir_list(struct arena *a, const struct logdir *d, struct log_listing *ret);

/* Creates a log and opens it for appending; fails (ERR_SYS, EEXIST) if there is anything of that name. */
int logdir_create_log(struct arena *a, const struct logdir *d, struct str name, int *ret_fd,
		      struct err *err) MUST_CHECK;

/* ---- archive ---- */
/* Moves the logs of runs into previous/ and replaces the old previous/; then, if `with_state`, .execution_state. If there
 * is no log, the state is added to what is in previous/. Everything else stays: other files and directories, and a
 * previous/ that has any of them in it, beside which the archive is previous.2. If there is nothing to archive, nothing
 * changes. The error names what could not be moved; what was moved before it is not lost: the next archive includes it. */
int logdir_archive(const struct logdir *d, bool with_state, size_t *ret_moved, struct err *err) MUST_CHECK;

/* ---- .debug.log ---- */
struct debug_log {
	struct logdir logs;
	struct str path; /* absent: off */
	int64_t max_bytes;
};
struct debug_log debug_log_of(struct arena *a, const struct sourced_values *v, const struct logdir *d);
/* One line: time, event, fields. Never fails visibly; rotates to .debug.log.1. */
void debug_log(struct arena *a, const struct debug_log *l, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
