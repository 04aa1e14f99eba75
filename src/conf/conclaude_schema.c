/* SPDX-License-Identifier: MIT */
/* Every key of .conclaude.yaml, of any version of conclaude, with type, range, default and help. Holds no logic. */
#include "conf/conclaude.h"

#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define LIST(struct_, member_, key_, item_, type_, ...)                                        \
	FIELD_ITEMS(struct_, member_.items, member_.count, key_, FIELD_LIST, .item = &(item_), \
		    .size = sizeof(type_), __VA_ARGS__)

static const struct field string_item = { .type = FIELD_STRING };
static const struct field glob_item = { .type = FIELD_GLOB };

/* ---- commands ---- */

#define COMMAND(member, key, type, ...) FIELD(struct conclaude_command, member, key, type, __VA_ARGS__)
#define COMMAND_RUN                                            \
	COMMAND(run, "run", FIELD_STRING, .is_required = true, \
		DOC(NULL, "The script, run by bash in the directory of the configuration file."))
#define COMMAND_MESSAGE                           \
	COMMAND(message, "message", FIELD_FILLED, \
		DOC("null", "The message when it fails, instead of the command and its exit code."))
#define COMMAND_OUTPUT                                                                         \
	COMMAND(shows_stdout, "showStdout", FIELD_BOOL,                                        \
		DOC("false", "Show its standard output when it fails.")),                      \
		COMMAND(shows_stderr, "showStderr", FIELD_BOOL,                                \
			DOC("false", "Show its standard error when it fails.")),               \
		COMMAND(max_output_lines, "maxOutputLines", FIELD_INTEGER, RANGE(1, 10000),    \
			DOC("null", "The largest number of lines shown of each output.")),     \
		COMMAND(timeout_s, "timeout", FIELD_INTEGER, RANGE(1, 3600),                   \
			DOC("null", "Seconds after which it is ended and counts as failed.")), \
		COMMAND(shows_command, "showCommand", FIELD_BOOL,                              \
			DOC("true", "Name the command in messages about it.")),                \
		COMMAND(notifies, "notifyPerCommand", FIELD_BOOL,                              \
			DOC("false", "A desktop notification for this command."))

static const struct conclaude_command default_command = { .shows_command = true };

static const struct field command_fields[] = { COMMAND_RUN, COMMAND_MESSAGE, COMMAND_OUTPUT };
static const struct field command_item = { .type = FIELD_OBJECT, KEYS(command_fields) };
#define COMMAND_ITEMS .size = sizeof(struct conclaude_command), .defaults = &default_command
static const struct field command_list = { .type = FIELD_LIST,
					   .item = &command_item,
					   .has_member = true,
					   .offset = offsetof(struct conclaude_patterns, commands),
					   .count_offset = offsetof(struct conclaude_patterns, count),
					   COMMAND_ITEMS };

static const struct field prompt_command_fields[] = {
	COMMAND_RUN,
	COMMAND(pattern, "pattern", FIELD_REGEX, DOC("null", "Run it only for prompts that this matches.")),
	COMMAND(ignores_case, "caseInsensitive", FIELD_BOOL, DOC("false", "Ignore the case when matching.")),
	COMMAND_OUTPUT,
};
static const struct field prompt_command_item = { .type = FIELD_OBJECT, KEYS(prompt_command_fields) };

static const struct field tool_command_fields[] = {
	COMMAND_RUN,
	COMMAND(tool, "tool", FIELD_GLOB, DOC("*", "Run it only for tools with this name.")),
	COMMAND_MESSAGE,
	COMMAND_OUTPUT,
};
static const struct field tool_command_item = { .type = FIELD_OBJECT, KEYS(tool_command_fields) };

/* ---- stop ---- */

static const struct conclaude_message default_message = { .times = 1 };

static const struct field message_fields[] = {
	FIELD(struct conclaude_message, text, "text", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "The message to the agent that keeps it working.")),
	FIELD(struct conclaude_message, times, "times", FIELD_INTEGER, RANGE(0, INT32_MAX),
	      .is_clamped = true, DOC("1", "How often it is sent before the next one; 0: never.")),
};
static const struct field message_item = { .type = FIELD_OBJECT, KEYS(message_fields) };

static const struct field prefix_blocking_fields[] = {
	LIST(struct conclaude_prefix_blocking, prefixes, "prefixes", glob_item, struct str,
	     DOC("[]", "The queue is for sessions whose first prompt begins, in its first 100 characters, "
		       "with a match "
		       "of one of these.")),
	LIST(struct conclaude_prefix_blocking, messages, "messages", message_item, struct conclaude_message,
	     .defaults = &default_message, DOC("[]", "What is sent, one at each stop, in this order.")),
};

#define GREP_RULES_HINT "run grep as one of 'stop.commands'"

