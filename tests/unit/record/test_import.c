/* SPDX-License-Identifier: MIT */
/* A log directory without a journal: what its logs say counts. */
#include "log_directory.h"

#include "base/buf.h"
#include "doc/node.h"
#include "record/record.h"
#include "os/fs.h"

#include <string.h>

static struct past_results
latest(struct arena *a, const struct logdir *d)
{
	struct record r;
	struct err err;

	CHECK(record_load(&r, a, d->path, d, &err) == 0);
	return r.latest;
}

static struct str_list
warnings(struct arena *a, const struct past_results *h)
{
	struct str_list all = { arena_array(a, 100, struct str), 0 };

	for (size_t i = 0; i < h->count; i++)
		for (size_t k = 0; k < h->items[i].warnings.count; k++)
			all.items[all.count++] = h->items[i].warnings.items[k];
	return all;
}

/* scenario: G13-36 */
TEST(the_last_result_in_a_check_log_is_its_outcome)
{
	enum outcome { NOTHING, PASS, FAIL, ERROR };
	static const struct {
		const char *name, *log;
		enum outcome outcome;
	} rows[] = {
		{ "passed", PASSED, PASS },
		{ "failed", FAILED, FAIL },
		{ "could not be run", NO_START, ERROR },
		{ "cut off", STARTED TIME "out", NOTHING },
		{ "empty", "", NOTHING },
		{ "the output says pass", STARTED TIME "Result: pass - no\n" TIME "Result: fail - x\n",
		  FAIL },
		{ "the output says fail", STARTED TIME "Result: fail - no\n" TIME "Result: pass - x\n",
		  PASS },
		{ "cut off, and the output says pass", STARTED TIME "a\nResult: pass - no\n", NOTHING },
		{ "instructions behind it say pass",
		  FAILED TIME "\n--- Fix Instructions ---\nMake it say\nResult: pass\n", FAIL },
		{ "no result, but a command that failed", STARTED TIME "\nCommand failed: x\n", FAIL },
		{ "by hand: failed", "Result: fail - Exited with code 1\n", FAIL },
		{ "by hand: passed", "some output\nResult: pass\n", PASS },
		{ "by hand: neither", "some output with Result: fail in a line\n", NOTHING },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		put(&a, &d, "check_src_test.1.log", rows[i].log);
		struct past_results h = latest(&a, &d);

		CHECK_ROW(rows[i].name, h.count == (rows[i].outcome == NOTHING ? 0 : 1));
		if (h.count == 0)
			continue;
		const struct past_result *r = &h.items[0];

		CHECK_ROW(rows[i].name,
			  str_is(r->file_part, "check_src_test") && r->run == 1 && r->slot == 0);
		CHECK_ROW(rows[i].name, (r->outcome == OUTCOME_PASS) == (rows[i].outcome == PASS));
		CHECK_ROW(rows[i].name, (r->outcome == OUTCOME_ERROR) == (rows[i].outcome == ERROR));
		CHECK_ROW(rows[i].name, r->pass_run == (r->outcome == OUTCOME_PASS ? 1 : 0));
		CHECK_ROW(rows[i].name, past_failures(&h) == (rows[i].outcome == FAIL ? 1 : 0));
		CHECK_ROW(rows[i].name, past_violations(&h) == past_failures(&h));
	}
}

TEST(a_result_is_found_behind_long_instructions_and_long_output)
{
	static const size_t sizes[] = { KIB(3), KIB(5), KIB(63), KIB(65), KIB(900) };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	char *filler = arena_bytes(&a, MIB(2));

	memset(filler, 'x', MIB(2));
	for (size_t i = 0; i < MIB(2); i += 80)
		filler[i] = '\n';
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct str log = str_fmt(&a, STARTED TIME "%.*s\n" TIME "Result: fail - x\n" TIME "%.*s\n",
					 (int)MIB(1), filler, (int)sizes[i], filler);
		struct err err;

		CHECK(fs_replace(&a, logdir_file(&a, &d, "check_x.1.log").s, log, 0600, &err) == 0);
		struct past_results h = latest(&a, &d);

		CHECK(past_failures(&h) == 1);
		CHECK_STR(h.items[0].name, "lint");
		CHECK_STR(h.items[0].place, "pkg/a");
	}
}

