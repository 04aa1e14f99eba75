/* SPDX-License-Identifier: MIT */
/* Job control: a program that takes over its terminal, and programs that it starts there or in the background. */
#ifndef OS_JOB_H
#define OS_JOB_H

#include "base/base.h"

#include <sys/types.h>

/* Stops us until the shell gives us the terminal. False: it never will. */
bool job_wait_for_terminal(void);

/* Divides us into two processes, so that the terminal is restored however either of them ends, even by SIGKILL. True in the
 * worker, which has the terminal and may change it. False in the keeper, once the worker has ended: *ret_code is the exit
 * code, and unless that is 0, restore() was called. The worker ends with the keeper. */
bool job_divide(void (*restore)(void), int *ret_code);

/* For the worker: a descriptor from which job_next_signal() reads the signals that end, stop or resize it, and SIGCHLD.
 * They have no other effect from now on. */
int job_open_signals(int *ret_fd, struct err *err) MUST_CHECK;
/* 0: there is none. */
int job_next_signal(int fd);
/* Stops us as the shell expects after Ctrl-Z; returns when we are continued and have the terminal. */
void job_stop(void);
/* Ends us by this signal, without a core file. */
void job_end_by(int signal_number);

/* Runs a program on our terminal, to its end. A signal that ends us, from job_open_signals(), and the end of the terminal end the
 * program first; then the signal is there for job_next_signal(). */
int job_run(const char *const *argv, int signals, struct err *err) MUST_CHECK;
/* Starts a program in `dir` that does not end with us, without a terminal. What it writes to stderr goes to fd. */
int job_start(const char *const *argv, const char *dir, int fd, pid_t *ret_pid, struct err *err) MUST_CHECK;
/* Has it ended? *ret_is_ok: with the exit code 0. */
bool job_has_ended(pid_t pid, bool *ret_is_ok);

#endif
