/* SPDX-License-Identifier: MIT */
/* The fold of results by itself, without files: which result is the newest, what stays when logs are archived, and what became of
 * failures. */
#include "test.h"

#include "record/fold.h"

#include <string.h>

#define LINES 8

/* A record with a journal of lines that nothing needs yet. */
static struct record
new_record(struct arena *a)
{
	struct record r = { .arena = a, .fold = arena_new(a, struct record_fold) };

	r.fold->of_lines = r.fold->of_latest = a;
	/* The line before the first must stay as it is. */
	r.fold->lines = arena_array(a, LINES + 1, struct journal_line);
	r.fold->lines++->is_needed = true;
	r.fold->line_count = LINES;
	return r;
}

static const struct past_result check = { .kind = GATE_CHECK,
					  .outcome = OUTCOME_FAIL,
					  .name = STR("lint"),
					  .place = STR("src"),
					  .file_part = STR("check_src_lint"),
					  .run = 1 };
static const struct past_result slot = { .kind = GATE_REVIEW,
					 .outcome = OUTCOME_FAIL,
					 .name = STR("quality"),
					 .place = STR("."),
					 .file_part = STR("review_._quality"),
					 .slot = 1,
					 .adapter = STR("bot"),
					 .run = 1 };

static struct past_result
with(struct past_result p, enum gate_outcome outcome)
{
	p.outcome = outcome;
	return p;
}

/* The lines that are needed, as "x..x....". */
static struct str
needed(struct arena *a, const struct record *r)
{
	struct buf b = BUF(a, SIZE_MAX);

	CHECK((r->fold->lines - 1)->is_needed);
	for (size_t i = 0; i < LINES; i++)
		buf_addc(&b, r->fold->lines[i].is_needed ? 'x' : '.');
	return buf_str(&b);
}

/* ---- which result is whose ---- */

TEST(a_result_replaces_only_one_of_the_same_gate_or_slot)
{
	static const struct {
		const char *name;
		struct past_result other;
		bool is_same;
	} rows[] = {
		{ "itself",
		  { .name = STR("lint"), .place = STR("src"), .file_part = STR("check_src_lint") },
		  true },
		{ "another gate",
		  { .name = STR("l-nt"), .place = STR("src"), .file_part = STR("check_src_lint") },
		  false },
		{ "in another place",
		  { .name = STR("lint"), .place = STR("s-c"), .file_part = STR("check_src_lint") },
		  false },
		{ "with another file name",
		  { .name = STR("lint"), .place = STR("src"), .file_part = STR("check_s-c_lint") },
		  false },
		{ "another slot",
		  { .name = STR("lint"), .place = STR("src"), .file_part = STR("check_src_lint"), .slot = 1 },
		  false },
		{ "of another kind",
		  { .kind = GATE_REVIEW,
		    .name = STR("lint"),
		    .place = STR("src"),
		    .file_part = STR("check_src_lint"),
		    .slot = 1 },
		  false },
		/* the log of the first did name its gate */
		{ "without a name", { .file_part = STR("check_src_lint") }, false },
		{ "without a place", { .name = STR("lint"), .file_part = STR("check_src_lint") }, false },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct record r = new_record(&a);

		fold_result(&r, &check, 0);
		CHECK_ROW(rows[i].name, (fold_find(&r, &rows[i].other) != NULL) == rows[i].is_same);
		fold_result(&r, &rows[i].other, 0);
		CHECK_ROW(rows[i].name, r.latest.count == (rows[i].is_same ? 1 : 2));
		CHECK_ROW(rows[i].name, r.result_count == 2);
	}
}

TEST(a_result_with_a_name_takes_the_place_of_one_whose_log_named_none)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);
	struct past_result nameless = { .outcome = OUTCOME_FAIL, .file_part = STR("check_src_lint") };
	struct past_result other = { .name = STR("l-nt"),
				     .place = STR("src"),
				     .file_part = STR("check_src_lint") };

	CHECK(!fold_find(&r, &check));
	fold_result(&r, &nameless, 0);
	CHECK(fold_find(&r, &check));
	fold_result(&r, &check, 0);
	CHECK(r.latest.count == 1);
	CHECK_STR(r.latest.items[0].name, "lint");
	/* it has a name from now on */
	CHECK(!fold_find(&r, &nameless) && !fold_find(&r, &other));
	fold_result(&r, &check, 0);
	CHECK(r.latest.count == 1);
	/* half a name is none */
	for (int i = 0; i < 2; i++) {
		r = new_record(&a);
		*(i == 0 ? &nameless.name : &nameless.place) = STR("x");
		*(i == 0 ? &nameless.place : &nameless.name) = STR_NONE;
		fold_result(&r, &nameless, 0);
		fold_result(&r, &check, 0);
		CHECK(r.latest.count == 1);
	}
}

