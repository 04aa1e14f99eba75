/* SPDX-License-Identifier: MIT */
/* Every key of .conclaude.yaml, of any version of conclaude, with type, range, default and help. It only checks: what the keys mean is
 * said in src/import. */
#include "import/conclaude.h"

#define RANGE(least_, most_) .least = (least_), .most = (most_)
#define LIST(key_, item_, ...) CHECKED(key_, FIELD_LIST, .item = &(item_), __VA_ARGS__)

static const struct field string_item = { .type = FIELD_STRING };
static const struct field glob_item = { .type = FIELD_GLOB };

/* ---- commands ---- */

#define COMMAND_RUN                                       \
	CHECKED("run", FIELD_STRING, .is_required = true, \
		DOC(NULL, "The script, run by bash in the directory of the configuration file."))
#define COMMAND_MESSAGE                  \
	CHECKED("message", FIELD_FILLED, \
		DOC("null", "The message when it fails, instead of the command and its exit code."))
#define COMMAND_OUTPUT                                                                                     \
	CHECKED("showStdout", FIELD_BOOL, DOC("false", "Show its standard output when it fails.")),        \
		CHECKED("showStderr", FIELD_BOOL, DOC("false", "Show its standard error when it fails.")), \
		CHECKED("maxOutputLines", FIELD_INTEGER, RANGE(1, 10000),                                  \
			DOC("null", "The largest number of lines shown of each output.")),                 \
		CHECKED("timeout", FIELD_INTEGER, RANGE(1, 3600),                                          \
			DOC("null", "Seconds after which it is ended and counts as failed.")),             \
		CHECKED("showCommand", FIELD_BOOL, DOC("true", "Name the command in messages about it.")), \
		CHECKED("notifyPerCommand", FIELD_BOOL,                                                    \
			DOC("false", "A desktop notification for this command."))

static const struct field command_fields[] = { COMMAND_RUN, COMMAND_MESSAGE, COMMAND_OUTPUT };
static const struct field command_item = OBJECT(command_fields);
static const struct field command_list = { .type = FIELD_LIST, .item = &command_item };

static const struct field prompt_command_fields[] = {
	COMMAND_RUN,
	CHECKED("pattern", FIELD_REGEX, DOC("null", "Run it only for prompts that this matches.")),
	CHECKED("caseInsensitive", FIELD_BOOL, DOC("false", "Ignore the case when matching.")),
	COMMAND_OUTPUT,
};
static const struct field prompt_command_item = OBJECT(prompt_command_fields);

static const struct field tool_command_fields[] = {
	COMMAND_RUN,
	CHECKED("tool", FIELD_GLOB, DOC("*", "Run it only for tools with this name.")),
	COMMAND_MESSAGE,
	COMMAND_OUTPUT,
};
static const struct field tool_command_item = OBJECT(tool_command_fields);

/* ---- stop ---- */

static const struct field message_fields[] = {
	CHECKED("text", FIELD_TEXT, .is_required = true,
		DOC(NULL, "The message to the agent that keeps it working.")),
	CHECKED("times", FIELD_INTEGER, RANGE(0, INT32_MAX), .is_clamped = true,
		DOC("1", "How often it is sent before the next one; 0: never.")),
};
static const struct field message_item = OBJECT(message_fields);

static const struct field prefix_blocking_fields[] = {
	LIST("prefixes", glob_item,
	     DOC("[]", "The queue is for sessions whose first prompt begins, in its first 100 characters, "
		       "with a match of one of these.")),
	LIST("messages", message_item, DOC("[]", "What is sent, one at each stop, in this order.")),
};

#define GREP_RULES_HINT "run grep as one of 'stop.commands'"

