/* SPDX-License-Identifier: MIT */
/* The gates' configuration: what loads, with which values and from which source. */
#include "test.h"

#include "base/path.h"
#include "import/gates.h"
#include "os/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINIMAL "cli: {default_preference: [claude, gemini]}\nentry_points: [{path: .}]\n"

/* A project of the test's own: root with .gauntlet in it, and a home. */
struct project {
	struct arena arena;
	struct str root, home;
};

static void
put(struct project *p, struct str dir, const char *name, const char *text)
{
	struct str path = path_join(&p->arena, dir, str_from(name));
	struct err err;

	if (fs_make_dirs(str_copy(&p->arena, path_parent(path)).s, 0755, &err) < 0 ||
	    fs_replace(&p->arena, path.s, str_from(text), 0644, &err) < 0)
		fail_msg("%s", err.msg);
}

static struct project
project_with(const char *config)
{
	static int number;
	struct project p = { 0 };
	struct str dir = str_fmt(&p.arena, "%s/gauntlet-%d", test_dir(), number++);

	p.root = path_join(&p.arena, dir, STR("project"));
	p.home = path_join(&p.arena, dir, STR("home"));
	if (config)
		put(&p, p.root, ".gauntlet/config.yml", config);
	(void)setenv("XDG_CONFIG_HOME", str_copy(&p.arena, p.home).s, 1);
	(void)unsetenv("GAUNTLET_STOP_HOOK_ENABLED");
	(void)unsetenv("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES");
	return p;
}

static void
project_free(struct project *p)
{
	(void)unsetenv("XDG_CONFIG_HOME");
	(void)unsetenv("GAUNTLET_STOP_HOOK_ENABLED");
	(void)unsetenv("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES");
	arena_free(&p->arena);
}

static void
put_global(struct project *p, const char *text)
{
	put(p, p->home, "agent-gauntlet/config.yml", text);
}

static struct gates_config
load(struct project *p)
{
	struct gates_config c;
	struct str warning;
	struct err err;

	if (gates_load(&p->arena, p->root, &c, &warning, &err) < 0)
		fail_msg("%s", err.msg);
	CHECK(!warning.s);
	return c;
}

static struct stop_settings
load_hook(struct project *p)
{
	struct stop_settings c;
	struct err err;

	if (gauntlet_load_hook(&p->arena, p->root, &c, &err) < 0)
		fail_msg("%s", err.msg);
	return c;
}

static bool
is(struct sourced_int x, int64_t value, enum value_source source)
{
	return x.value == value && x.source == source;
}

/* ---- config.yml ---- */

TEST(a_gauntlet_is_found_in_the_first_directory_that_has_one)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);
	struct str dirs[] = { STR(""), p.home, p.root, STR("/") };

	CHECK(str_eq(gates_find(&p.arena, dirs, COUNT_OF(dirs)), p.root));
	CHECK(!gates_find(&p.arena, dirs, 2).s);
	CHECK(!gates_find(&p.arena, dirs, 0).s);
}

/* scenario: G13-01 G13-09 G13-53 */
TEST(the_least_gauntlet_config_is_all_defaults)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);
	struct gates_config c = load(&p);

	CHECK(str_eq(c.root, p.root));
	CHECK_STR(c.base_branch, "origin/main");
	CHECK_STR(c.log_dir, "gauntlet_logs");
	CHECK(c.allows_parallel && c.max_parallel == 0 && c.max_retries == 3);
	CHECK_STR(c.rerun_threshold, "high");
	CHECK(!c.checks_usage_limit && c.reviewer_count == 0);
	CHECK(c.default_preference.count == 2);
	CHECK_STR(c.default_preference.items[1], "gemini");
	CHECK(c.entry_point_count == 1 && c.check_count == 0 && c.review_count == 0);
	CHECK_STR(c.entry_points[0].path, ".");
	CHECK(is(c.sourced.stop_hook_enabled, 1, SOURCE_DEFAULT));
	CHECK(is(c.sourced.run_interval_minutes, 10, SOURCE_DEFAULT));
	CHECK(is(c.sourced.reverifies, 0, SOURCE_DEFAULT));
	CHECK(is(c.sourced.debug_log_enabled, 0, SOURCE_DEFAULT));
	CHECK(is(c.sourced.debug_log_max_bytes, 10 << 20, SOURCE_DEFAULT));
}

