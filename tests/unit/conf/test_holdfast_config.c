/* SPDX-License-Identifier: MIT */
/* holdfast.yml: what it is read into, what is wrong with it and where, and which file counts. */
#include "test.h"

#include "base/path.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>

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
	struct str root = str_fmt(a, "%s/holdfast-%d", test_dir(), number++);
	struct err err;

	if (fs_make_dirs(root.s, 0755, &err) < 0)
		fail_msg("%s", err.msg);
	return root;
}

static struct gates_config
load(struct arena *a, const char *text)
{
	struct str root = new_root(a), warning;
	struct gates_config c;
	struct err err;

	put(a, root, HOLDFAST_FILE, text);
	put(a, root, "prompts/quality.md", "Look for bugs.\n");
	if (gates_load(a, root, &c, &warning, &err) < 0)
		fail_msg("%s", err.msg);
	return c;
}

TEST(a_native_gate_may_be_only_its_command)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gates_config c = load(&a, "gates: {test: npm test}\n");

	CHECK(c.dialect == &dialects[DIALECT_HOLDFAST] && !c.base_branch.s && c.max_retries == 3);
	CHECK_STR(c.log_dir, ".holdfast");
	CHECK(c.check_count == 1 && c.review_count == 0 && c.entry_point_count == 1);
	CHECK_STR(c.checks[0].name, "test");
	CHECK_STR(c.checks[0].command, "npm test");
	CHECK_STR(c.checks[0].file, "holdfast.yml");
	CHECK(c.checks[0].timeout_ms == 0 && c.checks[0].reuses && c.checks[0].files.count == 0);
	CHECK(c.checks[0].runs_locally && c.checks[0].runs_in_ci && c.checks[0].is_parallel);
	CHECK_STR(c.entry_points[0].path, ".");
	CHECK_STR(c.entry_points[0].checks.items[0], "test");
	/* no interval; fixes are verified */
	CHECK(c.sourced.stop_hook_enabled.value == 1 && c.sourced.reverifies.value == 1);
	CHECK(c.sourced.run_interval_minutes.value == 0);
}

TEST(every_key_of_holdfast_yml_is_read)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gates_config c = load(&a, "base: develop\n"
					 "tries: 5\n"
					 "gates:\n"
					 "  zeta:\n"
					 "    run: make lint\n"
					 "    files: ['**/*.{js,ts}', '!dist']\n"
					 "    in: ./packages/*\n"
					 "    timeout: 90s\n"
					 "    reuse: false\n"
					 "  alpha: |\n"
					 "    make all\n"
					 "    make test\n"
					 "  quality: {review: prompts/quality.md, by: [claude, codex], "
					 "timeout: 5m, in: src}\n"
					 "  other: {review: ./prompts/quality.md}\n");

	CHECK_STR(c.base_branch, "develop");
	CHECK(c.max_retries == 5 && c.check_count == 2 && c.review_count == 2 && c.entry_point_count == 4);
	CHECK_STR(c.checks[0].name, "zeta");
	CHECK_STR(c.checks[0].files.items[1], "!dist");
	CHECK(c.checks[0].timeout_ms == 90000 && !c.checks[0].reuses && c.checks[0].files.count == 2);
	CHECK_STR(c.entry_points[0].path, "packages/*");
	CHECK_STR(c.checks[1].command, "make all\nmake test\n");
	CHECK_STR(c.reviews[0].prompt, "Look for bugs.\n");
	CHECK_STR(c.reviews[0].cli_preference.items[1], "codex");
	CHECK(c.reviews[0].cli_preference.count == 2 && c.reviews[0].timeout_ms == 300000);
	CHECK(c.reviews[0].num_reviews == 1 && c.reviews[0].is_enabled);
	CHECK_STR(c.entry_points[2].path, "src");
	CHECK_STR(c.entry_points[2].reviews.items[0], "quality");
	CHECK(c.reviews[1].cli_preference.count == known_reviewer_count);
}

