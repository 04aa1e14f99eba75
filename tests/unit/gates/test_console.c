/* SPDX-License-Identifier: MIT */
/* What a run says, to the byte. */
#include "test.h"

#include "base/buf.h"
#include "base/path.h"
#include "gates/console.h"
#include "os/fd.h"
#include "os/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define TEN                                                                                                \
	"\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81" \
	"\xE2\x94\x81\xE2\x94\x81"
#define RULE TEN TEN TEN TEN "\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81\xE2\x94\x81"

#define CHECK_JOB .id = STR("check:src:bad")
#define REVIEW_JOB .kind = GATE_REVIEW, .id = STR("review:.:quality")

/* What is written to stderr from here on goes to a file; the old one comes back. */
struct diverted {
	int old, fd;
};

static struct diverted
divert(void)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct diverted d = { .old = dup(2) };

	d.fd = open(str_fmt(&a, "%s/stderr", test_dir()).s, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CHECK(d.fd >= 0 && dup2(d.fd, 2) == 2);
	return d;
}

static struct str
restored(struct arena *a, struct diverted *d)
{
	struct str text = STR_NONE;
	struct err err;

	(void)dup2(d->old, 2);
	(void)close(d->old);
	(void)lseek(d->fd, 0, SEEK_SET);
	CHECK(fd_read_all(a, d->fd, MIB(1), &text, &err) == 0);
	(void)close(d->fd);
	return text;
}

static struct logdir
logs(struct arena *a)
{
	return (struct logdir){ .path = str_copy(a, str_from(test_dir())),
				.shown = STR("gauntlet_logs"),
				.dialect = &dialects[DIALECT_GAUNTLET] };
}

static struct str
text_of_log(struct arena *a, const struct console *c)
{
	struct str text = STR_NONE;
	struct err err;

	CHECK(fs_read(a, c->path.s, MIB(1), &text, &err) == 0);
	return text;
}

/* scenario: G13-50 */
TEST(gate_lines_are_those_of_the_original)
{
	static const struct {
		struct gate_result result;
		const char *lines;
	} rows[] = {
		{ { CHECK_JOB, .outcome = OUTCOME_PASS, .message = STR("Command exited with code 0"),
		    .elapsed_ms = 12, .log_path = STR("gauntlet_logs/check_src_bad.1.log") },
		  "[PASS]  check:src:bad (0.01s)\n" },
		{ { CHECK_JOB, .outcome = OUTCOME_FAIL, .message = STR("Exited with code 3"),
		    .elapsed_ms = 83999, .log_path = STR("gauntlet_logs/check_src_bad.1.log") },
		  "[FAIL]  check:src:bad (84.00s) - Exited with code 3\n"
		  "      Log: gauntlet_logs/check_src_bad.1.log\n" },
		{ { CHECK_JOB, .outcome = OUTCOME_ERROR, .message = STR("Missing command: x"),
		    .log_path = STR("gauntlet_logs/check_src_bad.1.log") },
		  "[ERROR] check:src:bad (0.00s) - Missing command: x\n"
		  "      Log: gauntlet_logs/check_src_bad.1.log\n" },
		{ { CHECK_JOB, .outcome = OUTCOME_ERROR, .message = STR("no log") },
		  "[ERROR] check:src:bad (0.00s) - no log\n" },
		{ { REVIEW_JOB, .reviewer = STR("claude"), .slot = 1, .outcome = OUTCOME_FAIL,
		    .elapsed_ms = 60, .message = STR("Found 1 violations"),
		    .log_path = STR("l/r_claude@1.1.log"), .json_path = STR("l/r_claude@1.1.json") },
		  "[FAIL]  review:.:quality (claude@1) (0.06s) - Found 1 violations\n"
		  "      Review: l/r_claude@1.1.json\n" },
		{ { REVIEW_JOB, .reviewer = STR("codex"), .slot = 2, .outcome = OUTCOME_PASS,
		    .elapsed_ms = 60, .message = STR("No problems found"),
		    .log_path = STR("l/r_codex@2.1.log") },
		  "[PASS]  review:.:quality (codex@2) (0.06s) - No problems found\n" },
		{ { REVIEW_JOB, .reviewer = STR("codex"), .slot = 2, .outcome = OUTCOME_ERROR,
		    .elapsed_ms = 60, .message = STR("Command timed out"),
		    .log_path = STR("l/r_codex@2.1.log") },
		  "[ERROR]  review:.:quality (codex@2) (0.06s) - Command timed out\n"
		  "      Log: l/r_codex@2.1.log\n" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct logdir d = logs(&a);
		struct console c;
		struct err err;
		int64_t run = 1;

		console_init(&c, &a, true, NULL);
		CHECK(console_open(&c, &d, &run, &err) == 0);
		struct run_watcher w = console_watcher(&c);

		w.ended(w.context, &rows[i].result);
		console_close(&c);
		CHECK_STR(text_of_log(&a, &c), rows[i].lines);
	}
}

TEST(only_the_first_slot_of_a_review_says_that_it_starts)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = logs(&a);
	struct gate_result r = { REVIEW_JOB };
	struct console c;
	struct err err;
	int64_t run = 7;

	console_init(&c, &a, true, NULL);
	CHECK(console_open(&c, &d, &run, &err) == 0 && run == 7);
	struct run_watcher w = console_watcher(&c);

	w.started(w.context, &r, true);
	w.started(w.context, &r, false);
	CHECK(!w.tick);
	console_close(&c);
	CHECK_STR(text_of_log(&a, &c), "[START] review:.:quality\n");
	CHECK_STR(c.path, str_fmt(&a, STR_FMT "/console.7.log", STR_ARG(d.path)).s);
}

