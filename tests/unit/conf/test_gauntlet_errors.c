/* SPDX-License-Identifier: MIT */
/* What is wrong with the gates' files, in which words and at which place; ci.yml; values with their origins. */
#include "test.h"

#include "base/path.h"
#include "import/gates.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>

#define CLI "cli: {default_preference: [claude, gemini]}\n"
#define ENTRY "entry_points: [{path: .}]\n"

static void
put(struct arena *a, struct str dir, const char *name, const char *text)
{
	struct str path = path_join(a, dir, str_from(name));
	struct err err;

	if (fs_make_dirs(str_copy(a, path_parent(path)).s, 0755, &err) < 0 ||
	    fs_replace(a, path.s, str_from(text), 0644, &err) < 0)
		fail_msg("%s", err.msg);
}

static struct str
new_root(struct arena *a)
{
	static int number;

	(void)setenv("XDG_CONFIG_HOME", str_fmt(a, "%s/no-home", test_dir()).s, 1);
	return str_fmt(a, "%s/gauntlet-errors-%d", test_dir(), number++);
}

/* The error of loading, without the root before its file; empty: there is none. */
static struct str
error_of(struct arena *a, struct str root)
{
	struct gates_config c;
	struct str warning, dir = path_join(a, root, STR(".gauntlet/"));
	struct err err;

	if (gates_load(a, root, &c, &warning, &err) == 0)
		return STR("");
	struct str text = str_fmt(a, "%s", err.msg);

	return str_starts(text, dir) ? str_sub(text, dir.n, text.n) : text;
}