TEST(what_gauntlet_can_say_holdfast_yml_can_say)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gates_config c = load(&a, "tries: 0\n"
					 "max_parallel: 2\n"
					 "run_at_stop: false\n"
					 "check_usage_limit: true\n"
					 "rerun_new_issue_threshold: low\n"
					 "debug_log: true\n"
					 "reviewers: {mine: {command: [my, reviewer], prompt: arg}}\n"
					 "gates:\n"
					 "  lint:\n"
					 "    run: make lint\n"
					 "    rerun: make relint\n"
					 "    in: [src, {path: lib/*, except: [lib/old]}]\n"
					 "    working_directory: tools\n"
					 "    parallel: false\n"
					 "    fail_fast: true\n"
					 "    run_in_ci: false\n"
					 "    hint: Read the style guide.\n"
					 "  ci: {run: make ci, run_locally: false, in: {path: a}}\n"
					 "  quality:\n"
					 "    prompt: Look for bugs.\n"
					 "    by: [mine]\n"
					 "    model: large\n"
					 "    num_reviews: 2\n"
					 "    enabled: false\n"
					 "    in: 'src/**/*.c'\n");
	const struct gate *lint = &c.checks[0];
	const struct gate *quality = &c.reviews[0];

	CHECK(c.max_retries == 0 && c.max_parallel == 2 && c.checks_usage_limit);
	CHECK(c.sourced.stop_hook_enabled.value == 0 && c.sourced.debug_log_enabled.value == 1);
	CHECK_STR(c.rerun_threshold, "low");
	CHECK(c.reviewer_count == 1 && c.reviewers[0].command.count == 2);
	CHECK_STR(lint->rerun_command, "make relint");
	CHECK_STR(lint->working_directory, "tools");
	CHECK_STR(lint->fix_instructions, "Read the style guide.");
	CHECK(!lint->is_parallel && lint->fails_fast && !lint->runs_in_ci && lint->runs_locally);
	CHECK(!c.checks[1].runs_locally && c.entry_point_count == 4);
	CHECK_STR(c.entry_points[0].path, "src");
	CHECK_STR(c.entry_points[1].path, "lib/*");
	CHECK_STR(c.entry_points[1].exclude.items[0], "lib/old");
	CHECK_STR(c.entry_points[2].path, "a");
	CHECK_STR(c.entry_points[3].path, "src/**/*.c");
	CHECK_STR(quality->prompt, "Look for bugs.");
	CHECK_STR(quality->model, "large");
	CHECK(quality->num_reviews == 2 && !quality->is_enabled);
}

TEST(the_environment_and_the_users_file_do_not_change_holdfast_yml)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str home = new_root(&a);

	put(&a, home, "agent-gauntlet/config.yml", "stop_hook: {enabled: false, run_interval_minutes: 9}\n");
	(void)setenv("XDG_CONFIG_HOME", home.s, 1);
	(void)setenv("GAUNTLET_STOP_HOOK_ENABLED", "false", 1);
	struct gates_config c = load(&a, "gates: {test: npm test}\n");

	CHECK(c.sourced.stop_hook_enabled.value == 1 && c.sourced.run_interval_minutes.value == 0);
	(void)unsetenv("GAUNTLET_STOP_HOOK_ENABLED");
	(void)setenv("XDG_CONFIG_HOME", str_fmt(&a, "%s/no-home", test_dir()).s, 1);
}