/* scenario: G13-24 */
TEST(stderr_and_the_log_get_the_same_and_a_silent_run_only_the_log)
{
	for (int is_silent = 0; is_silent <= 1; is_silent++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct logdir d = logs(&a);
		struct diverted stderr_file = divert();
		struct console c;
		struct err err;
		int64_t run = 1;

		console_init(&c, &a, is_silent, NULL);
		console_line(&c, "before the log");
		CHECK(console_open(&c, &d, &run, &err) == 0);
		console_log(&c, "INFO", "run", str_cat(&a, 3, " changes"));
		console_close(&c);
		console_line(&c, "after the log");
		CHECK_STR(restored(&a, &stderr_file),
			  is_silent ? "" : "before the log\n[INFO][gauntlet.run] 3 changes\nafter the log\n");
		CHECK_STR(text_of_log(&a, &c), "before the log\n[INFO][gauntlet.run] 3 changes\n");
	}
}

/* scenario: G13-24 */
TEST(colours_are_on_stderr_alone)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = logs(&a);
	struct gate_result t = { CHECK_JOB, .outcome = OUTCOME_FAIL, .message = STR("no") };
	struct console c;
	struct err err;
	int64_t run = 1;

	(void)setenv("CLICOLOR_FORCE", "1", 1);
	struct diverted stderr_file = divert();

	console_init(&c, &a, false, NULL);
	(void)unsetenv("CLICOLOR_FORCE");
	CHECK(console_open(&c, &d, &run, &err) == 0);
	struct run_watcher w = console_watcher(&c);

	w.started(w.context, &t, true);
	w.ended(w.context, &t);
	console_close(&c);
	CHECK_STR(restored(&a, &stderr_file), "\033[34m[START]\033[0m check:src:bad\n"
					      "\033[31m[FAIL]\033[0m  check:src:bad (0.00s) - no\n");
	CHECK_STR(text_of_log(&a, &c), "[START] check:src:bad\n[FAIL]  check:src:bad (0.00s) - no\n");
}

TEST(what_a_project_puts_into_a_line_can_not_command_the_terminal)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result t = { .id = STR("check:a\033[2J\nb:x"),
				 .outcome = OUTCOME_FAIL,
				 .message = STR("\033]0;title\ano"),
				 .log_path = STR("l/\033[1mx") };
	struct diverted stderr_file = divert();
	struct console c;

	console_init(&c, &a, false, NULL);
	struct run_watcher w = console_watcher(&c);

	w.ended(w.context, &t);
	console_line(&c, "two\n\033[31mlines");
	CHECK_STR(restored(&a, &stderr_file),
		  "[FAIL]  check:a b:x (0.00s) - no\n      Log: l/x\ntwo\nlines\n");
}

