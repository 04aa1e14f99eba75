/* SPDX-License-Identifier: MIT */
/* Every key of holdfast.yml, with type, range, default and help. An unknown key is an error. Holds no logic. */
#include "conf/gauntlet_schema.h"
#include "conf/holdfast_schema.h"
#include "model/finding.h"

static const struct field name_item = { .type = FIELD_TEXT };

static const struct field place_fields[] = {
	FIELD(struct holdfast_place, path, "path", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "A directory, dir/* for each directory in it that has changes, or, where the command "
			"does not run there, a pattern of files.")),
	STRINGS(struct holdfast_place, except, "except", holdfast_pattern_item,
		DOC("[]", "Paths and patterns, from the root, whose changes do not count there.")),
};
static const struct field place_item = { .type = FIELD_OBJECT, .short_key = "path", KEYS(place_fields) };

#define GATE(member, key, type, ...) FIELD(struct holdfast_gate, member, key, type, __VA_ARGS__)
static const struct field gate_fields[] = {
	GATE(run, "run", FIELD_TEXT,
	     DOC(NULL, "The command, run by sh; ${BASE_BRANCH} in it is the base branch, and {files} the "
		       "changed files that the gate is for.")),
	GATE(review, "review", FIELD_TEXT,
	     DOC(NULL, "Instead of a command: a built-in prompt (code-quality, security, error-handling, "
		       "test-integrity, task-compliance), or a file with the prompt of a review, from the "
		       "project's root.")),
	GATE(prompt, "prompt", FIELD_TEXT, DOC(NULL, "Instead of a command: the prompt of a review itself.")),
	STRINGS(struct holdfast_gate, by, "by", name_item,
		DOC(NULL,
		    "Who reviews, in order of preference: the first of them that works. By default every "
		    "reviewer that holdfast knows.")),
	STRINGS(struct holdfast_gate, files, "files", holdfast_pattern_item,
		DOC(NULL,
		    "The gate applies when a changed file matches; by default every change. Patterns are "
		    "those of .gitignore, with {a,b} too.")),
	FIELD_ITEMS(struct holdfast_gate, in.items, in.count, "in", FIELD_LIST, .item = &place_item,
		    .size = sizeof(struct holdfast_place), .takes_one = true, .least = 1,
		    DOC("\".\"",
			"Where it runs, and where changes count: a directory, dir/* for each directory "
			"in it that has changes, a map, or a list of them.")),
	GATE(working_directory, "working_directory", FIELD_TEXT,
	     DOC_WORDS("that of in", "The directory that the command runs in, from the project's root.")),
	GATE(timeout_ms, "timeout", FIELD_DURATION,
	     DOC(NULL, "After this time it is ended and has failed; a number with a unit, 90s or 5m.")),
	GATE(fix, "fix", FIELD_TEXT,
	     DOC(NULL, "A command that is run once if the gate fails, and then the gate again, before the "
		       "agent is told; such a gate runs alone.")),
	GATE(retries, "retries", FIELD_INTEGER, .least = 0, .most = 10,
	     DOC(NULL, "How often a command that failed is run again, by default not at all; a pass then is "
		       "reported as flaky.")),
	GATE(rerun, "rerun", FIELD_TEXT,
	     DOC_WORDS("run", "The command of a run after a failure, which verifies fixes.")),
	GATE(hint, "hint", FIELD_TEXT,
	     DOC(NULL, "A text for whoever fixes it: the agent is told it when it fails.")),
	STRINGS(struct holdfast_gate, needs, "needs", name_item,
		DOC(NULL, "Gates that must have passed before it starts; else it is skipped.")),
	GATE(is_exclusive, "exclusive", FIELD_BOOL,
	     DOC(NULL, "Whether no other gate may run at the same time.")),
	GATE(is_parallel, "parallel", FIELD_BOOL,
	     DOC("true", "Whether it may run at the same time as other gates; those that may not run one "
			 "after the other.")),
	GATE(fails_fast, "fail_fast", FIELD_BOOL,
	     DOC("false", "When it fails, later gates are not started; only where parallel is false.")),
	GATE(runs_locally, "run_locally", FIELD_BOOL, DOC("true", "Whether it runs outside CI.")),
	GATE(runs_in_ci, "run_in_ci", FIELD_BOOL, DOC("true", "Whether it runs in CI.")),
	GATE(num_reviews, "num_reviews", FIELD_INTEGER, .least = 1, .most = REVIEW_SLOTS_LIMIT,
	     DOC("1", "How many reviews there are, by the reviewers in turn.")),
	GATE(model, "model", FIELD_TEXT, DOC_WORDS("the reviewer's own", "The model that reviews.")),
	GATE(is_enabled, "enabled", FIELD_BOOL, DOC("true", "Turns a review off.")),
	GATE(reuses, "reuse", FIELD_BOOL,
	     DOC("true", "Whether it is skipped at a stop while its files are those it passed for.")),
};
static const char *const run_or_review[] = { "run", "review", "prompt", NULL };
static const struct field gate_item = {
	.type = FIELD_OBJECT,
	KEYS(gate_fields),
	.short_key = "run",
	.any_of = run_or_review,
};
static const struct holdfast_gate gate_defaults = {
	.reuses = true,
	.is_parallel = true,
	.runs_locally = true,
	.runs_in_ci = true,
	.num_reviews = 1,
	.is_enabled = true,
};

