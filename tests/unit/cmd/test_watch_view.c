/* SPDX-License-Identifier: MIT */
/* What `holdfast watch` shows, at several sizes. */
#include "test.h"

#include "base/utf8.h"
#include "cmd/watch/watch.h"

#include <inttypes.h>

#define NOW_US INT64_C(1800000000000000)
#define AGO_US(s) (NOW_US - (int64_t)(s)*1000000)

static struct loop_ref loops[50];
static struct overview_gate gates[] = {
	{ .gate = STR("test"),
	  .name = STR("test"),
	  .outcome = OUTCOME_RUNNING,
	  .started_us = AGO_US(14),
	  .usual_ms = 42000 },
	{ .gate = STR("late"),
	  .name = STR("late in src"),
	  .outcome = OUTCOME_RUNNING,
	  .started_us = AGO_US(100),
	  .usual_ms = 40000 },
	{ .gate = STR("lint"),
	  .name = STR("lint"),
	  .outcome = OUTCOME_FAIL,
	  .ended_us = AGO_US(150),
	  .elapsed_ms = 810,
	  .usual_ms = 790 },
	{ .gate = STR("new"), .name = STR("new"), .outcome = OUTCOME_WAITING },
	{ .gate = STR("build"),
	  .name = STR("build"),
	  .outcome = OUTCOME_PASS,
	  .ended_us = AGO_US(7300),
	  .elapsed_ms = 3100 },
};
static struct overview_session sessions[] = {
	{ .id = STR("session0-1"),
	  .client = STR("claude"),
	  .decision = STR("block"),
	  .policy = STR("loop"),
	  .message = STR("\033[31mRalph\niteration 3"),
	  .time_us = AGO_US(40) },
};
static struct overview project = {
	.root = STR("/home/ann/shop"),
	.gates_root = STR("/home/ann/shop"),
	.is_running = true,
	.runs_at_stop = true,
	.gates = gates,
	.gate_count = COUNT_OF(gates),
	.sessions = sessions,
	.session_count = COUNT_OF(sessions),
	.failed_gate = STR("lint"),
	.failed_log = STR("/home/ann/shop/.holdfast/check_._lint.7.log"),
	.failed_lines = STR("a.c:1: error: one\na.c:2: error: \xE4\xBD\xA0\xE5\xA5\xBD"),
};

static struct overviews
facts_with(struct arena *a, size_t loop_count)
{
	for (size_t i = 0; i < loop_count; i++)
		loops[i] = (struct loop_ref){
			.path = str_fmt(a, "/home/ann/shop/.claude/ralph-loop.%zu.local.md", i),
			.state.session_id = str_fmt(a, "session%zu-1", i),
			.state.iteration = 3,
			.state.max_iterations = 20,
			.state.started_us = AGO_US(725),
			.state.prompt = STR(
				"Port the parser to the new lexer, file by file, and keep every test"),
		};
	project.loops = (struct loop_refs){ loops, loop_count };
	return (struct overviews){ .now_us = NOW_US, .projects = &project, .project_count = 1 };
}

static struct str
line_text(struct arena *a, const struct styled_line *l)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < l->count; i++)
		buf_add(&b, l->spans[i].text);
	return buf_str(&b);
}

/* The rows as text. */
static struct str
rows_text(struct arena *a, const struct overviews *f, size_t width)
{
	struct view_rows rows;

	view_rows(a, f, width, &rows);
	return view_text(a, &rows, false);
}

TEST(the_rows_name_loops_gates_sessions_and_the_last_failure)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct overviews f = facts_with(&a, 1);

	CHECK_STR(rows_text(&a, &f, 100),
		  "LOOPS\n"
		  "  \xE2\x86\xBB 3 of 20    12 min 05 s ssion0-1  blocked 40 s ago   "
		  "Port the parser to the new lexer, file by f\xE2\x80\xA6\n"
		  "\n"
		  "GATES  a run is in progress\n"
		  "  \xE2\x96\xB6 test         "
		  "\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0"
		  "\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7\xC2\xB7"
		  "\xC2\xB7"
		  " 14 s        usually 42 s        33 %\n"
		  "  \xE2\x96\xB6 late in src  "
		  "\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0"
		  "\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0"
		  "\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0"
		  " 100 s       usually 40 s        2.5 times\n"
		  "  \xE2\x9C\x97 lint         failed 2 min ago   810 ms      usually 790 ms\n"
		  "  \xC2\xB7 new          has not run\n"
		  "  \xE2\x9C\x93 build        passed 2 h ago     3.1 s\n"
		  "\n"
		  "SESSIONS\n"
		  "    ssion0-1  claude   blocked 40 s ago   loop        Ralph iteration 3\n"
		  "\n"
		  "LAST FAILURE  lint  .holdfast/check_._lint.7.log\n"
		  "    a.c:1: error: one\n"
		  "    a.c:2: error: \xE4\xBD\xA0\xE5\xA5\xBD\n");
}