/* scenario: G13-36 */
TEST(only_the_newest_run_that_tells_something_counts)
{
	static const struct {
		const char *name;
		const char *runs[4];
		bool is_listed, is_pass, is_error;
		int64_t run;
	} rows[] = {
		{ "failed", { FAILED }, true, false, false, 1 },
		{ "failed, then passed", { FAILED, PASSED }, true, true, false, 2 },
		{ "passed, then failed", { PASSED, FAILED }, true, false, false, 2 },
		{ "failed, then killed", { FAILED, STARTED }, true, false, false, 1 },
		{ "passed, then killed", { PASSED, STARTED }, true, true, false, 1 },
		{ "killed", { STARTED }, false, false, false, 0 },
		{ "not to be run", { NO_START }, true, false, true, 1 },
		{ "twice not to be run", { NO_START, NO_START }, true, false, true, 2 },
		{ "failed, then not to be run", { FAILED, NO_START }, true, false, false, 1 },
		{ "failed, then twice not to be run", { FAILED, NO_START, NO_START }, true, false, false, 1 },
		{ "passed, then not to be run", { PASSED, NO_START }, true, false, true, 2 },
		{ "failed, passed, not to be run", { FAILED, PASSED, NO_START }, true, false, true, 3 },
		{ "failed, not to be run, passed", { FAILED, NO_START, PASSED }, true, true, false, 3 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = new_logs(&a);

		for (size_t k = 0; k < COUNT_OF(rows[i].runs) && rows[i].runs[k]; k++)
			put(&a, &d, str_fmt(&a, "check_x.%zu.log", k + 1).s, rows[i].runs[k]);
		struct past_results h = latest(&a, &d);

		CHECK_ROW(rows[i].name, h.count == (rows[i].is_listed ? 1 : 0));
		if (h.count == 0)
			continue;
		CHECK_ROW(rows[i].name, (h.items[0].outcome == OUTCOME_PASS) == rows[i].is_pass);
		CHECK_ROW(rows[i].name, (h.items[0].outcome == OUTCOME_ERROR) == rows[i].is_error);
		CHECK_ROW(rows[i].name, h.items[0].run == rows[i].run);
	}
}

/* scenario: G13-36 */
TEST(runs_are_compared_as_numbers_and_gates_do_not_touch_each_other)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct err err;

	put(&a, &d, "check_a.2.log", FAILED);
	put(&a, &d, "check_a.10.log", PASSED);
	put(&a, &d, "check_a_b.9.log", FAILED);
	put(&a, &d, "check_c.log", "Result: fail\n"); /* without a number it is not a log of a run */
	put(&a, &d, "console.10.log", "Result: fail\nCommand failed: git\n");
	put(&a, &d, ".hidden.1.log", FAILED);
	put(&a, &d, "settings.json", "{}");
	put(&a, &d, "check_x.1.txt", FAILED);
	CHECK(fs_make_dirs(logdir_file(&a, &d, "previous").s, 0700, &err) == 0);
	put(&a, &d, "previous/check_old.1.log", FAILED);
	CHECK(fs_make_dirs(logdir_file(&a, &d, "check_dir.1.log").s, 0700, &err) == 0);
	struct past_results h = latest(&a, &d);

	CHECK(h.count == 2 && warnings(&a, &h).count == 0);
	CHECK_STR(h.items[0].file_part, "check_a");
	CHECK(h.items[0].outcome == OUTCOME_PASS && h.items[0].run == 10 && h.items[0].pass_run == 10);
	CHECK_STR(h.items[1].file_part, "check_a_b");
	CHECK(h.items[1].outcome != OUTCOME_PASS && h.items[1].run == 9);
	CHECK(past_failures(&h) == 1);

	struct logdir missing = logdir_of(&a, d.path, STR("missing"), &dialects[DIALECT_GAUNTLET]);

	h = latest(&a, &missing);
	CHECK(h.count == 0 && past_failures(&h) == 0 && past_violations(&h) == 0);
}

