/* SPDX-License-Identifier: MIT */
/* Runs other programs. A child has its own process group and no terminal, stdin from /dev/null or
 * a given text, pipes for its output, and no other descriptor of ours. It is finished when the process has ended, not when its
 * pipes are closed; then the rest of its group is killed, and its daemons if that is wanted. It never gets the hook's stdout or
 * stderr, and it ends with us. */
#ifndef OS_PROC_H
#define OS_PROC_H

#include "base/base.h"
#include "base/capture.h"

#include <sys/types.h>

struct proc_spec {
	const char *const *argv; /* argv[0] is searched for in our PATH... */
	struct str_list outside; /* ...but not in or below these directories, whose paths are real */
	const char *dir;         /* where it runs; NULL: here */
	const char *const
		*env; /* "NAME=value" in addition to our environment, NULL-terminated; may be NULL */
	const char *const *unset; /* names removed from it, NULL-terminated; may be NULL */
	int64_t timeout_ms;       /* 0: none */
	int64_t deadline_ms;      /* on clock_mono_ms(), whatever timeout_ms says; 0: none */
	int64_t grace_ms;         /* from TERM to KILL when its time is up */
	struct str input;         /* on its stdin; must stay valid; absent: /dev/null */
	/* Called for output as it arrives; stream is 1 or 2. May be NULL. */
	void (*output)(void *owner, int stream, struct str bytes);
	void *owner;         /* passed to output, and in the result */
	bool forgets_output; /* keeps no copy of the output, only counts its bytes */
	/* It soon ends by itself and leaves nothing: the kernel kills it when we die, without its children, and no warden is
	 * needed, which takes a fork. */
	bool is_brief;
	bool ends_daemons; /* when it has ended, its daemons are killed too; else only when it did not end by itself */
};

enum proc_end {
	PROC_EXITED,   /* code is the exit code */
	PROC_SIGNALED, /* code is the signal */
	PROC_TIMED_OUT,
	PROC_DEADLINE, /* also if it had passed before the start: then nothing ran */
	PROC_LOST,     /* its output or exit status could not be read */
};

struct proc_result {
	void *owner; /* the spec's */
	enum proc_end end;
	int code;
	int64_t elapsed_ms;
	struct capture out, err; /* start and end of each; only counts if forgets_output */
};

/* Runs it to its end. -1 only if it could not be started; the message names argv[0]. Calls procset_wait(), which may not
 * return. */
int proc_run(struct arena *a, const struct proc_spec *spec, struct proc_result *ret,
	     struct err *err) MUST_CHECK;

/* Several in parallel: start them, and while any is left, wait and then take all that have ended. More may be started at any
 * time, up to max. */
struct proc;
struct pollfd;

struct procset {
	struct arena *arena; /* for their state and output */
	struct proc **procs; /* in the order of their start */
	struct pollfd *fds;
	size_t count, max;
	int also;           /* a descriptor of the caller's whose input ends a wait; -1: none */
	bool is_also_ready; /* there was input, or its end, when the last wait ended */
};

void procset_init(struct procset *s, struct arena *a, size_t max);
/* Fails as proc_run() does, and then does not change the set. */
int procset_start(struct procset *s, const struct proc_spec *spec, struct err *err) MUST_CHECK;
/* Waits for output or the end of any of them, or until until_ms on clock_mono_ms(); may return early. Does not return if the
 * client of a hook is gone: then the process ends by SIGHUP, see os/exit_reply.h. */
void procset_wait(struct procset *s, int64_t until_ms);
/* Removes the first that has ended, and kills the rest of its group. False: none has ended. */
bool procset_take(struct procset *s, struct proc_result *ret);
/* Starts to end those of this owner, or all if it is NULL, as at a deadline; grace_ms is the time from TERM to KILL. */
void procset_stop(struct procset *s, const void *owner, int64_t grace_ms);

/* Starts the program of `spec`, of which it uses argv, env, unset and dir; fds, all above 2, become 0, 1 and 2. Only for proc.c.
 * The process leads a new group, has no terminal, default signal handlers, an empty mask and none of our other descriptors, and
 * is guarded by the warden. On success it runs the program; on failure there is no process, and the message names argv[0]. */
int launch(struct arena *scratch, const struct proc_spec *spec, const int fds[3], pid_t *ret_pid,
	   struct err *err) MUST_CHECK;

/* Ends those of our children that a command has left behind, or whatever they started, and waits for that. If it is the last
 * that runs, those without a mark too. Only for proc.c. */
void adopted_end(pid_t group, bool is_last, int64_t until_ms);

/* The cores that this process may use; at least 1. */
size_t cpu_count(void);
/* How many threads of the machine run or wait for a core now, this one among them; 0: not known. */
size_t runnable_count(void);

#endif
