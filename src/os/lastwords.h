/* SPDX-License-Identifier: MIT */
/* The promise that a hook always answers, also when it is ended from outside: the answer for that case is kept
 * ready, and a signal (TERM, INT, HUP), a crash of ours or the end of memory sends it. At most one answer is
 * ever written. Process groups that are registered die with us: a small warden process, holding a pipe from
 * us, kills them when the pipe ends, so that this also holds for SIGKILL. */
#ifndef OS_LASTWORDS_H
#define OS_LASTWORDS_H

#include "base/base.h"

#include <sys/types.h>

/* Installs the handlers. `words` must stay valid; exit_code is the process's then. */
void lastwords_prepare(struct str words, int exit_code);
/* The one write of the real answer to stdout, after which no last words are sent. */
int lastwords_answer(struct str answer, struct err *err) MUST_CHECK;

/* From the first call on a warden runs. */
int lastwords_guard_group(pid_t group, struct err *err) MUST_CHECK;
void lastwords_release_group(pid_t group);

#endif
