/* SPDX-License-Identifier: MIT */
/* Every key of .gauntlet's files, with type, range, default and help. Unknown keys are ignored, as agent-gauntlet ignores
 * them. Holds no logic. */
#include "import/gauntlet_schema.h"

#include "model/finding.h"

#define STRINGS(struct_, member_, key_, ...) \
	FIELD_ARRAY(struct_, member_, key_, text_item, struct str, __VA_ARGS__)
#define ITEMS(struct_, items_, count_, key_, item_, type_, ...)                                         \
	FIELD_ITEMS(struct_, items_, count_, key_, FIELD_LIST, .item = &(item_), .size = sizeof(type_), \
		    __VA_ARGS__)

static const struct field text_item = { .type = FIELD_TEXT };
static const struct field check_item, review_item;
static const struct field check_name_item = { .type = FIELD_NAMED, .item = &check_item };
static const struct field review_name_item = { .type = FIELD_NAMED, .item = &review_item };

/* ---- config.yml ---- */

#define CONFIG(member, key, type, ...) FIELD(struct config_draft, member, key, type, __VA_ARGS__)

static const char *const levels[] = { "debug", "info", "warning", "error", NULL };
static const char *const console_formats[] = { "pretty", "json", NULL };
static const char *const file_formats[] = { "text", "json", NULL };

static const struct field stop_hook_fields[] = {
	CONFIG(shared.enabled, "enabled", FIELD_FLAG,
	       DOC("true", "Whether the gates run when the agent wants to stop.")),
	CONFIG(shared.run_interval_minutes, "run_interval_minutes", FIELD_WHOLE,
	       DOC("10", "Minutes after a run of all gates in which a stop does not run them again; 0: every "
			 "stop does.")),
	CONFIG(shared.reverify, "reverify", FIELD_FLAG,
	       DOC("false", "Run the gates again when the agent stops after a block, to verify its fixes.")),
};

static const struct field debug_log_fields[] = {
	CONFIG(shared.debug_enabled, "enabled", FIELD_FLAG,
	       DOC("false", "Write .debug.log in the log directory.")),
	CONFIG(shared.debug_max_bytes, "max_size_mb", FIELD_MEGABYTES,
	       DOC("10", "Megabytes at which it becomes .debug.log.1.")),
};

static const struct field cli_fields[] = {
	STRINGS(struct config_draft, config.default_preference, "default_preference", .is_required = true,
		.least = 1, DOC(NULL, "The reviewers that reviews may use, in order of preference.")),
	CONFIG(config.checks_usage_limit, "check_usage_limit", FIELD_BOOL,
	       DOC("false", "Ask each reviewer for a short answer before it is used.")),
	FIELD_ITEMS(struct config_draft, config.reviewers, config.reviewer_count, "adapters", FIELD_MAP,
		    .item = &reviewer_item, .size = sizeof(struct reviewer_config),
		    .defaults = &reviewer_defaults, .is_nullable = true,
		    DOC("{}", "Reviewers by name: changes to a known one, or your own.")),
};

static const struct field logging_console_fields[] = {
	CHECKED("enabled", FIELD_BOOL),
	CHECKED("format", FIELD_CHOICE, .choices = console_formats),
};
static const struct field logging_file_fields[] = {
	CHECKED("enabled", FIELD_BOOL),
	CHECKED("format", FIELD_CHOICE, .choices = file_formats),
};
static const struct field logging_fields[] = {
	CHECKED("level", FIELD_CHOICE, .choices = levels),
	CHECKED("console", FIELD_OBJECT, KEYS(logging_console_fields)),
	CHECKED("file", FIELD_OBJECT, KEYS(logging_file_fields)),
};

static const struct field entry_point_fields[] = {
	FIELD(struct entry_point, path, "path", FIELD_TEXT, .is_required = true,
	      DOC(NULL,
		  "A directory, . for the root, dir/* for each directory in it, or a pattern of paths.")),
	STRINGS(struct entry_point, exclude, "exclude", DOC("[]", "Changes that do not make it apply.")),
	FIELD_ARRAY(struct entry_point, checks, "checks", check_name_item, struct str,
		    DOC("[]", "The checks that apply: names, or {NAME: the keys of its file}.")),
	FIELD_ARRAY(struct entry_point, reviews, "reviews", review_name_item, struct str,
		    DOC("[]", "The reviews that apply: names, or {NAME: the keys of its file}.")),
};
static const struct field entry_point_item = OBJECT(entry_point_fields);

#define LOG_DIR                                       \
	CONFIG(config.log_dir, "log_dir", FIELD_TEXT, \
	       DOC("gauntlet_logs", "Where logs and state are kept, from the project's root."))
#define STOP_HOOK SECTION("stop_hook", stop_hook_fields, "When the gates run at a stop.")
#define DEBUG_LOG SECTION("debug_log", debug_log_fields, "A log of decisions, for debugging.")