/* ---- guards ---- */

#define RULES(struct_, member_, key_, item_, ...)                                              \
	FIELD_ITEMS(struct_, member_.items, member_.count, key_, FIELD_LIST, .item = &(item_), \
		    .is_in_place = true, .takes_one = true, __VA_ARGS__)
/* guard_rule_of() has the same keys. */
#define RULE_FIELDS(key_, type_, ...)                                                                \
	CHECKED(key_, type_, .is_required = true, __VA_ARGS__),                                      \
		CHECKED("by", FIELD_LIST, .item = &glob_item, .takes_one = true, .least = 1,         \
			DOC(NULL, "Only for agents of these types, such as \"test-*\"; main is the " \
				  "agent that is not a subagent. By default for all.")),             \
		CHECKED("message", FIELD_TEXT,                                                       \
			DOC(NULL, "What the agent is told, which should say what to do instead."))

static const struct field glob_item = { .type = FIELD_GLOB };
static const struct field path_rule_fields[] = {
	RULE_FIELDS("path", FIELD_PATH_GLOB,
		    DOC(NULL, "The files; patterns are those of .gitignore, with {a,b} too.")),
};
static const struct field path_rule_item = { .type = FIELD_OBJECT,
					     .short_key = "path",
					     KEYS(path_rule_fields) };
static const struct field command_rule_fields[] = {
	RULE_FIELDS(
		"command", FIELD_TEXT,
		DOC(NULL,
		    "A program and its leading words, such as git push; * in a word stands for anything.")),
};
static const struct field command_rule_item = { .type = FIELD_OBJECT,
						.short_key = "command",
						KEYS(command_rule_fields) };

static const struct field exception_fields[] = {
	FIELD(struct guard_exception, file, "file", FIELD_PATH_GLOB, .is_required = true,
	      DOC(NULL, "The test file, or a pattern of them.")),
	FIELD(struct guard_exception, reason, "reason", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "Why its tests may be weakened.")),
};
static const struct field exception_item = { .type = FIELD_OBJECT, KEYS(exception_fields) };
static const struct field tests_fields[] = {
	FIELD(struct guard_tests, is_enabled, "enabled", FIELD_BOOL, DOC("true", "Turns it off.")),
	FIELD_ITEMS(struct guard_tests, allow.items, allow.count, "allow", FIELD_LIST,
		    .item = &exception_item, .size = sizeof(struct guard_exception),
		    DOC("[]", "Files whose tests may be weakened, each with a reason.")),
};
static const struct guard_tests tests_defaults = { .is_enabled = true };

static const struct field guarded_command_fields[] = {
	RULES(struct guards_config, commands.deny, "deny", command_rule_item,
	      DOC("[]", "Commands that the agent may not run; a string is a command.")),
	RULES(struct guards_config, commands.ask, "ask", command_rule_item,
	      DOC("[]", "Commands that you are asked about; a client that can't ask denies them.")),
	RULES(struct guards_config, commands.allow, "allow", command_rule_item,
	      DOC("[]", "Commands that no other rule is asked about, apart from those for paths.")),
};

