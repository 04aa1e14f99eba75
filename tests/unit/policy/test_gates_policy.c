/* SPDX-License-Identifier: MIT */
/* When gates are run at a stop, and what the agent is told when they fail. */
#include "test.h"

#include "base/buf.h"
#include "policy/policies.h"

#include <string.h>

#define MINUTES(n) ((int64_t)(n)*60000000)
#define PROJECT .has_config = true, .is_enabled = true
#define AGO(minutes) .has_state = true, .interval_minutes = 10, .since_last_run_us = MINUTES(minutes)

/* scenario: 001-31 001-32 001-33 002-09 002-11 002-12 002-13 G13-58 G13-60 */
TEST(gates_are_run_unless_an_earlier_rule_says_otherwise)
{
	static const struct {
		const char *name;
		struct gates_facts in;
		enum gates_step step;
	} cases[] = {
		{ "project", { PROJECT }, GATES_RUN },
		{ "no project", { 0 }, GATES_NO_CONFIG },
		{ "flag, no project", { .is_stop_hook_active = true }, GATES_ACTIVE },
		{ "flag", { PROJECT, .is_stop_hook_active = true }, GATES_ACTIVE },
		{ "flag, reverify", { PROJECT, .is_stop_hook_active = true, .reverifies = true }, GATES_RUN },
		{ "flag, reverify, no project",
		  { .is_stop_hook_active = true, .reverifies = true },
		  GATES_ACTIVE },
		{ "disabled", { .has_config = true }, GATES_DISABLED },
		{ "disabled and locked", { .has_config = true, .is_locked = true }, GATES_DISABLED },
		{ "locked", { PROJECT, .is_locked = true }, GATES_LOCKED },
		{ "locked before the interval", { PROJECT, AGO(5), .is_locked = true }, GATES_LOCKED },
		{ "5 of 10 minutes", { PROJECT, AGO(5) }, GATES_TOO_SOON },
		{ "just before",
		  { PROJECT, .has_state = true, .interval_minutes = 10,
		    .since_last_run_us = MINUTES(10) - 1 },
		  GATES_TOO_SOON },
		{ "10 of 10 minutes", { PROJECT, AGO(10) }, GATES_RUN },
		{ "15 of 10 minutes", { PROJECT, AGO(15) }, GATES_RUN },
		{ "interval 0", { PROJECT, .has_state = true, .since_last_run_us = 0 }, GATES_RUN },
		{ "no state", { PROJECT, .interval_minutes = 10 }, GATES_RUN },
		{ "outstanding", { PROJECT, AGO(5), .is_outstanding = true }, GATES_RUN },
		{ "other branch", { PROJECT, AGO(5), .is_other_branch = true }, GATES_RUN },
		{ "this very moment", { PROJECT, AGO(0) }, GATES_TOO_SOON },
		{ "just in the future",
		  { PROJECT, .has_state = true, .interval_minutes = 10, .since_last_run_us = -1 },
		  GATES_RUN },
		{ "in the future", { PROJECT, AGO(-5) }, GATES_RUN },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		CHECK_ROW(cases[i].name, gates_decide(&cases[i].in) == cases[i].step);
}

static const struct reason_facts gauntlet = { .reverifies = true, .is_gauntlet = true };

static void
check_in_order(struct str text, const char *const *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ptrdiff_t at = str_find(text, str_from(parts[i]));

		if (at < 0)
			fail_msg("'%s' is missing, or not in its place", parts[i]);
		text = str_sub(text, (size_t)at, text.n);
	}
}

