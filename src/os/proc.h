/* SPDX-License-Identifier: MIT */
/* Running other programs: the one executor. A child has a session and process group of its own (so it can't reach
 * the terminal), stdin from /dev/null or a text of ours, its output on pipes of ours and nothing else of ours; it is
 * finished when the process has ended, not when its pipes have, and then what is left of its group is killed. The
 * hook's own stdout and stderr never reach it, and it does not outlive us. */
#ifndef OS_PROC_H
#define OS_PROC_H

#include "base/base.h"
#include "base/capture.h"

#include <poll.h>
#include <sys/types.h>

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
	void (*output)(void *context, int stream, struct str bytes);
	void *output_context;
	bool forgets_output; /* no copy is kept, it is only counted */
};

enum proc_end {
	PROC_EXITED,   /* code is the exit code */
	PROC_SIGNALED, /* code is the signal */
	PROC_TIMED_OUT,
	PROC_DEADLINE, /* also when it had passed before the start: nothing is run then */
};

struct proc_result {
	enum proc_end end;
	int code;
	int64_t elapsed_ms;
	struct capture out, err; /* their beginnings and ends; counted only where the spec forgets output */
};

/* Runs it to its end. -1 only when it could not be started; the message names argv[0]. */
int proc_run(struct arena *a, const struct proc_spec *spec, struct proc_result *ret,
	     struct err *err) MUST_CHECK;

/* The same in steps, for running several at once in one loop: start each; then ask all what to wait for, poll,
 * and step each, until it says that it has ended; then finish it. The arena keeps the output. */
enum proc_phase {
	PROC_RUNNING,
	PROC_ENDING, /* was sent TERM */
	PROC_KILLED,
	PROC_OVER,
};

struct proc {
	enum proc_phase phase;
	pid_t pid;               /* and its group; 0: never started */
	int pidfd, in, out, err; /* -1: closed */
	struct str input;        /* what is left of it */
	void (*output)(void *context, int stream, struct str bytes);
	void *output_context;
	int status;                   /* of waitpid */
	bool is_reaped;               /* the leader; others of the group may be alive */
	int64_t started_ms, phase_ms; /* when this phase is over, whatever happens; INT64_MAX: never */
	int64_t grace_ms;
	struct proc_result result;
};

#define PROC_FDS 4

int proc_start(struct proc *p, struct arena *a, const struct proc_spec *spec, struct err *err) MUST_CHECK;
/* What to wait for, and until when on clock_mono_ms() at the latest. */
int64_t proc_watch(const struct proc *p, struct pollfd ret_fds[PROC_FDS]);
/* Waits for any of them, and may return early with none; a hook that nobody listens to any more ends here, see
 * os/lastwords.h. */
void proc_wait(struct pollfd *fds, size_t count, int64_t until_ms);
/* Takes what has come; true when the process has ended. */
bool proc_step(struct proc *p, const struct pollfd fds[PROC_FDS]);
/* Begins to end it before its time: as at a deadline, with this much time from TERM to KILL. */
void proc_stop(struct proc *p, int64_t grace_ms);
/* Kills what is left of the group, reaps it and gives back all but the output. */
void proc_finish(struct proc *p, struct proc_result *ret);

#endif