/* scenario: G13-38 */
TEST(a_review_is_read_from_its_json_file)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "review_._quality_claude@1.2.log",
	    TIME TIME "Starting review: quality\n" TIME "Entry point: .\n" TIME "Base branch: main\n");
	put(&a, &d, "review_._quality_claude@1.2.json",
	    "{\"adapter\":\"claude\",\"status\":\"fail\",\"violations\":[\n"
	    "{\"file\":\"src/a.txt\",\"line\":2,\"issue\":\"Bad "
	    "line\",\"fix\":\"Remove\",\"priority\":\"high\","
	    "\"status\":\"new\"},\n"
	    "{\"file\":\"src/"
	    "b.txt\",\"line\":\"7\",\"issue\":\"Worse\",\"status\":\"fixed\",\"result\":\"done\"},\n"
	    "{\"file\":\"src/"
	    "c.txt\",\"line\":null,\"issue\":\"Odd\",\"status\":\"skipped\",\"result\":\"no\"},\n"
	    "{\"file\":\"src/d.txt\",\"line\":-1,\"issue\":\"No status\",\"rule\":{\"id\":7}}]}");
	struct past_results h = latest(&a, &d);

	CHECK(h.count == 1 && warnings(&a, &h).count == 0 && past_failures(&h) == 1 &&
	      past_violations(&h) == 3);
	const struct past_result *r = &h.items[0];

	CHECK_STR(r->file_part, "review_._quality");
	CHECK_STR(r->adapter, "claude");
	CHECK_STR(r->name, "quality");
	CHECK_STR(r->place, ".");
	CHECK(r->slot == 1 && r->run == 2 && r->open.count == 3 && r->skipped.count == 1);
	const struct finding *v = r->open.items;

	CHECK_STR(v[0].file, "src/a.txt");
	CHECK(v[0].line == 2 && v[1].line == 7 && r->skipped.items[0].line == 0 && v[2].line == 0);
	CHECK_STR(v[0].issue, "Bad line");
	CHECK_STR(v[0].fix, "Remove");
	CHECK_STR(v[0].priority, "high");
	CHECK(v[0].status == FINDING_NEW);
	CHECK(v[1].status == FINDING_FIXED);
	CHECK_STR(v[1].result, "done");
	CHECK_STR(r->skipped.items[0].result, "no");
	CHECK(v[2].status == FINDING_NEW);
	CHECK(!v[0].document && !v[0].result.s && !v[1].fix.s);
	CHECK(node_get(node_get(v[2].document, "rule"), "id")->integer == 7);
}

