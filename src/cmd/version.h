/* SPDX-License-Identifier: MIT */
/* Which holdfast this is. */
#ifndef CMD_VERSION_H
#define CMD_VERSION_H

#include "cmd/command.h"

/* `holdfast 0.1.0` and a newline, under the name by which it was called. */
struct str version_line(struct arena *a, const struct invocation *inv);

#endif
