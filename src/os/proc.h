/* SPDX-License-Identifier: MIT */
/* Running other programs: the one executor. A child has a session and process group of its own (so it can't reach
 * the terminal), stdin from /dev/null or a text of ours, its output on pipes of ours and nothing else of ours; it is
 * finished when the process has ended, not when its pipes have, and then what is left of its group is killed. The
 * hook's own stdout and stderr never reach it, and it does not outlive us. */
#ifndef OS_PROC_H
#define OS_PROC_H

#include "base/base.h"
#include "base/capture.h"

struct proc_spec {
	const char *const *argv; /* argv[0] is looked up in our PATH */
	const char *dir;         /* where it runs; NULL: here */
	const char *const
		*env; /* "NAME=value" additions to our own environment, NULL-terminated; may be NULL */
	const char *const *unset; /* names taken out of it, NULL-terminated; may be NULL */
	int64_t timeout_ms;       /* 0: none */
	int64_t deadline_ms;      /* on clock_mono_ms(), whatever timeout_ms says; 0: none */
	int64_t grace_ms;         /* from TERM to KILL when its time is up */
	struct str input; /* on its stdin, as far as it reads; stays the caller's; absent: /dev/null */
	/* Told of output as it comes, beside the copy that is kept; stream is 1 or 2. NULL: nobody is. */
	void (*output)(void *owner, int stream, struct str bytes);
	void *owner;         /* whose it is: handed to output, and in the result */
	bool forgets_output; /* no copy is kept, it is only counted */
};

enum proc_end {
	PROC_EXITED,   /* code is the exit code */
	PROC_SIGNALED, /* code is the signal */
	PROC_TIMED_OUT,
	PROC_DEADLINE, /* also when it had passed before the start: nothing is run then */
	PROC_LOST,     /* it has ended, but its output or exit status could not be read */
};

struct proc_result {
	void *owner; /* the spec's */
	enum proc_end end;
	int code;
	int64_t elapsed_ms;
	struct capture out, err; /* their beginnings and ends; counted only where the spec forgets output */
};

/* Runs it to its end. -1 only when it could not be started; the message names argv[0]. Does not return where
 * procset_wait() would not. */
int proc_run(struct arena *a, const struct proc_spec *spec, struct proc_result *ret,
	     struct err *err) MUST_CHECK;

/* The same for several at once: start them, and while any is left, wait and then take all that have ended. More may be
 * started whenever there is room. */
struct proc;
struct pollfd;

struct procset {
	struct arena *arena; /* of what is kept of them */
	struct proc **procs; /* in the order in which they were started */
	struct pollfd *fds;
	size_t count, max;
};

/* For no more than max at once. */
void procset_init(struct procset *s, struct arena *a, size_t max);
/* Fails as proc_run() does; the set is as before then. */
int procset_start(struct procset *s, const struct proc_spec *spec, struct err *err) MUST_CHECK;
/* Waits until something comes of any of them, or until_ms on clock_mono_ms(), and takes it; may return early with
 * nothing. Does not return where the client of a hook is gone: the process ends itself with SIGHUP, see os/exit_reply.h. */
void procset_wait(struct procset *s, int64_t until_ms);
/* The first that has ended leaves the set; what is left of its group is killed. False: none has. */
bool procset_take(struct procset *s, struct proc_result *ret);
/* Begins to end those of this owner, or all where it is NULL, before their time: as at a deadline, with this much time
 * from TERM to KILL. */
void procset_stop(struct procset *s, const void *owner, int64_t grace_ms);

/* The cores that this process may use; at least 1. */
size_t cpu_count(void);

#endif
