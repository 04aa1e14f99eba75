/* SPDX-License-Identifier: MIT */
/* Every key of the gauntlet's files, with type, range, default and help. Keys that are not here pass unread. Holds no
 * logic. */
#include "conf/gauntlet_keys.h"

#include "model/finding.h"

#define DOC(type_, default_, help_) .type_name = (type_), .default_text = (default_), .help = (help_)
#define INSIDE(fields_) .fields = (fields_), .field_count = COUNT_OF(fields_)
#define ITEMS(fields_, type_) INSIDE(fields_), .item_size = sizeof(type_)
/* A section whose keys have members of the surrounding struct. */
#define SECTION(key_, fields_, help_)                                                              \
	{                                                                                          \
		.key = (key_), .read = decode_object, INSIDE(fields_), DOC("section", NULL, help_) \
	}
#define IGNORED(key_)                                 \
	{                                             \
		.key = (key_), .read = decode_ignored \
	}

/* ---- config.yml ---- */

#define CONFIG(member, key, read, ...) FIELD(struct config_draft, member, key, read, __VA_ARGS__)

static const char *const levels[] = { "debug", "info", "warning", "error", NULL };
static const char *const console_formats[] = { "pretty", "json", NULL };
static const char *const file_formats[] = { "text", "json", NULL };

static const struct field stop_hook_fields[] = {
	CONFIG(shared.enabled, "enabled", gauntlet_read_flag,
	       DOC("boolean", "true", "Whether the gates run when the agent wants to stop.")),
	CONFIG(shared.run_interval_minutes, "run_interval_minutes", gauntlet_read_whole,
	       DOC("integer from 0", "10",
		   "Minutes after a run of all gates in which a stop does not run them again; 0: it always "
		   "does.")),
	CONFIG(shared.reverify, "reverify", gauntlet_read_flag,
	       DOC("boolean", "false",
		   "Run the gates again when the agent stops after it was sent back, so that a fix is "
		   "verified.")),
};

static const struct field debug_log_fields[] = {
	CONFIG(shared.debug_enabled, "enabled", gauntlet_read_flag,
	       DOC("boolean", "false", "Write .debug.log in the log directory.")),
	CONFIG(shared.debug_max_bytes, "max_size_mb", gauntlet_read_megabytes,
	       DOC("number", "10", "Megabytes at which it becomes .debug.log.1.")),
};

static const struct field cli_fields[] = {
	CONFIG(config.default_preference, "default_preference", gauntlet_read_strings, .is_required = true,
	       .least = 1,
	       DOC("list of strings", NULL,
		   "The reviewers that reviews may use, in the order of preference.")),
	CONFIG(config.checks_usage_limit, "check_usage_limit", gauntlet_read_bool,
	       DOC("boolean", "false", "Ask each reviewer for a short answer before it is used.")),
	CONFIG(adapters, "adapters", gauntlet_read_nullable,
	       DOC("map of reviewers", "{}",
		   "Reviewers by name: changes to a known one, or one of your own.")),
};

static const struct field logging_output_fields[] = {
	CONFIG(ignored_bool, "enabled", gauntlet_read_bool),
	CONFIG(ignored_word, "format", gauntlet_read_choice, .choices = console_formats),
};
static const struct field logging_file_fields[] = {
	CONFIG(ignored_bool, "enabled", gauntlet_read_bool),
	CONFIG(ignored_word, "format", gauntlet_read_choice, .choices = file_formats),
};
static const struct field logging_fields[] = {
	CONFIG(ignored_word, "level", gauntlet_read_choice, .choices = levels),
	{ .key = "console", .read = decode_object, INSIDE(logging_output_fields) },
	{ .key = "file", .read = decode_object, INSIDE(logging_file_fields) },
};

#define ENTRY(member, key, read, ...) FIELD(struct entry_point, member, key, read, __VA_ARGS__)
static const struct field entry_point_fields[] = {
	ENTRY(path, "path", gauntlet_read_text, .is_required = true,
	      DOC("string", NULL,
		  "A directory, . for the root, dir/* for each directory in it, or a pattern of paths.")),
	ENTRY(exclude, "exclude", gauntlet_read_strings,
	      DOC("list of patterns", "[]", "Changes that do not make it apply.")),
	ENTRY(checks, "checks", gauntlet_read_strings,
	      DOC("list of strings", "[]", "The checks that apply, by name.")),
	ENTRY(reviews, "reviews", gauntlet_read_strings,
	      DOC("list of strings", "[]", "The reviews that apply, by name.")),
};