static const char *const guard_sets[] = { "destructive", "secrets", NULL };
static const char *const unknown_verdicts[] = { "allow", "ask", "deny", NULL };
static const struct field set_item = { .type = FIELD_CHOICE, .choices = guard_sets };
static const struct field guard_fields[] = {
	FIELD_ITEMS(struct guards_config, use.items, use.count, "use", FIELD_LIST, .item = &set_item,
		    .size = sizeof(struct str), .takes_one = true,
		    DOC("[]",
			"Built-in rules: destructive, against the loss of work; secrets, for .env files, "
			"keys and credentials.")),
	RULES(struct guards_config, protect, "protect", path_rule_item,
	      DOC("[]", "Files that may not be changed; a string is a pattern.")),
	RULES(struct guards_config, create, "create", path_rule_item,
	      DOC("[]", "The only places where new files may be made; by default everywhere.")),
	CHECKED("commands", FIELD_OBJECT, KEYS(guarded_command_fields),
		DOC(NULL, "Commands by program and leading words, however the command line is written.")),
	FIELD(struct guards_config, unknown, "unknown", FIELD_CHOICE, .choices = unknown_verdicts,
	      DOC("ask", "What becomes of a command line that can't be parsed, or that runs what only the "
			 "shell will know.")),
	FIELD(struct guards_config, tests, "tests", FIELD_OBJECT, .is_nullable = true,
	      .size = sizeof(struct guard_tests), .defaults = &tests_defaults, .short_key = "enabled",
	      KEYS(tests_fields),
	      DOC(NULL, "Whether tests may not be weakened: true, or a map with exceptions.")),
};
static const struct guards_config guards_defaults = { .unknown = STR("ask") };
#define GUARDS                                                                                          \
	ROOT(guards, "guards", FIELD_OBJECT, .is_nullable = true, .size = sizeof(struct guards_config), \
	     .defaults = &guards_defaults, KEYS(guard_fields),                                          \
	     DOC(NULL,                                                                                  \
		 "Rules for what the agent may do: before a tool runs, and for what has become of files."))

/* ---- what else keeps the agent at work ---- */

static const struct field message_fields[] = {
	FIELD(struct conclaude_message, text, "text", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "The message to the agent that keeps it working.")),
	FIELD(struct conclaude_message, times, "times", FIELD_INTEGER, .least = 1, .most = INT32_MAX,
	      DOC("1", "How often it is sent before the next one.")),
};
static const struct field message_item = { .type = FIELD_OBJECT, .short_key = "text", KEYS(message_fields) };
static const struct conclaude_message message_defaults = { .times = 1 };
static const struct field follow_up_fields[] = {
	STRINGS(struct conclaude_prefix_blocking, prefixes, "when", glob_item,
		DOC("[\"*\"]", "Only in sessions whose first prompt matches one of these, such as \"fix *\". "
			       "A pattern must match all of its first 100 characters.")),
	FIELD_ITEMS(struct conclaude_prefix_blocking, messages.items, messages.count, "messages", FIELD_LIST,
		    .item = &message_item, .size = sizeof(struct conclaude_message),
		    .defaults = &message_defaults, .is_required = true, .least = 1,
		    DOC(NULL, "What is sent, one at each stop, in this order; a string is sent once.")),
};

static struct str every_prompt[] = { STR("*") };
static const struct conclaude_prefix_blocking follow_up_defaults = { .prefixes = { every_prompt, 1 } };

static const struct field round_fields[] = {
	FIELD(struct holdfast_draft, rounds, "count", FIELD_INTEGER, .is_required = true, .least = 1,
	      .most = UINT32_MAX, DOC(NULL, "The stop of a session that is allowed, counted from 1.")),
	FIELD(struct holdfast_draft, rounds_message, "message", FIELD_TEXT,
	      DOC(NULL, "What the agent is told before that; {round} and {rounds} are filled in.")),
};

static const char *const outcome_meanings[] = { "done", "stopped", NULL };
static const struct field outcome_fields[] = {
	FIELD(struct holdfast_outcome, meaning, "means", FIELD_CHOICE, .is_required = true,
	      .choices = outcome_meanings,
	      DOC(NULL, "done: the work is done; stopped: the agent can't go on.")),
};
static const struct field outcome_item = { .type = FIELD_OBJECT, .short_key = "means", KEYS(outcome_fields) };