static const struct field stop_fields[] = {
	LIST(struct conclaude_stop, commands, "commands", command_item, struct conclaude_command,
	     .defaults = &default_command,
	     DOC("[]", "Run at every stop, in this order; the first that fails blocks the stop.")),
	FIELD(struct conclaude_stop, is_infinite, "infinite", FIELD_BOOL,
	      DOC("false", "Never let the agent stop.")),
	FIELD(struct conclaude_stop, infinite_message, "infiniteMessage", FIELD_FILLED,
	      DOC("continue working on the task", "The message to the agent in infinite mode.")),
	FIELD(struct conclaude_stop, rounds, "rounds", FIELD_INTEGER, RANGE(1, UINT32_MAX),
	      DOC("null", "Let the agent stop only at this stop of a session, counted from 1.")),
	FIELD(struct conclaude_stop, prefix_blocking, "promptPrefixBlocking", FIELD_OBJECT,
	      .is_nullable = true, .size = sizeof(struct conclaude_prefix_blocking),
	      KEYS(prefix_blocking_fields),
	      DOC("null", "A queue of follow-up messages for sessions that begin with certain words.")),
	CHECKED("run", FIELD_REMOVED, .help = "write each line as an entry '- run: ...' of 'stop.commands'"),
	CHECKED("grepRules", FIELD_REMOVED, .help = GREP_RULES_HINT),
};

/* ---- preToolUse ---- */

static const struct field uneditable_fields[] = {
	FIELD(struct conclaude_uneditable, pattern, "pattern", FIELD_GLOB, .is_required = true,
	      DOC(NULL, "The files.")),
	FIELD(struct conclaude_uneditable, message, "message", FIELD_STRING,
	      DOC("null", "The message, instead of one with the pattern.")),
	FIELD(struct conclaude_uneditable, agent, "agent", FIELD_GLOB,
	      DOC("*", "Only for agents with this name.")),
	{ .type = FIELD_OTHERS },
};
static const struct field uneditable_item = { .type = FIELD_OBJECT,
					      .short_key = "pattern",
					      KEYS(uneditable_fields) };

#define RULE(member, key, type, ...) FIELD(struct conclaude_tool_rule, member, key, type, __VA_ARGS__)
static const struct field tool_rule_fields[] = {
	RULE(tool, "tool", FIELD_STRING, .is_required = true,
	     DOC(NULL, "The tool's name, or * for every tool.")),
	RULE(pattern, "pattern", FIELD_GLOB,
	     DOC(NULL, "The file that the tool is used on; required where there is no commandPattern.")),
	RULE(action, "action", FIELD_STRING, .is_required = true,
	     DOC(NULL, "block; or allow, which blocks everything that does not match.")),
	RULE(message, "message", FIELD_STRING, DOC("null", "The message, instead of one with the pattern.")),
	RULE(command_pattern, "commandPattern", FIELD_GLOB,
	     DOC("null", "The command line, where the tool is Bash.")),
	RULE(match_mode, "matchMode", FIELD_STRING,
	     DOC("full", "full: the complete command; prefix: any number of its first words.")),
	RULE(agent, "agent", FIELD_GLOB, DOC("*", "Only for agents with this name.")),
};
static const char *const tool_rule_patterns[] = { "pattern", "commandPattern", NULL };
static const struct field tool_rule_item = { .type = FIELD_OBJECT,
					     .any_of = tool_rule_patterns,
					     KEYS(tool_rule_fields) };

#define PRE(member, key, type, ...) FIELD(struct conclaude_pre_tool_use, member, key, type, __VA_ARGS__)
static const struct field pre_tool_use_fields[] = {
	PRE(prevents_root_additions, "preventRootAdditions", FIELD_BOOL,
	    DOC("true",
		"Allow no new files next to the configuration file; at a stop, none made by its commands.")),
	PRE(root_message, "preventRootAdditionsMessage", FIELD_STRING,
	    DOC("null", "The message then; {file_path} and {tool} are filled in.")),
	LIST(struct conclaude_pre_tool_use, uneditable_files, "uneditableFiles", uneditable_item,
	     struct conclaude_uneditable, DOC("[]", "Files that may not be changed.")),
	LIST(struct conclaude_pre_tool_use, prevented_additions, "preventAdditions", glob_item, struct str,
	     DOC("[]", "Where no new files may be made: globs, or directories.")),
	PRE(prevents_ignored, "preventUpdateGitIgnored", FIELD_BOOL,
	    DOC("false", "Files that git ignores may not be changed.")),
	LIST(struct conclaude_pre_tool_use, tool_rules, "toolUsageValidation", tool_rule_item,
	     struct conclaude_tool_rule, DOC("[]", "Which tools may be used on what, in this order.")),
	PRE(prevents_generated, "preventGeneratedFileEdits", FIELD_BOOL,
	    DOC("false", "Files that are marked as generated may not be changed.")),
	PRE(generated_message, "generatedFileMessage", FIELD_STRING,
	    DOC("null", "The message then; {file_path} and {marker} are filled in.")),
	CHECKED("grepRules", FIELD_REMOVED, .help = GREP_RULES_HINT),
};

