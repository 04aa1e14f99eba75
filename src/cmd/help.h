/* SPDX-License-Identifier: MIT */
/* Help, from the table of commands. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/command.h"

/* The page for the command at the end of the invocation's path, laid out for `width` columns. */
struct str help_page(struct arena *a, const struct invocation *inv, int width, bool has_colour);
/* Prints it; the exit code. */
command_fn help_show;
/* `usage: holdfast ralph start [OPTIONS] [PROMPT...]` */
struct str help_usage(struct arena *a, const struct invocation *inv);
/* `commands: start, status, cancel` */
struct str help_command_names(struct arena *a, const struct command *c);

#endif