static const struct field price_fields[] = {
	FIELD(struct holdfast_price, input, "input", FIELD_SECONDS, .is_required = true,
	      DOC(NULL, "Of input.")),
	FIELD(struct holdfast_price, output, "output", FIELD_SECONDS, .is_required = true,
	      DOC(NULL, "Of output.")),
	FIELD(struct holdfast_price, cache_read, "cache_read", FIELD_SECONDS,
	      DOC_WORDS("a tenth of the input's", "Of what is read from the cache.")),
};
static const struct field price_item = { .type = FIELD_OBJECT, KEYS(price_fields) };

static const char *const todo_choices[] = { "done", NULL };
static const char *const refeeds[] = { "full", "brief", NULL };

static const struct field loop_fields[] = {
	FIELD(struct holdfast_draft, loop.max_iterations, "max_iterations", FIELD_INTEGER, .least = 0,
	      .most = INT32_MAX, DOC("50", "The number of iterations; 0: no limit.")),
	FIELD(struct holdfast_draft, loop.promise, "promise", FIELD_TEXT,
	      DOC("COMPLETE", "The promise that ends it; \"null\", in quotes: none does.")),
	FIELD(struct holdfast_draft, loop.prompt, "prompt", FIELD_TEXT,
	      DOC(NULL, "The prompt of a loop that is started without one.")),
	FIELD(struct holdfast_draft, loop.max_cost, "max_cost_usd", FIELD_SECONDS,
	      DOC_WORDS("no limit", "What the loop may cost in US dollars, by the transcript and `prices`.")),
	FIELD(struct holdfast_draft, loop.max_minutes, "max_minutes", FIELD_INTEGER, .least = 0,
	      .most = INT32_MAX,
	      DOC_WORDS("no limit", "The minutes after which no new iteration begins; 0: no limit.")),
	FIELD(struct holdfast_draft, loop.max_tokens, "max_tokens", FIELD_INTEGER, .least = 0,
	      .most = INT64_C(1000000000000),
	      DOC_WORDS("no limit", "The tokens that it may use, without those that are read from the cache; "
				    "0: no limit.")),
	FIELD_ITEMS(
		struct holdfast_draft, loop.prices, loop.price_count, "prices", FIELD_MAP,
		.item = &price_item, .size = sizeof(struct holdfast_price),
		DOC(NULL,
		    "Prices by model, or by how its name begins, for max_cost_usd; in US dollars per million "
		    "tokens.")),
	FIELD_ITEMS(struct holdfast_draft, loop.promises, loop.promise_count, "promises", FIELD_MAP,
		    .item = &outcome_item, .size = sizeof(struct holdfast_outcome),
		    DOC(NULL, "Several promises instead of one: 'done' ends the loop as complete, 'stopped' "
			      "because the agent can't go on.")),
	FIELD(struct holdfast_draft, loop.refeed, "refeed", FIELD_CHOICE, .choices = refeeds,
	      DOC("full",
		  "What the agent gets at each iteration: the whole prompt, or mostly a brief reminder of "
		  "it.")),
	FIELD(struct holdfast_draft, loop.resume_after_limit, "resume_after_limit", FIELD_INTEGER, .least = 0,
	      .most = 1000,
	      DOC("0",
		  "How often 'holdfast ralph resume --wait' goes on with the session after a usage limit.")),
	FIELD(struct holdfast_draft, loop.stuck_after, "stuck_after", FIELD_INTEGER, .least = 0,
	      .most = INT32_MAX,
	      DOC_WORDS("never",
			"Iterations that get nowhere before the agent is warned; after as many again "
			"the loop ends.")),
	FIELD(struct holdfast_draft, loop.todos, "todos", FIELD_CHOICE, .choices = todo_choices,
	      DOC_WORDS("they do not matter", "done: the promise counts only if the agent's todo list has no "
					      "open items.")),
	FIELD_ITEMS(struct holdfast_draft, loop.verify.items, loop.verify.count, "verify", FIELD_LIST,
		    .item = &name_item, .size = sizeof(struct str), .takes_one = true,
		    DOC(NULL, "What must pass when the promise appears, or the loop goes on: commands, and "
			      "'gates' for the gates.")),
};

