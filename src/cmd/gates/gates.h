/* SPDX-License-Identifier: MIT */
/* What the commands about gates share: finding the project, and reporting errors. */
#ifndef CMD_GATES_GATES_H
#define CMD_GATES_GATES_H

#include "cmd/command.h"
#include "conf/gates.h"

/* The nearest directory upwards with holdfast.yml or .gauntlet/config.yml, else the current one, with *ret_is_there (may be NULL) false;
 * absent where the current directory no longer exists. */
struct str gauntlet_root(struct arena *a, bool *ret_is_there);

/* Loads the configuration; a warning about the user's own file goes to stderr. */
int gauntlet_open_quietly(struct arena *a, const char *program, struct gates_config *ret,
			  struct err *err) MUST_CHECK;
/* The same. -1: the error was printed. */
int gauntlet_open(struct arena *a, const char *program, struct gates_config *ret) MUST_CHECK;

/* Prints `PROGRAM: MESSAGE` on stderr and returns 1; agent-gauntlet's form is `Error: MESSAGE`. */
int gauntlet_fail(const char *program, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Was the program called by that name? */
bool is_agent_gauntlet(const char *program);
/* Prints `warning: TEXT` on stderr; agent-gauntlet's form is `Warning: TEXT`. */
void gauntlet_warn(struct arena *a, const char *program, struct str text);

/* Where there are no gates: the directory. */
#define NO_GATES                                                                                            \
	"there is no holdfast.yml and no .gauntlet/config.yml in " STR_FMT " or above it; 'holdfast init' " \
	"writes holdfast.yml"

/* The names, separated by a comma and a blank. */
struct buf;
void gauntlet_add_names(struct buf *b, const struct str_list *names);

#endif