/* scenario: 001-36 001-37 001-38 001-39 001-40 001-41 G13-63 */
TEST(the_reason_has_all_its_parts_in_order)
{
	static const char *const parts[] = {
		"GAUNTLET FAILED",
		"YOU MUST FIX ISSUES NOW",
		"cannot stop until the gauntlet passes",
		"stop hook will automatically re-run",
		"**Console log:** `/p/gauntlet_logs/console.2.log`",
		"Read this file for full execution output",
		"check:src:lint",
		"/p/gauntlet_logs/check_src_lint.2.log",
		"line 7: unused variable",
		"Review trust level: medium",
		"Fix issues you reasonably agree with",
		"Skip issues that are purely stylistic",
		"CHECK",
		".log",
		"For REVIEW violations",
		".json",
		"\"status\": \"fixed\"",
		"\"status\": \"skipped\"",
		"\"result\"",
		"**Termination conditions:**",
		"\"Status: Passed\"",
		"\"Status: Passed with warnings\"",
		"\"Status: Retry limit exceeded\"",
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result result = {
		.id = STR("check:src:lint"),
		.outcome = OUTCOME_FAIL,
		.log_path = STR("gauntlet_logs/check_src_lint.2.log"),
		.message = STR("Exited with code 3"),
		.output = STR("line 7: unused variable\n"),
	};
	struct run_result r = {
		.status = STATUS_FAILED,
		.console_log_path = STR("/p/gauntlet_logs/console.2.log"),
		.log_dir = STR("/p/gauntlet_logs"),
		.results = &result,
		.result_count = 1,
	};
	struct str text = gates_reason(&a, &r, &gauntlet);

	check_in_order(text, parts, COUNT_OF(parts));
	CHECK(str_find(text, STR("Run `agent-gauntlet run` to verify")) == -1);
	r.console_log_path = STR_NONE;
	CHECK(str_find(gates_reason(&a, &r, &gauntlet), STR("**Console log:**")) == -1);
}

#define RESULTS(r, n) .log_dir = STR("/p/logs"), .results = (r), .result_count = (n)

TEST(what_a_reason_shows_of_each_result)
{
	static struct str findings[] = { STR("a.c:1 - Bad"), STR("b.c:2 - Worse") };
	static const struct {
		struct gate_result result;
		const char *shown;
	} rows[] = {
		{ { .kind = GATE_REVIEW,
		    .id = STR("review:.:quality"),
		    .reviewer = STR("claude"),
		    .slot = 1,
		    .outcome = OUTCOME_FAIL,
		    .message = STR("Found 2 violations"),
		    .log_path = STR("logs/r.2.log"),
		    .json_path = STR("logs/r.2.json"),
		    .findings = { findings, 2 },
		    .output = STR("not shown") },
		  "\n- Review `review:.:quality (claude@1)`: Found 2 violations\n"
		  "  Review: `/p/logs/r.2.json`\n"
		  "  ```\n  a.c:1 - Bad\n  b.c:2 - Worse\n  ```\n\n" },
		{ { .kind = GATE_REVIEW,
		    .id = STR("review:.:quality"),
		    .reviewer = STR("codex"),
		    .slot = 2,
		    .outcome = OUTCOME_ERROR,
		    .message = STR("Process exited with code 1"),
		    .log_path = STR("logs/r.2.log"),
		    .output = STR("\n\x1b[31mno idea\x1b[0m\n\n") },
		  "\n- Review `review:.:quality (codex@2)`: Process exited with code 1\n"
		  "  Log: `/p/logs/r.2.log`\n"
		  "  ```\n  no idea\n  ```\n\n" },
		{ { .id = STR("check:.:lint"),
		    .outcome = OUTCOME_FAIL,
		    .message = STR("Exited with code 1"),
		    .log_path = STR("logs/c.2.log") },
		  "\n- Check `check:.:lint`: Exited with code 1\n  Log: `/p/logs/c.2.log`\n\n" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct run_result r = { .status = STATUS_FAILED, RESULTS(&rows[i].result, 1) };

		CHECK_ROW(rows[i].shown,
			  str_find(gates_reason(&a, &r, &gauntlet), str_from(rows[i].shown)) > 0);
	}
}

TEST(a_reason_shows_only_what_failed_and_the_last_lines_of_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf output = BUF(&a, SIZE_MAX);

	for (int i = 1; i <= 30; i++)
		buf_addf(&output, "line %d\n", i);
	struct gate_result results[] = {
		{ .id = STR("check:.:good"), .outcome = OUTCOME_PASS },
		{ .id = STR("check:.:bad"), .outcome = OUTCOME_FAIL, .output = buf_str(&output) },
		{ .id = STR("check:.:late"), .outcome = OUTCOME_SKIPPED },
	};
	struct run_result r = { .status = STATUS_FAILED, RESULTS(results, COUNT_OF(results)) };
	struct str text = gates_reason(&a, &r, &gauntlet);

	CHECK(str_find(text, STR("  ```\n  line 11\n  line 12\n")) > 0);
	CHECK(str_find(text, STR("  line 30\n  ```\n")) > 0);
	CHECK(str_find(text, STR("good")) < 0 && str_find(text, STR("late")) < 0);
	char *bytes = arena_bytes(&a, 3000);

	memset(bytes, 'x', 3000);
	results[1].output = (struct str){ bytes, 3000 };
	text = gates_reason(&a, &r, &gauntlet);
	CHECK(str_find(text, str_fmt(&a, "\n  %.2000s\n", bytes)) > 0);
	CHECK(str_find(text, str_fmt(&a, "%.2001s", bytes)) < 0);
	r.result_count = 1;
	CHECK(str_find(gates_reason(&a, &r, &gauntlet), STR("Failed gates")) < 0);
}

TEST(a_reason_with_many_gates_and_long_lines_fits)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf lines = BUF(&a, SIZE_MAX);
	struct gate_result results[200];

	for (int i = 0; i < 500; i++)
		buf_addf(&lines, "error %d: something is wrong here\n", i);
	for (size_t i = 0; i < COUNT_OF(results); i++)
		results[i] = (struct gate_result){
			.id = str_fmt(&a, "check:src:gate%zu", i),
			.outcome = OUTCOME_FAIL,
			.log_path = str_fmt(&a, "gauntlet_logs/check_src_gate%zu.1.log", i),
			.message = STR("Exited with code 1"),
			.output = buf_str(&lines),
		};
	for (size_t count = 1; count <= COUNT_OF(results); count += 7) {
		struct run_result r = { .status = STATUS_FAILED, RESULTS(results, count) };
		struct str text = gates_reason(&a, &r, &gauntlet);

		CHECK(text.n < REASON_LIMIT_BYTES);
		CHECK(str_find(text, STR("check:src:gate0")) > 0);
		CHECK(str_find(text, STR("error 499")) > 0 || count > 20);
		CHECK(str_find(text, STR("Status: Retry limit exceeded")) > 0);
	}
}

TEST(the_reason_has_only_what_applies)
{
	const struct gate_result results[] = {
		{ .kind = GATE_CHECK,
		  .gate = STR("lint"),
		  .id = STR("check:.:lint"),
		  .outcome = OUTCOME_PASS },
		{ .kind = GATE_CHECK,
		  .gate = STR("test"),
		  .id = STR("check:packages/a:test"),
		  .dir = STR("packages/a"),
		  .command = STR("npm test"),
		  .hint = STR("run npm\ninstall first\n"),
		  .message = STR("Exited with code 1"),
		  .log_path = STR(".holdfast/check_packages_a_test.2.log"),
		  .output = STR("before\n```\n1 failing\n"),
		  .outcome = OUTCOME_FAIL },
	};
	const struct run_result r = {
		.status = STATUS_FAILED,
		.console_log_path = STR("/p/.holdfast/console.2.log"),
		.log_dir = STR("/p/.holdfast"),
		.results = results,
		.result_count = COUNT_OF(results),
	};
	struct reason_facts facts = { .root = STR("/p"), .reverifies = true };
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(gates_reason(&a, &r, &facts),
		  "A gate of this project failed. Fix it; holdfast runs the gates again when you stop.\n"
		  "\n"
		  "test: Exited with code 1\n"
		  "  command: npm test\n"
		  "  directory: /p/packages/a\n"
		  "  log: /p/.holdfast/check_packages_a_test.2.log\n"
		  "  hint: run npm install first\n"
		  "  this gate alone: holdfast run test\n"
		  "    before\n"
		  "    ```\n"
		  "    1 failing\n");
	facts.reverifies = false;
	CHECK(str_starts(gates_reason(&a, &r, &facts),
			 STR("A gate of this project failed. Fix it before you stop: the stop after this one "
			     "is not checked, because `stop_hook.reverify` is not set.\n\ntest: ")));
}

TEST(a_failed_check_takes_less_than_600_bytes_and_its_lines)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct gate_result result = {
		.kind = GATE_CHECK,
		.gate = STR("all the tests"),
		.dir = STR("packages/application-server"),
		.command = STR("npm run test --workspace packages/application-server -- --reporter=dot"),
		.message = STR("Exited with code 1"),
		.log_path = STR(".holdfast/check_packages_application-server_all_the_tests.12.log"),
		.output = STR("> test\n\nsrc/a.c:7:1: error: bad\nmake: *** [all] Error 1\n"),
		.outcome = OUTCOME_FAIL,
	};
	const struct run_result r = {
		.status = STATUS_FAILED,
		.log_dir = STR("/home/somebody/work/a-project/.holdfast"),
		.results = &result,
		.result_count = 1,
	};
	const struct reason_facts facts = { .root = STR("/home/somebody/work/a-project"),
					    .reverifies = true };
	struct str text = gates_reason(&a, &r, &facts), lines = STR("    src/a.c:7:1: error: bad\n");

	CHECK(str_ends(text, lines) && text.n - lines.n < 600);
	CHECK(str_find(text, STR("holdfast run 'all the tests'\n")) > 0);
	CHECK(str_find(text, STR("clean")) < 0 && str_find(text, STR("eview")) < 0);
}