/* scenario: G13-06 G13-08 */
TEST(a_wrong_gauntlet_config_is_refused_with_place_and_value)
{
	static const struct {
		const char *config, *error;
	} cases[] = {
		{ "", "config.yml:1:1: expected a map, not null" },
		{ "[a]\n", "config.yml:1:1: expected a map, not a list" },
		{ ENTRY, "config.yml:1:1: cli: missing key 'cli'" },
		{ CLI, "config.yml:1:1: entry_points: missing key 'entry_points'" },
		{ "cli:\n" ENTRY, "config.yml:1:5: cli: expected a map, not null" },
		{ "cli: {}\n" ENTRY,
		  "config.yml:1:6: cli.default_preference: missing key 'default_preference'" },
		{ "cli: {default_preference: []}\n" ENTRY,
		  "config.yml:1:27: cli.default_preference: expected a list of at least 1, not of 0" },
		{ "cli: {default_preference: claude}\n" ENTRY,
		  "config.yml:1:27: cli.default_preference: expected a list of strings, not the string "
		  "\"claude\"" },
		{ "cli: {default_preference: [a, '']}\n" ENTRY,
		  "config.yml:1:31: cli.default_preference[1]: expected a text, not an empty one" },
		{ CLI "entry_points: []\n",
		  "config.yml:2:15: entry_points: expected a list of at least 1, not of 0" },
		{ CLI "entry_points: [{}]\n", "config.yml:2:16: entry_points[0].path: missing key 'path'" },
		{ CLI "entry_points: [{path: .}, {path: ''}]\n",
		  "config.yml:2:34: entry_points[1].path: expected a text, not an empty one" },
		{ CLI "entry_points: [.]\n",
		  "config.yml:2:16: entry_points[0]: expected a map, not the string \".\"" },
		{ CLI ENTRY "base_branch: ''\n",
		  "config.yml:3:14: base_branch: expected a text, not an empty one" },
		{ CLI ENTRY "log_dir: [a]\n", "config.yml:3:10: log_dir: expected a string, not a list" },
		{ CLI ENTRY "allow_parallel: yes\n",
		  "config.yml:3:17: allow_parallel: expected a boolean, not the string \"yes\"" },
		{ CLI ENTRY "allow_parallel:\n",
		  "config.yml:3:16: allow_parallel: expected a boolean, not null" },
		{ CLI ENTRY "max_retries: three\n",
		  "config.yml:3:14: max_retries: expected a number, not the string \"three\"" },
		{ CLI ENTRY "max_parallel: 0\n",
		  "config.yml:3:15: max_parallel: out of range: 0 is not in 1..1024" },
		{ CLI ENTRY "max_parallel: 1025\n",
		  "config.yml:3:15: max_parallel: out of range: 1025 is not in 1..1024" },
		{ CLI ENTRY "rerun_new_issue_threshold: 3\n",
		  "config.yml:3:28: rerun_new_issue_threshold: expected one of critical, high, medium, low, "
		  "not the "
		  "integer 3" },
		{ CLI ENTRY "stop_hook:\n", "config.yml:3:11: stop_hook: expected a map, not null" },
		{ CLI ENTRY "stop_hook: {run_interval_minutes: -1}\n",
		  "config.yml:3:35: stop_hook.run_interval_minutes: out of range: -1 is not in "
		  "0..1000000000" },
		{ CLI ENTRY "stop_hook: {run_interval_minutes: 1.5}\n",
		  "config.yml:3:35: stop_hook.run_interval_minutes: expected an integer, not the number "
		  "1.5" },
		{ CLI ENTRY "stop_hook: {reverify: 1}\n",
		  "config.yml:3:23: stop_hook.reverify: expected a boolean, not the integer 1" },
		{ CLI ENTRY "logging: {level: loud}\n", "config.yml:3:18: logging.level: expected one of "
							"debug, info, warning, error, not the string "
							"\"loud\"" },
		{ CLI ENTRY "logging: {file: {format: pretty}}\n",
		  "config.yml:3:26: logging.file.format: expected one of text, json, not the string "
		  "\"pretty\"" },
		{ CLI ENTRY CLI, "config.yml:3:1: cli: duplicate key 'cli'" },
		{ "cli: {default_preference: [mine], adapters: {mine: {prompt: arg}}}\n" ENTRY,
		  "config.yml:1:46: cli.adapters.mine: missing key 'command': 'mine' is not a known "
		  "reviewer" },
		{ "cli: {default_preference: [claude], adapters: {claude: {prompt: mail}}}\n" ENTRY,
		  "config.yml:1:65: cli.adapters.claude.prompt: expected one of stdin, arg, not the string "
		  "\"mail\"" },
		{ CLI "entry_points: [{path: src, checks: [nope]}]\n",
		  "config.yml:2:37: entry_points[0].checks: Entry point \"src\" references non-existent "
		  "check gate: "
		  "\"nope\"; it would be .gauntlet/checks/nope.yml" },
		{ CLI "entry_points: [{path: src, reviews: [nope]}]\n",
		  "config.yml:2:38: entry_points[0].reviews: Entry point \"src\" references non-existent "
		  "review gate: "
		  "\"nope\"; it would be .gauntlet/reviews/nope.md" },
		{ CLI "entry_points: [{path: src, checks: [lnt]}]\n",
		  "config.yml:2:37: entry_points[0].checks: Entry point \"src\" references non-existent "
		  "check gate: "
		  "\"lnt\", did you mean \"lint\"?" },
		{ CLI "entry_points: [{path: a, checks: [x, y, z]}]\nentry_points: [{path: b}]\n",
		  "config.yml:3:1: entry_points: duplicate key 'entry_points'" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str root = new_root(&a);

		put(&a, root, ".gauntlet/config.yml", cases[i].config);
		put(&a, root, ".gauntlet/checks/lint.yml", "command: x\n");
		struct str error = error_of(&a, root);

		if (!str_is(error, cases[i].error))
			fail_msg("%s\nsays:     %s\nexpected: %s", cases[i].config, error.s, cases[i].error);
	}
}

TEST(a_config_that_is_not_there_is_named_in_full)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = new_root(&a);

	CHECK_STR(
		error_of(&a, root),
		str_fmt(&a, "Configuration file not found at " STR_FMT "/.gauntlet/config.yml", STR_ARG(root))
			.s);
}