/* scenario: G13-01 G13-06 */
TEST(every_key_of_the_gauntlet_config_is_read)
{
	CLEANUP(project_free)
	struct project p = project_with(
		"base_branch: develop\n"
		"log_dir: out/logs\n"
		"allow_parallel: false\n"
		"max_parallel: 4\n"
		"max_retries: 1.5\n"
		"rerun_new_issue_threshold: low\n"
		"max_previous_logs: 5\n"
		"something_else: {a: [1]}\n"
		"cli:\n"
		"  default_preference: [codex, mine]\n"
		"  check_usage_limit: true\n"
		"  adapters:\n"
		"    codex: {model: m1, allow_tool_use: false, thinking_budget: high}\n"
		"    mine: {command: [./review.sh, --json], prompt: arg}\n"
		"entry_points:\n"
		"  - path: src\n"
		"    exclude: ['**/*.md', src/gen]\n"
		"    checks: [lint]\n"
		"  - {path: 'pkg/*', reviews: [quality]}\n"
		"debug_log: {enabled: true, max_size_mb: 0.5}\n"
		"logging: {level: info, console: {enabled: false, format: json}}\n"
		"stop_hook: {enabled: false, run_interval_minutes: 7.0, reverify: true}\n");

	put(&p, p.root, ".gauntlet/checks/lint.yml", "command: make lint\n");
	put(&p, p.root, ".gauntlet/reviews/quality.md", "---\n---\nLook.\n");
	struct gates_config c = load(&p);

	CHECK_STR(c.base_branch, "develop");
	CHECK_STR(c.log_dir, "out/logs");
	CHECK(!c.allows_parallel && c.max_parallel == 4 && c.max_retries == 1);
	CHECK_STR(c.rerun_threshold, "low");
	CHECK(c.checks_usage_limit && c.reviewer_count == 2);
	CHECK_STR(c.reviewers[0].model, "m1");
	CHECK_STR(c.reviewers[0].thinking_budget, "high");
	CHECK(c.reviewers[0].allows_tool_use == 0 && c.reviewers[0].command.count == 0);
	const struct reviewer_config *mine = gates_config_reviewer(&c, STR("mine"));

	CHECK(mine && str_is(mine->prompt, "arg") && mine->allows_tool_use == -1 && mine->command.count == 2);
	CHECK_STR(mine->command.items[1], "--json");
	CHECK(!gates_config_reviewer(&c, STR("claude")));
	CHECK(c.entry_point_count == 2 && c.entry_points[0].exclude.count == 2);
	CHECK_STR(c.entry_points[0].exclude.items[1], "src/gen");
	CHECK_STR(c.entry_points[0].checks.items[0], "lint");
	CHECK_STR(c.entry_points[1].reviews.items[0], "quality");
	CHECK(is(c.sourced.stop_hook_enabled, 0, SOURCE_PROJECT));
	CHECK(is(c.sourced.run_interval_minutes, 7, SOURCE_PROJECT));
	CHECK(is(c.sourced.reverifies, 1, SOURCE_PROJECT));
	CHECK(is(c.sourced.debug_log_enabled, 1, SOURCE_PROJECT));
	CHECK(is(c.sourced.debug_log_max_bytes, 1 << 19, SOURCE_PROJECT));
}

TEST(a_negative_number_of_retries_is_none)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL "max_retries: -1\n");

	CHECK(load(&p).max_retries == 0);
}

/* ---- gates ---- */