static const struct {
	const char *text, *error;
} errors[] = {
	{ "", "1:1: gates: missing key 'gates' (or 'commands')" },
	{ "[a]\n", "1:1: expected a map, not a list" },
	{ "tries: 2\n", "1:1: gates: missing key 'gates' (or 'commands')" },
	{ "gates:\n", "1:1: gates: missing key 'gates' (or 'commands')" },
	{ "gates: [a]\n", "1:8: gates: expected a map, not a list" },
	{ "gate: {a: b}\n", "1:1: gate: unknown key 'gate', did you mean 'gates'" },
	{ "gates: {a: b}\nxyzzy: {}\n",
	  "2:1: xyzzy: unknown key 'xyzzy'; valid keys: base, gates, tries, max_parallel, " },
	{ "gates:\n  a: {run: b, file: [x]}\n",
	  "2:15: gates.a.file: unknown key 'file', did you mean 'files'" },
	{ "gates:\n  a: {files: [x]}\n", "2:6: gates.a.run: missing key 'run' (or 'review')" },
	{ "gates:\n  a: 5\n", "2:6: gates.a: expected a string or a map, not the integer 5" },
	{ "gates:\n  a: ''\n", "2:6: gates.a: expected a text, not an empty one" },
	{ "gates:\n  a: b\n  a: c\n", "3:3: gates.a: duplicate key 'a'" },
	{ "gates:\n  ' ': b\n", "2:8: gates. : the name of a gate is one line that is not blank" },
	{ "gates:\n  a: {run: b, timeout: 90}\n",
	  "2:24: gates.a.timeout: expected a duration with a unit, such as 90s or 5m, not the integer 90" },
	{ "gates:\n  a: {run: b, timeout: 5x}\n", "2:24: gates.a.timeout: expected a duration with a unit, "
						  "such as 90s or 5m, not the string \"5x\"" },
	{ "gates:\n  a: {run: b, timeout: 0s}\n",
	  "2:24: gates.a.timeout: out of range: 0s is not more than 0 and at most 24h" },
	{ "gates:\n  a: {run: b, timeout: 25h}\n",
	  "2:24: gates.a.timeout: out of range: 25h is not more than 0 and at most 24h" },
	{ "gates:\n  a: {run: b, reuse: 1}\n", "2:22: gates.a.reuse: expected a boolean, not the integer 1" },
	{ "gates:\n  a: {run: b, files: '*.c'}\n",
	  "2:22: gates.a.files: expected a list of strings, not the string \"*.c\"" },
	{ "gates:\n  a: {run: b, files: []}\n",
	  "2:22: gates.a.files: expected a list of at least 1, not of 0" },
	{ "gates:\n  a: {run: b, files: ['{a']}\n",
	  "2:23: gates.a.files[0]: invalid pattern '{a': a [ or { is not closed, or it is too long" },
	{ "gates:\n  a: {run: b, in: ../x}\n", "2:19: gates.a.in: '../x' is not below the project's root" },
	{ "gates:\n  a: {run: b, in: /x}\n", "2:19: gates.a.in: '/x' is not below the project's root" },
	{ "gates:\n  a: {run: b, in: 'p/**'}\n",
	  "2:19: gates.a.in: expected a directory, or a pattern of directories that ends in *, such as "
	  "packages/*, not 'p/**'" },
	{ "gates:\n  a: {run: b, in: 'p/*/src'}\n",
	  "2:19: gates.a.in: expected a directory, or a pattern of directories that ends in *, such as "
	  "packages/*, not 'p/*/src'" },
	{ "gates:\n  a: {run: b, by: [claude]}\n",
	  "2:19: gates.a.by: only a review has it, and this gate is a command" },
	{ "gates:\n  a: {run: b, review: c}\n",
	  "2:23: gates.a.review: a gate is a command or a review, and 'run' is set too" },
	{ "gates:\n  a: {review: code-qualty}\n",
	  "2:15: gates.a.review: there is no file 'code-qualty' and no built-in prompt of that name; these "
	  "are: "
	  "code-quality, security, error-handling, test-integrity, task-compliance" },
	{ "gates:\n  a: {review: ../p.md}\n",
	  "2:15: gates.a.review: '../p.md' is not a file below the project's root" },
	{ "gates:\n  a: {review: empty.md}\n", "2:15: gates.a.review: the prompt in 'empty.md' is empty" },
	{ "gates:\n  a: {review: ok.md, by: [cluade]}\n",
	  "2:26: gates.a.by: holdfast does not know the reviewer 'cluade', did you mean 'claude'?" },
	{ "gates:\n  a: {review: ok.md, by: [qqqq]}\n",
	  "2:26: gates.a.by: holdfast does not know the reviewer 'qqqq'; it knows gemini, codex, claude, "
	  "github-copilot, cursor" },
	{ "gates: {a: b}\ntries: -1\n", "2:8: tries: out of range: -1 is not in 0..1000" },
	{ "gates:\n  a: {run: b, in: []}\n", "2:19: gates.a.in: expected a list of at least 1, not of 0" },
	{ "gates:\n  a: {run: b, in: 5}\n",
	  "2:19: gates.a.in: expected a string or a map, not the integer 5" },
	{ "gates:\n  a: {run: b, in: [x, ../y]}\n",
	  "2:19: gates.a.in: '../y' is not below the project's root" },
	{ "gates:\n  a: {run: b, in: {except: [y]}}\n", "2:19: gates.a.in.path: missing key 'path'" },
	{ "gates:\n  a: {run: b, fail_fast: true}\n",
	  "2:26: gates.a.fail_fast: it needs 'parallel: false', so that there are later gates" },
	{ "gates:\n  a: {run: b, working_directory: ../x}\n",
	  "2:34: gates.a.working_directory: '../x' is not below the project's root" },
	{ "gates:\n  a: {prompt: b, hint: c}\n",
	  "2:24: gates.a.hint: only a command has it, and this gate is a review" },
	{ "gates:\n  a: {prompt: b, review: ok.md}\n",
	  "2:15: gates.a.prompt: a review has one prompt, and 'review' is set too" },
	{ "gates: {a: b}\nreviewers: {mine: {}}\n",
	  "2:13: reviewers.mine: missing key 'command': 'mine' is not a known reviewer" },
	{ "commands: [{run: a, output: loud}]\n",
	  "1:29: commands[0].output: expected one of true, false, stdout, stderr, not the string \"loud\"" },
	{ "gates: {a: b}\nbase: []\n", "2:7: base: expected a string, not a list" },
	{ "gates: {a: b\n", "2:1: " },
};