#define LOG_DIR                                               \
	CONFIG(config.log_dir, "log_dir", gauntlet_read_text, \
	       DOC("string", GAUNTLET_LOG_DIR, "Where logs and state are kept, from the project's root."))
#define STOP_HOOK SECTION("stop_hook", stop_hook_fields, "When the gates run at a stop.")
#define DEBUG_LOG SECTION("debug_log", debug_log_fields, "A log of what was decided, for finding faults.")

static const struct field config_fields[] = {
	CONFIG(config.base_branch, "base_branch", gauntlet_read_text,
	       DOC("string", "origin/main", "What changes are compared with.")),
	LOG_DIR,
	CONFIG(config.allows_parallel, "allow_parallel", gauntlet_read_bool,
	       DOC("boolean", "true", "Whether gates that are parallel may run at the same time.")),
	CONFIG(config.max_parallel, "max_parallel", gauntlet_read_whole, .least = 1, .most = 1024,
	       DOC("integer 1..1024", "the number of cores", "How many gates run at the same time at most.")),
	CONFIG(config.max_retries, "max_retries", gauntlet_read_floor,
	       DOC("number", "3", "How often failed gates are tried again before the agent may stop.")),
	CONFIG(config.rerun_threshold, "rerun_new_issue_threshold", gauntlet_read_choice,
	       .choices = finding_priorities,
	       DOC("critical, high, medium or low", "high",
		   "The least priority of a new problem that counts when fixes are verified.")),
	{ .key = "cli",
	  .read = decode_object,
	  .is_required = true,
	  INSIDE(cli_fields),
	  DOC("section", NULL, "Who reviews.") },
	CONFIG(entry_points, "entry_points", decode_list, .is_required = true, .least = 1,
	       ITEMS(entry_point_fields, struct entry_point),
	       DOC("list", NULL, "Which gates apply to changes where.")),
	STOP_HOOK,
	DEBUG_LOG,
	{ .key = "logging", .read = decode_object, INSIDE(logging_fields) },
	CONFIG(ignored_number, "max_previous_logs", gauntlet_read_floor),
};
const struct field_table gauntlet_config_keys = FIELD_TABLE(config_fields);

static const struct field hook_fields[] = { LOG_DIR, STOP_HOOK, DEBUG_LOG };
const struct field_table gauntlet_hook_keys = FIELD_TABLE(hook_fields);

#define NONE_SHARED                                                                             \
	{                                                                                       \
		.enabled = NOT_GIVEN, .run_interval_minutes = NOT_GIVEN, .reverify = NOT_GIVEN, \
		.debug_enabled = NOT_GIVEN, .debug_max_bytes = NOT_GIVEN,                       \
	}
const struct shared_values shared_values_none = NONE_SHARED;

const struct config_draft config_draft_defaults = {
	.config = {
		.base_branch = STR("origin/main"),
		.log_dir = STR(GAUNTLET_LOG_DIR),
		.allows_parallel = true,
		.max_retries = 3,
		.rerun_threshold = STR("high"),
	},
	.shared = NONE_SHARED,
};

/* ---- the user's own file ---- */

#define GLOBAL(member, key, read) FIELD(struct shared_values, member, key, read)
static const struct field global_stop_hook_fields[] = {
	GLOBAL(enabled, "enabled", gauntlet_read_flag),
	GLOBAL(run_interval_minutes, "run_interval_minutes", gauntlet_read_ceil),
	GLOBAL(reverify, "reverify", gauntlet_read_flag),
};
static const struct field global_debug_log_fields[] = {
	GLOBAL(debug_enabled, "enabled", gauntlet_read_flag),
	GLOBAL(debug_max_bytes, "max_size_mb", gauntlet_read_megabytes),
};
static const struct field global_fields[] = {
	{ .key = "stop_hook", .read = decode_object, INSIDE(global_stop_hook_fields) },
	{ .key = "debug_log", .read = decode_object, INSIDE(global_debug_log_fields) },
};
const struct field_table gauntlet_global_keys = FIELD_TABLE(global_fields);

