/* SPDX-License-Identifier: MIT */
/* Every key of conclaude's configuration, with type, range, default and help: what is not in these tables is not
 * a key. Holds no logic. */
#include "conf/conclaude_keys.h"

/* What a value is, what it is when it is not there, what it is for. */
#define DOC(type_, default_, help_) .type_name = (type_), .default_text = (default_), .help = (help_)
#define ITEMS(fields_, type_, defaults_)                                                   \
	.fields = (fields_), .field_count = COUNT_OF(fields_), .item_size = sizeof(type_), \
	.item_defaults = (defaults_)
#define INSIDE(fields_) .fields = (fields_), .field_count = COUNT_OF(fields_)
#define STRINGS .item_size = sizeof(struct str)
#define GLOBS .item_size = sizeof(struct str), .read_item = conclaude_read_glob
#define RANGE(least_, most_) .least = (least_), .most = (most_)

#define COMMAND(member, key, read, ...) FIELD(struct conclaude_command, member, key, read, __VA_ARGS__)
#define COMMAND_RUN                                          \
	COMMAND(run, "run", decode_str, .is_required = true, \
		DOC("string", NULL, "The script, run by bash in the directory of the configuration file."))
#define COMMAND_MESSAGE                                    \
	COMMAND(message, "message", conclaude_read_filled, \
		DOC("string", "null",                      \
		    "What is said when it fails, instead of the command and its exit code."))
#define COMMAND_OUTPUT                                                                                     \
	COMMAND(shows_stdout, "showStdout", decode_bool,                                                   \
		DOC("boolean", "false", "Show its standard output when it fails.")),                       \
		COMMAND(shows_stderr, "showStderr", decode_bool,                                           \
			DOC("boolean", "false", "Show its standard error when it fails.")),                \
		COMMAND(max_output_lines, "maxOutputLines", decode_int, RANGE(1, 10000),                   \
			DOC("integer 1..10000", "null", "The most lines of each output that are shown.")), \
		COMMAND(timeout_s, "timeout", decode_int, RANGE(1, 3600),                                  \
			DOC("integer 1..3600", "null",                                                     \
			    "Seconds after which it is ended and counts as failed.")),                     \
		COMMAND(shows_command, "showCommand", decode_bool,                                         \
			DOC("boolean", "true", "Name the command in what is said about it.")),             \
		COMMAND(notifies, "notifyPerCommand", decode_bool,                                         \
			DOC("boolean", "false", "A desktop notification for this command."))

static const struct conclaude_command default_command = { .shows_command = true };

static const struct field command_fields[] = { COMMAND_RUN, COMMAND_MESSAGE, COMMAND_OUTPUT };

static const struct field prompt_command_fields[] = {
	COMMAND_RUN,
	COMMAND(pattern, "pattern", conclaude_read_regex,
		DOC("regular expression", "null", "Run it only for prompts in which this is found.")),
	COMMAND(ignores_case, "caseInsensitive", decode_bool,
		DOC("boolean", "false", "Let the pattern match whatever the case.")),
	COMMAND_OUTPUT,
};

static const struct field tool_command_fields[] = {
	COMMAND_RUN,
	COMMAND(tool, "tool", conclaude_read_glob, DOC("glob", "*", "Run it only for tools of this name.")),
	COMMAND_MESSAGE,
	COMMAND_OUTPUT,
};

#define COMMAND_LIST ITEMS(command_fields, struct conclaude_command, &default_command)
#define LIST_OF_COMMANDS "list of commands"
#define TABLE_OF_COMMANDS "map from globs to lists of commands"

static const struct conclaude_message default_message = { .times = 1 };

static const struct field message_fields[] = {
	FIELD(struct conclaude_message, text, "text", conclaude_read_text, .is_required = true,
	      DOC("string", NULL, "What the agent is told instead of being let go.")),
	FIELD(struct conclaude_message, times, "times", conclaude_read_times, RANGE(0, INT32_MAX),
	      DOC("integer 0..2147483647", "1",
		  "How often it is sent before the next one is due; 0: never.")),
};

static const struct field prefix_blocking_fields[] = {
	FIELD(struct conclaude_prefix_blocking, prefixes, "prefixes", decode_list, GLOBS,
	      DOC("list of globs", "[]",
		  "The queue is for sessions whose first prompt's first 100 characters one of these "
		  "matches.")),
	FIELD(struct conclaude_prefix_blocking, messages, "messages", decode_list,
	      ITEMS(message_fields, struct conclaude_message, &default_message),
	      DOC("list of messages", "[]", "What is sent, one at each stop, in this order.")),
};