/* scenario: G13-02 */
TEST(a_check_is_named_by_its_file_and_not_by_its_name)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	put(&p, p.root, ".gauntlet/checks/lint.yml", "name: other\ncommand: make lint\n");
	struct gates_config c = load(&p);
	const struct gate *g = gates_config_gate(&c, GATE_CHECK, STR("lint"));

	CHECK(c.check_count == 1 && g && !gates_config_gate(&c, GATE_CHECK, STR("other")));
	CHECK_STR(g->command, "make lint");
	CHECK_STR(g->file, ".gauntlet/checks/lint.yml");
	CHECK(!g->rerun_command.s && !g->working_directory.s && !g->fix_instructions.s);
	CHECK(!g->is_parallel && g->runs_locally && g->runs_in_ci && !g->fails_fast && g->timeout_ms == 0);
}

TEST(every_key_of_a_check_is_read)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	put(&p, p.root, ".gauntlet/docs/fix.md", "Do it so.\n");
	put(&p, p.root, ".gauntlet/checks/a.yaml",
	    "command: |\n  make\n  test\nrerun_command: make again\nworking_directory: web\nparallel: true\n"
	    "run_locally: false\nrun_in_ci: false\ntimeout: 1.5\nfail_fast: false\nfix_instructions: "
	    "docs/fix.md\n");
	put(&p, p.root, ".gauntlet/checks/b.yml",
	    "command: x\nworking_directory: ''\nfail_fast: true\nfix_instructions_file: "
	    "./docs/../docs/fix.md\n"
	    "timeout: 0.0001\n");
	struct gates_config c = load(&p);
	const struct gate *a = gates_config_gate(&c, GATE_CHECK, STR("a")),
			  *b = gates_config_gate(&c, GATE_CHECK, STR("b"));

	CHECK_STR(a->command, "make\ntest\n");
	CHECK_STR(a->rerun_command, "make again");
	CHECK_STR(a->working_directory, "web");
	CHECK(a->is_parallel && !a->runs_locally && !a->runs_in_ci && !a->fails_fast);
	CHECK(a->timeout_ms == 1500);
	CHECK_STR(a->fix_instructions, "Do it so.\n");
	CHECK(!b->working_directory.s && b->fails_fast && b->timeout_ms == 1);
	CHECK_STR(b->fix_instructions, "Do it so.\n");
}

TEST(a_timeout_is_read_to_the_millisecond)
{
	static const struct {
		const char *seconds;
		int64_t ms;
	} cases[] = {
		{ "1.1", 1100 }, { "0.0015", 2 }, { "0.001", 1 },    { "0.0004", 1 },
		{ "0", 0 },      { "0.0", 0 },    { "1e2", 100000 }, { "1000000000", 1000000000000 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(project_free) struct project p = project_with(MINIMAL);

		put(&p, p.root, ".gauntlet/checks/a.yml",
		    str_fmt(&p.arena, "command: x\ntimeout: %s\n", cases[i].seconds).s);
		CHECK_ROW(cases[i].seconds, load(&p).checks[0].timeout_ms == cases[i].ms);
	}
}

TEST(a_command_may_look_like_another_type)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	put(&p, p.root, ".gauntlet/checks/yes.yml", "command: true\n");
	struct gates_config c = load(&p);

	CHECK_STR(c.checks[0].command, "true");
}

TEST(gates_are_sorted_by_name_and_other_files_are_not_gates)
{
	static const char *const names[] = { "b.yml",     "a-b.yml",    "a.yml",  "README.md", ".#a.yml",
					     "sub.yml/x", "c.yaml.bak", "d.json", ".yml",      "deep/e.yml" };
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	for (size_t i = 0; i < COUNT_OF(names); i++)
		put(&p, p.root, str_fmt(&p.arena, ".gauntlet/checks/%s", names[i]).s, "command: x\n");
	struct gates_config c = load(&p);

	CHECK(c.check_count == 3);
	CHECK_STR(c.checks[0].name, "a");
	CHECK_STR(c.checks[1].name, "a-b");
	CHECK_STR(c.checks[2].name, "b");
}