/* scenario: G13-24 */
TEST(a_number_that_is_taken_is_passed_over)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = logs(&a);
	struct diverted stderr_file = divert();
	struct console c;
	struct err err;
	int64_t run = 2;

	CHECK(fs_create(path_join(&a, d.path, STR("console.2.log")).s, STR("old"), 0600, &err) == 0);
	CHECK(fs_create(path_join(&a, d.path, STR("console.3.log")).s, STR("old"), 0600, &err) == 0);
	console_init(&c, &a, false, NULL);
	int result = console_open(&c, &d, &run, &err);

	console_close(&c);
	CHECK_STR(restored(&a, &stderr_file), "Warning: console.2.log already exists\n"
					      "Warning: console.3.log already exists\n");
	CHECK(result == 0 && run == 4);
	d.path = STR("/nowhere");
	CHECK(console_open(&c, &d, &run, &err) == -1 && err.sys == ENOENT && run == 4);
}

struct view {
	struct buf printed;
	size_t drawn;
};

static void
draw(void *context, const struct gate_result *results, size_t count)
{
	struct view *v = context;

	CHECK(results[0].outcome == OUTCOME_PASS);
	v->drawn += count;
}

static void
print(void *context, struct str lines)
{
	buf_add(&((struct view *)context)->printed, lines);
}

TEST(a_live_view_prints_the_lines_and_shows_itself_what_has_started)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct view v = { .printed = BUF(&a, KIB(4)) };
	struct console_view view = { &v, draw, print };
	struct gate_result t = { CHECK_JOB, .outcome = OUTCOME_PASS };
	struct logdir d = logs(&a);
	struct console c;
	struct err err;
	int64_t run = 1;

	console_init(&c, &a, false, &view);
	CHECK(console_open(&c, &d, &run, &err) == 0);
	struct run_watcher w = console_watcher(&c);

	w.started(w.context, &t, true);
	w.tick(w.context, &t, 1);
	w.ended(w.context, &t);
	console_close(&c);
	CHECK_STR(buf_str(&v.printed), "[PASS]  check:src:bad (0.00s)\n");
	CHECK(v.drawn == 1);
	CHECK_STR(text_of_log(&a, &c), "[START] check:src:bad\n[PASS]  check:src:bad (0.00s)\n");
}

TEST(the_summary_of_a_first_run_that_failed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result results[] = {
		{ CHECK_JOB, .outcome = OUTCOME_PASS },
		{ CHECK_JOB, .outcome = OUTCOME_FAIL },
		{ REVIEW_JOB, .outcome = OUTCOME_FAIL, .findings.count = 3 },
		{ CHECK_JOB, .outcome = OUTCOME_SKIPPED },
	};
	struct fix_report fixes = { .runs = 1 };

	CHECK_STR(summary_text(&a,
			       &(struct run_summary){ &fixes, results, COUNT_OF(results), 0, STATUS_FAILED }),
		  "\n" RULE "\nRESULTS SUMMARY\n" RULE "\n"
		  "\n" RULE "\nTotal: 0 fixed, 0 skipped, 4 failed\nStatus: Failed\n" RULE "\n\n");
}

/* scenario: G13-51 */
TEST(the_summary_tells_what_became_of_earlier_failures)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct fix_line lines[] = {
		{ .run = 2, .text = STR("review_._quality (1) - src/a.txt:2 Bad line") },
		{ .run = 2, .text = STR("check_src_bad - 1 violations resolved") },
		{ .run = 3,
		  .is_skip = true,
		  .text = STR("review_._quality (claude) - src/a.txt:2 Bad line"),
		  .reason = STR("not wanted") },
		{ .run = 3, .is_skip = true, .text = STR("review_._quality (claude) - src/b.txt:3 Other") },
	};
	struct fix_report fixes = { lines, COUNT_OF(lines), .runs = 3, .fixed = 2, .skipped = 2 };

	CHECK_STR(summary_text(&a, &(struct run_summary){ .fixes = &fixes,
							  .status = STATUS_PASSED_WITH_WARNINGS }),
		  "\n" RULE "\nRESULTS SUMMARY\n" RULE "\n"
		  "\nIteration 2:\n"
		  "  \xE2\x9C\x93 Fixed: review_._quality (1) - src/a.txt:2 Bad line\n"
		  "  \xE2\x9C\x93 Fixed: check_src_bad - 1 violations resolved\n"
		  "\nIteration 3:\n"
		  "  \xE2\x8A\x98 Skipped: review_._quality (claude) - src/a.txt:2 Bad line\n"
		  "    Reason: not wanted\n"
		  "  \xE2\x8A\x98 Skipped: review_._quality (claude) - src/b.txt:3 Other\n"
		  "\n" RULE "\nTotal: 2 fixed, 2 skipped, 0 failed after 3 iterations\n"
		  "Status: Passed with warnings\n" RULE "\n\n");
}