#define GREP_RULES_HINT "run grep as one of 'stop.commands'"

static const struct field stop_fields[] = {
	FIELD(struct conclaude_stop, commands, "commands", decode_list, COMMAND_LIST,
	      DOC(LIST_OF_COMMANDS, "[]",
		  "Run at every stop, in this order; the first that fails keeps the agent.")),
	FIELD(struct conclaude_stop, is_infinite, "infinite", decode_bool,
	      DOC("boolean", "false", "Never let the agent stop.")),
	FIELD(struct conclaude_stop, infinite_message, "infiniteMessage", conclaude_read_filled,
	      DOC("string", "continue working on the task", "What it is told in infinite mode.")),
	FIELD(struct conclaude_stop, rounds, "rounds", decode_int, RANGE(1, UINT32_MAX),
	      DOC("integer 1..4294967295", "null",
		  "Let the agent go only at this stop of a session, counted from 1.")),
	FIELD(struct conclaude_stop, prefix_blocking, "promptPrefixBlocking", decode_opt_object,
	      ITEMS(prefix_blocking_fields, struct conclaude_prefix_blocking, NULL),
	      DOC("section", "null",
		  "A queue of follow-up messages for sessions that begin with certain words.")),
	FIELD_REMOVED("run", "write each line as an entry '- run: ...' of 'stop.commands'"),
	FIELD_REMOVED("grepRules", GREP_RULES_HINT),
};

static const struct field uneditable_fields[] = {
	FIELD(struct conclaude_uneditable, pattern, "pattern", conclaude_read_glob, .is_required = true,
	      DOC("glob", NULL, "The files.")),
	FIELD(struct conclaude_uneditable, message, "message", decode_str,
	      DOC("string", "null", "What is said instead of the pattern.")),
	FIELD(struct conclaude_uneditable, agent, "agent", conclaude_read_glob,
	      DOC("glob", "*", "Only for agents of this name.")),
	FIELD_OTHERS,
};
const struct field_table conclaude_uneditable = FIELD_TABLE(uneditable_fields);

#define RULE(member, key, read, ...) FIELD(struct conclaude_tool_rule, member, key, read, __VA_ARGS__)
static const struct field tool_rule_fields[] = {
	RULE(tool, "tool", decode_str, .is_required = true,
	     DOC("string", NULL, "The tool's name, or * for every tool.")),
	RULE(pattern, "pattern", conclaude_read_glob,
	     DOC("glob", NULL,
		 "The file that the tool is used on; required where there is no commandPattern.")),
	RULE(action, "action", decode_str, .is_required = true,
	     DOC("string", NULL, "block, or allow: then all that does not match is blocked.")),
	RULE(message, "message", decode_str, DOC("string", "null", "What is said instead of the pattern.")),
	RULE(command_pattern, "commandPattern", conclaude_read_glob,
	     DOC("glob", "null", "The command line, where the tool is Bash.")),
	RULE(match_mode, "matchMode", decode_str,
	     DOC("string", "full", "full: the whole command; prefix: any number of its first words.")),
	RULE(agent, "agent", conclaude_read_glob, DOC("glob", "*", "Only for agents of this name.")),
};
const struct field_table conclaude_tool_rule = FIELD_TABLE(tool_rule_fields);

#define PRE(member, key, read, ...) FIELD(struct conclaude_pre_tool_use, member, key, read, __VA_ARGS__)
static const struct field pre_tool_use_fields[] = {
	PRE(prevents_root_additions, "preventRootAdditions", decode_bool,
	    DOC("boolean", "true",
		"No new files beside the configuration file; at a stop, none made by its commands.")),
	PRE(root_additions_message, "preventRootAdditionsMessage", decode_str,
	    DOC("string", "null", "What is said then; {file_path} and {tool} are filled in.")),
	PRE(uneditable_files, "uneditableFiles", decode_list,
	    .item_size = sizeof(struct conclaude_uneditable), .read_item = conclaude_read_uneditable,
	    INSIDE(uneditable_fields),
	    DOC("list of globs or of maps", "[]", "Files that are not to be changed.")),
	PRE(no_additions, "preventAdditions", decode_list, GLOBS,
	    DOC("list of globs", "[]", "Places where no new files are to be made.")),
	PRE(prevents_git_ignored, "preventUpdateGitIgnored", decode_bool,
	    DOC("boolean", "false", "Files that git ignores are not to be changed.")),
	PRE(tool_rules, "toolUsageValidation", decode_list, .item_size = sizeof(struct conclaude_tool_rule),
	    .read_item = conclaude_read_tool_rule, INSIDE(tool_rule_fields),
	    DOC("list of rules", "[]", "Which tools may be used on what, in this order.")),
	PRE(prevents_generated, "preventGeneratedFileEdits", decode_bool,
	    DOC("boolean", "false", "Files that say that they are generated are not to be changed.")),
	PRE(generated_message, "generatedFileMessage", decode_str,
	    DOC("string", "null", "What is said then; {file_path} and {marker} are filled in.")),
	FIELD_REMOVED("grepRules", GREP_RULES_HINT),
};

