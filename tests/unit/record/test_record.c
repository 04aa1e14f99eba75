/* SPDX-License-Identifier: MIT */
/* What stays known about results, whatever becomes of the logs. */
#include "log_directory.h"

#include "record/record.h"
#include "record/journal.h"

#include <stdlib.h>

static void
load(struct arena *a, const struct logdir *d, struct record *r)
{
	struct err err;

	if (record_load(r, a, d->path, d, &err) < 0)
		fail_msg("%s", err.msg);
}

static void
add(struct record *r, const char *gate, enum gate_outcome outcome, const char *key)
{
	struct new_result n = {
		.result = { .kind = GATE_CHECK,
			    .name = str_from(gate),
			    .place = STR("src"),
			    .file_part = str_from(gate),
			    .run = 1,
			    .outcome = outcome,
			    .key = str_from(key) },
	};
	struct err err;

	CHECK(record_add(r, &n, &err) == 0);
}

static void
end_run(struct record *r, const char *confirmed)
{
	struct execution_state s = { .completed_at = STR("t"), .branch = STR("main"), .commit = STR("c") };
	struct str key = str_from(confirmed);
	struct str_list keys = { &key, confirmed ? 1 : 0 };
	struct err err;

	CHECK(record_add_state(r, &s, &keys, &err) == 0);
}

/* "lint=fail:key", with a ? where nothing has confirmed the key. */
static struct str
told(struct arena *a, const struct record *r)
{
	struct str all = STR("");

	for (size_t i = 0; i < r->latest.count; i++) {
		const struct past_result *p = &r->latest.items[i];

		all = str_fmt(a, STR_FMT STR_FMT "=" STR_FMT ":" STR_FMT "%s ", STR_ARG(all),
			      STR_ARG(p->name), STR_ARG(gate_outcome_name(p->outcome)), STR_ARG(p->key),
			      p->is_unconfirmed ? "?" : "");
	}
	return all;
}

TEST(archived_logs_leave_failures_and_the_keys_of_what_passed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct record r;
	struct err err;

	CHECK(setenv("XDG_STATE_HOME", d.path.s, 1) == 0);
	load(&a, &d, &r);
	add(&r, "good", OUTCOME_PASS, "k");
	add(&r, "bad", OUTCOME_FAIL, "k");
	add(&r, "odd", OUTCOME_ERROR, "k");
	end_run(&r, "k");
	CHECK(record_clear(&r, true, false, &err) == 0);
	CHECK_STR(told(&a, &r), "good=pass:k bad=fail:k ");
	load(&a, &d, &r);
	CHECK_STR(told(&a, &r), "good=pass:k bad=fail:k ");
	CHECK(!r.has_state && r.result_count == 0);
	CHECK(record_failures(&r).count == 1);
	CHECK_STR(record_failures(&r).items[0], "check:src:bad");
	add(&r, "bad", OUTCOME_PASS, "l");
	load(&a, &d, &r);
	CHECK(record_failures(&r).count == 1);
	end_run(&r, "l");
	CHECK(record_failures(&r).count == 0);
	load(&a, &d, &r);
	CHECK(record_failures(&r).count == 0);
}

TEST(a_pass_ends_a_failure_once_the_run_has_confirmed_its_key)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct record r;

	CHECK(setenv("XDG_STATE_HOME", d.path.s, 1) == 0);
	load(&a, &d, &r);
	add(&r, "lint", OUTCOME_FAIL, "k");
	end_run(&r, "k");
	add(&r, "lint", OUTCOME_PASS, "l");
	add(&r, "lint", OUTCOME_PASS, "l");
	CHECK(record_failures(&r).count == 1);
	end_run(&r, "other");
	CHECK_STR(told(&a, &r), "lint=fail:k ");
	load(&a, &d, &r);
	CHECK_STR(told(&a, &r), "lint=fail:k ");
	add(&r, "lint", OUTCOME_PASS, "l");
	end_run(&r, "l");
	load(&a, &d, &r);
	CHECK_STR(told(&a, &r), "lint=pass:l ");
}