TEST(no_line_is_wider_than_the_screen_and_there_are_as_many_as_it_has)
{
	static const struct {
		size_t width, height, loops;
	} rows[] = {
		{ 80, 24, 0 }, { 80, 24, 1 },  { 80, 24, 50 }, { 200, 50, 50 }, { 40, 10, 50 },
		{ 41, 5, 2 },  { 300, 4, 50 }, { 80, 3, 1 },   { 80, 2, 1 },    { 80, 1, 1 },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct overviews f = facts_with(&a, rows[i].loops);
		struct view_rows all;
		struct view_page page = {
			.width = rows[i].width,
			.height = rows[i].height,
			.title = f.projects[0].root,
			.clock = STR("16:21:03 UTC"),
			.message = STR("the loop is paused at iteration 3"),
		};
		struct styled_line *lines = arena_array(&a, page.height, struct styled_line);

		view_rows(&a, &f, page.width, &all);
		for (page.selected = 0; page.selected < all.count; page.selected++) {
			bool is_seen = false;

			view_screen(&a, &f, &all, &page, lines);
			for (size_t k = 0; k < page.height; k++) {
				CHECK(utf8_width(line_text(&a, &lines[k])) <= page.width);
				is_seen |= lines[k].is_marked;
			}
			CHECK(is_seen == (page.height > 4));
		}
	}
}

TEST(the_selection_stays_on_its_row_while_others_come_and_go)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct overviews f = facts_with(&a, 5);
	struct view_rows rows;
	struct view_choice none = { 0 };
	struct str first = loops[0].path;

	view_rows(&a, &f, 80, &rows);
	size_t row = view_find(&rows, &none);

	CHECK(rows.items[row].kind == ROW_LOOP && str_eq(rows.items[row].id, first));
	row = view_move(&rows, row, 3);
	CHECK(str_eq(rows.items[row].id, loops[3].path));
	struct view_choice third = view_choice_of(&rows, row);

	loops[0] = loops[4];
	CHECK(view_find(&rows, &third) == row);
	/* Over the titles, to the gates, and no further than the last session. */
	row = view_move(&rows, row, 2);
	CHECK(rows.items[row].kind == ROW_GATE && str_eq(rows.items[row].id, gates[0].name));
	row = view_move(&rows, row, INT32_MAX);
	CHECK(rows.items[row].kind == ROW_SESSION);
	row = view_move(&rows, row, -INT32_MAX);
	CHECK(rows.items[row].kind == ROW_LOOP && str_eq(rows.items[row].id, first));
	/* Its loop has ended: the nearest row. */
	f = facts_with(&a, 3);
	view_rows(&a, &f, 80, &rows);
	row = view_find(&rows, &third);
	CHECK(row < rows.count && rows.items[row].kind == ROW_LOOP &&
	      str_eq(rows.items[row].id, loops[2].path));
}

TEST(where_nothing_is_known_two_lines_say_what_to_do)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct overview empty = { .root = STR("/p") };
	struct overviews f = { .now_us = NOW_US, .projects = &empty, .project_count = 1 };
	struct view_rows rows;

	view_rows(&a, &f, 80, &rows);
	CHECK(rows.count == 2 && view_find(&rows, &(struct view_choice){ 0 }) == rows.count);
}

TEST(of_many_projects_only_what_needs_attention_is_shown)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct overviews f = facts_with(&a, 1);

	f.is_all = true;
	struct str text = rows_text(&a, &f, 80);

	CHECK(str_starts(text, STR("/home/ann/shop\n  \xE2\x86\xBB 3 of 20")));
	CHECK(str_find(text, STR("lint")) >= 0 && str_find(text, STR("build")) < 0);
	CHECK(str_find(text, STR("1 gate passed")) >= 0 && str_find(text, STR("LAST FAILURE")) < 0);
}

TEST(times_are_short)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {
		{ 0, "0 ms" },
		{ 999, "999 ms" },
		{ 1000, "1.0 s" },
		{ 9999, "9.9 s" },
		{ 10000, "10 s" },
		{ 119999, "119 s" },
		{ 120000, "2 min 00 s" },
		{ 3599999, "59 min 59 s" },
		{ 3600000, "1 h 00 min" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_STR(view_time(&a, rows[i].ms), rows[i].text);
}

TEST(the_status_line_has_loop_gates_and_next_stop)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct overviews f = facts_with(&a, 1);
	struct overview p = f.projects[0];

	CHECK_STR(
		statusline_text(&a, &p, STR("session0-1"), NOW_US, false),
		"loop 3/20 \xC2\xB7 \xE2\x96\xB6 test 14 s \xC2\xB7 \xE2\x96\xB6 late in src 100 s \xC2\xB7 "
		"\xE2\x9C\x97 lint \xC2\xB7 \xE2\x9C\x93 build \xC2\xB7 next stop: iteration 4");
	loops[0].state.iteration = 20;
	CHECK(str_ends(statusline_text(&a, &p, STR("session0-1"), NOW_US, false),
		       STR("next stop: the loop ends")));
	CHECK(str_ends(statusline_text(&a, &p, STR("another"), NOW_US, false),
		       STR("next stop: lint must pass")));
	p.runs_at_stop = false;
	CHECK(str_ends(statusline_text(&a, &p, STR("another"), NOW_US, false),
		       STR("next stop: runs no gates")));
	p.gate_count = 0;
	CHECK_STR(statusline_text(&a, &p, STR("another"), NOW_US, false), "");
	loops[0].state.max_iterations = 0;
	loops[0].state.session_id = STR_NONE;
	CHECK_STR(statusline_text(&a, &p, STR("another"), NOW_US, false),
		  "loop 20 \xC2\xB7 next stop: iteration 21");
}