/* ---- checks ---- */

#define CHECK(member, key, read, ...) FIELD(struct check_draft, member, key, read, __VA_ARGS__)
static const struct field check_fields[] = {
	CHECK(gate.command, "command", gauntlet_read_text, .is_required = true,
	      DOC("string", NULL, "Run by sh; ${BASE_BRANCH} in it is the base branch.")),
	CHECK(gate.rerun_command, "rerun_command", gauntlet_read_text,
	      DOC("string", "command", "The same for a run that verifies fixes.")),
	CHECK(gate.working_directory, "working_directory", gauntlet_read_maybe_text,
	      DOC("string", "entrypoint",
		  "Where it runs, from the project's root; entrypoint: in the entry point's directory.")),
	CHECK(gate.is_parallel, "parallel", gauntlet_read_bool,
	      DOC("boolean", "false", "Whether it may run beside other gates.")),
	CHECK(gate.runs_locally, "run_locally", gauntlet_read_bool,
	      DOC("boolean", "true", "Whether it runs outside CI.")),
	CHECK(gate.runs_in_ci, "run_in_ci", gauntlet_read_bool,
	      DOC("boolean", "true", "Whether it runs in CI.")),
	CHECK(gate.timeout_ms, "timeout", gauntlet_read_seconds,
	      DOC("number of seconds", "0", "After which it is ended and counts as failed; 0: never.")),
	CHECK(gate.fails_fast, "fail_fast", gauntlet_read_bool,
	      DOC("boolean", "false",
		  "When it fails, gates behind it are not run; only where parallel is false.")),
	CHECK(fix_path, "fix_instructions", gauntlet_read_maybe_text,
	      DOC("path below .gauntlet", "none", "A file whose text is added to the log when it fails.")),
	CHECK(fix_path_alias, "fix_instructions_file", gauntlet_read_maybe_text,
	      DOC("path below .gauntlet", "none", "Another name for fix_instructions.")),
	IGNORED("name"),
	IGNORED("fix_with_skill"),
};
const struct field_table gauntlet_check_keys = FIELD_TABLE(check_fields);
const struct check_draft check_draft_defaults = {
	.gate = { .runs_locally = true, .runs_in_ci = true, .timeout_ms = -1 }
};

/* ---- reviews ---- */

#define REVIEW(member, key, read, ...) FIELD(struct review_draft, member, key, read, __VA_ARGS__)
#define REVIEW_KEYS                                                                                  \
	REVIEW(gate.model, "model", gauntlet_read_maybe_text,                                        \
	       DOC("string", "the reviewer's own", "The model that reviews.")),                      \
		REVIEW(gate.cli_preference, "cli_preference", gauntlet_read_strings,                 \
		       DOC("list of strings", "cli.default_preference",                              \
			   "Its reviewers, each of them one of cli.default_preference.")),           \
		REVIEW(gate.num_reviews, "num_reviews", gauntlet_read_ceil,                          \
		       DOC("number", "1", "How many reviews there are, by the reviewers in turn.")), \
		REVIEW(gate.is_parallel, "parallel", gauntlet_read_bool,                             \
		       DOC("boolean", "true", "Whether it may run beside other gates.")),            \
		REVIEW(gate.runs_in_ci, "run_in_ci", gauntlet_read_bool,                             \
		       DOC("boolean", "true", "Whether it runs in CI.")),                            \
		REVIEW(gate.runs_locally, "run_locally", gauntlet_read_bool,                         \
		       DOC("boolean", "true", "Whether it runs outside CI.")),                       \
		REVIEW(gate.timeout_ms, "timeout", gauntlet_read_seconds,                            \
		       DOC("number of seconds", "300", "For each of its reviews.")),                 \
		REVIEW(gate.is_enabled, "enabled", gauntlet_read_bool,                               \
		       DOC("boolean", "true", "Switches the review off."))

static const struct field review_fields[] = { REVIEW_KEYS };
const struct field_table gauntlet_review_keys = FIELD_TABLE(review_fields);