/* scenario: G13-37 G13-38 */
TEST(a_review_file_counts_by_its_status)
{
	enum outcome { PASS, FAIL, ERROR };
	static const struct {
		const char *name, *json;
		enum outcome outcome;
		size_t violations;
		int64_t pass_run;
		const char *warning; /* a part of it; NULL: none */
	} rows[] = {
		{ "pass", REVIEW("pass", ""), PASS, 0, 3, NULL },
		{ "skipped because it passed before",
		  "{\"status\":\"skipped_prior_pass\",\"violations\":[],\"passIteration\":1}", PASS, 0, 1,
		  NULL },
		{ "the same without the run", "{\"status\":\"skipped_prior_pass\"}", PASS, 0, 3, NULL },
		{ "error", REVIEW("error", ""), ERROR, 0, 0, NULL },
		{ "fail without findings", REVIEW("fail", ""), FAIL, 1, 0, NULL },
		{ "fail with no list", "{\"status\":\"fail\",\"violations\":\"none\"}", FAIL, 1, 0, NULL },
		{ "fail with nothing", "{\"status\":\"fail\"}", FAIL, 1, 0, NULL },
		{ "fail with a map", "{\"status\":\"fail\",\"violations\":{\"a\":{},\"b\":{}}}", FAIL, 1, 0,
		  NULL },
		{ "all skipped",
		  REVIEW("fail", V("a", "1", "x", ",\"status\":\"skipped\",\"result\":\"no\"")), FAIL, 0, 0,
		  NULL },
		{ "skipped without a reason", REVIEW("fail", V("a", "1", "x", ",\"status\":\"skipped\"")),
		  FAIL, 1, 0, "logs/review_r_claude@1.3.json is skipped without a reason in \"result\"" },
		{ "skipped with blanks for a reason",
		  REVIEW("fail", V("a", "1", "x", ",\"status\":\"skipped\",\"result\":\" \"")), FAIL, 1, 0,
		  "without a reason" },
		{ "a pass that keeps what was skipped",
		  REVIEW("pass", V("a", "1", "x", ",\"status\":\"skipped\",\"result\":\"no\"")), PASS, 0, 3,
		  NULL },
		{ "a finding that is none", REVIEW("fail", "7"), FAIL, 1, 0, NULL },
		{ "an unknown word", REVIEW("fail", V("a", "1", "x", ",\"status\":\"wontfix\"")), FAIL, 1, 0,
		  "Unexpected status \"wontfix\" for violation in review_r. Treating as \"new\"." },
		{ "no word", REVIEW("fail", V("a", "1", "x", ",\"status\":true")), FAIL, 1, 0,
		  "Unexpected status \"a boolean\"" },
		{ "null is new", REVIEW("fail", V("a", "1", "x", ",\"status\":null")), FAIL, 1, 0, NULL },
		{ "broken", "{\n  \"status\": \"pass\",\n  \"violations\": [}\n", FAIL, 1, 0,
		  "Failed to parse JSON review file: logs/review_r_claude@1.3.json:3:18: " },
		{ "empty", "", FAIL, 1, 0, "logs/review_r_claude@1.3.json:1:1: " },
		{ "no object", "[]", FAIL, 1, 0, "logs/review_r_claude@1.3.json:1:1: status: " },
		{ "no status", "{}", FAIL, 1, 0, "review_r_claude@1.3.json:1:1: status: " },
		{ "another status", "\n {\"status\":\"passed\"}", FAIL, 1, 0,
		  "review_r_claude@1.3.json:2:2: status: " },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = new_logs(&a);

		put(&a, &d, "review_r_claude@1.3.json", rows[i].json);
		struct past_results h = latest(&a, &d);

		CHECK_ROW(rows[i].name, h.count == 1);
		CHECK_ROW(rows[i].name, (h.items[0].outcome == OUTCOME_PASS) == (rows[i].outcome == PASS));
		CHECK_ROW(rows[i].name, (h.items[0].outcome == OUTCOME_ERROR) == (rows[i].outcome == ERROR));
		CHECK_ROW(rows[i].name, h.items[0].open.count == rows[i].violations);
		CHECK_ROW(rows[i].name, h.items[0].pass_run == rows[i].pass_run);
		CHECK_ROW(rows[i].name, warnings(&a, &h).count == (rows[i].warning ? 1 : 0));
		CHECK_ROW(rows[i].name, !rows[i].warning || str_find(warnings(&a, &h).items[0],
								     str_from(rows[i].warning)) >= 0);
	}
}

/* scenario: G13-38 */
TEST(a_review_file_that_is_broken_later_still_counts_as_failed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "review_r_claude@1.1.json", REVIEW("pass", ""));
	put(&a, &d, "review_r_claude@1.2.json", "{ broken");
	put(&a, &d, "review_r_claude@1.2.log",
	    TIME "\n--- Parsed Result (claude) ---\nStatus: PASS\nMessage: ok\n");
	struct past_results h = latest(&a, &d);

	CHECK(h.count == 1 && past_failures(&h) == 1 && past_violations(&h) == 1 && h.items[0].run == 2);
	CHECK_STR(h.items[0].open.items[0].issue, "unreadable");
	CHECK_STR(h.items[0].open.items[0].file, "review_r_claude@1.2.json");
}

TEST(the_warnings_of_all_reviews_are_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "review_a_claude@1.1.json", "{ broken");
	put(&a, &d, "review_b_claude@1.1.json", REVIEW("pass", ""));
	put(&a, &d, "review_c_claude@1.1.json", "{ broken");
	struct past_results h = latest(&a, &d);

	CHECK(warnings(&a, &h).count == 2);
	CHECK(str_find(warnings(&a, &h).items[0], STR("logs/review_a_claude@1.1.json:")) > 0);
	CHECK(str_find(warnings(&a, &h).items[1], STR("logs/review_c_claude@1.1.json:")) > 0);
}

