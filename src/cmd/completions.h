/* SPDX-License-Identifier: MIT */
/* Shell completions, from the table of commands. */
#ifndef CMD_COMPLETIONS_H
#define CMD_COMPLETIONS_H

#include "cmd/command.h"

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* The script for a program with that table. */
struct str completions_script(struct arena *a, const struct command *root, enum shell shell);

#endif