static const struct field review_yml_fields[] = {
	REVIEW_KEYS,
	REVIEW(prompt_file, "prompt_file", gauntlet_read_text,
	       DOC("path below .gauntlet", NULL, "The prompt, of a review that is a YAML file.")),
	REVIEW(skill_name, "skill_name", gauntlet_read_text),
	REVIEW(builtin, "builtin", gauntlet_read_text),
};
const struct field_table gauntlet_review_yml_keys = FIELD_TABLE(review_yml_fields);

const struct review_draft review_draft_defaults = {
	.gate = { .num_reviews = 1,
		  .is_parallel = true,
		  .runs_locally = true,
		  .runs_in_ci = true,
		  .is_enabled = true,
		  .timeout_ms = -1 },
};

/* ---- reviewers ---- */

#define REVIEWER(member, key, read, ...) FIELD(struct reviewer_config, member, key, read, __VA_ARGS__)
static const char *const prompt_ways[] = { "stdin", "arg", NULL };
static const struct field reviewer_fields[] = {
	REVIEWER(command, "command", gauntlet_read_strings, .least = 1,
		 DOC("list of strings", "that of the reviewer we know",
		     "The program and its arguments, without a shell.")),
	REVIEWER(is_prompt_argument, "prompt", gauntlet_read_prompt_way, .choices = prompt_ways,
		 DOC("stdin or arg", "stdin",
		     "How it gets the prompt: on its standard input or as its last argument.")),
	REVIEWER(model, "model", gauntlet_read_text, DOC("string", "its own", "The model that it uses.")),
	REVIEWER(allows_tool_use, "allow_tool_use", gauntlet_read_flag,
		 DOC("boolean", "its own", "Whether it may use tools to read files.")),
	REVIEWER(thinking_budget, "thinking_budget", gauntlet_read_text,
		 DOC("string", "its own", "How much it thinks before it answers.")),
};
const struct field_table gauntlet_reviewer_keys = FIELD_TABLE(reviewer_fields);
const struct reviewer_config reviewer_defaults = { .allows_tool_use = -1 };

/* ---- ci.yml ---- */

#define STEP(member, key, read, ...) FIELD(struct ci_step, member, key, read, __VA_ARGS__)
static const struct field step_fields[] = {
	STEP(name, "name", gauntlet_read_text, .is_required = true,
	     DOC("string", NULL, "The name of a step.")),
	STEP(run, "run", gauntlet_read_text, .is_required = true, DOC("string", NULL, "Its script.")),
	STEP(working_directory, "working_directory", gauntlet_read_maybe_text,
	     DOC("string", "none", "Where it runs.")),
	STEP(condition, "if", gauntlet_read_maybe_text, DOC("string", "none", "Accepted and not acted on.")),
};

#define CI_CHECK(member, key, read, ...) FIELD(struct ci_check_draft, member, key, read, __VA_ARGS__)
static const struct field ci_check_fields[] = {
	CI_CHECK(check.name, "name", gauntlet_read_text, .is_required = true,
		 DOC("string", NULL, "The name of a check.")),
	CI_CHECK(check.runtimes, "requires_runtimes", gauntlet_read_strings,
		 DOC("list of strings", "[]", "The runtimes that it needs.")),
	CI_CHECK(check.services, "requires_services", gauntlet_read_strings,
		 DOC("list of strings", "[]", "The services that it needs.")),
	CI_CHECK(setup, "setup", decode_opt_list, ITEMS(step_fields, struct ci_step),
		 DOC("list of steps", "[]", "What comes before the check.")),
};

#define CI(member, key, read, ...) FIELD(struct ci_draft, member, key, read, __VA_ARGS__)
static const struct field ci_fields[] = {
	CI(config.runtimes, "runtimes", gauntlet_read_nullable, DOC("map", "{}", "Runtimes by name.")),
	CI(config.services, "services", gauntlet_read_nullable, DOC("map", "{}", "Services by name.")),
	CI(setup, "setup", decode_opt_list, ITEMS(step_fields, struct ci_step),
	   DOC("list of steps", "[]", "What comes before every check.")),
	CI(checks, "checks", decode_opt_list, ITEMS(ci_check_fields, struct ci_check_draft),
	   DOC("list", "[]", "The checks that run in CI.")),
};
const struct field_table gauntlet_ci_keys = FIELD_TABLE(ci_fields);