static const struct field database_fields[] = {
	FIELD(struct conclaude_database, is_enabled, "enabled", decode_bool,
	      DOC("boolean", "true", "Without it there is no promptPrefixBlocking.")),
	FIELD(struct conclaude_database, path, "path", decode_str,
	      DOC("string", "null",
		  "The file, or the directory that it is in; relative to the configuration file. "
		  "CONCLAUDE_DATA_DIR "
		  "wins over it.")),
};

static const struct field list_section_fields[] = {
	FIELD(struct conclaude_commands, commands, "commands", decode_list, COMMAND_LIST,
	      DOC(LIST_OF_COMMANDS, "[]", "As in stop.")),
};
static const struct field tool_section_fields[] = {
	FIELD(struct conclaude_commands, commands, "commands", decode_list,
	      ITEMS(tool_command_fields, struct conclaude_command, &default_command),
	      DOC(LIST_OF_COMMANDS, "[]", "As in stop, each for certain tools.")),
};
static const struct field table_section_fields[] = {
	FIELD(struct conclaude_commands, commands, "commands", decode_table, COMMAND_LIST,
	      DOC(TABLE_OF_COMMANDS, "{}", "As in stop; those of every glob that matches are run.")),
};

#define NOTE(member, key, read, ...) FIELD(struct conclaude_notifications, member, key, read, __VA_ARGS__)
static const struct field notification_fields[] = {
	NOTE(is_enabled, "enabled", decode_bool, DOC("boolean", "false", "Desktop notifications at all.")),
	NOTE(hooks, "hooks", decode_list, STRINGS,
	     DOC("list of strings", "[]", "The events that notify; * for all of them.")),
	NOTE(shows_errors, "showErrors", decode_bool, DOC("boolean", "false", "When something failed.")),
	NOTE(shows_success, "showSuccess", decode_bool, DOC("boolean", "false", "When something passed.")),
	NOTE(shows_system_events, "showSystemEvents", decode_bool,
	     DOC("boolean", "true", "When sessions begin or end.")),
};

static const char *const permissions[] = { "allow", "deny", NULL };
static const struct field permission_request_fields[] = {
	FIELD(struct conclaude_permission_request, otherwise, "default", decode_choice, .is_required = true,
	      .choices = permissions, DOC("allow or deny", NULL, "For tools that neither list has.")),
	FIELD(struct conclaude_permission_request, allow, "allow", decode_opt_list, GLOBS,
	      DOC("list of globs", "null", "Tools that are allowed.")),
	FIELD(struct conclaude_permission_request, deny, "deny", decode_opt_list, GLOBS,
	      DOC("list of globs", "null", "Tools that are denied; wins over allow.")),
};

static const struct conclaude_context_rule default_context_rule = { .is_enabled = true };
#define CONTEXT(member, key, read, ...) FIELD(struct conclaude_context_rule, member, key, read, __VA_ARGS__)
static const struct field context_rule_fields[] = {
	CONTEXT(pattern, "pattern", conclaude_read_regex, .is_required = true,
		DOC("regular expression", NULL, "The prompts.")),
	CONTEXT(prompt, "prompt", decode_str, .is_required = true,
		DOC("string", NULL, "What is added to them; @path is the content of a file.")),
	CONTEXT(is_enabled, "enabled", decode_bool, DOC("boolean", "true", "Switches the rule off.")),
	CONTEXT(ignores_case, "caseInsensitive", decode_bool,
		DOC("boolean", "false", "Let the pattern match whatever the case.")),
};