static const struct field stop_fields[] = {
	LIST("commands", command_item,
	     DOC("[]", "Run at every stop, in this order; the first that fails blocks the stop.")),
	CHECKED("infinite", FIELD_BOOL, DOC("false", "Never let the agent stop.")),
	CHECKED("infiniteMessage", FIELD_FILLED,
		DOC("continue working on the task", "The message to the agent in infinite mode.")),
	CHECKED("rounds", FIELD_INTEGER, RANGE(1, UINT32_MAX),
		DOC("null", "Let the agent stop only at this stop of a session, counted from 1.")),
	CHECKED("promptPrefixBlocking", FIELD_OBJECT, .is_nullable = true, KEYS(prefix_blocking_fields),
		DOC("null", "A queue of follow-up messages for sessions that begin with certain words.")),
	CHECKED("run", FIELD_REMOVED, .help = "write each line as an entry '- run: ...' of 'stop.commands'"),
	CHECKED("grepRules", FIELD_REMOVED, .help = GREP_RULES_HINT),
};

/* ---- preToolUse ---- */

static const struct field uneditable_fields[] = {
	CHECKED("pattern", FIELD_GLOB, .is_required = true, DOC(NULL, "The files.")),
	CHECKED("message", FIELD_STRING, DOC("null", "The message, instead of one with the pattern.")),
	CHECKED("agent", FIELD_GLOB, DOC("*", "Only for agents with this name.")),
	{ .type = FIELD_OTHERS },
};
static const struct field uneditable_item = OBJECT(uneditable_fields, .short_key = "pattern");

static const struct field tool_rule_fields[] = {
	CHECKED("tool", FIELD_STRING, .is_required = true,
		DOC(NULL, "The tool's name, or * for every tool.")),
	CHECKED("pattern", FIELD_GLOB,
		DOC(NULL, "The file that the tool is used on; required where there is no commandPattern.")),
	CHECKED("action", FIELD_STRING, .is_required = true,
		DOC(NULL, "block; or allow, which blocks everything that does not match.")),
	CHECKED("message", FIELD_STRING, DOC("null", "The message, instead of one with the pattern.")),
	CHECKED("commandPattern", FIELD_GLOB, DOC("null", "The command line, where the tool is Bash.")),
	CHECKED("matchMode", FIELD_STRING,
		DOC("full", "full: the complete command; prefix: any number of its first words.")),
	CHECKED("agent", FIELD_GLOB, DOC("*", "Only for agents with this name.")),
};
static const char *const tool_rule_patterns[] = { "pattern", "commandPattern", NULL };
static const struct field tool_rule_item = OBJECT(tool_rule_fields, .any_of = tool_rule_patterns);

static const struct field pre_tool_use_fields[] = {
	CHECKED("preventRootAdditions", FIELD_BOOL,
		DOC("true", "Allow no new files next to the configuration file; at a stop, none made by its "
			    "commands.")),
	CHECKED("preventRootAdditionsMessage", FIELD_STRING,
		DOC("null", "The message then; {file_path} and {tool} are filled in.")),
	LIST("uneditableFiles", uneditable_item, DOC("[]", "Files that may not be changed.")),
	LIST("preventAdditions", glob_item,
	     DOC("[]", "Where no new files may be made: globs, or directories.")),
	CHECKED("preventUpdateGitIgnored", FIELD_BOOL,
		DOC("false", "Files that git ignores may not be changed.")),
	LIST("toolUsageValidation", tool_rule_item,
	     DOC("[]", "Which tools may be used on what, in this order.")),
	CHECKED("preventGeneratedFileEdits", FIELD_BOOL,
		DOC("false", "Files that are marked as generated may not be changed.")),
	CHECKED("generatedFileMessage", FIELD_STRING,
		DOC("null", "The message then; {file_path} and {marker} are filled in.")),
	CHECKED("grepRules", FIELD_REMOVED, .help = GREP_RULES_HINT),
};

static const struct field database_fields[] = {
	CHECKED("enabled", FIELD_BOOL, DOC("true", "Without it there is no promptPrefixBlocking.")),
	CHECKED("path", FIELD_STRING,
		DOC("null", "The file, or its directory; relative to the configuration file. "
			    "CONCLAUDE_DATA_DIR overrides it.")),
};

/* ---- other events ---- */

#define COMMANDS(item_, help_) LIST("commands", item_, DOC("[]", help_))
#define COMMANDS_BY_PATTERN                                                             \
	CHECKED("commands", FIELD_MAP, .item = &command_list, .has_pattern_keys = true, \
		DOC("{}", "As in stop; those of every glob that matches are run."))

