/* SPDX-License-Identifier: MIT */
/* Running other programs: the one executor. A child has a process group of its own, stdin from /dev/null, its
 * output on pipes of ours and nothing else of ours; it is finished when the process has ended, not when its
 * pipes have, and then what is left of its group is killed. The hook's own stdout and stderr never reach it. */
#ifndef OS_PROC_H
#define OS_PROC_H

#include "base/base.h"
#include "base/capture.h"

struct proc_spec {
	const char *const *argv;  /* argv[0] is looked up in PATH */
	const char *dir;          /* where it runs; NULL: here */
	const char *const *env;   /* "NAME=value" additions to our own environment, NULL-terminated; may be NULL */
	const char *const *unset; /* names taken out of it, NULL-terminated; may be NULL */
	int64_t timeout_ms;       /* 0: none */
	int64_t deadline_ms;      /* on clock_mono_ms(), whatever timeout_ms says; 0: none */
	int64_t grace_ms;         /* from TERM to KILL when its time is up */
};

enum proc_end {
	PROC_EXITED,   /* code is the exit code */
	PROC_SIGNALED, /* code is the signal */
	PROC_TIMED_OUT,
	PROC_DEADLINE,
};

struct proc_result {
	enum proc_end end;
	int code;
	int64_t elapsed_ms;
	struct capture out, err;
};

/* Runs it to its end. -1 only when it could not be started. */
int proc_run(struct arena *a, const struct proc_spec *spec, struct proc_result *ret, struct err *err)
	MUST_CHECK;

#endif
