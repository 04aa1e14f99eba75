/* SPDX-License-Identifier: MIT */
/* The programs in this executable, selected by the name it is called by. */
#include "cmd/commands.h"
#include "os/fd.h"

/* By what people do. */
#define SET_UP                                                                                             \
	&init_command, &add_command, &migrate_command, &trust_command, &doctor_command, &validate_command, \
		&uninstall_command
#define EVERY_DAY                                                                                       \
	&run_command, &status_command, &watch_command, &log_command, &report_command, &explain_command, \
		&restore_command, &off_command, &on_command, &ralph_command
#define GATES                                                                                              \
	&check_command, &review_command, &detect_command, &list_command, &config_command, &health_command, \
		&clean_command, &ci_command
#define FOR_CLIENTS &stop_hook_command, &hook_command, &mcp_command, &statusline_command
#define OTHERS &completions_command, &help_command, &version_command, &schema_command

static const struct command *const holdfast_commands[] = { SET_UP, EVERY_DAY, GATES, FOR_CLIENTS, OTHERS };

#define GROUP(title, ...)                                                           \
	{                                                                           \
		(title), COUNT_OF(((const struct command *const[]){ __VA_ARGS__ })) \
	}
static const struct command_group holdfast_groups[] = {
	GROUP("Set up a project", SET_UP), GROUP("Every day", EVERY_DAY),
	GROUP("Gates in detail", GATES),   GROUP("Called by clients", FOR_CLIENTS),
	GROUP("About holdfast", OTHERS),
};

static const struct command *const conclaude_commands[] = {
	&conclaude_init_command,      &conclaude_validate_command,
	&conclaude_visualize_command, &conclaude_schema_command,
	&conclaude_hooks_command,
#define EVENT(event, ...) &conclaude_##event##_command,
#include "model/event.def"
	&completions_command,         &help_command,
};

static const struct command *const gauntlet_commands[] = {
	&run_command,
	&check_command,
	&review_command,
	&clean_command,
	&gauntlet_stop_hook_command,
	&detect_command,
	&ci_command,
	&list_command,
	&health_command,
	&gauntlet_init_command,
	&gauntlet_validate_command,
	&help_command,
};

/* The first also serves any other name. */
static const struct command roots[] = {
	{ .name = "holdfast",
	  .summary = "keeps a coding agent at work until the work is done",
	  .details = "In a project, 'holdfast init' writes gates and registers the hooks with the agent's "
		     "client, 'holdfast run' runs the gates, and 'holdfast status' says what the next stop "
		     "will do. 'holdfast doctor' shows what is active.",
	  .groups = holdfast_groups,
	  SUBCOMMANDS(holdfast_commands) },
	{ .name = "conclaude",
	  .summary = "hooks for Claude Code, compatible with conclaude",
	  SUBCOMMANDS(conclaude_commands) },
	{ .name = "agent-gauntlet",
	  .summary = "AI-assisted quality gates",
	  .run = help_show, /* agent-gauntlet without a command prints its help */
	  SUBCOMMANDS(gauntlet_commands) },
};

int
main(int argc, char **argv)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str name = path_base(str_from(argc > 0 ? argv[0] : ""));
	size_t root = COUNT_OF(roots) - 1;

	while (root > 0 && !str_is(name, roots[root].name))
		root--;
	fd_reserve_stdio();
	arena_return_large_chunks();
	return command_main(&a, &roots[root], argc, argv);
}