TEST(a_key_counts_once_the_run_has_confirmed_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct record r;

	CHECK(setenv("XDG_STATE_HOME", d.path.s, 1) == 0);
	load(&a, &d, &r);
	add(&r, "one", OUTCOME_PASS, "k");
	add(&r, "two", OUTCOME_PASS, "l");
	CHECK_STR(told(&a, &r), "one=pass:k? two=pass:l? ");
	load(&a, &d, &r); /* as after a kill */
	CHECK_STR(told(&a, &r), "one=pass:k? two=pass:l? ");
	end_run(&r, "l");
	CHECK_STR(told(&a, &r), "one=pass: two=pass:l ");
	load(&a, &d, &r);
	CHECK_STR(told(&a, &r), "one=pass: two=pass:l ");
}

TEST(the_first_start_of_a_branch_stays_until_it_is_replaced)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct err err;

	CHECK(setenv("XDG_STATE_HOME", d.path.s, 1) == 0);
	CHECK(!start_commit(&a, d.path, STR("main")).s);
	CHECK(start_note(&a, d.path, STR("main"), STR("one"), false, &err) == 0);
	CHECK(start_note(&a, d.path, STR("main"), STR("two"), false, &err) == 0);
	CHECK(start_note(&a, d.path, STR("a \"branch\""), STR("three"), false, &err) == 0);
	CHECK_STR(start_commit(&a, d.path, STR("main")), "one");
	CHECK_STR(start_commit(&a, d.path, STR("a \"branch\"")), "three");
	CHECK(start_note(&a, d.path, STR("main"), STR("two"), true, &err) == 0);
	CHECK_STR(start_commit(&a, d.path, STR("main")), "two");
}

TEST(starts_of_sessions_do_not_push_out_those_of_branches)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct err err;

	CHECK(setenv("XDG_STATE_HOME", d.path.s, 1) == 0);
	CHECK(!start_key_of_session(&a, STR("")).s);
	CHECK(start_note(&a, d.path, STR("main"), STR("one"), false, &err) == 0);
	for (int i = 0; i < 200; i++) {
		struct str key = start_key_of_session(&a, str_fmt(&a, "s%d", i));

		CHECK(start_note(&a, d.path, key, str_fmt(&a, "c%d", i), false, &err) == 0);
	}
	CHECK_STR(start_commit(&a, d.path, STR("main")), "one");
	CHECK(!start_commit(&a, d.path, start_key_of_session(&a, STR("s0"))).s);
	CHECK(!start_commit(&a, d.path, start_key_of_session(&a, STR("s49"))).s);
	CHECK_STR(start_commit(&a, d.path, start_key_of_session(&a, STR("s50"))), "c50");
	CHECK_STR(start_commit(&a, d.path, start_key_of_session(&a, STR("s199"))), "c199");
}

TEST(a_failed_review_keeps_the_commit_it_was_compared_with)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct new_result n = {
		.result = { .kind = GATE_REVIEW,
			    .name = STR("quality"),
			    .place = STR("."),
			    .file_part = STR("review_._quality"),
			    .slot = 1,
			    .run = 1,
			    .outcome = OUTCOME_FAIL,
			    .base = STR("abc") },
	};
	struct record r;
	struct err err;

	CHECK(setenv("XDG_STATE_HOME", d.path.s, 1) == 0);
	load(&a, &d, &r);
	CHECK(record_add(&r, &n, &err) == 0);
	end_run(&r, NULL);
	load(&a, &d, &r);
	CHECK(r.latest.count == 1);
	CHECK_STR(r.latest.items[0].base, "abc");
	CHECK(record_clear(&r, true, false, &err) == 0);
	load(&a, &d, &r);
	CHECK(r.latest.count == 1 && past_is_failure(&r.latest.items[0]) && r.latest.items[0].is_archived);
	CHECK_STR(r.latest.items[0].base, "abc");
}