/* The file has what its log tells, whatever was taken out of it. */
TEST(a_finding_that_was_taken_out_is_put_back)
{
#define LISTED "1. a.c:3 - Bad\n2. a.c:9 - Worse\n3. b.c:4 - Ugly\n"
	static const char bad[] = V("a.c", "3", "Bad", ""), worse[] = V("a.c", "9", "Worse", "");
	static const struct {
		const char *name, *log, *items[3], *put_back[3];
	} rows[] = {
		{ "all there", LISTED, { bad, worse, V("b.c", "4", "Ugly", "") }, { NULL } },
		{ "in another order", LISTED, { V("b.c", "4", "Ugly", ""), bad, worse }, { NULL } },
		{ "in the order of the wheel", LISTED, { worse, bad, V("b.c", "4", "Ugly", "") }, { NULL } },
		{ "the first", LISTED, { worse, V("b.c", "4", "Ugly", "") }, { "Bad" } },
		{ "one of two in a file", LISTED, { bad, V("b.c", "4", "Ugly", "") }, { "Worse" } },
		{ "the last", LISTED, { bad, worse }, { "Ugly" } },
		{ "all but one", LISTED, { worse }, { "Bad", "Ugly" } },
		{ "another file with a like name",
		  LISTED,
		  { bad, worse, V("b", "4", "Ugly", "") },
		  { "Ugly" } },
		{ "another finding of that place",
		  LISTED,
		  { bad, worse, V("b.c", "4", "Fine", "") },
		  { "Ugly" } },
		{ "of several lines, the log has the first",
		  LISTED,
		  { bad, worse, V("b.c", "4", " Ugly\\nand more", "") },
		  { NULL } },
		{ "of several lines, the log has all",
		  "1. a.c:3 - Bad and more\n",
		  { V("a.c", "3", "Bad\\nand more", "") },
		  { NULL } },
		{ "no finding stands behind the number",
		  "1. a.c:3 - Bad\n2. a.c:9 Worse\n",
		  { bad },
		  { NULL } },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = new_logs(&a);
		struct buf list = BUF(&a, SIZE_MAX);
		size_t count = 0, back = 0;

		for (; count < COUNT_OF(rows[i].items) && rows[i].items[count]; count++)
			buf_addf(&list, "%s%s", count ? "," : "", rows[i].items[count]);
		put(&a, &d, "review_r_claude@1.1.json",
		    str_fmt(&a, "{\"status\":\"fail\",\"violations\":[" STR_FMT "]}", STR_ARG(buf_str(&list)))
			    .s);
		put(&a, &d, "review_r_claude@1.1.log",
		    str_fmt(&a, TIME "\n--- Parsed Result (claude) ---\nStatus: FAIL\n%s", rows[i].log).s);
		struct past_results h = latest(&a, &d);

		for (; back < COUNT_OF(rows[i].put_back) && rows[i].put_back[back]; back++) {
			CHECK_ROW(rows[i].name, past_violations(&h) > count + back);
			CHECK_ROW(rows[i].name,
				  str_is(h.items[0].open.items[count + back].issue, rows[i].put_back[back]));
			CHECK_ROW(rows[i].name, h.items[0].open.items[count + back].status == FINDING_NEW);
		}
		CHECK_ROW(rows[i].name,
			  past_violations(&h) == count + back && warnings(&a, &h).count == back);
	}
#undef LISTED
}