/* scenario: G13-03 */
TEST(a_review_is_its_front_matter_and_its_prompt)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	put(&p, p.root, ".gauntlet/reviews/security.md",
	    "---\nmodel: big\ncli_preference: [gemini]\nnum_reviews: 1.5\nparallel: false\nrun_in_ci: false\n"
	    "run_locally: false\ntimeout: 90\nenabled: false\n---\n\nLook for holes.\n--- not the end\n");
	put(&p, p.root, ".gauntlet/reviews/plain.md", "No front matter.\n---\n");
	put(&p, p.root, ".gauntlet/reviews/crlf.md", "---\r\nnum_reviews: 2\r\n---\r\nBody\r\n");
	put(&p, p.root, ".gauntlet/reviews/blanks.md", "--- \t\nnum_reviews: 4\n---  \nBody\n");
	put(&p, p.root, ".gauntlet/reviews/rule.md", "----\nnum_reviews: 4\n---\nBody\n");
	struct gates_config c = load(&p);
	const struct gate *s = gates_config_gate(&c, GATE_REVIEW, STR("security"));
	const struct gate *plain = gates_config_gate(&c, GATE_REVIEW, STR("plain"));
	const struct gate *crlf = gates_config_gate(&c, GATE_REVIEW, STR("crlf"));

	CHECK_STR(s->prompt, "\nLook for holes.\n--- not the end\n");
	CHECK_STR(s->model, "big");
	CHECK(s->cli_preference.count == 1 && s->num_reviews == 2 && s->timeout_ms == 90000);
	CHECK_STR(s->cli_preference.items[0], "gemini");
	CHECK(!s->is_parallel && !s->runs_in_ci && !s->runs_locally && !s->is_enabled);
	CHECK_STR(plain->prompt, "No front matter.\n---\n");
	CHECK(plain->num_reviews == 1 && plain->is_parallel && plain->runs_in_ci && plain->runs_locally &&
	      plain->is_enabled && plain->timeout_ms == 0 && !plain->model.s);
	CHECK_STR(crlf->prompt, "Body\r\n");
	CHECK(crlf->num_reviews == 2);
	CHECK_STR(gates_config_gate(&c, GATE_REVIEW, STR("blanks"))->prompt, "Body\n");
	CHECK(gates_config_gate(&c, GATE_REVIEW, STR("blanks"))->num_reviews == 4);
	CHECK_STR(gates_config_gate(&c, GATE_REVIEW, STR("rule"))->prompt,
		  "----\nnum_reviews: 4\n---\nBody\n");
}

/* scenario: G13-04 */
TEST(a_review_without_a_preference_has_the_projects)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	put(&p, p.root, ".gauntlet/reviews/a.md", "---\nnum_reviews: 3\n---\nLook.\n");
	put(&p, p.root, ".gauntlet/reviews/b.md", "---\ncli_preference: []\n---\nLook.\n");
	struct gates_config c = load(&p);

	for (size_t i = 0; i < 2; i++) {
		CHECK(c.reviews[i].cli_preference.count == 2);
		CHECK_STR(c.reviews[i].cli_preference.items[0], "claude");
	}
}

TEST(a_review_may_be_yaml_with_its_prompt_in_a_file)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);

	put(&p, p.root, ".gauntlet/prompts/q.md", "Look well.\n");
	put(&p, p.root, ".gauntlet/reviews/q.yml", "prompt_file: prompts/q.md\nnum_reviews: 2\n");
	struct gates_config c = load(&p);

	CHECK(c.review_count == 1 && c.reviews[0].num_reviews == 2);
	CHECK_STR(c.reviews[0].prompt, "Look well.\n");
}

/* ---- sources ---- */

#define NO -1 /* a variable or key that is not set */

static struct str
stop_hook_yaml(struct arena *a, int enabled, int interval)
{
	if (enabled == NO && interval == NO)
		return STR("");
	struct str on = enabled == NO ? STR("") : str_fmt(a, "  enabled: %s\n", enabled ? "true" : "false");
	struct str every = interval == NO ? STR("") : str_fmt(a, "  run_interval_minutes: %d\n", interval);

	return str_fmt(a, "stop_hook:\n" STR_FMT STR_FMT, STR_ARG(on), STR_ARG(every));
}

