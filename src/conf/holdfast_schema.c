/* SPDX-License-Identifier: MIT */
/* Every key of holdfast.yml, with type, range, default and help. An unknown key is an error. Holds no logic. */
#include "conf/loader.h"
#include "conf/holdfast.h"
#include "model/finding.h"

#define STRINGS(struct_, member_, key_, item_, ...) \
	FIELD_ARRAY(struct_, member_, key_, item_, struct str, .least = 1, __VA_ARGS__)

static const struct field name_item = { .type = FIELD_TEXT };
static const struct field pattern_item = { .type = FIELD_PATH_GLOB };

/* ---- commands ---- */

#define COMMAND(member, key, type, ...) FIELD(struct policy_command, member, key, type, __VA_ARGS__)
static const char *const outputs[] = { "true", "false", "stdout", "stderr", NULL };
/* The keys of every command. */
#define COMMAND_ROWS(message_, timeout_, output_, max_lines_)                                      \
	COMMAND(message, "message", FIELD_TEXT, DOC(NULL, message_)),                              \
		COMMAND(timeout_ms, "timeout", FIELD_DURATION, DOC(NULL, timeout_)),               \
		COMMAND(output, "output", FIELD_CHOICE, .choices = outputs, DOC("true", output_)), \
		COMMAND(max_lines, "max_lines", FIELD_INTEGER, .least = 0, .most = 10000,          \
			DOC("50", max_lines_)),                                                    \
		COMMAND(shows_command, "show_command", FIELD_BOOL,                                 \
			DOC("true", "Whether messages about it name the command.")),               \
		COMMAND(notifies, "notify", FIELD_BOOL,                                            \
			DOC("false", "Whether notify-send tells how it ended, at the events of notify.at."))
#define TOLD_WHEN_IT_FAILS "What the agent is told when it fails, before its output."
#define ENDED_AFTER "After this time it is ended and has failed; 90s or 5m."

static const struct policy_command command_defaults = { .output = STR("true"),
							.max_lines = 50,
							.shows_command = true };
static const struct field command_fields[] = {
	COMMAND(run, "run", FIELD_TEXT, .is_required = true,
		DOC(NULL, "The script, run by bash in the project's root.")),
	COMMAND_ROWS(TOLD_WHEN_IT_FAILS, ENDED_AFTER,
		     "Whether the agent is shown what it printed: all, nothing, stdout or stderr.",
		     "The largest number of lines of each output that the agent is shown; 0: no limit."),
};
static const struct field command_item = OBJECT(command_fields, .short_key = "run");