static const struct field user_prompt_submit_fields[] = {
	FIELD(struct conclaude_user_prompt_submit, context_rules, "contextRules", decode_list,
	      ITEMS(context_rule_fields, struct conclaude_context_rule, &default_context_rule),
	      DOC("list of rules", "[]", "Text that is added to certain prompts.")),
	FIELD(struct conclaude_user_prompt_submit, commands, "commands", decode_list,
	      ITEMS(prompt_command_fields, struct conclaude_command, &default_command),
	      DOC(LIST_OF_COMMANDS, "[]", "As in stop, each for certain prompts; none of them blocks.")),
	FIELD(struct conclaude_user_prompt_submit, slash_commands, "slashCommands", decode_opt_object,
	      ITEMS(table_section_fields, struct conclaude_commands, NULL),
	      DOC("section", "null", "Commands by the slash command that the prompt has.")),
};

static const struct field worktree_create_fields[] = {
	FIELD(struct conclaude_worktree_create, command, "command", decode_str,
	      DOC("string", "null", "Makes the worktree and prints its path.")),
	FIELD(struct conclaude_worktree_create, timeout_s, "timeout", decode_int, RANGE(1, 3600),
	      DOC("integer 1..3600", "60", "Seconds.")),
};

static const struct field message_display_fields[] = {
	FIELD(struct conclaude_message_display, commands, "commands", decode_list, COMMAND_LIST,
	      DOC(LIST_OF_COMMANDS, "[]", "As in stop.")),
	FIELD(struct conclaude_message_display, is_only_final, "onlyFinal", decode_bool,
	      DOC("boolean", "true", "Only for the last piece of each message.")),
};

#define SECTION(member, key, fields_, help_)                                        \
	FIELD(struct conclaude_config, member, key, decode_object, INSIDE(fields_), \
	      DOC("section", NULL, help_))
#define BY_PATTERN(key, what) \
	SECTION(unheeded, key, table_section_fields, "Commands at " key "; the globs are for the " what ".")

static const struct field root_fields[] = {
	SECTION(stop, "stop", stop_fields, "What happens when the agent wants to stop."),
	SECTION(pre_tool_use, "preToolUse", pre_tool_use_fields, "What the agent's tools may be used for."),
	SECTION(database, "database", database_fields, "Where the queue of follow-ups is kept."),
	SECTION(notifications, "notifications", notification_fields, "Desktop notifications."),
	FIELD(struct conclaude_config, permission_request, "permissionRequest", decode_opt_object,
	      ITEMS(permission_request_fields, struct conclaude_permission_request, NULL),
	      DOC("section", "null", "Answers to requests for permission, by the tool's name.")),
	SECTION(user_prompt_submit, "userPromptSubmit", user_prompt_submit_fields, "What a prompt sets off."),
	SECTION(unheeded, "stopFailure", list_section_fields, "Commands at StopFailure."),
	SECTION(unheeded, "postToolUse", tool_section_fields, "Commands at PostToolUse."),
	SECTION(unheeded, "postToolBatch", list_section_fields, "Commands at PostToolBatch."),
	SECTION(message_display, "messageDisplay", message_display_fields, "Commands at MessageDisplay."),
	SECTION(worktree_create, "worktreeCreate", worktree_create_fields, "How worktrees are made."),
	BY_PATTERN("subagentStop", "agent's id"),
	BY_PATTERN("skillStart", "subagent's type"),
	BY_PATTERN("teammateIdle", "teammate's name"),
	BY_PATTERN("taskCompleted", "task's subject"),
	BY_PATTERN("configChange", "source of the change"),
	BY_PATTERN("setup", "trigger"),
	BY_PATTERN("postCompact", "trigger"),
	BY_PATTERN("cwdChanged", "new directory"),
	BY_PATTERN("fileChanged", "file's path"),
	BY_PATTERN("instructionsLoaded", "kind of memory"),
	BY_PATTERN("permissionDenied", "tool's name"),
	BY_PATTERN("userPromptExpansion", "command's name"),
	BY_PATTERN("taskCreated", "task's subject"),
	BY_PATTERN("elicitation", "MCP server"),
	BY_PATTERN("elicitationResult", "MCP server"),
	FIELD_REMOVED("rules", "its keys are now in 'preToolUse'"),
	FIELD_REMOVED("gitWorktree", "'worktreeCreate.command' makes worktrees"),
};
const struct field_table conclaude_root = FIELD_TABLE(root_fields);

const struct conclaude_config conclaude_defaults = {
	.stop = { .infinite_message = STR("continue working on the task") },
	.pre_tool_use = { .prevents_root_additions = true },
	.database = { .is_enabled = true },
	.notifications = { .shows_system_events = true },
	.message_display = { .is_only_final = true },
};