/* Of many results some meet in the table: each fact tells them apart. */
TEST(each_of_many_results_is_found)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (int fact = 0; fact < 5; fact++) {
		struct record r = new_record(&a);

		for (int i = 0; i < 300; i++) {
			struct past_result p = check;

			if (fact == 0)
				p.file_part = str_cat(&a, "part", i % 150);
			else if (fact == 1)
				p.name = str_cat(&a, i % 150);
			else if (fact == 2)
				p.place = str_cat(&a, i % 150);
			else
				p.slot = 1 + i % 150 / (fact - 2);
			if (fact == 4)
				p.kind = i % 2 ? GATE_REVIEW : GATE_CHECK;
			p.run = i;
			fold_result(&r, &p, 0);
			CHECK(fold_find(&r, &p) == &r.latest.items[i % 150] && fold_find(&r, &p)->run == i);
			CHECK(i != 31 || r.fold->table_size == 64);
			CHECK(i != 32 || r.fold->table_size == 128);
		}
		CHECK(r.latest.count == 150);
	}
}

/* ---- the newest ---- */

TEST(an_error_leaves_a_failure_as_it_was)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct past_result error = with(check, OUTCOME_ERROR), pass = with(check, OUTCOME_PASS);
	struct record r = new_record(&a);

	fold_result(&r, &error, 0);
	CHECK(r.latest.items[0].outcome == OUTCOME_ERROR);
	fold_result(&r, &check, 0);
	fold_result(&r, &error, 0);
	CHECK(past_is_failure(&r.latest.items[0]));
	fold_result(&r, &pass, 0);
	fold_result(&r, &error, 0);
	CHECK(r.latest.items[0].outcome == OUTCOME_ERROR);
}

TEST(what_was_skipped_and_the_program_stay_until_there_are_others)
{
	static const struct finding one = { .file = STR("a.c"), .issue = STR("x") };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct past_result first = slot, second = slot, third = slot;
	struct record r = new_record(&a);

	first.skipped.items = &one;
	first.skipped.count = 1;
	first.program = STR("make");
	fold_result(&r, &first, 0);
	fold_result(&r, &second, 0);
	CHECK(r.latest.items[0].skipped.items == &one && r.latest.items[0].skipped.count == 1);
	CHECK_STR(r.latest.items[0].program, "make");
	CHECK(past_skipped(&r.latest) == 1);
	third.skipped.items = (const struct finding[]){ one, one };
	third.skipped.count = 2;
	third.program = STR("ninja");
	fold_result(&r, &third, 0);
	CHECK(past_skipped(&r.latest) == 2);
	CHECK_STR(r.latest.items[0].program, "ninja");
}

TEST(a_review_that_passes_without_slots_ends_failures_whose_findings_are_lost)
{
	static const struct {
		const char *name;
		enum gate_outcome outcome, old;
		enum gate_kind kind;
		bool has_ids, is_other;
		enum gate_outcome expected;
	} rows[] = {
		{ "lost", OUTCOME_PASS, OUTCOME_FAIL, GATE_REVIEW, false, false, OUTCOME_ERROR },
		{ "passed", OUTCOME_PASS, OUTCOME_PASS, GATE_REVIEW, false, false, OUTCOME_PASS },
		{ "known", OUTCOME_PASS, OUTCOME_FAIL, GATE_REVIEW, true, false, OUTCOME_FAIL },
		{ "another review", OUTCOME_PASS, OUTCOME_FAIL, GATE_REVIEW, false, true, OUTCOME_FAIL },
		{ "a check", OUTCOME_PASS, OUTCOME_FAIL, GATE_CHECK, false, false, OUTCOME_FAIL },
		{ "no pass", OUTCOME_FAIL, OUTCOME_FAIL, GATE_REVIEW, false, false, OUTCOME_FAIL },
		{ "an error", OUTCOME_ERROR, OUTCOME_FAIL, GATE_REVIEW, false, false, OUTCOME_FAIL },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str id = STR("id");

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct past_result old = with(slot, rows[i].old), empty = with(slot, rows[i].outcome);
		struct record r = new_record(&a);

		old.kind = rows[i].kind;
		old.finding_ids = (struct str_list){ &id, rows[i].has_ids };
		if (rows[i].is_other)
			old.file_part = STR("review_._other");
		empty.slot = 0;
		fold_result(&r, &old, 0);
		fold_result(&r, &empty, 0);
		CHECK_ROW(rows[i].name, r.latest.count == 1 && r.latest.items[0].outcome == rows[i].expected);
	}
}

