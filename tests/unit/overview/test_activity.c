/* SPDX-License-Identifier: MIT */
/* The folding of decisions, loops, commits and results into what happened. */
#include "test.h"

#include "cmd/report/report.h"
#include "overview/activity.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/fd.h"

#include <sys/mman.h>
#include <unistd.h>

#define P "/p"
#define MINUTE 60000000

static int64_t
at(int minutes)
{
	int64_t start;

	CHECK(clock_parse(STR("2026-11-15T22:00:00Z"), &start));
	return start + (int64_t)minutes * MINUTE;
}

/* A stop, so many minutes after the start. `more` are further members, each after a comma. */
static void
add_stop(struct activity *f, const char *session, int minutes, const char *decision, const char *more)
{
	struct arena *a = f->arena;
	struct str line = str_fmt(
		a,
		"{\"time\":\"" STR_FMT "\",\"project\":\"" P
		"\",\"session\":\"%s\",\"client\":\"claude\",\"event\":\"Stop\",\"decision\":"
		"\"%s\"%s}",
		STR_ARG(clock_format_millis(a, at(minutes))), session, decision, more);
	struct decision_filter all = { 0 };
	struct decision d;

	CHECK(decision_read(a, line, &all, &d));
	activity_add_decision(f, &d);
}

static void
add_loop(struct activity *f, const char *members)
{
	struct decision_filter all = { 0 };
	struct node n;
	struct err err;

	CHECK(json_parse(f->arena, str_fmt(f->arena, "{\"project\":\"" P "\",%s}", members), &n, &err) == 0);
	activity_add_loop(f, &n, &all);
}

static struct activity_iteration *
stop(const struct activity *f, size_t session, size_t number)
{
	struct activity_iteration *i = f->sessions[session].iterations;

	while (number-- > 0)
		i = i->next;
	return i;
}

/* What a function of report.h writes. */
#define WRITTEN(function, ...)                                            \
	({                                                                \
		int fd_ = memfd_create("report", MFD_CLOEXEC);            \
		struct str text_;                                         \
		struct err err_;                                          \
		CHECK(function(&f, fd_, ##__VA_ARGS__, &err_) == 0);      \
		CHECK(lseek(fd_, 0, SEEK_SET) == 0);                      \
		CHECK(fd_read_all(&a, fd_, MIB(64), &text_, &err_) == 0); \
		close(fd_);                                               \
		text_;                                                    \
	})

static void
fold(struct activity *f)
{
	activity_fold_times(f);
	activity_fold_gates(f);
	activity_fold_sums(f);
}

TEST(an_iteration_takes_from_a_block_to_the_next_stop_and_after_an_allowed_stop_nobody_knows)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);

	add_stop(&f, "s", 0, "block", "");
	add_stop(&f, "s", 5, "allow", "");
	add_stop(&f, "s", 60, "block", "");
	add_stop(&f, "other", 61, "block", "");
	add_stop(&f, "s", 63, "allow", "");
	stop(&f, 0, 2)->first_message_us = at(50);
	fold(&f);
	CHECK(f.session_count == 2 && f.stops == 5 && f.blocks == 3);
	CHECK(stop(&f, 0, 0)->took_ms == -1 && stop(&f, 0, 1)->took_ms == 5 * 60000 &&
	      stop(&f, 0, 2)->took_ms == 10 * 60000 && stop(&f, 0, 3)->took_ms == 3 * 60000);
	CHECK(stop(&f, 1, 0)->took_ms == -1);
	CHECK(f.first_us == at(0) && f.last_us == at(63));
}

TEST(the_first_iteration_of_a_loop_takes_from_its_start)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);

	add_stop(&f, "s", 10, "block", ",\"policy\":\"loop\",\"number\":2,\"of\":5");
	add_loop(&f,
		 "\"time\":\"2026-11-15T22:40:00Z\",\"session\":\"s\",\"reason\":\"complete\",\"passes\":3,"
		 "\"started_at\":\"2026-11-15T22:04:00Z\"");
	add_loop(&f, "\"time\":\"2026-11-15T22:30:00Z\",\"session\":\"t\",\"reason\":\"stuck\",\"passes\":9,"
		     "\"tokens\":100,\"cost_usd\":1.500000000");
	fold(&f);
	CHECK(stop(&f, 0, 0)->took_ms == 6 * 60000);
	CHECK(f.first_us == at(4) && f.last_us == at(40));
	/* By their end. */
	CHECK(f.loop_count == 2 && str_is(f.loops[0].reason, "stuck") &&
	      str_is(f.loops[1].reason, "complete"));
	CHECK(f.loops[0].usage.is_known && f.loops[0].usage.tokens == 100 &&
	      f.loops[0].usage.cost == 1500000000 && !f.loops[1].usage.is_known);
}