static const struct field debug_log_fields[] = {
	FIELD(struct holdfast_draft, debug_enabled, "enabled", FIELD_FLAG, .is_required = true,
	      DOC(NULL, "Write .holdfast/.debug.log.")),
	FIELD(struct holdfast_draft, debug_max_bytes, "max_size_mb", FIELD_MEGABYTES,
	      DOC("10", "Megabytes at which it becomes .debug.log.1.")),
};

static const struct field tool_item = { .type = FIELD_GLOB };
static const char *const permissions[] = { "ask", "deny", NULL };
static const struct conclaude_permissions permission_defaults = { .otherwise = STR("ask") };
static const struct field permission_fields[] = {
	FIELD(struct conclaude_permissions, otherwise, "default", FIELD_CHOICE, .choices = permissions,
	      DOC("ask", "For tools that are in neither list: 'ask' leaves the question to the client, "
			 "'deny' refuses.")),
	FIELD_ITEMS(struct conclaude_permissions, allow.items, allow.count, "allow", FIELD_LIST,
		    .item = &tool_item, .size = sizeof(struct str), .takes_one = true,
		    DOC("[]", "Patterns of tools that run without a question.")),
	FIELD_ITEMS(struct conclaude_permissions, deny.items, deny.count, "deny", FIELD_LIST,
		    .item = &tool_item, .size = sizeof(struct str), .takes_one = true,
		    DOC("[]", "Patterns of tools that are refused; they count before those of 'allow'.")),
};

#define ROOT(member, key, type, ...) FIELD(struct holdfast_draft, member, key, type, __VA_ARGS__)
#define RUN_AT_STOP                                   \
	ROOT(runs_at_stop, "run_at_stop", FIELD_BOOL, \
	     DOC("true", "Whether the gates run when the agent stops; false: only by 'holdfast run'."))
#define DEBUG_LOG                                                                          \
	CHECKED("debug_log", FIELD_OBJECT, .short_key = "enabled", KEYS(debug_log_fields), \
		DOC(NULL, "A log of decisions, for debugging: true, or a map."))

#define GATES                                                                                         \
	FIELD_ITEMS(struct holdfast_draft, gates, gate_count, "gates", FIELD_MAP, .item = &gate_item, \
		    .size = sizeof(struct holdfast_gate), .defaults = &gate_defaults,                 \
		    DOC(NULL, "What must pass before the agent may stop, by name; a string is a command."))