/* ---- lines that are needed ---- */

TEST(the_line_of_a_result_is_needed_until_another_takes_its_place)
{
	static const struct finding one = { .file = STR("a.c"), .issue = STR("x") };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);
	struct past_result p = slot;

	fold_result(&r, &check, 1);
	CHECK_STR(needed(&a, &r), "x.......");
	fold_result(&r, &check, 2);
	CHECK_STR(needed(&a, &r), ".x......");
	fold_result(&r, &check, 0);
	CHECK_STR(needed(&a, &r), "........");
	/* a line about what was skipped needs that of its result */
	fold_result(&r, &p, 3);
	r.latest.items[1].skipped.items = &one;
	r.latest.items[1].skipped.count = 1;
	fold_result(&r, &p, 4);
	CHECK_STR(needed(&a, &r), "..xx....");
}

TEST(an_archive_needs_the_state_itself_and_what_stays)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);
	struct past_result passed = with(slot, OUTCOME_PASS);

	fold_result(&r, &check, 2);
	fold_result(&r, &passed, 3); /* without a key: nothing stays of it */
	r.fold->lines[0].is_needed = r.fold->lines[LINES - 1].is_needed = true;
	fold_set_source(&r, &r.fold->state_source, 4, false);
	fold_clear(&r, false, 6);
	CHECK_STR(needed(&a, &r), ".x.x.x..");
	CHECK(fold_find(&r, &check) == r.latest.items && !fold_find(&r, &passed));
	/* a new result has no line that it could replace */
	r.fold->lines[0].is_needed = r.fold->lines[2].is_needed = true;
	fold_result(&r, &passed, 5);
	CHECK_STR(needed(&a, &r), "xxxxxx..");
	fold_clear(&r, false, 7);
	CHECK_STR(needed(&a, &r), ".x.x..x.");
	fold_result(&r, &check, 8);
	CHECK_STR(needed(&a, &r), "...x..xx");
}

/* ---- the archive ---- */

TEST(what_stays_of_a_result_when_its_logs_are_archived)
{
	static const struct {
		const char *name;
		enum gate_outcome outcome;
		const char *key, *program;
		bool stays;
	} rows[] = {
		{ "a failure", OUTCOME_FAIL, NULL, NULL, true },
		{ "a pass with a key", OUTCOME_PASS, "k", NULL, true },
		{ "a pass with a program", OUTCOME_PASS, NULL, "make", true },
		{ "a pass", OUTCOME_PASS, NULL, NULL, false },
		{ "an error with a key", OUTCOME_ERROR, "k", "make", false },
	};
	static const struct finding one = { .file = STR("a.c"), .issue = STR("x") };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct past_result p = with(slot, rows[i].outcome);
		struct record r = new_record(&a);

		p.run = 7;
		p.key = str_from(rows[i].key);
		p.program = str_from(rows[i].program);
		p.definition = STR("d");
		p.base = STR("b");
		p.is_unconfirmed = true;
		p.ended_ms = 5;
		p.log = STR("log");
		p.open.items = p.skipped.items = &one;
		p.open.count = p.skipped.count = 1;
		fold_result(&r, &p, 0);
		fold_report_fixed(&r, &p, (struct str_list){ (struct str[]){ STR("text") }, 1 });
		fold_clear(&r, false, 0);
		CHECK_ROW(rows[i].name, r.latest.count == rows[i].stays);
		CHECK_ROW(rows[i].name, r.result_count == 0 && r.fold->report_count == 0);
		if (!rows[i].stays)
			continue;
		const struct past_result *left = &r.latest.items[0];

		CHECK_ROW(rows[i].name, fold_find(&r, &p) == left);
		CHECK_ROW(rows[i].name, left->kind == GATE_REVIEW && left->outcome == p.outcome);
		CHECK_ROW(rows[i].name, str_is(left->name, "quality") && str_is(left->place, "."));
		CHECK_ROW(rows[i].name, str_is(left->file_part, "review_._quality") && left->slot == 1);
		CHECK_ROW(rows[i].name, str_is(left->adapter, "bot") && left->run == 7);
		CHECK_ROW(rows[i].name, str_eq(left->key, p.key) && str_eq(left->program, p.program));
		CHECK_ROW(rows[i].name, str_is(left->definition, "d") && str_is(left->base, "b"));
		CHECK_ROW(rows[i].name, left->is_unconfirmed && left->ended_ms == 5 && left->is_archived);
		CHECK_ROW(rows[i].name, !left->log.s && left->open.count == 0 && left->skipped.count == 0);
	}
}

