/* SPDX-License-Identifier: MIT */
/* The environment. */
#ifndef OS_ENV_H
#define OS_ENV_H

#include "base/base.h"

/* Absent when unset. */
struct str env_get(const char *name);
/* Unset and empty are the same. */
bool env_has(const char *name);
/* HOME if it is an absolute path, else the home directory in /etc/passwd; absent when neither is there. */
struct str env_home(struct arena *a);
/* $NAME/holdfast-like base directories: the value of `name` if it is an absolute path, else HOME/fallback;
 * absent without a home. */
struct str env_xdg(struct arena *a, const char *name, const char *fallback);
/* The program of that name in PATH, absolute; absent when there is none. */
struct str env_find_program(struct arena *a, const char *name);
/* The file that this process runs; absent when it cannot be read. */
struct str env_self(struct arena *a);

#endif
