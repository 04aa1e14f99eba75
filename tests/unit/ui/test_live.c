/* SPDX-License-Identifier: MIT */
/* The view of what is under way. */
#include "test.h"

#include "base/utf8.h"
#include "os/fd.h"
#include "ui/live.h"

#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>

#define NOW 61501
#define E "\xE2\x80\xA6"

static struct str
render(struct arena *a, const struct gate_result *rows, size_t count, int width, int height)
{
	return live_render(
		a, rows, count,
		&(struct live_page){ .width = width, .height = height, .started_ms = 1, .now_ms = NOW });
}

static const struct gate_result mixed[] = {
	{ .id = STR("check:src:lint"), .outcome = OUTCOME_PASS },
	{ .id = STR("check:src:test"), .outcome = OUTCOME_RUNNING, .started_ms = NOW - 1234 },
	{ .id = STR("check:src:build"), .outcome = OUTCOME_FAIL },
	{ .id = STR("review:pkg/a:lint"),
	  .reviewer = STR("codex"),
	  .slot = 2,
	  .outcome = OUTCOME_RUNNING,
	  .started_ms = NOW - 59999 },
	{ .id = STR("check:pkg/b:lint"), .outcome = OUTCOME_WAITING },
	{ .id = STR("check:pkg/c:lint"), .outcome = OUTCOME_ERROR },
	{ .id = STR("check:pkg/d:lint"), .outcome = OUTCOME_PASS },
};

TEST(what_runs_is_shown_with_its_time_and_all_is_counted)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(render(&a, mixed, COUNT_OF(mixed), 80, 24),
		  "  > check:src:test 1.2s\n"
		  "  > review:pkg/a:lint (codex@2) 59.9s\n"
		  "  1m01s, 2 running, 2 passed, 1 failed, 1 in error, 1 waiting\n");
	CHECK_STR(render(&a, mixed, 0, 80, 24), "  1m01s\n");
	struct str coloured = live_render(
		&a, mixed, COUNT_OF(mixed),
		&(struct live_page){ .width = 80, .height = 24, .has_colour = true });

	CHECK(str_find(coloured, STR("\033[32m2 passed\033[0m")) > 0);
}

TEST(times_grow_from_tenths_to_hours)
{
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {
		{ 0, "0.0s" },      { 99, "0.0s" },        { 100, "0.1s" },      { 59999, "59.9s" },
		{ 60000, "1m00s" }, { 3599999, "59m59s" }, { 3600000, "1h00m" }, { 86400000, "24h00m" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct gate_result row = { .id = STR("x"),
					   .outcome = OUTCOME_RUNNING,
					   .started_ms = NOW - rows[i].ms };

		CHECK_STR(render(&a, &row, 1, 80, 24),
			  str_fmt(&a, "  > x %s\n  1m01s, 1 running\n", rows[i].text).s);
	}
}

TEST(no_line_is_wider_and_there_are_no_more_lines_than_the_page_has)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result rows[40];

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		rows[i] = (struct gate_result){
			.id = str_fmt(&a, "check:packages/\xC3\xA4 long name %zu:lint", i),
			.outcome = OUTCOME_RUNNING,
			.started_ms = NOW - 1000000,
		};
	for (int width = 20; width < 60; width++) {
		for (int height = 1; height < 45; height++) {
			struct str text = render(&a, rows, COUNT_OF(rows), width, height), line;
			int lines = 0;

			for (; str_next(&text, '\n', &line); lines++)
				CHECK_ROW(line.s, utf8_length(line) < (size_t)width);
			CHECK(lines >= 1 && (lines < height || height == 1));
		}
	}
	CHECK_STR(render(&a, rows, 3, 30, 5), "  > check:packages/\xC3\xA4 " E " 16m40s\n"
					      "  > check:packages/\xC3\xA4 " E " 16m40s\n"
					      "    " E " and 1 more\n"
					      "  1m01s, 3 running\n");
	CHECK_STR(render(&a, rows, 2, 34, 5), "  > check:packages/\xC3\xA4 long" E " 16m40s\n"
					      "  > check:packages/\xC3\xA4 long" E " 16m40s\n"
					      "  1m01s, 2 running\n");
}

TEST(a_name_can_not_command_the_terminal)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result row = { .id = STR("check:\033[2Ja\nb:x"),
				   .outcome = OUTCOME_RUNNING,
				   .started_ms = NOW };

	CHECK_STR(render(&a, &row, 1, 80, 24), "  > check:a b:x 0.0s\n  1m01s, 1 running\n");
}

TEST(the_view_is_replaced_in_place_and_lines_that_stay_go_above_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int ends[2];
	struct live l;
	struct gate_result row = { .id = STR("x"), .outcome = OUTCOME_RUNNING, .started_ms = 1000 };
	struct str text;
	struct err err;

	CHECK(pipe2(ends, O_CLOEXEC) == 0);
	live_open(&l, ends[1], 1000);
	live_print(&l, STR("before\n"));
	live_draw(&l, &row, 1, 1000);
	live_draw(&l, &row, 1, 1100);
	live_print(&l, STR("[PASS]  x\n"));
	live_close(&l);
	live_print(&l, STR("after\n"));
	(void)close(ends[1]);
	CHECK(fd_read_all(&a, ends[0], MIB(1), &text, &err) == 0);
	(void)close(ends[0]);
#define VIEW(time) "\033[?7l  > x " time "\n  " time ", 1 running\n\033[?7h"
#define UP "\r\033[2A\033[J"
	CHECK_STR(text, "before\n" VIEW("0.0s") UP VIEW("0.1s") UP "[PASS]  x\n" VIEW("0.1s") UP "after\n");
}