static const struct field config_fields[] = {
	CONFIG(config.base_branch, "base_branch", FIELD_TEXT,
	       DOC("origin/main", "The branch that changes are compared with.")),
	LOG_DIR,
	CONFIG(config.allows_parallel, "allow_parallel", FIELD_BOOL,
	       DOC("true", "Whether gates that are parallel may run at the same time.")),
	CONFIG(config.max_parallel, "max_parallel", FIELD_WHOLE, .least = 1, .most = 1024,
	       DOC_WORDS("the number of cores, plus one", "How many gates run at the same time at most.")),
	CONFIG(config.max_retries, "max_retries", FIELD_FLOOR,
	       DOC("3", "How often failed gates are tried again before the agent may stop.")),
	CONFIG(config.rerun_threshold, "rerun_new_issue_threshold", FIELD_CHOICE,
	       .choices = finding_priorities,
	       DOC("high", "The lowest priority of a new problem that counts when fixes are verified.")),
	CHECKED("cli", FIELD_OBJECT, .is_required = true, KEYS(cli_fields), DOC(NULL, "Who reviews.")),
	ITEMS(struct config_draft, config.entry_points, config.entry_point_count, "entry_points",
	      entry_point_item, struct entry_point, .is_required = true,
	      DOC(NULL, "Which gates apply to changes where.")),
	STOP_HOOK,
	DEBUG_LOG,
	CHECKED("logging", FIELD_OBJECT, KEYS(logging_fields)),
	CHECKED("max_previous_logs", FIELD_FLOOR),
};
static const struct field hook_fields[] = { LOG_DIR, STOP_HOOK, DEBUG_LOG };

const struct config_draft config_draft_defaults = {
	.config = {
		.base_branch = STR("origin/main"),
		.allows_parallel = true,
		.max_retries = 3,
		.rerun_threshold = STR("high"),
	},
	.shared = {
		.enabled = UNSET,
		.run_interval_minutes = UNSET,
		.reverify = UNSET,
		.debug_enabled = UNSET,
		.debug_max_bytes = UNSET,
	},
};

/* ---- the user's own file ---- */

static const struct field global_stop_hook_fields[] = {
	CONFIG(shared.enabled, "enabled", FIELD_FLAG),
	CONFIG(shared.run_interval_minutes, "run_interval_minutes", FIELD_CEILING),
	CONFIG(shared.reverify, "reverify", FIELD_FLAG),
};
static const struct field global_fields[] = {
	CHECKED("stop_hook", FIELD_OBJECT, KEYS(global_stop_hook_fields)),
	CHECKED("debug_log", FIELD_OBJECT, KEYS(debug_log_fields)),
};

/* ---- checks ---- */

#define GATE(member, key, type, ...) FIELD(struct gate_draft, member, key, type, __VA_ARGS__)
static const struct field check_fields[] = {
	GATE(gate.command, "command", FIELD_TEXT, .is_required = true,
	     DOC(NULL, "Run by sh; ${BASE_BRANCH} in it is the base branch.")),
	GATE(gate.rerun_command, "rerun_command", FIELD_TEXT,
	     DOC_WORDS("command", "The same for a run that verifies fixes.")),
	GATE(gate.working_directory, "working_directory", FIELD_FILLED,
	     DOC("entrypoint",
		 "Where it runs, from the project's root; entrypoint: in the entry point's directory.")),
	GATE(gate.is_parallel, "parallel", FIELD_BOOL,
	     DOC("false", "Whether it may run at the same time as other gates.")),
	GATE(gate.runs_locally, "run_locally", FIELD_BOOL, DOC("true", "Whether it runs outside CI.")),
	GATE(gate.runs_in_ci, "run_in_ci", FIELD_BOOL, DOC("true", "Whether it runs in CI.")),
	GATE(gate.timeout_ms, "timeout", FIELD_SECONDS,
	     DOC("0", "Seconds after which it is ended and counts as failed; 0: never.")),
	GATE(gate.fails_fast, "fail_fast", FIELD_BOOL,
	     DOC("false", "When it fails, later gates are not run; only where parallel is false.")),
	GATE(fix_path, "fix_instructions", FIELD_FILLED,
	     DOC_WORDS("none", "A file below .gauntlet whose text is added to the log when it fails.")),
	GATE(fix_path_alias, "fix_instructions_file", FIELD_FILLED,
	     DOC_WORDS("none", "Another name for fix_instructions.")),
	CHECKED("name", FIELD_ANY),
	CHECKED("fix_with_skill", FIELD_ANY),
};
static const struct field check_item = OBJECT(check_fields);

/* ---- reviews ---- */