static const struct field database_fields[] = {
	FIELD(struct conclaude_database, is_enabled, "enabled", FIELD_BOOL,
	      DOC("true", "Without it there is no promptPrefixBlocking.")),
	FIELD(struct conclaude_database, path, "path", FIELD_STRING,
	      DOC("null",
		  "The file, or its directory; relative to the configuration file. CONCLAUDE_DATA_DIR "
		  "overrides it.")),
};

/* ---- other events ---- */

#define SECTION_COMMANDS(struct_, member_, item_, help_)                                                \
	FIELD_ITEMS(struct_, member_.commands, member_.count, "commands", FIELD_LIST, .item = &(item_), \
		    COMMAND_ITEMS, DOC("[]", help_))
#define SECTION_PATTERNS                                                                      \
	FIELD_ITEMS(struct conclaude_section, patterns, pattern_count, "commands", FIELD_MAP, \
		    .item = &command_list, .has_pattern_keys = true,                          \
		    .size = sizeof(struct conclaude_patterns),                                \
		    DOC("{}", "As in stop; those of every glob that matches are run."))

/* A section without a name of its own for the struct. */
struct section {
	struct conclaude_section s;
};
static const struct field list_section_fields[] = {
	SECTION_COMMANDS(struct section, s, command_item, "As in stop."),
};
static const struct field tool_section_fields[] = {
	SECTION_COMMANDS(struct section, s, tool_command_item, "As in stop, each for certain tools."),
};
static const struct field pattern_section_fields[] = { SECTION_PATTERNS };

#define NOTIFY(member, key, type, ...) FIELD(struct conclaude_notifications, member, key, type, __VA_ARGS__)
static const struct field notification_fields[] = {
	NOTIFY(is_enabled, "enabled", FIELD_BOOL, DOC("false", "Send desktop notifications.")),
	LIST(struct conclaude_notifications, hooks, "hooks", string_item, struct str,
	     DOC("[]", "The events that send one; * for all of them.")),
	NOTIFY(shows_errors, "showErrors", FIELD_BOOL, DOC("false", "When something failed.")),
	NOTIFY(shows_success, "showSuccess", FIELD_BOOL, DOC("false", "When something passed.")),
	NOTIFY(shows_system_events, "showSystemEvents", FIELD_BOOL,
	       DOC("true", "When sessions begin or end.")),
};

static const char *const permissions[] = { "allow", "deny", NULL };
static const struct field permission_request_fields[] = {
	FIELD(struct conclaude_permissions, otherwise, "default", FIELD_CHOICE, .is_required = true,
	      .choices = permissions, DOC(NULL, "For tools that are in neither list.")),
	LIST(struct conclaude_permissions, allow, "allow", glob_item, struct str, .is_nullable = true,
	     DOC("null", "Tools that are allowed, without a question to the user.")),
	LIST(struct conclaude_permissions, deny, "deny", glob_item, struct str, .is_nullable = true,
	     DOC("null", "Tools that are denied; overrides allow.")),
};

static const struct conclaude_context_rule default_context_rule = { .is_enabled = true };
static const struct field context_rule_fields[] = {
	FIELD(struct conclaude_context_rule, pattern, "pattern", FIELD_REGEX, .is_required = true,
	      DOC(NULL, "The prompts.")),
	FIELD(struct conclaude_context_rule, prompt, "prompt", FIELD_STRING, .is_required = true,
	      DOC(NULL, "The text added to them; @path is the content of a file.")),
	FIELD(struct conclaude_context_rule, is_enabled, "enabled", FIELD_BOOL,
	      DOC("true", "Turns the rule off.")),
	FIELD(struct conclaude_context_rule, ignores_case, "caseInsensitive", FIELD_BOOL,
	      DOC("false", "Ignore the case when matching.")),
};
static const struct field context_rule_item = { .type = FIELD_OBJECT, KEYS(context_rule_fields) };

static const struct field slash_command_fields[] = {
	FIELD_ITEMS(struct conclaude_config, slash_commands.patterns, slash_commands.pattern_count,
		    "commands", FIELD_MAP, .item = &command_list, .has_pattern_keys = true,
		    .size = sizeof(struct conclaude_patterns),
		    DOC("{}", "As in stop; those of every glob that matches are run.")),
};