TEST(the_state_goes_with_the_logs_but_for_what_was_seen)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);

	r.has_state = true;
	r.state = (struct execution_state){ .commit = STR("c"), .seen = STR("s"), .branch = STR("main") };
	fold_clear(&r, false, 0);
	CHECK(r.has_state);
	CHECK_STR(r.state.commit, "c");
	fold_clear(&r, true, 0);
	CHECK(!r.has_state && !r.state.commit.s);
	CHECK_STR(r.state.seen, "s");
	CHECK_STR(r.state.branch, "main");
	r.state.seen = STR_NONE;
	fold_clear(&r, true, 0);
	CHECK(!r.state.seen.s && !r.state.branch.s);
}

TEST(a_record_is_empty_without_results_and_state)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);

	CHECK(record_is_empty(&r));
	r.has_state = true;
	CHECK(!record_is_empty(&r));
	r.has_state = false;
	fold_result(&r, &check, 0);
	CHECK(!record_is_empty(&r));
}

/* ---- keys ---- */

TEST(the_end_of_a_run_confirms_the_keys_that_it_names)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);
	struct str named = STR("k");
	struct past_result p = check;
	static const char *const keys[] = { "k", "l", NULL };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		p.file_part = str_cat(&a, i);
		p.key = str_from(keys[i]);
		p.is_unconfirmed = true;
		fold_result(&r, &p, 0);
	}
	p.file_part = STR("earlier");
	p.key = STR("l");
	p.is_unconfirmed = false;
	fold_result(&r, &p, 0);
	p.file_part = STR("last");
	p.is_unconfirmed = true;
	fold_result(&r, &p, 0);
	fold_run_end(&r, &(struct str_list){ &named, 1 }, 9);
	CHECK_STR(r.latest.items[0].key, "k");
	CHECK(!r.latest.items[1].key.s && !r.latest.items[2].key.s);
	for (size_t i = 0; i < 3; i++)
		CHECK(!r.latest.items[i].is_unconfirmed && r.latest.items[i].ended_ms == 9);
	CHECK_STR(r.latest.items[3].key, "l");
	CHECK(r.latest.items[3].ended_ms == 0);
	CHECK(!r.latest.items[4].key.s && r.latest.items[4].ended_ms == 9);
}

/* A pass that is not confirmed leaves the failure before it. */
TEST(a_failure_ends_when_a_pass_is_confirmed)
{
	static const struct row {
		const char *name, *key, *confirmed;
		bool was_confirmed, is_archived, is_twice;
		enum gate_outcome before, after;
	} rows[] = {
		{ "confirmed", "k", "k", false, false, false, OUTCOME_FAIL, OUTCOME_PASS },
		{ "not confirmed", "k", "other", false, false, false, OUTCOME_FAIL, OUTCOME_FAIL },
		{ "archived", "k", "other", false, true, false, OUTCOME_FAIL, OUTCOME_FAIL },
		{ "twice", "k", "other", false, false, true, OUTCOME_FAIL, OUTCOME_FAIL },
		{ "twice, confirmed", "k", "k", false, true, true, OUTCOME_FAIL, OUTCOME_PASS },
		{ "without a key", NULL, "k", false, false, false, OUTCOME_PASS, OUTCOME_PASS },
		{ "read as confirmed", "k", "other", true, false, false, OUTCOME_PASS, OUTCOME_PASS },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct row *w = &rows[i];
		struct past_result p = with(check, OUTCOME_PASS);
		struct str confirmed = str_from(w->confirmed);
		struct record r = new_record(&a);
		const struct past_result *seen;

		fold_result(&r, &check, 1);
		p.key = str_from(w->key);
		p.is_unconfirmed = !w->was_confirmed;
		fold_result(&r, &p, 2);
		if (w->is_twice)
			fold_result(&r, &p, 3);
		/* The line of the failure is needed for as long as it may come back. */
		CHECK_ROW(w->name, r.fold->lines[0].is_needed == (w->before == OUTCOME_FAIL));
		if (w->is_archived)
			fold_clear(&r, false, 0);
		seen = &r.latest.items[0];
		CHECK_ROW(w->name, past_is_failure(seen) == (w->before == OUTCOME_FAIL));
		fold_run_end(&r, &(struct str_list){ &confirmed, 1 }, 9);
		CHECK_ROW(w->name, seen->outcome == w->after && !seen->failure);
		CHECK_ROW(w->name, past_is_failure(seen) == (w->after == OUTCOME_FAIL));
		CHECK_ROW(w->name, !seen->is_unconfirmed && seen->ended_ms == (w->was_confirmed ? 0 : 9));
	}
}