TEST(the_native_summary_counts_gates_by_how_they_ended)
{
	static const struct {
		struct gate_result results[7];
		size_t count, reused;
		const char *text;
	} rows[] = {
		{ { { CHECK_JOB, .outcome = OUTCOME_PASS } }, 1, 0, "1 gate: 1 passed\n" },
		{ { { CHECK_JOB, .outcome = OUTCOME_PASS } }, 1, 2, "3 gates: 1 passed, 2 reused\n" },
		{ { { .id = STR("a"), .outcome = OUTCOME_PASS, .is_fixed = true },
		    { .id = STR("b"), .outcome = OUTCOME_PASS, .is_flaky = true },
		    { .id = STR("c"), .outcome = OUTCOME_FAIL },
		    { .id = STR("d"), .outcome = OUTCOME_ERROR },
		    { .id = STR("e"),
		      .title = STR("e in x"),
		      .outcome = OUTCOME_SKIPPED,
		      .message = STR("not run: it needs c, which has not passed") },
		    { .id = STR("f"), .outcome = OUTCOME_PASS },
		    { .id = STR("g"), .outcome = OUTCOME_PASS } },
		  7,
		  0,
		  "- e in x not run: it needs c, which has not passed\n"
		  "7 gates: 2 passed, 1 fixed, 1 flaky, 1 failed, 1 not run, 1 could not run\n" },
		/* A review with several slots is one gate. */
		{ { { REVIEW_JOB, .slot = 1, .outcome = OUTCOME_PASS, .pass_run = 1 },
		    { REVIEW_JOB, .slot = 2, .outcome = OUTCOME_FAIL } },
		  2,
		  0,
		  "1 gate: 1 failed\n" },
		{ { { REVIEW_JOB, .slot = 1, .outcome = OUTCOME_PASS, .pass_run = 1 },
		    { REVIEW_JOB, .slot = 2, .outcome = OUTCOME_PASS } },
		  2,
		  0,
		  "1 gate: 1 passed\n" },
	};
	struct fix_report none = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct run_summary s = { &none, rows[i].results, rows[i].count, rows[i].reused,
					 STATUS_FAILED };

		CHECK_STR(summary_native(&a, &s), rows[i].text);
	}
}

