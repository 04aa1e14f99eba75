/* SPDX-License-Identifier: MIT */
/* When gates are run at a stop, and what the agent is told when they fail. */
#include "test.h"

#include "base/buf.h"
#include "policy/gauntlet.h"
#include "policy/gauntlet_reason.h"

#define MINUTES(n) ((int64_t)(n)*60000000)
#define PROJECT .has_config = true, .is_enabled = true
#define AGO(minutes) .has_state = true, .interval_minutes = 10, .since_last_run_us = MINUTES(minutes)

/* scenario: 001-31 001-32 001-33 002-09 002-11 002-12 002-13 G13-58 G13-60 */
TEST(gates_are_run_unless_an_earlier_rule_says_otherwise)
{
	static const struct {
		const char *name;
		struct gauntlet_facts in;
		enum gauntlet_step step;
	} cases[] = {
		{ "project", { PROJECT }, GAUNTLET_RUN },
		{ "no project", { 0 }, GAUNTLET_NO_CONFIG },
		{ "flag, no project", { .is_stop_hook_active = true }, GAUNTLET_ACTIVE },
		{ "flag", { PROJECT, .is_stop_hook_active = true }, GAUNTLET_ACTIVE },
		{ "flag, reverify",
		  { PROJECT, .is_stop_hook_active = true, .reverifies = true },
		  GAUNTLET_RUN },
		{ "flag, reverify, no project",
		  { .is_stop_hook_active = true, .reverifies = true },
		  GAUNTLET_ACTIVE },
		{ "disabled", { .has_config = true }, GAUNTLET_DISABLED },
		{ "disabled and locked", { .has_config = true, .is_locked = true }, GAUNTLET_DISABLED },
		{ "locked", { PROJECT, .is_locked = true }, GAUNTLET_LOCKED },
		{ "locked before the interval", { PROJECT, AGO(5), .is_locked = true }, GAUNTLET_LOCKED },
		{ "5 of 10 minutes", { PROJECT, AGO(5) }, GAUNTLET_TOO_SOON },
		{ "just before",
		  { PROJECT, .has_state = true, .interval_minutes = 10,
		    .since_last_run_us = MINUTES(10) - 1 },
		  GAUNTLET_TOO_SOON },
		{ "10 of 10 minutes", { PROJECT, AGO(10) }, GAUNTLET_RUN },
		{ "15 of 10 minutes", { PROJECT, AGO(15) }, GAUNTLET_RUN },
		{ "interval 0", { PROJECT, .has_state = true, .since_last_run_us = 0 }, GAUNTLET_RUN },
		{ "no state", { PROJECT, .interval_minutes = 10 }, GAUNTLET_RUN },
		{ "outstanding", { PROJECT, AGO(5), .is_outstanding = true }, GAUNTLET_RUN },
		{ "other branch", { PROJECT, AGO(5), .is_other_branch = true }, GAUNTLET_RUN },
		{ "this very moment", { PROJECT, AGO(0) }, GAUNTLET_TOO_SOON },
		{ "just in the future",
		  { PROJECT, .has_state = true, .interval_minutes = 10, .since_last_run_us = -1 },
		  GAUNTLET_RUN },
		{ "in the future", { PROJECT, AGO(-5) }, GAUNTLET_RUN },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		CHECK_ROW(cases[i].name, gauntlet_decide(&cases[i].in) == cases[i].step);
}

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
		"agent-gauntlet clean",
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct failed_gate gate = {
		.id = STR("check:src:lint"),
		.log_path = STR("/p/gauntlet_logs/check_src_lint.2.log"),
		.message = STR("Exited with code 3"),
		.last_lines = STR("line 7: unused variable"),
	};
	struct run_result r = {
		.status = STATUS_FAILED,
		.console_log_path = STR("/p/gauntlet_logs/console.2.log"),
		.failed = &gate,
		.failed_count = 1,
	};
	struct str text = gauntlet_reason(&a, &r);

	check_in_order(text, parts, COUNT_OF(parts));
	CHECK(str_find(text, STR("Run `agent-gauntlet run` to verify")) == -1);
	r.console_log_path = STR_NONE;
	CHECK(str_find(gauntlet_reason(&a, &r), STR("**Console log:**")) == -1);
}

TEST(a_gate_without_lines_is_told_without_a_block_of_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct failed_gate gate = {
		.id = STR("review:.:quality"),
		.log_path = STR("/p/gauntlet_logs/review_._quality.2.json"),
		.message = STR("Found 2 violations"),
		.has_findings = true,
	};
	struct run_result r = { .status = STATUS_FAILED, .failed = &gate, .failed_count = 1 };
	struct str text = gauntlet_reason(&a, &r);

	CHECK(str_find(text, STR("\n- Review `review:.:quality`: Found 2 violations\n"
				 "  Review: `/p/gauntlet_logs/review_._quality.2.json`\n\n")) > 0);
	CHECK(str_find(text, STR("```")) == -1);
}

TEST(a_reason_with_many_gates_and_long_lines_fits)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf lines = BUF(&a, SIZE_MAX);
	struct failed_gate gates[200];

	for (int i = 0; i < 500; i++)
		buf_addf(&lines, "error %d: something is wrong here\n", i);
	for (size_t i = 0; i < COUNT_OF(gates); i++)
		gates[i] = (struct failed_gate){
			.id = str_fmt(&a, "check:src:gate%zu", i),
			.log_path = str_fmt(&a, "/p/gauntlet_logs/check_src_gate%zu.1.log", i),
			.message = STR("Exited with code 1"),
			.last_lines = buf_str(&lines),
		};
	for (size_t count = 1; count <= COUNT_OF(gates); count += 7) {
		struct run_result r = { .status = STATUS_FAILED, .failed = gates, .failed_count = count };
		struct str text = gauntlet_reason(&a, &r);

		CHECK(text.n < REASON_LIMIT_BYTES);
		CHECK(str_find(text, STR("check:src:gate0")) > 0);
		CHECK(str_find(text, STR("error 499")) > 0 || count > 20);
		CHECK(str_find(text, STR("Status: Retry limit exceeded")) > 0);
	}
}
