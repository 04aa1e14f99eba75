/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/buf.h"
#include "record/history.h"

/* The journal that a word stands for: each run is letters for the results of `test` (p, f or e, for the key in front of them), then a
 * dot if it ended with these keys, or an exclamation mark if the content had changed meanwhile. "1f.1p." */
static struct str
journal(struct arena *a, const char *word)
{
	struct buf b = BUF(a, KIB(64));
	struct buf keys = BUF(a, KIB(1));
	int second = 0;

	for (char key = '0'; *word; word++) {
		if (*word >= '0' && *word <= '9') {
			key = *word;
			continue;
		}
		buf_addf(&b, "{\"time\":\"2026-11-15T04:00:%02d.000Z\",\"event\":\"", second++);
		if (*word == '.' || *word == '!') {
			buf_addf(&b, "run\",\"keys\":[" STR_FMT "]}\n",
				 STR_ARG(*word == '.' ? buf_str(&keys) : STR("")));
			keys.n = 0;
			continue;
		}
		buf_addf(&b,
			 "result\",\"kind\":\"%s\",\"gate\":\"test\",\"place\":\".\",\"part\":\"check_._"
			 "test\",\"outcome\":"
			 "\"%s\",\"key\":\"k%c\"}\n",
			 *word == 'r' || *word == 'R' ? "review" : "check",
			 *word == 'p' || *word == 'R' ? "pass"
			 : *word == 'e'               ? "error"
						      : "fail",
			 key);
		buf_addf(&keys, "%s\"k%c\"", keys.n > 0 ? "," : "", key);
	}
	return buf_str(&b);
}

TEST(a_check_is_flaky_if_its_result_changes_and_its_key_does_not)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		const char *runs;
		size_t changes;
	} cases[] = {
		{ "", 0 },          { "1f.1p.", 1 },       { "1f.2p.", 0 },
		{ "1p.1p.", 0 },    { "1f.1p.1f.1p.", 3 }, { "1f.2f.1p.2p.", 2 },
		{ "1f.1e.1p.", 1 }, /* what could not run says nothing */
		{ "1f!1p.", 0 },    /* the files were changed while it ran */
		{ "1f.1p", 0 },     /* the run was killed */
		{ "1r.1R.", 0 },    /* a review: its findings may have been skipped */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct flaky_gates found;

		flaky_fold(&a, journal(&a, cases[i].runs), 0, 0, &found);
		CHECK_ROW(cases[i].runs, (found.count == 1 ? found.items[0].changes : 0) == cases[i].changes);
		CHECK_ROW(cases[i].runs, found.count == (cases[i].changes > 0) &&
						 (found.count == 0 || str_is(found.items[0].name, "test")));
	}
}

TEST(a_change_before_or_after_the_time_in_question_does_not_count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct flaky_gates found;
	struct str lines = journal(&a, "1f.1p.1f."); /* changes in the seconds 2 and 4 */
	int64_t start;

	flaky_fold(&a, lines, 0, 0, &found);
	CHECK(found.count == 1 && found.items[0].changes == 2);
	start = found.items[0].last_us - 4000000;
	flaky_fold(&a, lines, start + 3000000, 0, &found);
	CHECK(found.count == 1 && found.items[0].changes == 1);
	flaky_fold(&a, lines, 0, start + 4000000, &found);
	CHECK(found.count == 1 && found.items[0].changes == 1);
	flaky_fold(&a, lines, start + 5000000, 0, &found);
	CHECK(found.count == 0);
}
