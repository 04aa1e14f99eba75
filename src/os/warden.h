/* SPDX-License-Identifier: MIT */
/* Ends our commands when we die, even by SIGKILL: a small process that holds a pipe from us ends the registered groups and
 * removes the registered files when the pipe ends. It holds no other descriptor of ours, above all not stdout. */
#ifndef OS_WARDEN_H
#define OS_WARDEN_H

#include "base/base.h"

#include <sys/types.h>

/* Call it before a command is started; does nothing if the warden runs. The warden ends with our process. */
int warden_start(struct err *err) MUST_CHECK;
/* Registers the group. Called by the child before exec, so that the command never runs unguarded. False:
 * too many are registered. */
bool warden_guard(pid_t group);
/* Call it before the group's leader is reaped: after that the number may be reused. */
void warden_release(pid_t group);
bool warden_is(pid_t pid);
/* When we are gone, the file, file.lock and then their directory, if it is empty, are removed; a path that ends in a slash is a
 * directory that is removed with its content. Only for a directory whose name is never reused. If there are more than WARDEN_FILES, or the path is too long, it remains. */
#define WARDEN_FILES 8
void warden_register_file(const char *file);
void warden_unregister_file(const char *file);
/* Ends the registered groups and waits for that, for about a second at most. Only makes system calls, so that a signal handler
 * may call it. */
void warden_end(void);

#endif
