/* SPDX-License-Identifier: MIT */
/* What the commands about gates have in common: where the project is, and how they fail. */
#ifndef CMD_GATES_GATES_H
#define CMD_GATES_GATES_H

#include "cmd/command.h"
#include "conf/gauntlet.h"

/* The directory with .gauntlet/config.yml from here upwards, or, where there is none, the current one; absent: it does
 * not exist any more. *ret_is_there tells (may be NULL). */
struct str gauntlet_root(struct arena *a, bool *ret_is_there);

/* Loads what is there; a warning about the user's own file goes to stderr. -1: it was said why. */
int gauntlet_open(struct arena *a, struct gauntlet_config *ret) MUST_CHECK;

/* Prints `Error: MESSAGE` on stderr and returns 1, as the original's commands end. */
int gauntlet_fail(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The names, with a comma and a blank between them. */
struct buf;
void gauntlet_add_names(struct buf *b, const struct str_list *names);

#endif