/* scenario: 001-28 001-29 002-01 002-03 002-04 002-06 002-07 002-08 002-15 G13-10 G13-12 */
TEST(each_value_of_the_stop_hook_has_its_own_source)
{
#define E SOURCE_ENVIRONMENT
#define P SOURCE_PROJECT
#define G SOURCE_GLOBAL
#define D SOURCE_DEFAULT
	static const struct {
		const char *name, *env_enabled, *env_interval;
		int project_enabled, project_interval, global_enabled, global_interval;
		int enabled;
		enum value_source enabled_from;
		int interval;
		enum value_source interval_from;
	} cases[] = {
		{ "nothing at all", NULL, NULL, NO, NO, NO, NO, 1, D, 10, D },
		{ "global interval alone", NULL, NULL, NO, NO, NO, 15, 1, D, 15, G },
		{ "global, both", NULL, NULL, NO, NO, 1, 15, 1, G, 15, G },
		{ "global, off", NULL, NULL, NO, NO, 0, NO, 0, G, 10, D },
		{ "project before global", NULL, NULL, NO, 5, NO, 10, 1, D, 5, P },
		{ "project on, global off", NULL, NULL, 1, NO, 0, NO, 1, P, 10, D },
		{ "project off, global on", NULL, NULL, 0, NO, 1, NO, 0, P, 10, D },
		{ "environment before both", "false", NULL, 1, NO, 1, NO, 0, E, 10, D },
		{ "environment on", "1", NULL, 0, NO, 0, NO, 1, E, 10, D },
		{ "environment's interval", NULL, "0", NO, 10, NO, 20, 1, D, 0, E },
		{ "one from each", "true", NULL, NO, 5, 0, 10, 1, E, 5, P },
		{ "three sources", "false", NULL, NO, NO, 1, 3, 0, E, 3, G },
		{ "environment that says nothing", "maybe", "soon", 0, 5, 1, 10, 0, P, 5, P },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(project_free) struct project p = project_with(MINIMAL);
		struct str own = stop_hook_yaml(&p.arena, cases[i].project_enabled,
						cases[i].project_interval);
		struct str global = stop_hook_yaml(&p.arena, cases[i].global_enabled,
						   cases[i].global_interval);

		put(&p, p.root, ".gauntlet/config.yml", str_fmt(&p.arena, MINIMAL STR_FMT, STR_ARG(own)).s);
		if (global.n > 0)
			put_global(&p, global.s);
		if (cases[i].env_enabled)
			(void)setenv("GAUNTLET_STOP_HOOK_ENABLED", cases[i].env_enabled, 1);
		if (cases[i].env_interval)
			(void)setenv("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES", cases[i].env_interval, 1);
		struct stop_settings hook = load_hook(&p);
		struct gates_config c = load(&p);

		CHECK_ROW(cases[i].name, !hook.warning.s);
		CHECK_ROW(cases[i].name,
			  is(hook.sourced.stop_hook_enabled, cases[i].enabled, cases[i].enabled_from));
		CHECK_ROW(cases[i].name,
			  is(hook.sourced.run_interval_minutes, cases[i].interval, cases[i].interval_from));
		CHECK_ROW(cases[i].name,
			  is(c.sourced.stop_hook_enabled, cases[i].enabled, cases[i].enabled_from));
		CHECK_ROW(cases[i].name,
			  is(c.sourced.run_interval_minutes, cases[i].interval, cases[i].interval_from));
	}
#undef E
#undef P
#undef G
#undef D
}