TEST(a_pass_that_was_written_over_a_failure_does_not_count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct past_results h;

	put(&a, &d, "review_r_claude@1.1.json", REVIEW("pass", ""));
	put(&a, &d, "review_r_claude@1.1.log", TIME "Review result (claude@1): fail - Found 1 violations\n");
	h = latest(&a, &d);
	CHECK(past_failures(&h) == 1 && warnings(&a, &h).count == 1);
	CHECK(str_find(warnings(&a, &h).items[0], STR("logs/review_r_claude@1.1.json")) >= 0);
	put(&a, &d, "review_r_claude@1.1.log",
	    "Review result (x@1): fail - what the reviewer said\n" TIME
	    "Review result (claude@1): pass - Passed\n");
	h = latest(&a, &d);
	CHECK(past_failures(&h) == 0 && h.items[0].outcome == OUTCOME_PASS && warnings(&a, &h).count == 0);
}

/* On both sides of what is read of a log. */
TEST(the_end_of_a_long_log_of_a_review_counts)
{
	static const char beginning[] = TIME "\n"
					     "--- Review Output"
					     " (claude) ---\n",
			  end[] = TIME "\n--- Parsed Result (claude) ---\nStatus: FAIL\nViolations:\n"
				       "1. a.c:3 - Bad\n" TIME "Review result (claude@1): fail - Found 1\n";
	static const size_t sizes[] = { REVIEW_LIMIT_BYTES - 1, REVIEW_LIMIT_BYTES, REVIEW_LIMIT_BYTES + 1,
					REVIEW_LIMIT_BYTES * 2 };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct arena_mark mark = arena_mark(&a);
		struct logdir d = new_logs(&a);
		char *log = arena_bytes(&a, sizes[i]);
		struct err err;

		memset(log, 'x', sizes[i]);
		memcpy(log, beginning, sizeof(beginning) - 1);
		log[sizes[i] - sizeof(end)] = '\n';
		memcpy(log + sizes[i] - sizeof(end) + 1, end, sizeof(end) - 1);
		CHECK(fs_replace_unsynced(&a, logdir_file(&a, &d, "review_r_claude@1.1.log").s,
					  (struct str){ log, sizes[i] }, 0600, &err) == 0);
		struct past_results h = latest(&a, &d);

		CHECK(past_failures(&h) == 1 && past_violations(&h) == 1);
		CHECK_STR(h.items[0].open.items[0].issue, "Bad");
		put(&a, &d, "review_r_claude@1.1.json", REVIEW("pass", ""));
		h = latest(&a, &d);
		CHECK(past_failures(&h) == 1 && warnings(&a, &h).count == 1);
		put(&a, &d, "review_r_claude@1.1.json", REVIEW("error", ""));
		h = latest(&a, &d);
		CHECK(past_failures(&h) == 1 && warnings(&a, &h).count == 1);
		arena_reset(&a, mark);
	}
}

