/* SPDX-License-Identifier: MIT */
/* The command line, read strictly: what is not in the table is an error and never becomes an argument. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd/command.h"

enum parsed { PARSED_RUN, PARSED_HELP, PARSED_VERSION };

/* Fills `ret` as far as the words go, also on failure, so that the caller can show the right usage line.
 *
 * `--x=y` and `--x y` are the same, `-x y` and `-xy` too, flags may be bundled (`-ab`). A value that begins with
 * a dash must be given by `=`. `--` ends the options. -h and --help ask for help on every command, -V and
 * --version for the version on the root; what follows them is not looked at. */
int options_parse(struct arena *a, const struct command *root, int argc, char *const *argv,
		  struct invocation *ret, enum parsed *ret_parsed, struct err *err) MUST_CHECK;

#endif