static const struct field list_section_fields[] = { COMMANDS(command_item, "As in stop.") };
static const struct field tool_section_fields[] = {
	COMMANDS(tool_command_item, "As in stop, each for certain tools."),
};
static const struct field pattern_section_fields[] = { COMMANDS_BY_PATTERN };

static const struct field notification_fields[] = {
	CHECKED("enabled", FIELD_BOOL, DOC("false", "Send desktop notifications.")),
	LIST("hooks", string_item, DOC("[]", "The events that send one; * for all of them.")),
	CHECKED("showErrors", FIELD_BOOL, DOC("false", "When something failed.")),
	CHECKED("showSuccess", FIELD_BOOL, DOC("false", "When something passed.")),
	CHECKED("showSystemEvents", FIELD_BOOL, DOC("true", "When sessions begin or end.")),
};

static const char *const permissions[] = { "allow", "deny", NULL };
static const struct field permission_request_fields[] = {
	CHECKED("default", FIELD_CHOICE, .is_required = true, .choices = permissions,
		DOC(NULL, "For tools that are in neither list.")),
	LIST("allow", glob_item, .is_nullable = true,
	     DOC("null", "Tools that are allowed, without a question to the user.")),
	LIST("deny", glob_item, .is_nullable = true, DOC("null", "Tools that are denied; overrides allow.")),
};

static const struct field context_rule_fields[] = {
	CHECKED("pattern", FIELD_REGEX, .is_required = true, DOC(NULL, "The prompts.")),
	CHECKED("prompt", FIELD_STRING, .is_required = true,
		DOC(NULL, "The text added to them; @path is the content of a file.")),
	CHECKED("enabled", FIELD_BOOL, DOC("true", "Turns the rule off.")),
	CHECKED("caseInsensitive", FIELD_BOOL, DOC("false", "Ignore the case when matching.")),
};
static const struct field context_rule_item = OBJECT(context_rule_fields);

static const struct field user_prompt_submit_fields[] = {
	LIST("contextRules", context_rule_item, DOC("[]", "Text that is added to certain prompts.")),
	COMMANDS(prompt_command_item, "As in stop, each for certain prompts; none of them blocks."),
	CHECKED("slashCommands", FIELD_OBJECT, .is_nullable = true, KEYS(pattern_section_fields),
		DOC("null", "Commands by the slash command in the prompt; exit code 2 blocks the prompt.")),
};

static const struct field worktree_create_fields[] = {
	CHECKED("command", FIELD_STRING, DOC("null", "Makes the worktree and prints its path.")),
	CHECKED("timeout", FIELD_INTEGER, RANGE(1, 3600), DOC("60", "Seconds.")),
};

static const struct field message_display_fields[] = {
	COMMANDS(command_item, "As in stop."),
	CHECKED("onlyFinal", FIELD_BOOL, DOC("true", "Only for the last piece of each message.")),
};

/* ---- the file ---- */

#define BY_PATTERN(event, key, what) \
	SECTION(key, pattern_section_fields, "Commands at " #event "; the globs are for the " what ".")

static const struct field root_fields[] = {
	SECTION("stop", stop_fields, "What happens when the agent wants to stop."),
	SECTION("preToolUse", pre_tool_use_fields, "What the agent may use its tools for."),
	SECTION("database", database_fields, "Where the queue of follow-ups is kept."),
	SECTION("notifications", notification_fields, "Desktop notifications."),
	CHECKED("permissionRequest", FIELD_OBJECT, .is_nullable = true, KEYS(permission_request_fields),
		DOC("null", "Answers to requests for permission, by the tool's name.")),
	SECTION("userPromptSubmit", user_prompt_submit_fields, "What happens at a prompt."),
	SECTION("stopFailure", list_section_fields, "Commands at StopFailure."),
	SECTION("postToolUse", tool_section_fields, "Commands at PostToolUse."),
	SECTION("postToolBatch", list_section_fields, "Commands at PostToolBatch."),
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
	.root = OBJECT(root_fields, .is_nullable = true),
	.null_is_unset = true,
	.allows_nul = true,
};