/* scenario: 002-16 G13-10 */
TEST(the_environment_switches_by_four_words)
{
	static const struct {
		const char *value;
		int enabled; /* NO: ignored */
	} cases[] = {
		{ "true", 1 },   { "1", 1 },     { "TRUE", 1 },       { " True\t", 1 }, { "false", 0 },
		{ "0", 0 },      { "FALSE", 0 }, { "\n0 ", 0 },       { "", NO },       { " ", NO },
		{ "maybe", NO }, { "yes", NO },  { "truee", NO },     { "tru", NO },    { "2", NO },
		{ "-1", NO },    { "on", NO },   { "true true", NO }, { "T", NO },      { "01", NO },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		/* with both values of the project: an ignored variable must not have an effect in either case */
		for (int project = 0; project < 2; project++) {
			CLEANUP(project_free)
			struct project p = project_with(project ? MINIMAL "stop_hook: {enabled: true}\n"
								: MINIMAL "stop_hook: {enabled: false}\n");

			(void)setenv("GAUNTLET_STOP_HOOK_ENABLED", cases[i].value, 1);
			struct stop_settings hook = load_hook(&p);

			if (cases[i].enabled == NO)
				CHECK_ROW(cases[i].value,
					  is(hook.sourced.stop_hook_enabled, project, SOURCE_PROJECT));
			else
				CHECK_ROW(cases[i].value, is(hook.sourced.stop_hook_enabled, cases[i].enabled,
							     SOURCE_ENVIRONMENT));
		}
	}
}

/* scenario: 002-17 G13-11 */
TEST(the_environments_interval_is_an_integer_from_0)
{
	static const struct {
		const char *value;
		int minutes; /* NO: ignored */
	} cases[] = {
		{ "15", 15 },
		{ "0", 0 },
		{ "+7", 7 },
		{ "7.0", 7 },
		{ "7.", 7 },
		{ "7.000", 7 },
		{ " 8 ", 8 },
		{ "007", 7 },
		{ "2147483647", 2147483647 },
		{ "-5", NO },
		{ "-0", NO },
		{ "abc", NO },
		{ "10.5", NO },
		{ "10abc", NO },
		{ "", NO },
		{ " ", NO },
		{ "+", NO },
		{ ".", NO },
		{ ".0", NO },
		{ "1 0", NO },
		{ "1e1", NO },
		{ "0x7", NO },
		{ "++7", NO },
		{ "2147483648", NO },
		{ "7.0.0", NO },
		{ "99999999999999999999", NO },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(project_free)
		struct project p = project_with(MINIMAL "stop_hook: {run_interval_minutes: 3}\n");

		(void)setenv("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES", cases[i].value, 1);
		struct stop_settings hook = load_hook(&p);

		if (cases[i].minutes == NO)
			CHECK_ROW(cases[i].value, is(hook.sourced.run_interval_minutes, 3, SOURCE_PROJECT));
		else
			CHECK_ROW(cases[i].value, is(hook.sourced.run_interval_minutes, cases[i].minutes,
						     SOURCE_ENVIRONMENT));
	}
}

/* scenario: 001-30 002-05 G13-13 */
TEST(a_global_file_that_is_not_right_counts_for_nothing)
{
	static const char *const texts[] = {
		"stop_hook: [\n",
		"",
		"# only a comment\n",
		"stop_hook:\n",
		"[a]\n",
		"stop_hook: {enabled: yes, run_interval_minutes: 15}\n",
		"stop_hook: {run_interval_minutes: 15}\ndebug_log: {enabled: 1}\n",
		"stop_hook: {enabled: false}\nstop_hook: {enabled: false}\n",
		"stop_hook: {enabled: false, run_interval_minutes: null}\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(project_free) struct project p = project_with(MINIMAL);

		put_global(&p, texts[i]);
		struct stop_settings hook = load_hook(&p);
		struct str begins = str_fmt(&p.arena,
					    "[gauntlet] Warning: Failed to parse global config at " STR_FMT
					    "/agent-gauntlet/config.yml, using defaults",
					    STR_ARG(p.home));
		struct gates_config c;
		struct str warning;
		struct err err;

		CHECK_ROW(texts[i], str_starts(hook.warning, begins));
		CHECK_ROW(texts[i], is(hook.sourced.stop_hook_enabled, 1, SOURCE_DEFAULT));
		CHECK_ROW(texts[i], is(hook.sourced.run_interval_minutes, 10, SOURCE_DEFAULT));
		CHECK_ROW(texts[i], is(hook.sourced.debug_log_enabled, 0, SOURCE_DEFAULT));
		CHECK_ROW(texts[i], gates_load(&p.arena, p.root, &c, &warning, &err) == 0);
		CHECK_ROW(texts[i], str_eq(warning, hook.warning));
	}
}