TEST(a_wrong_holdfast_yml_is_refused_with_place_and_value)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		struct str root = new_root(&a), warning, at = path_join(&a, root, STR(HOLDFAST_FILE ":"));
		struct config_problems problems;
		struct gates_config c;
		struct err err = { 0 };

		put(&a, root, HOLDFAST_FILE, errors[i].text);
		put(&a, root, "ok.md", "x");
		put(&a, root, "empty.md", " \n");
		CHECK_ROW(errors[i].text, gates_load(&a, root, &c, &warning, &err) < 0);
		CHECK_ROW(err.msg, str_starts(str_from(err.msg), at));
		if (strncmp(err.msg + at.n, errors[i].error, strlen(errors[i].error)) != 0)
			fail_msg("%s: %s", errors[i].text, err.msg + at.n);
		/* what validates is what loads */
		CHECK_ROW(errors[i].text, !gates_check_all(&a, root, &c, &problems, &warning));
	}
}

TEST(holdfast_yml_counts_alone_in_its_directory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str top = new_root(&a), sub = path_join(&a, top, STR("sub")), file;
	struct str dirs[] = { sub, top };

	put(&a, top, ".gauntlet/config.yml", "x");
	put(&a, top, HOLDFAST_FILE, "gates: {a: b}\n");
	put(&a, top, ".conclaude.yaml", "x");
	CHECK(str_eq(gates_find(&a, dirs, 2), top));
	CHECK_STR(gates_file(top), "holdfast.yml");
	CHECK(gates_replaced(&a, top).count == 2);
	CHECK_STR(gates_replaced(&a, top).items[1], ".conclaude.yaml");
	CHECK(gates_replace(dirs, 2, path_join(&a, top, STR(".conclaude.yaml"))));
	/* a nearer project is one of its own */
	put(&a, sub, ".gauntlet/config.yml", "x");
	CHECK(str_eq(gates_find(&a, dirs, 2), sub));
	CHECK_STR(gates_file(sub), ".gauntlet/config.yml");
	CHECK(gates_replaced(&a, sub).count == 0);
	file = path_join(&a, sub, STR(".conclaude.yaml"));
	CHECK(!gates_replace(dirs, 2, file));
	put(&a, sub, HOLDFAST_FILE, "gates: {a: b}\n");
	CHECK(gates_replace(dirs, 2, file));
	CHECK(gates_replace(dirs, 2, path_join(&a, top, STR(".conclaude.yaml"))));
}

TEST(the_values_of_holdfast_yml_have_their_lines)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = new_root(&a), warning, text = STR("");
	struct config_values v;
	struct err err;

	put(&a, root, HOLDFAST_FILE, "gates:\n  a: b\n  c:\n    run: d\n    timeout: 120s\n");
	if (gates_values(&a, root, &v, &warning, &err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < v.count; i++) {
		struct str origin = path_base(v.items[i].origin);

		text = str_fmt(&a, STR_FMT STR_FMT "=" STR_FMT " %s\n", STR_ARG(text),
			       STR_ARG(v.items[i].key), STR_ARG(v.items[i].json), origin.n ? origin.s : "-");
	}
	CHECK_STR(text, "base=null -\n"
			"gates.a.run=\"b\" holdfast.yml:2\n"
			"gates.c.run=\"d\" holdfast.yml:4\n"
			"gates.c.timeout=\"2m\" holdfast.yml:5\n"
			"tries=3 -\n"
			"max_parallel=null -\n"
			"run_at_stop=true -\n"
			"check_usage_limit=false -\n"
			"rerun_new_issue_threshold=\"high\" -\n"
			"journal=true -\n"
			"keep_root_clean=false -\n"
			"todos=null -\n"
			"infinite=false -\n"
			"infinite_message=\"continue working on the task\" -\n");
}