static const struct field event_command_fields[] = {
	COMMAND(run, "run", FIELD_TEXT, .is_required = true,
		DOC(NULL, "The script, run by bash in the project's root; {files} in it is the files that "
			  "the tools changed.")),
	COMMAND(match, "match", FIELD_GLOB,
		DOC(NULL, "Only for this tool, agent type, task, teammate, source or server; a pattern.")),
	STRINGS(struct policy_command, files, "files", pattern_item,
		DOC(NULL, "Only if a tool changed a file that matches; patterns as those of a gate.")),
	COMMAND(is_background, "background", FIELD_BOOL,
		DOC("false", "Whether the client goes on while it runs, where the client can do that.")),
	COMMAND(is_gate, "gate", FIELD_BOOL,
		DOC("false", "Whether a failure keeps the subagent, task or teammate at work, as often as "
			     "tries says; at subagent_stop, task_completed and teammate_idle.")),
	COMMAND_ROWS(TOLD_WHEN_IT_FAILS, ENDED_AFTER,
		     "What is shown of what it printed: all, nothing, stdout or stderr.",
		     "The largest number of lines of each output that is shown; 0: no limit."),
};
static const struct field event_command_item = OBJECT(event_command_fields, .short_key = "run");
static const struct field event_fields[EVENT_COUNT] = {
#define EVENT(name, native, ...)                                                                  \
	FIELD_ARRAY(struct holdfast_draft, policies.at[EVENT_##name], native, event_command_item, \
		    struct policy_command, .takes_one = true, .defaults = &command_defaults,      \
		    DOC("[]", "Commands at " #name ".")),
#include "model/event.def"
};

/* ---- prompts ---- */

static const struct field prompt_fields[] = {
	COMMAND(add, "add", FIELD_TEXT,
		DOC(NULL, "The text that is added to the prompt; @PATH in it is the content of a file in the "
			  "project.")),
	COMMAND(run, "run", FIELD_TEXT,
		DOC(NULL, "Instead of a text: a script, run by bash in the project's root; what it prints is "
			  "added.")),
	COMMAND(matches, "matches", FIELD_REGEX,
		DOC(NULL, "Only for prompts in which this regular expression is found; by default all.")),
	COMMAND(ignores_case, "ignore_case", FIELD_BOOL, DOC("false", "Whether case does not matter to it.")),
	COMMAND(slash, "slash", FIELD_GLOB,
		DOC(NULL, "Only for this slash command, a pattern without the slash; exit code 2 of the "
			  "script rejects the prompt.")),
	COMMAND_ROWS("What you are told when the script rejects the prompt.",
		     "After this time the script is ended and has failed; 90s or 5m.",
		     "What counts of what it printed: all, nothing, stdout, which is added, or stderr, which "
		     "is reported.",
		     "The largest number of lines of each output; 0: no limit."),
};
static const char *const add_or_run[] = { "add", "run", NULL };
static const struct field prompt_item = OBJECT(prompt_fields, .any_of = add_or_run);

/* ---- notifications ---- */

static const char *const notify_events[] = { "loop_ended", "gate_failed", "stop_allowed", NULL };
static const struct field notify_event_item = { .type = FIELD_CHOICE, .choices = notify_events };
static const char *const terminals[] = { "true", "false", "osc9", "osc99", "osc777", "bell", NULL };
static const char *const event_choices[] = {
	"all",
#define EVENT(name, native, ...) native,
#include "model/event.def"
	NULL,
};
static const struct field event_name_item = { .type = FIELD_CHOICE, .choices = event_choices };
static const char *const event_ends[] = { "failed", "passed", "started", NULL };
static const struct field event_end_item = { .type = FIELD_CHOICE, .choices = event_ends };
static const struct field notify_fields[] = {
	FIELD_ARRAY(struct notify_config, on, "on", notify_event_item, struct str, .takes_one = true,
		    DOC("[\"loop_ended\", \"gate_failed\"]",
			"What the user is told: that a loop has ended, that a gate has failed and none had "
			"before, that a stop was allowed.")),
	FIELD(struct notify_config, terminal, "terminal", FIELD_CHOICE, .choices = terminals,
	      DOC("false", "Whether the client's terminal shows it: true (OSC 9), or osc9, osc99, osc777 or "
			   "bell; with Claude Code 2.1.141 or newer.")),
	FIELD(struct notify_config, is_on_desktop, "desktop", FIELD_BOOL,
	      DOC("false", "Whether notify-send shows it, where there is a display.")),
	FIELD(struct notify_config, command, "command", FIELD_TEXT,
	      DOC(NULL, "A script, run by bash in the background; it gets HOLDFAST_EVENT, HOLDFAST_MESSAGE "
			"and others, and all of them as JSON on stdin.")),
	FIELD_ARRAY(struct notify_config, at, "at", event_name_item, struct str, .takes_one = true,
		    DOC("[]", "Events of the client that notify-send tells you about, or all.")),
	FIELD_ARRAY(struct notify_config, show, "show", event_end_item, struct str, .takes_one = true,
		    DOC("[\"failed\"]",
			"What it tells you of them: that something failed or was denied, that it passed, "
			"that the event came (not those of tools, permissions and stops).")),
};
static struct str notify_usual[] = { STR("loop_ended"), STR("gate_failed") };
static struct str notify_failures[] = { STR("failed") };
static const struct notify_config notify_defaults = { .on = { notify_usual, 2 },
						      .show = { notify_failures, 1 },
						      .terminal = STR("false") };

/* ---- gates ---- */

static const struct field place_fields[] = {
	FIELD(struct entry_point, path, "path", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "A directory, dir/* for each directory in it that has changes, or, where the command "
			"does not run there, a pattern of files.")),
	STRINGS(struct entry_point, exclude, "except", pattern_item,
		DOC("[]", "Paths and patterns, from the root, whose changes do not count there.")),
};
static const struct field place_item = OBJECT(place_fields, .short_key = "path");

#define GATE(member, key, type, ...) FIELD(struct holdfast_gate, member, key, type, __VA_ARGS__)
static const struct field gate_fields[] = {
	GATE(gate.command, "run", FIELD_TEXT,
	     DOC(NULL, "The command, run by sh; ${BASE_BRANCH} in it is the base branch, and {files} the "
		       "changed files that the gate is for.")),
	GATE(review, "review", FIELD_TEXT,
	     DOC(NULL, "Instead of a command: a built-in prompt (code-quality, security, error-handling, "
		       "test-integrity, task-compliance), or a file with the prompt of a review, from the "
		       "project's root.")),
	GATE(gate.prompt, "prompt", FIELD_TEXT,
	     DOC(NULL, "Instead of a command: the prompt of a review itself.")),
	STRINGS(struct holdfast_gate, gate.cli_preference, "by", name_item,
		DOC(NULL, "Who reviews, in order of preference: the first of them that works. By default "
			  "every reviewer that holdfast knows.")),
	STRINGS(struct holdfast_gate, gate.files, "files", pattern_item,
		DOC(NULL, "The gate applies when a changed file matches; by default every change. Patterns "
			  "are those of .gitignore, with {a,b} too.")),
	FIELD_ARRAY(struct holdfast_gate, in, "in", place_item, struct entry_point, .takes_one = true,
		    .least = 1,
		    DOC("\".\"", "Where it runs, and where changes count: a directory, dir/* for each "
				 "directory in it that has changes, a map, or a list of them.")),
	GATE(gate.working_directory, "working_directory", FIELD_TEXT,
	     DOC_WORDS("that of in", "The directory that the command runs in, from the project's root.")),
	GATE(gate.timeout_ms, "timeout", FIELD_DURATION,
	     DOC(NULL, "After this time it is ended and has failed; a number with a unit, 90s or 5m.")),
	GATE(gate.fix_command, "fix", FIELD_TEXT,
	     DOC(NULL, "A command that is run once if the gate fails, and then the gate again, before the "
		       "agent is told; such a gate runs alone.")),
	GATE(gate.retries, "retries", FIELD_INTEGER, .least = 0, .most = 10,
	     DOC(NULL, "How often a command that failed is run again, by default not at all; a pass then is "
		       "reported as flaky.")),
	GATE(gate.rerun_command, "rerun", FIELD_TEXT,
	     DOC_WORDS("run", "The command of a run after a failure, which verifies fixes.")),
	GATE(gate.fix_instructions, "hint", FIELD_TEXT,
	     DOC(NULL, "A text for whoever fixes it: the agent is told it when it fails.")),
	STRINGS(struct holdfast_gate, gate.needs, "needs", name_item,
		DOC(NULL, "Gates that must have passed before it starts; else it is skipped.")),
	GATE(gate.is_exclusive, "exclusive", FIELD_BOOL,
	     DOC(NULL, "Whether no other gate may run at the same time.")),
	GATE(gate.is_parallel, "parallel", FIELD_BOOL,
	     DOC("true", "Whether it may run at the same time as other gates; those that may not run one "
			 "after the other.")),
	GATE(gate.fails_fast, "fail_fast", FIELD_BOOL,
	     DOC("false", "When it fails, later gates are not started; only where parallel is false.")),
	GATE(gate.runs_locally, "run_locally", FIELD_BOOL, DOC("true", "Whether it runs outside CI.")),
	GATE(gate.runs_in_ci, "run_in_ci", FIELD_BOOL, DOC("true", "Whether it runs in CI.")),
	GATE(gate.num_reviews, "num_reviews", FIELD_INTEGER, .least = 1, .most = REVIEW_SLOTS_LIMIT,
	     DOC("1", "How many reviews there are, by the reviewers in turn.")),
	GATE(gate.model, "model", FIELD_TEXT, DOC_WORDS("the reviewer's own", "The model that reviews.")),
	GATE(gate.is_enabled, "enabled", FIELD_BOOL, DOC("true", "Turns a review off.")),
	GATE(gate.reuses, "reuse", FIELD_BOOL,
	     DOC("true", "Whether it is skipped at a stop while its files are those it passed for.")),
};
static const char *const run_or_review[] = { "run", "review", "prompt", NULL };
static const struct field gate_item = OBJECT(gate_fields, .short_key = "run", .any_of = run_or_review);
static const struct holdfast_gate gate_defaults = {
	.gate = { .reuses = true,
		  .is_parallel = true,
		  .runs_locally = true,
		  .runs_in_ci = true,
		  .num_reviews = 1,
		  .is_enabled = true },
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
static const struct field path_rule_item = OBJECT(path_rule_fields, .short_key = "path");
static const struct field command_rule_fields[] = {
	RULE_FIELDS(
		"command", FIELD_TEXT,
		DOC(NULL,
		    "A program and its leading words, such as git push; * in a word stands for anything.")),
};
static const struct field command_rule_item = OBJECT(command_rule_fields, .short_key = "command");

static const struct field exception_fields[] = {
	FIELD(struct guard_exception, file, "file", FIELD_PATH_GLOB, .is_required = true,
	      DOC(NULL, "The test file, or a pattern of them.")),
	FIELD(struct guard_exception, reason, "reason", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "Why its tests may be weakened.")),
};
static const struct field exception_item = OBJECT(exception_fields);
static const struct field tests_fields[] = {
	FIELD(struct guard_tests, is_enabled, "enabled", FIELD_BOOL, DOC("true", "Turns it off.")),
	FIELD_ARRAY(struct guard_tests, allow, "allow", exception_item, struct guard_exception,
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

static const char *const rule_matches[] = { "full", "prefix", NULL };
static const char *const rule_files[] = { "any", "new", "root", "ignored", "generated", NULL };
static const char *const rule_actions[] = { "deny", "ask", "only", NULL };
static const char *const rule_subjects[] = { "path", "command", "file", NULL };
#define TOOL_RULE(member, type, ...) FIELD(struct guard_tool_rule, member, #member, type, __VA_ARGS__)
static const struct field tool_rule_fields[] = {
	TOOL_RULE(tool, FIELD_TEXT,
		  DOC(NULL,
		      "The tool's name, or * for every tool; by default every tool that may change the file, "
		      "or that has a command line. Rules with a tool or a command are asked first.")),
	TOOL_RULE(path, FIELD_GLOB,
		  DOC(NULL, "The file, compared by its name in every spelling; a pattern without a slash "
			    "matches at any depth.")),
	TOOL_RULE(command, FIELD_GLOB,
		  DOC(NULL, "The command line, as it is written; commands looks into it.")),
	TOOL_RULE(match, FIELD_CHOICE, .choices = rule_matches,
		  DOC("full", "full: the complete command line; prefix: any number of its first words.")),
	TOOL_RULE(file, FIELD_CHOICE, .choices = rule_files,
		  DOC("any", "Which files: new ones, new ones in the project's root, those that git ignores, "
			     "or those that are marked as generated.")),
	FIELD_ARRAY(struct guard_tool_rule, by, "by", glob_item, struct str, .takes_one = true, .least = 1,
		    DOC(NULL, "Only for agents of these types; main is the agent that is not a subagent. By "
			      "default for all.")),
	TOOL_RULE(action, FIELD_CHOICE, .choices = rule_actions,
		  DOC("deny", "deny, or ask for your consent; only: denies everything that does not match.")),
	TOOL_RULE(message, FIELD_TEXT,
		  DOC(NULL, "What the agent is told. In a rule for root, ignored or generated files, "
			    "{file_path}, {tool} and {marker} are filled in.")),
};
static const struct guard_tool_rule tool_rule_defaults = { .action = STR("deny") };
static const struct field tool_rule_item = OBJECT(tool_rule_fields, .any_of = rule_subjects);

static const char *const unknown_verdicts[] = { "allow", "ask", "deny", NULL };
static const struct field set_item = { .type = FIELD_CHOICE, .choices = guard_sets };
static const struct field guard_fields[] = {
	FIELD_ARRAY(struct guards_config, use, "use", set_item, struct str, .takes_one = true,
		    DOC("[]", "Built-in sets of rules: secrets, for .env files, keys and credentials; "
			      "settings, for the agent's own settings and hooks; the others are against the "
			      "loss of work, and destructive is all of those.")),
	SECTION("verdicts", guard_verdict_fields,
		"Other verdicts for rules of the built-in sets, by the name that a denial ends in, or for "
		"whole sets."),
	RULES(struct guards_config, protect, "protect", path_rule_item,
	      DOC("[]", "Files that may not be changed; a string is a pattern.")),
	RULES(struct guards_config, create, "create", path_rule_item,
	      DOC("[]", "The only places where new files may be made; by default everywhere.")),
	FIELD_ARRAY(
		struct guards_config, rules, "rules", tool_rule_item, struct guard_tool_rule,
		.defaults = &tool_rule_defaults,
		DOC("[]", "What tools may be used on, by names alone; the first rule that denies ends it.")),
	SECTION("commands", guarded_command_fields,
		"Commands by program and leading words, however the command line is written."),
	FIELD(struct guards_config, unknown, "unknown", FIELD_CHOICE, .choices = unknown_verdicts,
	      DOC("ask", "What becomes of a command line that can't be parsed, or that runs what only the "
			 "shell will know.")),
	FIELD(struct guards_config, tests, "tests", FIELD_OBJECT, .is_nullable = true,
	      .size = sizeof(struct guard_tests), .defaults = &tests_defaults, .short_key = "enabled",
	      KEYS(tests_fields),
	      DOC(NULL, "Whether tests may not be weakened: true, or a map with exceptions.")),
};
static const struct guards_config guards_defaults = { .unknown = STR("ask") };

/* ---- what else keeps the agent at work ---- */

static const struct field message_fields[] = {
	FIELD(struct follow_up, text, "text", FIELD_TEXT, .is_required = true,
	      DOC(NULL, "The message to the agent that keeps it working.")),
	FIELD(struct follow_up, times, "times", FIELD_INTEGER, .least = 0, .most = INT32_MAX,
	      DOC("1", "How often it is sent before the next one; 0: never.")),
};
static const struct field message_item = OBJECT(message_fields, .short_key = "text");
static const struct follow_up message_defaults = { .times = 1 };
static const struct field follow_up_fields[] = {
	STRINGS(struct follow_ups, prefixes, "when", glob_item,
		DOC("[\"*\"]", "Only in sessions whose first prompt matches one of these, such as \"fix *\". "
			       "A pattern must match all of its first 100 characters.")),
	FIELD_ARRAY(struct follow_ups, messages, "messages", message_item, struct follow_up,
		    .defaults = &message_defaults, .is_required = true, .least = 1,
		    DOC(NULL, "What is sent, one at each stop, in this order; a string is sent once.")),
};

static struct str every_prompt[] = { STR("*") };
static const struct follow_ups follow_up_defaults = { .prefixes = { every_prompt, 1 } };

#define ROOT(member, key, type, ...) FIELD(struct holdfast_draft, member, key, type, __VA_ARGS__)
static const struct field round_fields[] = {
	ROOT(policies.rounds, "count", FIELD_INTEGER, .is_required = true, .least = 1, .most = UINT32_MAX,
	     DOC(NULL, "The stop of a session that is allowed, counted from 1.")),
	ROOT(policies.rounds_message, "message", FIELD_TEXT,
	     DOC(NULL, "What the agent is told before that; {round} and {rounds} are filled in.")),
};

static const char *const outcome_meanings[] = { "done", "stopped", NULL };
static const struct field outcome_fields[] = {
	FIELD(struct holdfast_outcome, meaning, "means", FIELD_CHOICE, .is_required = true,
	      .choices = outcome_meanings,
	      DOC(NULL, "done: the work is done; stopped: the agent can't go on.")),
};
static const struct field outcome_item = OBJECT(outcome_fields, .short_key = "means");

static const struct field price_fields[] = {
	FIELD(struct holdfast_price, input, "input", FIELD_SECONDS, .is_required = true,
	      DOC(NULL, "Of input.")),
	FIELD(struct holdfast_price, output, "output", FIELD_SECONDS, .is_required = true,
	      DOC(NULL, "Of output.")),
	FIELD(struct holdfast_price, cache_read, "cache_read", FIELD_SECONDS,
	      DOC_WORDS("a tenth of the input's", "Of what is read from the cache.")),
};
static const struct field price_item = OBJECT(price_fields);

static const char *const todo_choices[] = { "done", NULL };
static const char *const refeeds[] = { "full", "brief", NULL };

#define LOOP(member, type, ...) ROOT(loop.member, #member, type, __VA_ARGS__)
static const struct field loop_fields[] = {
	LOOP(max_iterations, FIELD_INTEGER, .least = 0, .most = INT32_MAX,
	     DOC("50", "The number of iterations; 0: no limit.")),
	LOOP(promise, FIELD_TEXT,
	     DOC("COMPLETE", "The promise that ends it; \"null\", in quotes: none does.")),
	LOOP(prompt, FIELD_TEXT, DOC(NULL, "The prompt of a loop that is started without one.")),
	ROOT(loop.max_cost, "max_cost_usd", FIELD_SECONDS,
	     DOC_WORDS("no limit", "What the loop may cost in US dollars, by the transcript and `prices`.")),
	LOOP(max_minutes, FIELD_INTEGER, .least = 0, .most = INT32_MAX,
	     DOC_WORDS("no limit", "The minutes after which no new iteration begins; 0: no limit.")),
	LOOP(max_tokens, FIELD_INTEGER, .least = 0, .most = INT64_C(1000000000000),
	     DOC_WORDS(
		     "no limit",
		     "The tokens that it may use, without those that are read from the cache; 0: no limit.")),
	FIELD_ITEMS(struct holdfast_draft, loop.prices, loop.price_count, "prices", FIELD_MAP,
		    .item = &price_item, .size = sizeof(struct holdfast_price),
		    DOC(NULL, "Prices by model, or by how its name begins, for max_cost_usd; in US dollars "
			      "per million tokens.")),
	FIELD_ITEMS(struct holdfast_draft, loop.promises, loop.promise_count, "promises", FIELD_MAP,
		    .item = &outcome_item, .size = sizeof(struct holdfast_outcome),
		    DOC(NULL, "Several promises instead of one: 'done' ends the loop as complete, 'stopped' "
			      "because the agent can't go on.")),
	LOOP(refeed, FIELD_CHOICE, .choices = refeeds,
	     DOC("full", "What the agent gets at each iteration: the whole prompt, or mostly a brief "
			 "reminder of it.")),
	LOOP(resume_after_limit, FIELD_INTEGER, .least = 0, .most = 1000,
	     DOC("0",
		 "How often 'holdfast ralph resume --wait' goes on with the session after a usage limit.")),
	LOOP(stuck_after, FIELD_INTEGER, .least = 0, .most = INT32_MAX,
	     DOC_WORDS("never", "Iterations that get nowhere before the agent is warned; after as many again "
				"the loop ends.")),
	LOOP(todos, FIELD_CHOICE, .choices = todo_choices,
	     DOC_WORDS("they do not matter",
		       "done: the promise counts only if the agent's todo list has no open items.")),
	FIELD_ARRAY(struct holdfast_draft, loop.verify, "verify", name_item, struct str, .takes_one = true,
		    DOC(NULL, "What must pass when the promise appears, or the loop goes on: commands, and "
			      "'gates' for the gates.")),
};

static const struct field debug_log_fields[] = {
	ROOT(debug_enabled, "enabled", FIELD_FLAG, .is_required = true,
	     DOC(NULL, "Write .holdfast/.debug.log.")),
	ROOT(debug_max_bytes, "max_size_mb", FIELD_MEGABYTES,
	     DOC("10", "Megabytes at which it becomes .debug.log.1.")),
};

static const char *const permissions[] = { "ask", "deny", NULL };
static const struct permissions permission_defaults = { .otherwise = STR("ask") };
static const struct field permission_fields[] = {
	FIELD(struct permissions, otherwise, "default", FIELD_CHOICE, .choices = permissions,
	      DOC("ask", "For tools that are in neither list: 'ask' leaves the question to the client, "
			 "'deny' refuses.")),
	FIELD_ARRAY(struct permissions, allow, "allow", glob_item, struct str, .takes_one = true,
		    DOC("[]", "Patterns of tools that run without a question.")),
	FIELD_ARRAY(struct permissions, deny, "deny", glob_item, struct str, .takes_one = true,
		    DOC("[]", "Patterns of tools that are refused; they count before those of 'allow'.")),
};

static const struct field root_fields[] = {
	ROOT(base, "base", FIELD_TEXT,
	     DOC(NULL,
		 "The branch that changes are compared with; by default origin's, else main or master.")),
	FIELD_ITEMS(struct holdfast_draft, gates, gate_count, "gates", FIELD_MAP, .item = &gate_item,
		    .size = sizeof(struct holdfast_gate), .defaults = &gate_defaults,
		    DOC(NULL, "What must pass before the agent may stop, by name; a string is a command.")),
	ROOT(policies.tries, "tries", FIELD_INTEGER, .least = 0, .most = 1000,
	     DOC("3", "How many times failed gates hold the agent back before it may stop; 0: never.")),
	ROOT(max_parallel, "max_parallel", FIELD_INTEGER, .least = 1, .most = 1024,
	     DOC_WORDS("the number of cores, plus one", "How many gates run at the same time at most.")),
	ROOT(runs_at_stop, "run_at_stop", FIELD_BOOL,
	     DOC("true", "Whether the gates run when the agent stops; false: only by 'holdfast run'.")),
	FIELD_ITEMS(struct holdfast_draft, reviewers, reviewer_count, "reviewers", FIELD_MAP,
		    .item = &reviewer_item, .size = sizeof(struct reviewer_config),
		    .defaults = &reviewer_defaults,
		    DOC("{}", "Reviewers by name: changes to a known one, or your own.")),
	ROOT(checks_usage_limit, "check_usage_limit", FIELD_BOOL,
	     DOC("false", "Ask each reviewer for a short answer before it is used.")),
	ROOT(rerun_threshold, "rerun_new_issue_threshold", FIELD_CHOICE, .choices = finding_priorities,
	     DOC("high", "The lowest priority of a new finding that counts when fixes are verified.")),
	CHECKED("debug_log", FIELD_OBJECT, .short_key = "enabled", KEYS(debug_log_fields),
		DOC(NULL, "A log of decisions, for debugging: true, or a map.")),
	ROOT(keeps_journal, "journal", FIELD_BOOL,
	     DOC("true",
		 "Whether each decision at a stop becomes a line of the journal that 'holdfast log' shows.")),
	FIELD_ARRAY(struct holdfast_draft, policies.commands, "commands", command_item, struct policy_command,
		    .defaults = &command_defaults,
		    DOC("[]", "Run at every stop, in this order; the first that fails blocks the stop.")),
	SECTION("events", event_fields,
		"Commands at other events of the client, by event: a command, or a list of them."),
	FIELD_ARRAY(struct holdfast_draft, policies.prompts, "prompts", prompt_item, struct policy_command,
		    .takes_one = true, .defaults = &command_defaults,
		    DOC("[]", "What becomes of your prompts: text that is added to some of them, and "
			      "commands that run before the agent gets them.")),
	ROOT(policies.keeps_root_clean, "keep_root_clean", FIELD_BOOL,
	     DOC("false", "Whether commands may not leave new files in the project's root, apart from those "
			  "that git ignores.")),
	ROOT(policies.follow_ups, "follow_ups", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct follow_ups), .defaults = &follow_up_defaults, KEYS(follow_up_fields),
	     DOC(NULL, "Messages that are sent one after another when the agent stops.")),
	ROOT(policies.todos, "todos", FIELD_CHOICE, .choices = todo_choices,
	     DOC_WORDS("they do not matter", "done: open items of the agent's todo list hold it back, as "
					     "often as tries says while the list does not change.")),
	CHECKED("rounds", FIELD_OBJECT, .short_key = "count", KEYS(round_fields),
		DOC(NULL, "A fixed number of rounds: a number, or a map with a message.")),
	SECTION("loop", loop_fields,
		"What 'holdfast ralph start' takes where its command line says nothing."),
	ROOT(policies.is_infinite, "infinite", FIELD_BOOL, DOC("false", "Never let the agent stop.")),
	ROOT(policies.infinite_message, "infinite_message", FIELD_TEXT,
	     DOC("continue working on the task", "What the agent is told then.")),
	ROOT(policies.guards, "guards", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct guards_config), .defaults = &guards_defaults, KEYS(guard_fields),
	     DOC(NULL,
		 "Rules for what the agent may do: before a tool runs, and for what has become of files.")),
	ROOT(policies.permissions, "permissions", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct permissions), .defaults = &permission_defaults, KEYS(permission_fields),
	     DOC(NULL, "Answers to the client's questions whether a tool may run, by the tool's name.")),
	ROOT(policies.notify, "notify", FIELD_OBJECT, .is_nullable = true,
	     .size = sizeof(struct notify_config), .defaults = &notify_defaults, KEYS(notify_fields),
	     DOC(NULL, "How you are told that a loop has ended, a gate has failed or an event has come.")),
};

const struct holdfast_draft holdfast_draft_defaults = {
	.runs_at_stop = true,
	.keeps_journal = true,
	.rerun_threshold = STR("high"),
	.debug_max_bytes = HOLDFAST_DEBUG_LOG_BYTES,
	.policies = { .tries = 3, .infinite_message = STR("continue working on the task") },
	.loop.max_iterations = -1,
};

/* A file with none of these would silently check nothing. */
static const char *const any_policy[] = { "gates",    "commands", "follow_ups", "todos",  "rounds",
					  "infinite", "loop",     "guards",     "events", "permissions",
					  "prompts",  "notify",   NULL };

const struct schema holdfast_schema = {
	.file = HOLDFAST_FILE,
	.root = OBJECT(root_fields, .any_of = any_policy),
	.null_is_unset = true,
};

const struct schema holdfast_import_schema = {
	.file = HOLDFAST_FILE,
	.root = OBJECT(root_fields),
	.null_is_unset = true,
	.allows_nul = true,
};
