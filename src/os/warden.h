/* SPDX-License-Identifier: MIT */
/* Commands die with us, also when we are killed with SIGKILL: a small process, holding a socket from us, ends the
 * groups that are registered with it when the socket ends, and removes the files. It holds nothing else of ours, least of
 * all stdout. */
#ifndef OS_WARDEN_H
#define OS_WARDEN_H

#include "base/base.h"

#include <sys/types.h>

/* Before a command is started; does nothing where the warden runs. It is gone when our process is, at once where
 * nothing is registered. */
int warden_start(struct err *err) MUST_CHECK;
/* Called by the command's own process before it turns into the command, so that there is no moment in which it
 * runs unguarded; only makes a system call. False: there is no warden. */
bool warden_guard(pid_t group);
/* Before the group's leader is reaped: after that its number may be anybody's. */
void warden_release(pid_t group);
/* The file, the one with .lock behind its name, and then the directory that they are in, if it is empty, are removed
 * when we are gone, until they are spared: for a directory whose name can never become another's. One too many (of
 * WARDEN_FILES) or too long is left where it is. */
#define WARDEN_FILES 8
void warden_register_file(const char *file);
void warden_unregister_file(const char *file);
/* Ends what is registered, and returns when that is done, after about a second at the latest. Only makes system
 * calls: for a handler that ends us. */
void warden_end(void);

#endif
