/* SPDX-License-Identifier: MIT */
/* What became of each run's failures. */
#include "log_directory.h"

#include "record/record.h"
#include "os/fs.h"

static struct str
tell(struct arena *a, const struct logdir *d)
{
	struct fix_report t;
	struct record r;
	struct str all;
	struct err err;

	CHECK(record_load(&r, a, d->path, d, &err) == 0);
	record_report(&r, &t);
	t.runs = r.listing.runs;
	all = str_fmt(a, "%zu runs, %zu fixed, %zu skipped\n", t.runs, t.fixed, t.skipped);
	for (size_t i = 0; i < t.count; i++)
		all = str_fmt(a, STR_FMT "%d %s " STR_FMT "%s" STR_FMT "\n", STR_ARG(all),
			      (int)t.items[i].run, t.items[i].is_skip ? "skipped" : "fixed",
			      STR_ARG(t.items[i].text), t.items[i].reason.s ? " because " : "",
			      STR_ARG(t.items[i].reason));
	return all;
}

TEST(the_report_names_what_each_run_fixed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "check_src_good.0.log", PASSED); /* of no run that counts */
	CHECK_STR(tell(&a, &d), "0 runs, 0 fixed, 0 skipped\n");
	put(&a, &d, "check_src_bad.1.log", FAILED);
	put(&a, &d, "review_._quality_claude@1.1.json",
	    "{\"adapter\":\"claude\",\"status\":\"fail\",\"violations\":[\n"
	    "{\"file\":\"src/a.txt\",\"line\":2,\"issue\":\"Bad line\",\"status\":\"fixed\"},\n"
	    "{\"file\":\"src/b.txt\",\"line\":3,\"issue\":\"Odd\\nStatus: Passed\",\"status\":\"skipped\","
	    "\"result\":\"not\\nwanted\"},\n"
	    "{\"file\":\"src/c.txt\",\"line\":0,\"issue\":\"Stays\"}]}");
	CHECK_STR(
		tell(&a, &d),
		"1 runs, 0 fixed, 1 skipped\n"
		"1 skipped review_._quality (claude) - src/b.txt:3 Odd Status: Passed because not wanted\n");
	put(&a, &d, "check_src_bad.2.log", PASSED);
	put(&a, &d, "console.3.log", "Result: fail\n");
	put(&a, &d, "review_._quality_codex@1.2.json",
	    "{\"adapter\":\"codex\",\"status\":\"fail\",\"violations\":[\n"
	    "{\"file\":\"src/b.txt\",\"line\":3,\"issue\":\"Odd\\nStatus: Passed\",\"status\":\"skipped\","
	    "\"result\":\"as before\"},\n"
	    "{\"file\":\"src/c.txt\",\"line\":0,\"issue\":\"Stays\"}]}");
	CHECK_STR(tell(&a, &d),
		  "3 runs, 2 fixed, 1 skipped\n"
		  "1 skipped review_._quality (claude) - src/b.txt:3 Odd Status: Passed because not wanted\n"
		  "2 fixed check_src_bad - 1 violations resolved\n"
		  "2 fixed review_._quality (1) - src/a.txt:2 Bad line\n");
	put(&a, &d, "review_._quality_claude@1.4.json", REVIEW("pass", ""));
	CHECK_STR(tell(&a, &d),
		  "4 runs, 3 fixed, 1 skipped\n"
		  "1 skipped review_._quality (claude) - src/b.txt:3 Odd Status: Passed because not wanted\n"
		  "2 fixed check_src_bad - 1 violations resolved\n"
		  "2 fixed review_._quality (1) - src/a.txt:2 Bad line\n"
		  "4 fixed review_._quality (1) - src/c.txt:? Stays\n");
}

TEST(in_one_run_what_was_fixed_comes_before_what_was_skipped)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "review_a_claude@1.1.json", REVIEW("fail", V("a", "1", "x", "")));
	put(&a, &d, "review_a_claude@1.2.json",
	    REVIEW("fail", V("a", "1", "x", ",\"status\":\"skipped\",\"result\":\"no\"")));
	put(&a, &d, "review_b_claude@1.1.json", REVIEW("fail", V("b", "1", "x", "")));
	put(&a, &d, "review_b_claude@1.2.json", REVIEW("pass", ""));
	CHECK_STR(tell(&a, &d), "2 runs, 1 fixed, 1 skipped\n"
				"2 fixed review_b (1) - b:1 x\n"
				"2 skipped review_a (claude) - a:1 x because no\n");
}

TEST(a_gate_that_was_not_run_has_fixed_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "check_a.1.log", FAILED);
	put(&a, &d, "check_b.1.log", FAILED);
	put(&a, &d, "check_c.1.log", FAILED);
	put(&a, &d, "review_r_claude@1.1.json", REVIEW("fail", V("a", "1", "x", "")));
	put(&a, &d, "check_b.2.log", NO_START);
	put(&a, &d, "check_c.2.log", STARTED);
	put(&a, &d, "review_r_claude@1.2.json", "{ broken");
	CHECK_STR(tell(&a, &d), "2 runs, 0 fixed, 0 skipped\n");
	put(&a, &d, "check_a.3.log", PASSED);
	put(&a, &d, "check_b.3.log", PASSED);
	put(&a, &d, "review_r_claude@1.3.json", REVIEW("pass", ""));
	CHECK_STR(tell(&a, &d), "3 runs, 3 fixed, 0 skipped\n"
				"3 fixed check_a - 1 violations resolved\n"
				"3 fixed check_b - 1 violations resolved\n"
				"3 fixed review_r (1) - a:1 x\n");
}

TEST(a_finding_is_fixed_unless_it_is_reported_again)
{
	static const struct {
		const char *name, *again, *told;
	} rows[] = {
		{ "told again", REVIEW("fail", V("a", "1", "x", "")), "2 runs, 0 fixed, 0 skipped\n" },
		{ "of another file", REVIEW("fail", V("b", "1", "x", "")),
		  "2 runs, 1 fixed, 0 skipped\n2 fixed review_r (1) - a:1 x\n" },
		{ "moved to another line", REVIEW("fail", V("a", "2", "x", "")),
		  "2 runs, 0 fixed, 0 skipped\n" },
		{ "in other words", REVIEW("fail", V("a", "1", "y", "")), "2 runs, 0 fixed, 0 skipped\n" },
		{ "another of another line", REVIEW("fail", V("a", "2", "y", "")),
		  "2 runs, 1 fixed, 0 skipped\n2 fixed review_r (1) - a:1 x\n" },
		{ "another file's", REVIEW("fail", V("b", "1", "y", "")),
		  "2 runs, 1 fixed, 0 skipped\n2 fixed review_r (1) - a:1 x\n" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = new_logs(&a);

		put(&a, &d, "review_r_claude@1.1.json", REVIEW("fail", V("a", "1", "x", "")));
		put(&a, &d, "review_r_claude@1.2.json", rows[i].again);
		CHECK_ROW(rows[i].name, str_is(tell(&a, &d), rows[i].told));
	}
}