/* scenario: G13-05 G13-07 */
TEST(a_wrong_gate_is_refused_with_place_and_value)
{
	static const struct {
		const char *file, *text, *error; /* @: the directory .gauntlet */
	} cases[] = {
		{ "checks/a.yml", "", "checks/a.yml:1:1: expected a map, not null" },
		{ "checks/a.yml", "command: 'x\n", "checks/a.yml:1:10: the quote is never closed" },
		{ "checks/a.yml", "parallel: true\n", "checks/a.yml:1:1: command: missing key 'command'" },
		{ "checks/a.yml", "command:\n", "checks/a.yml:1:9: command: expected a string, not null" },
		{ "checks/a.yml", "command: ''\n",
		  "checks/a.yml:1:10: command: expected a text, not an empty one" },
		{ "checks/a.yml", "command: '  '\n",
		  "checks/a.yml:1:10: command: expected a text, not a blank one" },
		{ "checks/a.yml", "command: x\ncommand: y\n",
		  "checks/a.yml:2:1: command: duplicate key 'command'" },
		{ "checks/a.yml", "command: x\ntimeout: 5m\n",
		  "checks/a.yml:2:10: timeout: expected a number, not the string \"5m\"" },
		{ "checks/a.yml", "command: x\ntimeout: -1\n",
		  "checks/a.yml:2:10: timeout: out of range: timeout must be greater than 0, not -1" },
		{ "checks/a.yml", "command: x\ntimeout: .inf\n",
		  "checks/a.yml:2:10: timeout: expected a finite number, not the number .inf" },
		{ "checks/a.yml", "command: x\ntimeout: 1000000001\n",
		  "checks/a.yml:2:10: timeout: out of range: 1000000001 is not in -1000000000..1000000000" },
		{ "checks/a.yml", "command: x\nparallel: true\nfail_fast: true\n",
		  "checks/a.yml:3:12: fail_fast: fail_fast can only be used when parallel is false" },
		{ "checks/a.yml", "command: x\nfix_instructions: /etc/passwd\n",
		  "checks/a.yml:2:19: fix_instructions: Fix instructions path must be relative to .gauntlet/ "
		  "directory, "
		  "got absolute path: /etc/passwd (referenced by check \"a\")" },
		{ "checks/a.yml", "command: x\nfix_instructions: ../x\n",
		  "checks/a.yml:2:19: fix_instructions: Fix instructions path must stay within .gauntlet/ "
		  "directory and "
		  "point to a file: ../x resolves to @/../x (referenced by check \"a\")" },
		{ "checks/a.yml", "command: x\nfix_instructions: .\n",
		  "checks/a.yml:2:19: fix_instructions: Fix instructions path must stay within .gauntlet/ "
		  "directory and "
		  "point to a file: . resolves to @ (referenced by check \"a\")" },
		{ "checks/a.yml", "command: x\nfix_instructions_file: a/b.md\n",
		  "checks/a.yml:2:24: fix_instructions_file: Fix instructions file not found: @/a/b.md "
		  "(referenced by "
		  "check \"a\")" },
		{ "checks/a.yml", "command: x\nfix_instructions: checks\n",
		  "checks/a.yml:2:19: fix_instructions: @/checks: not a regular file (referenced by check "
		  "\"a\")" },
		{ "checks/a.yml", "command: x\nfix_instructions: a\nfix_instructions_file: a\n",
		  "checks/a.yml:3:24: fix_instructions_file: is another name of fix_instructions, which is "
		  "set too" },
		{ "checks/twin.yaml", "command: x\n",
		  "checks/twin.yml: the check \"twin\" is in .gauntlet/checks/twin.yaml too" },
		{ "reviews/r.md", "---\nnum_reviews: many\n---\nx\n",
		  "reviews/r.md:2:14: num_reviews: expected a number, not the string \"many\"" },
		{ "reviews/r.md", "---\nmodel: m\nparallel: 'no'\n---\nx\n",
		  "reviews/r.md:3:11: parallel: expected a boolean, not the string \"no\"" },
		{ "reviews/r.md", "---\nmodel: [\n---\nx\n", "reviews/r.md:3:1: " },
		{ "reviews/r.md", "---\nmodel: m\nx\n",
		  "reviews/r.md:1:1: the front matter that begins here has no end" },
		{ "reviews/r.md", "---\ncli_preference: [claude, codex]\n---\nx\n",
		  "reviews/r.md:2:26: cli_preference[1]: Review \"r\" uses CLI tool \"codex\" which is not "
		  "in the "
		  "project-level allowed list (cli.default_preference)." },
		{ "reviews/r.md", "---\ncli_preference: [codex]\ncli_preference: []\n---\nx\n",
		  "reviews/r.md:3:1: cli_preference: duplicate key 'cli_preference'" },
		{ "reviews/r.yml", "num_reviews: 1\n",
		  "reviews/r.yml:1:1: expected one of prompt_file, skill_name and builtin, not 0 of them" },
		{ "reviews/r.yml", "prompt_file: a\nbuiltin: b\n",
		  "reviews/r.yml:1:1: expected one of prompt_file, skill_name and builtin, not 2 of them" },
		{ "reviews/r.yml", "skill_name: s\n",
		  "reviews/r.yml:1:13: skill_name: not supported: put the prompt into a file and name it by "
		  "prompt_file" },
		{ "reviews/r.yml", "builtin: s\n",
		  "reviews/r.yml:1:10: builtin: there is no built-in review 's'; these are: code-quality, "
		  "security, "
		  "error-handling, test-integrity, task-compliance, security-and-errors, all-reviewers" },
		{ "reviews/r.yml", "prompt_file: a.md\n",
		  "reviews/r.yml:1:14: prompt_file: Prompt file not found: @/a.md (referenced by review "
		  "\"r\")" },
		{ "reviews/two.yml", "prompt_file: reviews/two.md\n",
		  "reviews/two.yml: the review \"two\" is in .gauntlet/reviews/two.md too" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str root = new_root(&a), want = str_from(cases[i].error),
			   file = str_from(cases[i].file);

		put(&a, root, ".gauntlet/config.yml", CLI ENTRY);
		put(&a, root, ".gauntlet/checks/ok.yml", "command: x\n");
		if (str_is(file, "checks/twin.yaml"))
			put(&a, root, ".gauntlet/checks/twin.yml", "command: x\n");
		if (str_is(file, "reviews/two.yml"))
			put(&a, root, ".gauntlet/reviews/two.md", "---\n---\nx\n");
		put(&a, root, str_fmt(&a, ".gauntlet/%s", cases[i].file).s, cases[i].text);
		ptrdiff_t at = str_find_char(want, '@');

		if (at >= 0) {
			struct str rest = str_sub(want, (size_t)at + 1, want.n);
			bool is_above = str_starts(rest, STR("/../"));

			if (is_above)
				rest = str_sub(rest, 3, rest.n);
			want = str_fmt(&a, STR_FMT STR_FMT "%s" STR_FMT, (int)at, want.s, STR_ARG(root),
				       is_above ? "" : "/.gauntlet", STR_ARG(rest));
		}
		struct str error = error_of(&a, root);
		/* the words of the YAML library are its own */
		bool is_right = str_ends(want, STR(" ")) ? str_starts(error, want) : str_eq(error, want);

		if (!is_right)
			fail_msg("%s:\n%s\nsays:     %s\nexpected: %s", cases[i].file, cases[i].text, error.s,
				 want.s);
	}
}

TEST(all_problems_are_found_and_not_only_the_first)
{
	static const char *const expected[] = {
		"config.yml 1:28 ! cli.default_preference[0]",
		"config.yml 2:16 ! base_branch",
		"config.yml 3:1 w max_retires",
		"checks/a.yml 1:11 ! parallel",
		"checks/a.yml 1:1 ! command",
		"checks/b.yml 2:10 e timeout",
		"reviews/q.md 0:0 e ",
		"config.yml 4:16 w entry_points[0]",
		"config.yml 4:49 ! entry_points[1].checks",
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = new_root(&a);
	struct config_problems p;
	struct gates_config c;
	struct str warning;

	put(&a, root, ".gauntlet/config.yml",
	    "cli: {default_preference: ['']}\nbase_branch:   {}\nmax_retires: 5\n"
	    "entry_points: [{path: a}, {path: b, checks: [a, c]}]\n");
	put(&a, root, ".gauntlet/checks/a.yml", "parallel: maybe\n");
	put(&a, root, ".gauntlet/checks/b.yml", "command: x\ntimeout: 0\n");
	put(&a, root, ".gauntlet/reviews/q.md", "Look.\n");
	CHECK(!gauntlet_check_all(&a, root, &c, &p, &warning));
	for (size_t i = 0; i < p.count && i < COUNT_OF(expected); i++) {
		const struct config_problem *x = &p.items[i];
		struct str seen = str_fmt(&a, STR_FMT " %d:%d %c " STR_FMT, (int)x->file.n - 10,
					  x->file.s + 10, x->line, x->column, "we!"[x->severity],
					  STR_ARG(x->path));

		CHECK_STR(seen, expected[i]);
	}
	CHECK(p.count == COUNT_OF(expected));
	CHECK(p.files.count == 4);
	CHECK_STR(p.files.items[0], ".gauntlet/config.yml");
	CHECK_STR(p.files.items[3], ".gauntlet/reviews/q.md");
}

/* ---- ci.yml ---- */

TEST(a_ci_file_is_read_and_may_say_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = new_root(&a);
	struct ci_config c;
	struct err err;

	put(&a, root, ".gauntlet/ci.yml",
	    "runtimes: {node: {version: 20}}\nservices:\nsetup:\n  - {name: s, run: x, working_directory: w, "
	    "if: c}\n"
	    "checks:\n  - {name: lint, requires_runtimes: [node], requires_services: [pg, redis]}\n"
	    "  - name: test\n    setup: [{name: a, run: b}]\n");
	CHECK(gauntlet_load_ci(&a, root, &c, &err) == 0);
	CHECK(c.runtimes && !c.services && c.setup_count == 1 && c.check_count == 2);
	CHECK(node_get(node_get(c.runtimes, "node"), "version")->integer == 20);
	CHECK_STR(c.setup[0].condition, "c");
	CHECK_STR(c.setup[0].working_directory, "w");
	CHECK_STR(c.checks[0].services.items[1], "redis");
	CHECK(c.checks[0].runtimes.count == 1 && c.checks[0].setup_count == 0 &&
	      c.checks[1].setup_count == 1);
	CHECK_STR(c.checks[1].setup[0].run, "b");
	put(&a, root, ".gauntlet/ci.yml", "runtimes:\nservices:\nsetup:\nchecks:\n");
	CHECK(gauntlet_load_ci(&a, root, &c, &err) == 0);
	CHECK(!c.runtimes && !c.services && c.setup_count == 0 && c.check_count == 0);
	put(&a, root, ".gauntlet/ci.yml", "# nothing\n");
	CHECK(gauntlet_load_ci(&a, root, &c, &err) == 0);
}

TEST(a_wrong_ci_file_is_refused)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "setup: [{name: a}]\n", ":1:9: setup[0].run: missing key 'run'" },
		{ "setup: x\n", ":1:8: setup: expected a list, not the string \"x\"" },
		{ "services: [pg]\n", ":1:11: services: expected a map, not a list" },
		{ "checks: [{name: a, requires_runtimes: node}]\n",
		  ":1:39: checks[0].requires_runtimes: expected a list of strings, not the string \"node\"" },
		{ "checks: [{name: a, setup: [{run: x}]}]\n",
		  ":1:28: checks[0].setup[0].name: missing key 'name'" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str root = new_root(&a);
		struct ci_config c;
		struct err err;

		put(&a, root, ".gauntlet/ci.yml", cases[i].text);
		CHECK_ROW(cases[i].text, gauntlet_load_ci(&a, root, &c, &err) < 0);
		CHECK_STR(str_from(err.msg),
			  str_fmt(&a, STR_FMT "/.gauntlet/ci.yml%s", STR_ARG(root), cases[i].error).s);
	}
}

