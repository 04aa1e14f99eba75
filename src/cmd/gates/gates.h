/* SPDX-License-Identifier: MIT */
/* What the commands about gates share: finding the project, and reporting errors. */
#ifndef CMD_GATES_GATES_H
#define CMD_GATES_GATES_H

#include "cmd/command.h"
#include "conf/gates.h"

/* The nearest directory upwards with holdfast.yml or .gauntlet/config.yml, else the current one, with *ret_is_there (may be NULL) false;
 * absent where the current directory no longer exists. */
struct str gauntlet_root(struct arena *a, bool *ret_is_there);

/* Loads the configuration; a warning about the user's own file goes to stderr. -1: the error was printed. */
int gauntlet_open(struct arena *a, struct gates_config *ret) MUST_CHECK;

/* Prints `Error: MESSAGE` on stderr and returns 1, as the original's commands end. */
int gauntlet_fail(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The names, separated by a comma and a blank. */
struct buf;
void gauntlet_add_names(struct buf *b, const struct str_list *names);

#endif