TEST(what_is_no_pass_after_a_failure_replaces_the_result_at_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct past_result again = with(check, OUTCOME_FAIL), pass = with(check, OUTCOME_PASS);
	struct record r = new_record(&a), other = new_record(&a);

	again.key = pass.key = STR("k");
	again.is_unconfirmed = pass.is_unconfirmed = true;
	again.run = 2;
	fold_result(&r, &check, 0);
	fold_result(&r, &again, 0);
	fold_run_end(&r, &(struct str_list){ 0 }, 9);
	CHECK(r.latest.items[0].run == 2 && r.latest.items[0].outcome == OUTCOME_FAIL);
	fold_result(&other, &pass, 0);
	fold_result(&other, &pass, 0);
	CHECK(!past_is_failure(&other.latest.items[0]));
}

/* ---- counts ---- */

TEST(failures_are_counted_by_gate_and_named_once)
{
	static const struct finding two[] = { { .file = STR("a.c"), .issue = STR("x") },
					      { .file = STR("b.c"), .issue = STR("y") } };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);
	struct past_result p = slot;

	CHECK(past_failures(&r.latest) == 0 && record_failures(&r).count == 0);
	p.open.items = two;
	p.open.count = 2;
	p.skipped.items = two;
	p.skipped.count = 1;
	struct past_result first = check;

	first.open.items = two;
	first.open.count = 1;
	fold_result(&r, &first, 0);
	fold_result(&r, &p, 0);
	p.slot = 2;
	fold_result(&r, &p, 0);
	p = with(check, OUTCOME_PASS);
	p.name = p.file_part = STR("check_passed");
	p.open.items = two;
	p.open.count = 2;
	fold_result(&r, &p, 0);
	p = (struct past_result){
		.outcome = OUTCOME_FAIL, .file_part = STR("old"), .open.items = two, .open.count = 1
	};
	fold_result(&r, &p, 0);
	CHECK(past_failures(&r.latest) == 3);
	CHECK(past_violations(&r.latest) == 6 && past_skipped(&r.latest) == 2);
	struct str_list names = record_failures(&r);

	CHECK(names.count == 3);
	CHECK_STR(names.items[0], "check:src:lint");
	CHECK_STR(names.items[1], "old");
	CHECK_STR(names.items[2], "review:.:quality");
}

/* ---- what became of failures ---- */

TEST(the_report_is_by_run_then_what_was_fixed_then_by_gate_and_slot)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct record r = new_record(&a);
	static const struct finding skipped = { .file = STR("a.c"),
						.line = 1,
						.issue = STR("x"),
						.result = STR("no\nmatter") },
				    bare = { .file = STR("a.c"), .issue = STR("x") };
	struct past_result p = slot, q = slot;
	struct fix_report t;
	struct buf b = BUF(&a, SIZE_MAX);

	record_report(&r, &t);
	CHECK(t.count == 0);
	p.run = 2;
	fold_report_fixed(&r, &p, (struct str_list){ (struct str[]){ STR("late") }, 1 });
	record_report(&r, &t);
	CHECK(t.count == 1 && t.fixed == 1);
	CHECK_STR(t.items[0].text, "late");
	fold_report_skipped(&r, &slot, &skipped);
	q.slot = 2;
	fold_report_fixed(&r, &q, (struct str_list){ (struct str[]){ STR("slot 2") }, 1 });
	fold_report_fixed(&r, &slot, (struct str_list){ (struct str[]){ STR("first") }, 1 });
	fold_report_fixed(&r, &slot, (struct str_list){ (struct str[]){ STR("second") }, 1 });
	fold_report_fixed(&r, &check, (struct str_list){ (struct str[]){ STR("check") }, 1 });
	fold_report_skipped(&r, &slot, &bare);
	record_report(&r, &t);
	for (size_t i = 0; i < t.count; i++)
		buf_cat(&b, t.items[i].text, t.items[i].reason.s ? " because " : "", t.items[i].reason, "\n");
	CHECK_STR(buf_str(&b), "check\nfirst\nsecond\nslot 2\n"
			       "review_._quality (bot) - a.c:1 x because no matter\n"
			       "review_._quality (bot) - a.c:? x\nlate\n");
	CHECK(t.fixed == 5 && t.skipped == 2);
	CHECK(t.items[0].run == 1 && t.items[6].run == 2 && t.items[4].is_skip && !t.items[3].is_skip);
}

