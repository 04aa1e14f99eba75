/* SPDX-License-Identifier: MIT */
/* Every command, by folder. Each is defined in the file of its name, or in the one in the comment. main.c lists them under
 * their programs. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cmd/command.h"

/* cmd/ */
extern const struct command completions_command, help_command; /* help.c */
extern const struct command version_command;                   /* command.c */

/* cmd/hook/ */
extern const struct command hook_command, stop_hook_command, gauntlet_stop_hook_command,
	ralph_hook_command; /* hook.c */

/* cmd/gates/ */
extern const struct command run_command, check_command, review_command, clean_command; /* run.c */
extern const struct command ci_command, config_command, health_command, status_command;
extern const struct command list_command, detect_command;             /* list.c */
extern const struct command schema_command, conclaude_schema_command; /* config.c */

/* cmd/loop/ */
extern const struct command ralph_command, ralph_status_command, ralph_list_command,
	ralph_history_command; /* loop.c */
extern const struct command ralph_start_command;
extern const struct command ralph_pause_command, ralph_resume_command, ralph_cancel_command,
	ralph_steer_command, ralph_extend_command, ralph_adopt_command; /* control.c */

/* cmd/journal/ */
extern const struct command explain_command, log_command;

/* cmd/mcp/ */
extern const struct command mcp_command;

/* cmd/report/ */
extern const struct command report_command;

/* cmd/watch/ */
extern const struct command statusline_command, watch_command;

/* cmd/setup/ */
extern const struct command add_command, doctor_command, init_command, migrate_command, off_command,
	on_command, restore_command, trust_command, uninstall_command;
extern const struct command validate_command, gauntlet_validate_command; /* validate.c */

/* cmd/compat/ */
extern const struct command gauntlet_init_command;
extern const struct command conclaude_init_command;
extern const struct command conclaude_validate_command,
	conclaude_visualize_command;                 /* conclaude_validate.c */
extern const struct command conclaude_hooks_command; /* conclaude_hook.c */
#define EVENT(event, ...) extern const struct command conclaude_##event##_command;
#include "model/event.def"

#endif
