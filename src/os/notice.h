/* SPDX-License-Identifier: MIT */
/* Tells when files in directories are created, replaced, removed or closed after writing. */
#ifndef OS_NOTICE_H
#define OS_NOTICE_H

#include "base/base.h"

/* The descriptor can be read, as poll(2) says, when something has changed. */
int notice_open(int *ret_fd, struct err *err) MUST_CHECK;
/* Adds a directory; one that is there already stays, and one that is missing is ignored. */
void notice_add(int fd, const char *dir);
/* Takes what has changed; true: something has. */
bool notice_take(int fd);

#endif