TEST(a_ci_file_that_is_not_there_is_an_error_that_says_what_makes_one)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = new_root(&a);
	struct ci_config c;
	struct err err;

	CHECK(gauntlet_load_ci(&a, root, &c, &err) < 0);
	CHECK_STR(str_from(err.msg), str_fmt(&a,
					     "CI configuration file not found at " STR_FMT
					     "/.gauntlet/ci.yml. Run 'agent-gauntlet ci init' to create it.",
					     STR_ARG(root))
					     .s);
}

/* ---- the environment of CI ---- */

TEST(the_base_branch_is_the_options_then_the_pull_requests_then_the_configured_one)
{
	static const struct {
		const char *ci, *actions, *ref, *given, *base;
	} cases[] = {
		{ NULL, NULL, NULL, NULL, "conf" },   { NULL, NULL, "pr", NULL, "conf" },
		{ "true", NULL, "pr", NULL, "pr" },   { NULL, "true", "pr", NULL, "pr" },
		{ "1", NULL, "pr", NULL, "conf" },    { "true", NULL, "", NULL, "conf" },
		{ "true", NULL, NULL, NULL, "conf" }, { "true", NULL, "pr", "opt", "opt" },
	};
	struct gates_config c = { .base_branch = STR("conf") };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct {
			const char *name, *value;
		} variables[] = { { "CI", cases[i].ci },
				  { "GITHUB_ACTIONS", cases[i].actions },
				  { "GITHUB_BASE_REF", cases[i].ref } };

		for (size_t k = 0; k < COUNT_OF(variables); k++)
			(void)(variables[k].value ? setenv(variables[k].name, variables[k].value, 1)
						  : unsetenv(variables[k].name));
		CHECK_STR(gates_base_branch(&c, str_from(cases[i].given)), cases[i].base);
	}
	(void)unsetenv("CI");
	(void)unsetenv("GITHUB_BASE_REF");
}

