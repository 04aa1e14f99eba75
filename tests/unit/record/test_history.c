/* SPDX-License-Identifier: MIT */
/* How long gates usually take. */
#include "test.h"

#include "base/buf.h"
#include "record/history.h"

#define RESULT(part, slot, outcome, ms)                                                          \
	"{\"time\":\"2026-11-16T16:07:45.501Z\",\"event\":\"result\",\"run\":1,\"part\":\"" part \
	"\",\"slot\":" slot ",\"outcome\":\"" outcome "\",\"ms\":" ms ",\"log\":\"" part ".1.log\"}\n"

TEST(the_usual_time_is_the_median_of_the_passes)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct history h;

	history_parse(
		&a,
		STR("{\"event\":\"project\",\"root\":\"/p\"}\nnot json\n" RESULT("t", "0", "pass", "100")
			    RESULT("t", "0", "fail", "7") RESULT("t", "0", "pass", "900")
				    RESULT("t", "1", "pass", "5") RESULT("t", "0", "pass", "300")
					    RESULT("t", "0", "error", "1") RESULT("u", "0", "fail", "40")),
		&h);
	CHECK(h.count == 7);
	CHECK(history_usual_ms(&h, STR("t"), 0) == 300);
	CHECK(history_usual_ms(&h, STR("t"), 1) == 5);
	CHECK(history_usual_ms(&h, STR("u"), 0) == 40);
	CHECK(history_usual_ms(&h, STR("v"), 0) == 0);
	const struct timed_result *last = history_last(&h, STR("t"), 0);

	CHECK(last && last->outcome == OUTCOME_ERROR && last->elapsed_ms == 1 && last->ended_us > 0);
	CHECK_STR(last->log, "t.1.log");
	CHECK(!history_last(&h, STR("v"), 0));
	history_parse(&a, STR(RESULT("t", "0", "pass", "0")), &h);
	CHECK(history_usual_ms(&h, STR("t"), 0) == 1);
	history_parse(&a, STR(RESULT("t", "0", "error", "1")), &h);
	CHECK(history_usual_ms(&h, STR("t"), 0) == 0);
}

TEST(only_the_last_passes_count_and_none_that_was_taken_over)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, SIZE_MAX);
	struct history h;

	for (int i = 0; i < 20; i++)
		buf_add(&b, STR(RESULT("t", "0", "pass", "1")));
	for (int i = 0; i < 9; i++)
		buf_add(&b, STR(RESULT("t", "0", "pass", "50")));
	buf_add(&b,
		STR("{\"time\":\"2026-11-16T16:07:45.501Z\",\"event\":\"result\",\"part\":\"t\",\"slot\":0,"
		    "\"outcome\":\"pass\",\"passed_in\":1,\"ms\":0}\n"));
	history_parse(&a, buf_str(&b), &h);
	CHECK(h.count == 29 && history_usual_ms(&h, STR("t"), 0) == 50);
}