TEST(a_loop_of_another_project_or_time_is_left_out)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		const char *project;
		int since, until; /* in minutes; -1: none */
		size_t count;
	} cases[] = {
		{ "/p", -1, -1, 1 }, { "/", -1, -1, 0 },  { "/p/below", -1, -1, 0 }, { "/pp", -1, -1, 0 },
		{ NULL, 30, -1, 1 }, { NULL, 31, -1, 0 }, { NULL, -1, 30, 0 },       { NULL, -1, 31, 1 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(activity_free) struct activity f = activity_new(&a);
		struct decision_filter filter = {
			.project = str_from(cases[i].project),
			.since_us = cases[i].since < 0 ? 0 : at(cases[i].since),
			.until_us = cases[i].until < 0 ? 0 : at(cases[i].until),
		};
		struct node n;
		struct err err;

		CHECK(json_parse(
			      &a,
			      STR("{\"time\":\"2026-11-15T22:30:00Z\",\"project\":\"/p\",\"session\":\"abc\","
				  "\"reason\":\"complete\"}"),
			      &n, &err) == 0);
		activity_add_loop(&f, &n, &filter);
		CHECK_ROW(str_fmt(&a, "row %zu", i).s, f.loop_count == cases[i].count);
	}
}

TEST(a_commit_counts_for_the_iteration_of_its_time_and_for_one_session_only)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);
	struct str files[] = { STR("a"), STR("b"), STR("a"), STR("c") };
	struct made_commit commits[] = {
		{ .time_us = at(-5), .files = { files, 1 } }, /* before anything is known */
		{ .time_us = at(1), .files = { files, 2 }, .added = 3 },
		{ .time_us = at(2), .files = { files + 2, 2 }, .removed = 1 },
		{ .time_us = at(7), .files = { files, 1 } },  /* the other session stops first */
		{ .time_us = at(70), .files = { files, 1 } }, /* after everything */
	};

	add_stop(&f, "s", 0, "block", "");
	add_stop(&f, "t", 5, "block", "");
	add_stop(&f, "s", 3, "block", "");
	add_stop(&f, "t", 8, "block", "");
	add_stop(&f, "s", 9, "allow", "");
	activity_fold_times(&f);
	activity_add_commits(&f, STR(P), commits, COUNT_OF(commits));
	activity_add_commits(&f, STR("/elsewhere"), commits, COUNT_OF(commits));
	activity_fold_sums(&f);
	const struct activity_count *c = &stop(&f, 0, 1)->count;

	CHECK(c->commits == 2 && c->files == 3 && c->added == 3 && c->removed == 1);
	CHECK(stop(&f, 0, 0)->count.commits == 0 && stop(&f, 0, 2)->count.commits == 0);
	CHECK(stop(&f, 1, 1)->count.commits == 1);
	CHECK(f.sessions[0].count.commits == 2 && f.sessions[1].count.commits == 1);
	CHECK(f.count.commits == 3 && f.count.files == 3);
}

TEST(a_report_of_one_session_has_its_own_commits_loops_and_gates)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);
	struct str file = STR("a");
	struct made_commit commits[] = {
		{ .time_us = at(1), .files = { &file, 1 } },
		{ .time_us = at(7), .files = { &file, 1 } },
	};

	add_stop(&f, "s1", 0, "block", ",\"gates\":[{\"gate\":\"lint\",\"ms\":1,\"outcome\":\"pass\"}]");
	add_stop(&f, "t1", 5, "block", ",\"gates\":[{\"gate\":\"test\",\"ms\":1,\"outcome\":\"pass\"}]");
	add_stop(&f, "s1", 6, "block", "");
	add_stop(&f, "t1", 8, "allow", ",\"gates\":[{\"gate\":\"test\",\"ms\":1,\"outcome\":\"fail\"}]");
	add_stop(&f, "s1", 9, "allow", "");
	add_loop(&f, "\"time\":\"2026-11-15T22:08:00Z\",\"session\":\"t1\",\"reason\":\"stuck\"");
	add_loop(&f, "\"time\":\"2026-11-15T22:40:00Z\",\"session\":\"s1\",\"reason\":\"complete\"");
	activity_fold_times(&f);
	activity_add_commits(&f, STR(P), commits, COUNT_OF(commits));
	activity_keep_session(&f, STR("t"));
	fold(&f);
	CHECK(f.session_count == 1 && f.stops == 2 && f.count.commits == 1 && f.count.files == 1);
	CHECK(f.loop_count == 1 && str_is(f.loops[0].reason, "stuck"));
	CHECK(f.gate_count == 1 && str_is(f.gates[0].name, "test") && f.gates[0].runs == 2 &&
	      f.gates[0].failed == 1);
	CHECK(f.first_us == at(5) && f.last_us == at(8));
}

