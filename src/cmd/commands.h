/* SPDX-License-Identifier: MIT */
/* Every command there is: each is defined in the file of its name. main.c lists them under their programs. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cmd/command.h"

extern const struct command ci_command;
extern const struct command completions_command;
extern const struct command detect_command;
extern const struct command doctor_command;
extern const struct command help_command;
extern const struct command init_command;
extern const struct command uninstall_command;
extern const struct command version_command;

extern const struct command stop_hook_command, gauntlet_stop_hook_command, hook_command;

extern const struct command config_command, validate_command;
extern const struct command gauntlet_health_command, gauntlet_init_command, gauntlet_list_command,
	gauntlet_validate_command;

extern const struct command ralph_command, ralph_hook_command, ralph_start_command, ralph_status_command,
	ralph_list_command, ralph_pause_command, ralph_resume_command, ralph_cancel_command;

extern const struct command conclaude_init_command, conclaude_validate_command, conclaude_visualize_command,
	conclaude_schema_command;
extern const struct command conclaude_hooks_command;
#define EVENT(event) extern const struct command conclaude_##event##_command;
#include "model/event.def"
#undef EVENT

extern const struct command run_command, check_command, review_command, clean_command;

#endif