/* The keys of these three are members of the configuration itself. */
#define CONFIG(member, key, type, ...) FIELD(struct conclaude_config, member, key, type, __VA_ARGS__)
static const struct field user_prompt_submit_fields[] = {
	LIST(struct conclaude_config, context_rules, "contextRules", context_rule_item,
	     struct conclaude_context_rule, .defaults = &default_context_rule,
	     DOC("[]", "Text that is added to certain prompts.")),
	SECTION_COMMANDS(struct conclaude_config, sections[EVENT_UserPromptSubmit], prompt_command_item,
			 "As in stop, each for certain prompts; none of them blocks."),
	CHECKED("slashCommands", FIELD_OBJECT, .is_nullable = true, KEYS(slash_command_fields),
		DOC("null", "Commands by the slash command in the prompt; exit code 2 blocks the prompt.")),
};

static const struct field worktree_create_fields[] = {
	CONFIG(worktree_command, "command", FIELD_STRING,
	       DOC("null", "Makes the worktree and prints its path.")),
	CONFIG(worktree_timeout_s, "timeout", FIELD_INTEGER, RANGE(1, 3600), DOC("60", "Seconds.")),
};

static const struct field message_display_fields[] = {
	SECTION_COMMANDS(struct conclaude_config, sections[EVENT_MessageDisplay], command_item,
			 "As in stop."),
	CONFIG(shows_only_final, "onlyFinal", FIELD_BOOL,
	       DOC("true", "Only for the last piece of each message.")),
};

/* ---- the file ---- */

#define SECTION(key, fields_, help_) CHECKED(key, FIELD_OBJECT, KEYS(fields_), DOC(NULL, help_))
#define STORED(member, key, fields_, help_) \
	FIELD(struct conclaude_config, member, key, FIELD_OBJECT, KEYS(fields_), DOC(NULL, help_))
#define BY_PATTERN(event, key, what)                                 \
	STORED(sections[EVENT_##event], key, pattern_section_fields, \
	       "Commands at " #event "; the globs are for the " what ".")

static const struct field root_fields[] = {
	STORED(stop, "stop", stop_fields, "What happens when the agent wants to stop."),
	STORED(pre_tool_use, "preToolUse", pre_tool_use_fields, "What the agent may use its tools for."),
	STORED(database, "database", database_fields, "Where the queue of follow-ups is kept."),
	STORED(notifications, "notifications", notification_fields, "Desktop notifications."),
	FIELD(struct conclaude_config, permissions, "permissionRequest", FIELD_OBJECT, .is_nullable = true,
	      .size = sizeof(struct conclaude_permissions), KEYS(permission_request_fields),
	      DOC("null", "Answers to requests for permission, by the tool's name.")),
	SECTION("userPromptSubmit", user_prompt_submit_fields, "What happens at a prompt."),
	STORED(sections[EVENT_StopFailure], "stopFailure", list_section_fields, "Commands at StopFailure."),
	STORED(sections[EVENT_PostToolUse], "postToolUse", tool_section_fields, "Commands at PostToolUse."),
	STORED(sections[EVENT_PostToolBatch], "postToolBatch", list_section_fields,
	       "Commands at PostToolBatch."),
	SECTION("messageDisplay", message_display_fields, "Commands at MessageDisplay."),
	SECTION("worktreeCreate", worktree_create_fields, "How worktrees are made."),
	BY_PATTERN(SubagentStop, "subagentStop", "agent's type, name or id"),
	BY_PATTERN(SubagentStart, "skillStart", "subagent's type"),
	BY_PATTERN(TeammateIdle, "teammateIdle", "teammate's name"),
	BY_PATTERN(TaskCompleted, "taskCompleted", "task's subject"),
	BY_PATTERN(ConfigChange, "configChange", "source of the change"),
	BY_PATTERN(Setup, "setup", "trigger"),
	BY_PATTERN(PostCompact, "postCompact", "trigger"),
	BY_PATTERN(CwdChanged, "cwdChanged", "new directory"),
	BY_PATTERN(FileChanged, "fileChanged", "file's path"),
	BY_PATTERN(InstructionsLoaded, "instructionsLoaded", "kind of memory"),
	BY_PATTERN(PermissionDenied, "permissionDenied", "tool's name"),
	BY_PATTERN(UserPromptExpansion, "userPromptExpansion", "command's name"),
	BY_PATTERN(TaskCreated, "taskCreated", "task's subject"),
	BY_PATTERN(Elicitation, "elicitation", "MCP server"),
	BY_PATTERN(ElicitationResult, "elicitationResult", "MCP server"),
	CHECKED("rules", FIELD_REMOVED, .help = "its keys are now in 'preToolUse'"),
	CHECKED("gitWorktree", FIELD_REMOVED, .help = "'worktreeCreate.command' makes worktrees"),
};

const struct schema conclaude_schema = {
	.file = ".conclaude.yaml",
	.root = { .type = FIELD_OBJECT, .is_nullable = true, KEYS(root_fields) },
	.null_is_unset = true,
	.allows_nul = true,
};