TEST(all_findings_are_the_open_and_then_the_skipped)
{
	static const struct finding open = { .issue = STR("open") }, skipped = { .issue = STR("skipped") };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct past_result p = {
		.open.items = &open, .open.count = 1, .skipped.items = &skipped, .skipped.count = 1
	};
	struct finding_list all = past_all_findings(&a, &p);

	CHECK(all.count == 2);
	CHECK_STR(all.items[0].issue, "open");
	CHECK_STR(all.items[1].issue, "skipped");
}

TEST(what_a_newer_result_has_fixed)
{
	static const struct finding found[] = { { .file = STR("a.c"), .line = 2, .issue = STR("Bad") },
						{ .file = STR("b.c"), .issue = STR("Odd") } };
	static const struct {
		const char *name;
		struct past_result old, now;
		bool has_open_now, has_skipped_now;
		const char *expected;
	} rows[] = {
		{ "a check that passes",
		  { .outcome = OUTCOME_FAIL },
		  { .outcome = OUTCOME_PASS },
		  false,
		  false,
		  "x - 2 violations resolved\n" },
		{ "a check that fails",
		  { .outcome = OUTCOME_FAIL },
		  { .outcome = OUTCOME_FAIL },
		  false,
		  false,
		  "" },
		{ "a check that could not run",
		  { .outcome = OUTCOME_FAIL },
		  { .outcome = OUTCOME_ERROR },
		  false,
		  false,
		  "" },
		{ "a check that had passed",
		  { .outcome = OUTCOME_PASS },
		  { .outcome = OUTCOME_PASS },
		  false,
		  false,
		  "" },
		{ "a slot that passes",
		  { .outcome = OUTCOME_FAIL, .slot = 3 },
		  { .outcome = OUTCOME_PASS, .slot = 3 },
		  false,
		  false,
		  "x (3) - a.c:2 Bad\nx (3) - b.c:? Odd\n" },
		{ "a slot that still fails",
		  { .outcome = OUTCOME_FAIL, .slot = 3 },
		  { .outcome = OUTCOME_FAIL, .slot = 3 },
		  true,
		  false,
		  "x (3) - b.c:? Odd\n" },
		{ "a slot whose finding was skipped",
		  { .outcome = OUTCOME_FAIL, .slot = 3 },
		  { .outcome = OUTCOME_PASS, .slot = 3 },
		  false,
		  true,
		  "x (3) - b.c:? Odd\n" },
		{ "a slot that could not run",
		  { .outcome = OUTCOME_FAIL, .slot = 3 },
		  { .outcome = OUTCOME_ERROR, .slot = 3 },
		  false,
		  false,
		  "" },
		{ "another slot",
		  { .outcome = OUTCOME_FAIL, .slot = 3 },
		  { .outcome = OUTCOME_PASS, .slot = 2 },
		  false,
		  false,
		  "" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct past_result old = rows[i].old, now = rows[i].now;
		struct record r = new_record(&a);

		old.kind = now.kind = old.slot > 0 ? GATE_REVIEW : GATE_CHECK;
		old.file_part = now.file_part = STR("x");
		old.open.items = found;
		old.open.count = 2;
		now.open.items = now.skipped.items = found;
		now.open.count = rows[i].has_open_now;
		now.skipped.count = rows[i].has_skipped_now;
		fold_result(&r, &old, 0);
		struct str_list fixed = fold_fixed_by(&r, &now);
		struct buf b = BUF(&a, SIZE_MAX);

		for (size_t k = 0; k < fixed.count; k++)
			buf_cat(&b, fixed.items[k], "\n");
		CHECK_ROW(rows[i].name, str_is(buf_str(&b), rows[i].expected));
	}
	struct record r = new_record(&a);

	CHECK(fold_fixed_by(&r, &check).count == 0);
	fold_result(&r, &check, 0); /* its findings are not known */
	CHECK(fold_fixed_by(&r, &(struct past_result){ .outcome = OUTCOME_PASS,
						       .name = STR("lint"),
						       .place = STR("src"),
						       .file_part = STR("check_src_lint") })
		      .count == 0);
}