TEST(native_lines_name_the_gate_and_show_why_it_failed)
{
	struct str finding = STR("a.c:2 - bad");
	const struct {
		struct gate_result result;
		const char *lines;
	} rows[] = {
		{ { CHECK_JOB, .title = STR("bad in src"), .outcome = OUTCOME_PASS,
		    .message = STR("Command exited with code 0"), .elapsed_ms = 1234 },
		  "\xE2\x9C\x93 bad in src passed in 1.23 s\n" },
		{ { CHECK_JOB, .title = STR("bad"), .outcome = OUTCOME_FAIL, .command = STR("make test"),
		    .message = STR("Exited with code 3"),
		    .output = STR("x\n\033[31msrc/a.c:3:5: error: no\n"),
		    .log_path = STR(".holdfast/check_._bad.1.log") },
		  "\xE2\x9C\x97 bad failed in 0.00 s: Exited with code 3\n"
		  "    $ make test\n"
		  "    src/a.c:3:5: error: no\n"
		  "    log: ../.holdfast/check_._bad.1.log\n" },
		{ { CHECK_JOB, .title = STR("bad"), .outcome = OUTCOME_ERROR,
		    .message = STR("Missing command: x") },
		  "! bad could not run: Missing command: x\n" },
		{ { REVIEW_JOB, .title = STR("quality"), .reviewer = STR("claude"), .slot = 1,
		    .outcome = OUTCOME_FAIL, .message = STR("Found 1 violation"), .findings = { &finding, 1 },
		    .json_path = STR("/logs/r_claude@1.1.json") },
		  "\xE2\x9C\x97 quality (claude@1) failed in 0.00 s: Found 1 violation\n"
		  "    a.c:2 - bad\n"
		  "    findings: /logs/r_claude@1.1.json\n" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct logdir d = logs(&a);
		struct console c;
		struct err err;
		int64_t run = 1;

		console_init(&c, &a, true, NULL);
		c.has_plain_texts = c.shows_output = true;
		c.up = STR("../");
		CHECK(console_open(&c, &d, &run, &err) == 0);
		struct run_watcher w = console_watcher(&c);

		w.ended(w.context, &rows[i].result);
		console_close(&c);
		CHECK_STR(text_of_log(&a, &c), rows[i].lines);
	}
}

TEST(each_status_has_its_word)
{
	static const struct {
		enum status status;
		enum gate_outcome outcome;
		const char *word;
	} rows[] = {
		{ STATUS_PASSED, OUTCOME_PASS, "Passed" },
		{ STATUS_PASSED_WITH_WARNINGS, OUTCOME_PASS, "Passed with warnings" },
		{ STATUS_FAILED, OUTCOME_FAIL, "Failed" },
		{ STATUS_FAILED, OUTCOME_ERROR, "Error" },
		{ STATUS_FAILED, OUTCOME_SKIPPED, "Failed" },
		{ STATUS_RETRY_LIMIT_EXCEEDED, OUTCOME_ERROR, "Retry limit exceeded" },
		{ STATUS_INFRASTRUCTURE_ERROR, OUTCOME_ERROR, "Error" },
		{ STATUS_ERROR, OUTCOME_PASS, "Error" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct gate_result t = { CHECK_JOB, .outcome = rows[i].outcome };

		CHECK_STR(summary_word(rows[i].status, &t, 1), rows[i].word);
	}
}

TEST(the_summary_goes_to_the_log_without_colours)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = logs(&a);
	struct fix_line line = { .run = 2, .text = STR("x\033[31my") };
	struct fix_report fixes = { &line, 1, .runs = 2, .fixed = 1 };
	struct console c;
	struct err err;
	int64_t run = 2;

	(void)setenv("CLICOLOR_FORCE", "1", 1);
	struct diverted stderr_file = divert();

	console_init(&c, &a, false, NULL);
	(void)unsetenv("CLICOLOR_FORCE");
	CHECK(console_open(&c, &d, &run, &err) == 0);
	console_summary(&c, &(struct run_summary){ .fixes = &fixes, .status = STATUS_PASSED });
	console_close(&c);
	struct str shown = restored(&a, &stderr_file), logged = text_of_log(&a, &c);

	CHECK(str_find(shown, STR("\033[32mStatus: Passed\033[0m\n")) > 0);
	CHECK(str_find(shown, STR("Total: 1 fixed, 0 skipped, 0 failed after 2 iterations\n")) > 0);
	CHECK(str_find_char(logged, '\033') < 0);
	CHECK(str_find(logged, STR("\n  \xE2\x9C\x93 Fixed: xy\n")) > 0);
	CHECK(str_ends(logged, STR("\nStatus: Passed\n" RULE "\n\n")));
}

TEST(notes_tell_the_user_what_reviewers_did_not_see_and_what_they_saw_elsewhere)
{
	static struct str hidden[] = { STR("a (binary)"), STR("b\n(binary)") },
			  again[] = { STR("a (binary)") };
	static struct str asides[12];
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gate_result results[] = {
		{ CHECK_JOB },
		{ REVIEW_JOB, .reviewer = STR("claude"), .slot = 1, .not_shown = { hidden, 2 } },
		{ REVIEW_JOB, .reviewer = STR("codex"), .slot = 2, .not_shown = { again, 1 } },
	};

	CHECK(review_notes(&a, results, 1).count == 0);
	struct str_list notes = review_notes(&a, results, COUNT_OF(results));

	CHECK(notes.count == 1);
	CHECK_STR(notes.items[0], "the reviewer was not shown a (binary), b (binary)");
	for (size_t i = 0; i < COUNT_OF(asides); i++)
		asides[i] = str_fmt(&a, "x:%zu - odd", i);
	results[2].asides = (struct str_list){ asides, COUNT_OF(asides) };
	notes = review_notes(&a, results, COUNT_OF(results));
	CHECK(notes.count == 2);
	CHECK(str_starts(notes.items[1],
			 STR("review:.:quality (codex@2) reports, but not on a line that the change "
			     "adds: x:0 - odd, x:1 - odd")));
	CHECK(str_ends(notes.items[1], STR("x:9 - odd and 2 more")));
}