/* scenario: G13-36 */
TEST(without_a_json_file_a_review_is_read_from_its_log)
{
	enum outcome { NOTHING, PASS, FAIL, ERROR };
	static const struct {
		const char *name, *log;
		enum outcome outcome;
		size_t violations;
		int64_t pass_run;
	} rows[] = {
		{ "pass",
		  TIME "\n--- Review Output (claude) ---\nfine\n" TIME
		       "\n--- Parsed Result (claude) ---\nStatus: PASS\nMessage: fine\n",
		  PASS, 0, 2 },
		{ "the reviewer's words are not the result",
		  TIME "\n--- Review Output (claude) ---\nStatus: PASS\n" TIME
		       "\n--- Parsed Result (claude) ---\nStatus: FAIL\n1. a.c:3 - Bad\n",
		  FAIL, 1, 0 },
		{ "skipped",
		  TIME TIME "Review skipped: previously passed in iteration 1\n" TIME "Adapter: claude\n" TIME
			    "Review index: @1\n" TIME "Status: skipped_prior_pass\n",
		  PASS, 0, 1 },
		{ "a reviewer that speaks of skipping",
		  TIME "\n--- Review Output (claude) ---\nStatus: skipped_prior_pass\n" TIME
		       "Result: error - x\n",
		  ERROR, 0, 0 },
		{ "findings",
		  TIME "\n--- Parsed Result (claude) ---\nStatus: FAIL\nReview: x.json\nViolations:\n"
		       "   Fix: nothing\n1. src/a.c:3 - Bad\n   Fix: Better\n   See elsewhere\n2. "
		       "odd:name.c:12 - Worse - much\n"
		       "   No fix known\n10. nowhere - ?\n",
		  FAIL, 3, 0 },
		{ "a failure without any", TIME "\n--- Parsed Result (claude) ---\nStatus: FAIL\n", FAIL, 1,
		  0 },
		{ "a number that no finding stands behind",
		  TIME
		  "\n--- Parsed Result (claude) ---\nStatus: FAIL\n1. a.c:3 Bad\n2.  - Bad\n3. b.c:4 - Bad\n",
		  FAIL, 1, 0 },
		{ "skipped, and nobody knows since when",
		  TIME TIME "Review skipped: previously passed in iteration x\n" TIME
			    "Status: skipped_prior_pass\n",
		  PASS, 0, 2 },
		{ "no answer", TIME "Starting review: r\n" TIME "Result: error - Error in 1 adapter(s)\n",
		  ERROR, 0, 0 },
		{ "no answer, and others failed",
		  TIME "Starting review: r\n" TIME "Result: fail - Failed by 1 adapter(s)\n", ERROR, 0, 0 },
		{ "all passed", TIME "Starting review: r\n" TIME "Result: pass - Passed\n", PASS, 0, 2 },
		{ "a failure whose findings are gone",
		  TIME "Starting review: r\n" TIME "Review result (claude@1): fail - Found 1\n" TIME
		       "Result: fail - Found 1\n",
		  FAIL, 1, 0 },
		{ "cut off", TIME "Starting review: r\n" TIME "\n--- Review Output (claude) ---\nSta",
		  NOTHING, 0, 0 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = new_logs(&a);

		put(&a, &d, "review_r_claude@1.2.log", rows[i].log);
		struct past_results h = latest(&a, &d);

		CHECK_ROW(rows[i].name, h.count == (rows[i].outcome == NOTHING ? 0 : 1));
		if (h.count == 0)
			continue;
		CHECK_ROW(rows[i].name, (h.items[0].outcome == OUTCOME_PASS) == (rows[i].outcome == PASS));
		CHECK_ROW(rows[i].name, (h.items[0].outcome == OUTCOME_ERROR) == (rows[i].outcome == ERROR));
		CHECK_ROW(rows[i].name, h.items[0].open.count == rows[i].violations);
		CHECK_ROW(rows[i].name, h.items[0].pass_run == rows[i].pass_run);
		if (rows[i].violations != 3)
			continue;
		const struct finding *v = h.items[0].open.items;

		CHECK_STR(v[0].file, "src/a.c");
		CHECK_STR(v[0].fix, "Better");
		CHECK_STR(v[1].file, "odd:name.c");
		CHECK(!v[1].fix.s);
		CHECK_STR(v[1].issue, "Worse - much");
		CHECK_STR(v[2].file, "nowhere");
		CHECK(v[0].line == 3 && v[1].line == 12 && v[2].line == 0 && !v[0].document);
	}
}

/* scenario: G13-37 */
TEST(slots_of_a_review_stand_for_themselves)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "review_r_claude@1.1.json", REVIEW("fail", V("a", "1", "x", "")));
	put(&a, &d, "review_r_codex@2.1.json", "{\"adapter\":\"codex\",\"status\":\"pass\"}");
	put(&a, &d, "review_r_gemini@2.2.json", "{\"adapter\":\"gemini\",\"status\":\"skipped_prior_pass\"}");
	put(&a, &d, "review_r_claude@3.1.json",
	    REVIEW("fail", V("a", "1", "x", "") "," V("b", "1", "x", "")));
	put(&a, &d, "review_s_claude@1.1.json", REVIEW("fail", V("a", "1", "x", "")));
	struct past_results h = latest(&a, &d);

	CHECK(h.count == 4 && past_failures(&h) == 2 && past_violations(&h) == 4);
	CHECK(h.items[0].slot == 1 && h.items[1].slot == 2 && h.items[2].slot == 3);
	/* Another adapter has the slot now: the slot is the same. */
	CHECK(h.items[1].outcome == OUTCOME_PASS && h.items[1].run == 2);
	CHECK_STR(h.items[1].adapter, "gemini");
}
