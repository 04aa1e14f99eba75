/* SPDX-License-Identifier: MIT */
/* Every command there is: each is defined in the file of its name. main.c lists them under their programs. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cmd/command.h"

extern const struct command completions_command;
extern const struct command help_command;
extern const struct command init_command;
extern const struct command uninstall_command;
extern const struct command version_command;

#endif