#define REVIEW_KEYS                                                                                          \
	GATE(gate.model, "model", FIELD_FILLED, DOC_WORDS("the reviewer's own", "The model that reviews.")), \
		STRINGS(struct gate_draft, gate.cli_preference, "cli_preference",                            \
			DOC_WORDS("cli.default_preference",                                                  \
				  "Its reviewers, each of them one of cli.default_preference.")),            \
		GATE(gate.num_reviews, "num_reviews", FIELD_CEILING,                                         \
		     DOC("1", "How many reviews there are, by the reviewers in turn.")),                     \
		GATE(gate.is_parallel, "parallel", FIELD_BOOL,                                               \
		     DOC("true", "Whether it may run at the same time as other gates.")),                    \
		GATE(gate.runs_in_ci, "run_in_ci", FIELD_BOOL, DOC("true", "Whether it runs in CI.")),       \
		GATE(gate.runs_locally, "run_locally", FIELD_BOOL,                                           \
		     DOC("true", "Whether it runs outside CI.")),                                            \
		GATE(gate.timeout_ms, "timeout", FIELD_SECONDS,                                              \
		     DOC("300", "Seconds for each of its reviews.")),                                        \
		GATE(gate.is_enabled, "enabled", FIELD_BOOL, DOC("true", "Turns the review off.")),          \
		GATE(prompt_file, "prompt_file", FIELD_TEXT,                                                 \
		     DOC(NULL, "The prompt in another file: a path below .gauntlet.")),                      \
		GATE(skill_name, "skill_name", FIELD_TEXT)

static const struct field review_fields[] = { REVIEW_KEYS };
static const struct field review_yml_fields[] = {
	REVIEW_KEYS,
	GATE(builtin, "builtin", FIELD_TEXT,
	     DOC(NULL, "The prompt of a review that is a YAML file: one that holdfast brings along, such as "
		       "code-quality.")),
};
static const struct field review_item = OBJECT(review_yml_fields);

/* ---- ci.yml ---- */

#define STEP(member, key, type, ...) FIELD(struct ci_step, member, key, type, __VA_ARGS__)
static const struct field step_fields[] = {
	STEP(name, "name", FIELD_TEXT, .is_required = true, DOC(NULL, "The name of a step.")),
	STEP(run, "run", FIELD_TEXT, .is_required = true, DOC(NULL, "Its script.")),
	STEP(working_directory, "working_directory", FIELD_FILLED, DOC_WORDS("none", "Where it runs.")),
	STEP(condition, "if", FIELD_FILLED, DOC_WORDS("none", "Accepted and not acted on.")),
};
static const struct field step_item = OBJECT(step_fields);

static const struct field ci_check_fields[] = {
	FIELD(struct ci_check, name, "name", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "The name of a check.")),
	STRINGS(struct ci_check, runtimes, "requires_runtimes", DOC("[]", "The runtimes that it needs.")),
	STRINGS(struct ci_check, services, "requires_services", DOC("[]", "The services that it needs.")),
	ITEMS(struct ci_check, setup, setup_count, "setup", step_item, struct ci_step, .is_nullable = true,
	      DOC("[]", "Steps before the check.")),
};
static const struct field ci_check_item = OBJECT(ci_check_fields);

#define CI(member, key, type, ...) FIELD(struct ci_config, member, key, type, __VA_ARGS__)
static const struct field ci_fields[] = {
	CI(runtimes, "runtimes", FIELD_NODE, .is_nullable = true, DOC("{}", "Runtimes by name.")),
	CI(services, "services", FIELD_NODE, .is_nullable = true, DOC("{}", "Services by name.")),
	ITEMS(struct ci_config, setup, setup_count, "setup", step_item, struct ci_step, .is_nullable = true,
	      DOC("[]", "Steps before every check.")),
	ITEMS(struct ci_config, checks, check_count, "checks", ci_check_item, struct ci_check,
	      .is_nullable = true, DOC("[]", "The checks that run in CI.")),
};

/* ---- the files ---- */

#define SCHEMA(file_, rows_, ...)                                                           \
	{                                                                                   \
		.file = (file_), .root = OBJECT(rows_, __VA_ARGS__), .allows_unknown = true \
	}
const struct schema gauntlet_config_schema = SCHEMA("config.yml", config_fields);
const struct schema gauntlet_hook_schema = SCHEMA("config.yml", hook_fields);
const struct schema gauntlet_global_schema = SCHEMA("agent-gauntlet/config.yml", global_fields);
const struct schema gauntlet_check_schema = SCHEMA("checks/NAME.yml", check_fields);
const struct schema gauntlet_review_schema = SCHEMA("reviews/NAME.md", review_fields);
const struct schema gauntlet_review_yml_schema = SCHEMA("reviews/NAME.md", review_yml_fields);
const struct schema gauntlet_ci_schema = SCHEMA("ci.yml", ci_fields, .is_nullable = true);
