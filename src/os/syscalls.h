/* SPDX-License-Identifier: MIT */
/* System calls of Linux that not every C library has. One that fails returns -1 with errno, which is ENOSYS on an older kernel. */
#ifndef OS_SYSCALLS_H
#define OS_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Closes all descriptors from this one on, or, with `marks`, sets close-on-exec: by close_range(2), before Linux 5.11 one by one. */
void sys_close_from(int first, bool marks);
/* pidfd_open(2). */
int sys_pidfd_open(pid_t pid);
/* renameat2(2): neither replaces a file at `to` without a trace. */
int sys_rename_new(const char *from, const char *to);
int sys_rename_exchange(const char *from, const char *to);
/* sched_setattr(2): asks the kernel, from Linux 6.12 on, to run this process and the programs that it starts in short slices,
 * and so to begin with each of them soon. Their share of a processor is the same. Changes nothing for a process that has
 * another scheduling policy than the usual one. */
int sys_shorten_slice(uint64_t ns);
/* "TERM" for SIGTERM; NULL: no such signal, or one without a name. */
const char *signal_name(int number);

#endif