/* scenario: G13-53 */
TEST(the_global_file_may_say_all_that_is_shared)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL "debug_log: {max_size_mb: 1}\n");

	put_global(&p, "stop_hook: {run_interval_minutes: 2.5, reverify: true}\nother: 1\n"
		       "debug_log: {enabled: true, max_size_mb: 3}\n");
	struct stop_settings hook = load_hook(&p);

	CHECK(!hook.warning.s);
	CHECK(is(hook.sourced.run_interval_minutes, 3, SOURCE_GLOBAL));
	CHECK(is(hook.sourced.reverifies, 1, SOURCE_GLOBAL));
	CHECK(is(hook.sourced.debug_log_enabled, 1, SOURCE_GLOBAL));
	CHECK(is(hook.sourced.debug_log_max_bytes, 1 << 20, SOURCE_PROJECT));
	put_global(&p, "stop_hook: {run_interval_minutes: -3}\n");
	CHECK(is(load_hook(&p).sourced.run_interval_minutes, 0, SOURCE_GLOBAL));
}

/* scenario: G13-09 */
TEST(the_global_file_is_below_the_home_without_xdg)
{
	CLEANUP(project_free) struct project p = project_with(MINIMAL);
	char *home = getenv("HOME");
	struct str old = home ? str_copy(&p.arena, str_from(home)) : STR_NONE;

	put(&p, p.home, ".config/agent-gauntlet/config.yml", "stop_hook: {enabled: false}\n");
	(void)unsetenv("XDG_CONFIG_HOME");
	(void)setenv("HOME", str_copy(&p.arena, p.home).s, 1);
	struct stop_settings hook = load_hook(&p);

	if (old.s)
		(void)setenv("HOME", old.s, 1);
	CHECK(is(hook.sourced.stop_hook_enabled, 0, SOURCE_GLOBAL));
}

/* ---- the hook's look ---- */

TEST(the_hook_needs_no_gate_and_ignores_invalid_values)
{
	CLEANUP(project_free)
	struct project p = project_with("log_dir: logs\nentry_points: 5\n"
					"stop_hook: {enabled: 'x', run_interval_minutes: 4}\n"
					"debug_log: 7\n");

	put(&p, p.root, ".gauntlet/checks/broken.yml", "command: [\n");
	struct stop_settings hook = load_hook(&p);

	CHECK_STR(hook.log_dir, "logs");
	CHECK(is(hook.sourced.stop_hook_enabled, 1, SOURCE_DEFAULT));
	CHECK(is(hook.sourced.run_interval_minutes, 4, SOURCE_PROJECT));
	put(&p, p.root, ".gauntlet/config.yml", "stop_hook:\nlog_dir: [a]\n");
	hook = load_hook(&p);
	CHECK_STR(hook.log_dir, "gauntlet_logs");
	put(&p, p.root, ".gauntlet/config.yml", "");
	CHECK_STR(load_hook(&p).log_dir, "gauntlet_logs");
}

TEST(the_hook_fails_where_the_config_does_not_parse_or_is_gone)
{
	CLEANUP(project_free) struct project p = project_with("a: b\nstop_hook: {enabled: \n");
	struct stop_settings hook;
	struct err err;
	struct str file = path_join(&p.arena, p.root, STR(".gauntlet/config.yml"));

	CHECK(gauntlet_load_hook(&p.arena, p.root, &hook, &err) < 0);
	CHECK(str_starts(str_from(err.msg), str_fmt(&p.arena, STR_FMT ":3:1: ", STR_ARG(file))));
	CHECK(fs_remove(file.s, &err) == 0);
	CHECK(gauntlet_load_hook(&p.arena, p.root, &hook, &err) < 0);
	CHECK_STR(str_from(err.msg),
		  str_fmt(&p.arena, "Configuration file not found at " STR_FMT, STR_ARG(file)).s);
}