/* ---- values and keys ---- */

static const struct config_value *
value_of(const struct config_values *v, const char *key)
{
	for (size_t i = 0; i < v->count; i++)
		if (str_is(v->items[i].key, key))
			return &v->items[i];
	fail_msg("no value '%s'", key);
	return NULL;
}

TEST(every_value_has_its_origin)
{
	static const struct {
		const char *key, *json;
		enum value_source source;
		const char *origin; /* below the project; NULL: as it is in `variable` */
		const char *variable;
	} cases[] = {
		{ "base_branch", "\"develop\"", SOURCE_PROJECT, ".gauntlet/config.yml:1", NULL },
		{ "log_dir", "\"gauntlet_logs\"", SOURCE_DEFAULT, NULL, "" },
		{ "max_parallel", "null", SOURCE_DEFAULT, NULL, "" },
		{ "cli.default_preference", "[\"claude\",\"gemini\"]", SOURCE_PROJECT,
		  ".gauntlet/config.yml:2", NULL },
		{ "cli.adapters.claude.allow_tool_use", "false", SOURCE_PROJECT, ".gauntlet/config.yml:2",
		  NULL },
		{ "cli.adapters.claude.prompt", "\"stdin\"", SOURCE_DEFAULT, NULL, "" },
		{ "entry_points[1].path", "\"src\"", SOURCE_PROJECT, ".gauntlet/config.yml:5", NULL },
		{ "entry_points[1].checks", "[]", SOURCE_DEFAULT, NULL, "" },
		{ "stop_hook.enabled", "false", SOURCE_ENVIRONMENT, NULL, "GAUNTLET_STOP_HOOK_ENABLED" },
		{ "stop_hook.run_interval_minutes", "5", SOURCE_PROJECT, ".gauntlet/config.yml:6", NULL },
		{ "debug_log.max_size_mb", "10", SOURCE_DEFAULT, NULL, "" },
		{ "checks.lint.command", "\"make \\\"lint\\\"\"", SOURCE_PROJECT,
		  ".gauntlet/checks/lint.yml:1", NULL },
		{ "checks.lint.timeout", "1.5", SOURCE_PROJECT, ".gauntlet/checks/lint.yml:2", NULL },
		{ "checks.lint.fix_instructions", "null", SOURCE_DEFAULT, NULL, "" },
		{ "reviews.q.num_reviews", "2", SOURCE_PROJECT, ".gauntlet/reviews/q.md:2", NULL },
		{ "reviews.q.cli_preference", "[\"claude\",\"gemini\"]", SOURCE_DEFAULT, NULL, "" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = new_root(&a), warning;
	struct config_values v;
	struct err err;

	put(&a, root, ".gauntlet/config.yml",
	    "base_branch: develop\ncli: {default_preference: [claude, gemini], adapters: {claude: "
	    "{allow_tool_use: "
	    "false}}}\nentry_points:\n  - path: .\n  - path: src\n"
	    "stop_hook: {enabled: true, run_interval_minutes: 5}\n");
	put(&a, root, ".gauntlet/checks/lint.yml", "command: make \"lint\"\ntimeout: 1.5\n");
	put(&a, root, ".gauntlet/reviews/q.md", "---\nnum_reviews: 2\n---\nx\n");
	(void)setenv("GAUNTLET_STOP_HOOK_ENABLED", "false", 1);
	int result = gauntlet_values(&a, root, &v, &warning, &err);

	(void)unsetenv("GAUNTLET_STOP_HOOK_ENABLED");
	CHECK(result == 0 && !warning.s);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct config_value *x = value_of(&v, cases[i].key);
		struct str origin = cases[i].origin ? path_join(&a, root, str_from(cases[i].origin))
						    : str_from(cases[i].variable);

		CHECK_STR(x->json, cases[i].json);
		CHECK_ROW(cases[i].key, x->source == cases[i].source);
		CHECK_ROW(cases[i].key, str_eq(x->origin, origin));
	}
}

TEST(without_a_project_the_shared_values_are_listed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct config_values v;
	struct str warning;
	struct err err;

	(void)new_root(&a);
	CHECK(gauntlet_values(&a, STR_NONE, &v, &warning, &err) == 0);
	CHECK_STR(value_of(&v, "stop_hook.enabled")->json, "true");
	CHECK_STR(value_of(&v, "log_dir")->json, "\"gauntlet_logs\"");
	CHECK(v.count == 6);
}

TEST(every_documented_key_has_a_sentence)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct schema_keys keys = gates_keys(&a);

	CHECK(keys.count > 50);
	for (size_t i = 0; i < keys.count; i++) {
		const struct field *f = keys.items[i].field;

		CHECK_ROW(keys.items[i].path.s, str_ends(str_from(f->help), STR(".")));
		CHECK_ROW(keys.items[i].path.s, f->is_required ? !f->default_text : true);
	}
}