static const struct field root_fields[] = {
	ROOT(base, "base", FIELD_TEXT,
	     DOC(NULL,
		 "The branch that changes are compared with; by default origin's, else main or master.")),
	GATES,
	ROOT(tries, "tries", FIELD_INTEGER, .least = 0, .most = 1000,
	     DOC("3", "How many times failed gates hold the agent back before it may stop; 0: never.")),
	ROOT(max_parallel, "max_parallel", FIELD_INTEGER, .least = 1, .most = 1024,
	     DOC_WORDS("the number of cores, plus one", "How many gates run at the same time at most.")),
	RUN_AT_STOP,
	FIELD_ITEMS(struct holdfast_draft, reviewers, reviewer_count, "reviewers", FIELD_MAP,
		    .item = &reviewer_item, .size = sizeof(struct reviewer_config),
		    .defaults = &reviewer_defaults,
		    DOC("{}", "Reviewers by name: changes to a known one, or your own.")),
	ROOT(checks_usage_limit, "check_usage_limit", FIELD_BOOL,
	     DOC("false", "Ask each reviewer for a short answer before it is used.")),
	ROOT(rerun_threshold, "rerun_new_issue_threshold", FIELD_CHOICE, .choices = finding_priorities,
	     DOC("high", "The lowest priority of a new finding that counts when fixes are verified.")),
	DEBUG_LOG,
	ROOT(keeps_journal, "journal", FIELD_BOOL,
	     DOC("true",
		 "Whether each decision at a stop becomes a line of the journal that 'holdfast log' shows.")),
	FIELD_ITEMS(struct holdfast_draft, commands, command_count, "commands", FIELD_LIST,
		    .item = &holdfast_command_item, .size = sizeof(struct holdfast_command),
		    .defaults = &holdfast_command_defaults,
		    DOC("[]", "Run at every stop, in this order; the first that fails blocks the stop.")),
	CHECKED("events", FIELD_OBJECT, KEYS(holdfast_event_fields),
		DOC(NULL, "Commands at other events of the client, by event: a command, or a list of them.")),
	FIELD_ITEMS(struct holdfast_draft, prompts.items, prompts.count, "prompts", FIELD_LIST,
		    .item = &holdfast_prompt_item, .size = sizeof(struct holdfast_prompt), .takes_one = true,
		    .defaults = &holdfast_prompt_defaults,
		    DOC("[]",
			"What becomes of your prompts: text that is added to some of them, and commands "
			"that run before the agent gets them.")),
	ROOT(keeps_root_clean, "keep_root_clean", FIELD_BOOL,
	     DOC("false", "Whether commands may not leave new files in the project's root, apart from those "
			  "that git ignores.")),
	ROOT(follow_ups, "follow_ups", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct conclaude_prefix_blocking), .defaults = &follow_up_defaults,
	     KEYS(follow_up_fields),
	     DOC(NULL, "Messages that are sent one after another when the agent stops.")),
	ROOT(todos, "todos", FIELD_CHOICE, .choices = todo_choices,
	     DOC_WORDS("they do not matter",
		       "done: open items of the agent's todo list hold it back, as often as "
		       "tries says while the list does not change.")),
	CHECKED("rounds", FIELD_OBJECT, .short_key = "count", KEYS(round_fields),
		DOC(NULL, "A fixed number of rounds: a number, or a map with a message.")),
	CHECKED("loop", FIELD_OBJECT, KEYS(loop_fields),
		DOC(NULL, "What 'holdfast ralph start' takes where its command line says nothing.")),
	ROOT(is_infinite, "infinite", FIELD_BOOL, DOC("false", "Never let the agent stop.")),
	ROOT(infinite_message, "infinite_message", FIELD_TEXT,
	     DOC("continue working on the task", "What the agent is told then.")),
	GUARDS,
	ROOT(permissions, "permissions", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct conclaude_permissions), .defaults = &permission_defaults,
	     KEYS(permission_fields),
	     DOC(NULL, "Answers to the client's questions whether a tool may run, by the tool's name.")),
	ROOT(notify, "notify", FIELD_OBJECT, .is_nullable = true, .size = sizeof(struct notify_config),
	     .defaults = &holdfast_notify_defaults, KEYS(holdfast_notify_fields),
	     DOC(NULL, "How you are told that a loop has ended, a gate has failed or an event has come.")),
};

static const struct field hook_fields[] = { RUN_AT_STOP, DEBUG_LOG };
static const struct field only_gates[] = { GATES };
static const struct field only_guards[] = { GUARDS };

const struct holdfast_draft holdfast_draft_defaults = {
	.tries = 3,
	.runs_at_stop = true,
	.keeps_journal = true,
	.rerun_threshold = STR("high"),
	.debug_max_bytes = HOLDFAST_DEBUG_LOG_BYTES,
	.infinite_message = STR("continue working on the task"),
	.loop.max_iterations = -1,
};

/* A file with none of these would silently check nothing. */
static const char *const any_policy[] = { "gates",    "commands", "follow_ups", "todos",  "rounds",
					  "infinite", "loop",     "guards",     "events", "permissions",
					  "prompts",  "notify",   NULL };

const struct schema holdfast_schema = {
	.file = HOLDFAST_FILE,
	.root = { .type = FIELD_OBJECT, KEYS(root_fields), .any_of = any_policy },
	.null_is_unset = true,
};

const struct schema holdfast_hook_schema = {
	.file = HOLDFAST_FILE,
	.root = { .type = FIELD_OBJECT, KEYS(hook_fields) },
	.null_is_unset = true,
};

const struct schema holdfast_gates_schema = {
	.file = HOLDFAST_FILE,
	.root = { .type = FIELD_OBJECT, KEYS(only_gates) },
	.null_is_unset = true,
};

const struct schema holdfast_guards_schema = {
	.file = HOLDFAST_FILE,
	.root = { .type = FIELD_OBJECT, KEYS(only_guards) },
	.null_is_unset = true,
};