TEST(a_gate_has_the_median_and_the_95th_percentile_of_the_runs_in_which_it_ran)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);

	for (int i = 1; i <= 20; i++)
		add_stop(&f, "s", i, "allow",
			 str_fmt(&a,
				 ",\"gates\":[{\"gate\":\"test\",\"in\":\".\",\"outcome\":\"%s\",\"ms\":%d},{"
				 "\"gate\":"
				 "\"lint\",\"in\":\"src\",\"outcome\":\"pass\",\"ms\":1,\"flaky\":%s}]",
				 i % 5 ? "pass" : "fail", i * 10, i == 3 ? "true" : "false")
				 .s);
	add_stop(&f, "s", 21, "allow",
		 ",\"gates\":[{\"gate\":\"test\",\"in\":\"\",\"outcome\":\"pass\",\"ms\":0,\"reused\":true},{"
		 "\"gate\":"
		 "\"test\",\"in\":\".\",\"outcome\":\"skipped\",\"ms\":0},{\"gate\":\"e2e\",\"in\":\".\","
		 "\"outcome\":"
		 "\"error\",\"ms\":7}]");
	struct flaky_gate changed[] = {
		{ .name = STR("e2e"), .place = STR("."), .changes = 2 },
		{ .name = STR("by hand"), .place = STR("."), .changes = 9 },
	};

	activity_add_flaky(&f, STR(P), &(struct flaky_gates){ changed, 2 });
	fold(&f);
	CHECK(f.gate_count == 3);
	CHECK(f.gates[0].runs == 20 && f.gates[0].failed == 4 && f.gates[0].passed == 16 &&
	      f.gates[0].reused == 1 && f.gates[0].flaky == 0);
	CHECK(f.gates[0].median_ms == 100 && f.gates[0].p95_ms == 190 && f.gates[0].total_ms == 2100);
	CHECK(f.gates[1].flaky == 1 && f.gates[2].flaky == 2 && f.gates[2].errors == 1);
	struct str text = WRITTEN(activity_text, 80, false);

	CHECK(str_find(text, STR("  slowest: test, 100 ms in the median, 2.1 s in total\n")) >= 0);
	CHECK(str_find(text, STR("  flakiest: e2e, 2 times\n")) >= 0);
	CHECK_STR(activity_gate_title(&a, &f.gates[1]), "lint in src");
}

TEST(numbers_and_types_that_no_journal_of_ours_has_do_no_harm)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);

	for (int i = 0; i < 3; i++)
		add_stop(&f, "s", i, "block",
			 ",\"ms\":9223372036854775807,\"number\":-5,\"of\":9223372036854775807,"
			 "\"transcript\":7,"
			 "\"gates\":[{\"gate\":\"test\",\"ms\":9223372036854775807,\"outcome\":\"pass\"},{"
			 "\"gate\":3},"
			 "{\"gate\":\"test\",\"ms\":-1,\"outcome\":[]},7]");
	add_stop(&f, "s", 3, "allow", ",\"gates\":{},\"message\":[1]");
	add_loop(&f, "\"time\":\"2026-11-15T22:40:00Z\",\"passes\":\"x\",\"tokens\":-3,\"cost_usd\":\"x\"");
	fold(&f);
	CHECK(f.stops == 4 && f.gate_count == 1 && f.gates[0].runs == 3 && f.gates[0].total_ms == 0);
	CHECK(f.loops[0].iterations == 0 && !f.loops[0].usage.is_known);
	CHECK(WRITTEN(activity_html).n > 0 && WRITTEN(activity_text, 80, true).n > 0 &&
	      WRITTEN(activity_json).n > 0);
}
