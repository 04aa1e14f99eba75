/* SPDX-License-Identifier: MIT */
/* May it be written, can it be run: questions to ask before saying what will be done. */
#ifndef OS_ACCESS_H
#define OS_ACCESS_H

#include "base/base.h"

/* Is the file at the path protected from being written: no write permission for anybody, or none for us? A file
 * that is not there isn't. */
bool access_is_read_only(const char *path);
/* The program of that name in PATH, absolute; absent when there is none. */
struct str access_find_program(struct arena *a, const char *name);
/* The file that this process runs; absent when it can't be told. */
struct str access_self(struct arena *a);

#endif
