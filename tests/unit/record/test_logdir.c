/* SPDX-License-Identifier: MIT */
/* The log directory: names and numbers, and the state. */
#include "log_directory.h"

#include "record/state.h"

#include "model/logname.h"
#include "os/fs.h"

#include <unistd.h>

/* scenario: G13-23 G13-35 */
TEST(the_names_of_logs_are_taken_apart)
{
	static const struct {
		const char *name;
		bool is_log;
		const char *part, *adapter;
		int64_t slot, run;
		bool is_json, is_console;
	} rows[] = {
		{ "check_src_lint.1.log", true, "check_src_lint", NULL, 0, 1, false, false },
		{ "check_src_test.12.log", true, "check_src_test", NULL, 0, 12, false, false },
		{ "check_._a.b.2.log", true, "check_._a.b", NULL, 0, 2, false, false },
		{ "check_src.1000000000.log", true, "check_src", NULL, 0, 1000000000, false, false },
		{ "review_._quality_claude@1.1.json", true, "review_._quality", "claude", 1, 1, true, false },
		{ "review_src_quality_github-copilot@2.3.log", true, "review_src_quality", "github-copilot",
		  2, 3, false, false },
		{ "console.3.log", true, "console", NULL, 0, 3, false, true },
		/* everything else is somebody's file */
		{ .name = "check_src.log" },
		{ .name = "check_src.1000000001.log" },
		{ .name = "check_src.99999999999999999999.log" },
		{ .name = "check_src.-1.log" },
		{ .name = "check_src..log" },
		{ .name = "check_src.1.json" },
		{ .name = "checks.1.log" },
		{ .name = "review_x_claude@0.1.json" },
		{ .name = "review_x_claude@.1.json" },
		{ .name = "review_x_@1.1.json" },
		{ .name = "review_x_a@b@1.1.json" },
		{ .name = "review_x.1.json" },
		{ .name = "_claude@1.1.json" },
		{ .name = "claude@1.1.json" },
		{ .name = "review_x_claude@1.json" },
		{ .name = "console.log" },
		{ .name = "console.1.json" },
		{ .name = "consoles.1.log" },
		{ .name = "users.json" },
		{ .name = "server.1.log" },
		{ .name = ".1.log" },
		{ .name = ".check_a.1.log" },
		{ .name = ".debug.log" },
		{ .name = "notes.1.txt" },
		{ .name = "previous" },
		{ .name = "" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct log_name l;

		CHECK_ROW(rows[i].name, log_name_parse(str_from(rows[i].name), &l) == rows[i].is_log);
		if (!rows[i].is_log)
			continue;
		CHECK_ROW(rows[i].name, str_is(l.part, rows[i].part));
		CHECK_ROW(rows[i].name, str_eq(l.adapter, str_from(rows[i].adapter)));
		CHECK_ROW(rows[i].name, l.slot == rows[i].slot && l.run == rows[i].run);
		CHECK_ROW(rows[i].name, l.is_json == rows[i].is_json && l.is_console == rows[i].is_console);
	}
}

TEST(the_log_directory_is_below_the_root_unless_it_is_absolute)
{
	static const struct {
		const char *log_dir, *path, *shown;
	} rows[] = {
		{ "gauntlet_logs", "/p/gauntlet_logs", "gauntlet_logs" },
		{ "./gauntlet_logs/", "/p/gauntlet_logs", "gauntlet_logs" },
		{ ".//a//", "/p/a", "a" },
		{ "a/b", "/p/a/b", "a/b" },
		{ "/tmp/logs", "/tmp/logs", "/tmp/logs" },
		{ "/", "/", "/" },
		{ ".", "/p", "." },
		{ "./", "/p", "." },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = logdir_of(&a, STR("/p"), str_from(rows[i].log_dir),
					    &dialects[DIALECT_GAUNTLET]);

		CHECK_ROW(rows[i].log_dir, str_is(d.path, rows[i].path) && str_is(d.shown, rows[i].shown));
	}
}

/* scenario: G13-22 G13-28 */
TEST(gate_logs_are_told_from_what_else_is_there)
{
	static const struct {
		const char *name;
		bool has_logs;
		int64_t last;
		size_t runs;
	} rows[] = {
		{ "check_src.1.log", true, 1, 1 },   { "review_x_claude@1.4.json", true, 4, 1 },
		{ "check_src.log", false, 0, 0 },    { "console.1.log", false, 1, 1 },
		{ "console.7.log", false, 7, 1 },    { "previous/check_src.3.log", false, 0, 0 },
		{ ".debug.log", false, 0, 0 },       { ".hidden.5.log", false, 0, 0 },
		{ ".execution_state", false, 0, 0 }, { "notes.txt", false, 0, 0 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct logdir d = new_logs(&a);

		struct log_listing l;

		logdir_list(&a, &d, &l);
		CHECK_ROW(rows[i].name, !l.has_gate_logs && l.last_run == 0);
		put(&a, &d, rows[i].name, "");
		logdir_list(&a, &d, &l);
		CHECK_ROW(rows[i].name, l.has_gate_logs == rows[i].has_logs);
		CHECK_ROW(rows[i].name, l.last_run == rows[i].last);
		CHECK_ROW(rows[i].name, l.runs == rows[i].runs);
	}
	struct logdir missing = logdir_of(&a, str_from(test_dir()), STR("logs"), &dialects[DIALECT_GAUNTLET]);

	struct log_listing none;

	logdir_list(&a, &missing, &none);
	CHECK(!none.has_gate_logs && none.last_run == 0 && none.runs == 0);
	CHECK(fs_lkind(missing.path.s) == FS_NOTHING);
}

TEST(a_run_counts_once_whatever_logs_it_has)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);

	put(&a, &d, "check_a.1.log", "");
	put(&a, &d, "check_b.1.log", "");
	put(&a, &d, "console.1.log", "");
	put(&a, &d, "console.2.log", "");
	put(&a, &d, "console.3.log", "");
	put(&a, &d, "review_a_claude@1.4.json", "");
	put(&a, &d, "review_a_claude@1.4.log", "");
	struct log_listing l;

	logdir_list(&a, &d, &l);
	CHECK(l.runs == 4 && l.last_run == 4);
}

/* ---- the state ---- */

static struct execution_state
some_state(void)
{
	return (struct execution_state){
		.completed_at = STR("2026-11-15T01:26:52.698Z"),
		.branch = STR("feat"),
		.commit = STR("ed451835c541443f692f97efcd9f129824ba511e"),
	};
}

/* scenario: 001-21 001-22 G13-31 */
TEST(the_state_is_written_in_the_form_of_the_original)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct execution_state s = some_state();
	struct err err;

	s.working_tree_ref = STR("6f5405589234441a8dd549d9a79f37e991d246aa");
	put(&a, &d, ".session_ref", "old");
	CHECK(state_write(&a, &d, &s, &err) == 0);
	CHECK_STR(content(&a, &d, ".execution_state"),
		  "{\n"
		  "  \"last_run_completed_at\": \"2026-11-15T01:26:52.698Z\",\n"
		  "  \"branch\": \"feat\",\n"
		  "  \"commit\": \"ed451835c541443f692f97efcd9f129824ba511e\",\n"
		  "  \"working_tree_ref\": \"6f5405589234441a8dd549d9a79f37e991d246aa\"\n"
		  "}");
	CHECK_STR(names(&a, &d, ""), ".execution_state ");
}

/* scenario: G13-30 G13-31 */
TEST(the_state_comes_back_as_it_was_written)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct execution_state s = some_state(), r;
	struct err err;

	CHECK(!state_read(&a, &d, &r));
	CHECK(state_write(&a, &d, &s, &err) == 0 && state_read(&a, &d, &r));
	CHECK(!r.working_tree_ref.s && !r.has_was_in_base && !r.is_partial && !r.has_outstanding);

	s.working_tree_ref = STR("6f54");
	s.has_was_in_base = s.was_in_base = true;
	s.has_outstanding = true;
	s.is_partial = true;
	CHECK(state_write(&a, &d, &s, &err) == 0 && state_read(&a, &d, &r));
	CHECK_STR(r.completed_at, "2026-11-15T01:26:52.698Z");
	CHECK_STR(r.branch, "feat");
	CHECK_STR(r.commit, "ed451835c541443f692f97efcd9f129824ba511e");
	CHECK_STR(r.working_tree_ref, "6f54");
	CHECK(r.has_was_in_base && r.was_in_base && r.is_partial && r.has_outstanding && !r.is_outstanding);
}

TEST(keys_of_the_state_that_are_not_ours_are_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct execution_state s;
	struct err err;

	put(&a, &d, ".execution_state",
	    "{\"adapters\":{\"codex\":{\"reason\":\"limit\",\"list\":[1,[]]}},\"branch\":\"b\","
	    "\"commit\":\"c\",\"working_tree_ref\":\"gone\",\"last_run_completed_at\":\"t\",\"n\":1.50}");
	CHECK(state_read(&a, &d, &s));
	s.branch = STR("other");
	s.working_tree_ref = STR_NONE;
	CHECK(state_write(&a, &d, &s, &err) == 0);
	CHECK_STR(content(&a, &d, ".execution_state"), "{\n"
						       "  \"last_run_completed_at\": \"t\",\n"
						       "  \"branch\": \"other\",\n"
						       "  \"commit\": \"c\",\n"
						       "  \"adapters\": {\n"
						       "    \"codex\": {\n"
						       "      \"reason\": \"limit\",\n"
						       "      \"list\": [\n"
						       "        1,\n"
						       "        []\n"
						       "      ]\n"
						       "    }\n"
						       "  },\n"
						       "  \"n\": 1.50\n"
						       "}");
}

TEST(the_state_keeps_who_rests_and_what_each_review_has_seen)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct execution_state s;
	struct err err;

	put(&a, &d, ".execution_state",
	    "{\"last_run_completed_at\":\"t\",\"branch\":\"b\",\"commit\":\"c\",\"unhealthy_adapters\":{"
	    "\"codex\":{\"marked_at\":\"m\",\"reason\":\"limit\"},\"odd\":7,\"none\":{}},"
	    "\"reviewed\":{\"review_._q\":{\"tree\":\"abc\",\"passed\":true},\"review_r\":{\"tree\":\"def\"},"
	    "\"odd\":[]}}");
	CHECK(state_read(&a, &d, &s) && s.cooldown_count == 1 && s.reviewed_count == 2);
	CHECK_STR(s.cooldowns[0].name, "codex");
	CHECK_STR(s.cooldowns[0].marked_at, "m");
	CHECK_STR(s.reviewed[1].tree, "def");
	CHECK(s.reviewed[0].is_pass && !s.reviewed[1].is_pass);
	s.reviewed_count = 1;
	CHECK(state_write(&a, &d, &s, &err) == 0);
	CHECK_STR(content(&a, &d, ".execution_state"), "{\n"
						       "  \"last_run_completed_at\": \"t\",\n"
						       "  \"branch\": \"b\",\n"
						       "  \"commit\": \"c\",\n"
						       "  \"unhealthy_adapters\": {\n"
						       "    \"codex\": {\n"
						       "      \"marked_at\": \"m\",\n"
						       "      \"reason\": \"limit\"\n"
						       "    }\n"
						       "  },\n"
						       "  \"reviewed\": {\n"
						       "    \"review_._q\": {\n"
						       "      \"tree\": \"abc\",\n"
						       "      \"passed\": true\n"
						       "    }\n"
						       "  }\n"
						       "}");
	s.cooldown_count = s.reviewed_count = 0;
	CHECK(state_write(&a, &d, &s, &err) == 0 && state_read(&a, &d, &s));
	CHECK(s.cooldown_count == 0 && s.reviewed_count == 0);
}

/* scenario: G13-30 */
TEST(a_state_that_is_not_what_it_should_be_is_none)
{
	static const char *const bad[] = {
		"",
		"{",
		"null",
		"[]",
		"{}",
		"{\"branch\":\"b\",\"commit\":\"c\"}",
		"{\"last_run_completed_at\":\"t\",\"commit\":\"c\"}",
		"{\"last_run_completed_at\":\"t\",\"branch\":\"b\"}",
		"{\"last_run_completed_at\":1,\"branch\":\"b\",\"commit\":\"c\"}",
		"{\"last_run_completed_at\":\"t\",\"branch\":null,\"commit\":\"c\"}",
		"{\"last_run_completed_at\":\"t\",\"branch\":\"b\",\"commit\":[]}",
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct execution_state s;
	struct err err;

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct logdir d = new_logs(&a);

		put(&a, &d, ".execution_state", bad[i]);
		CHECK_ROW(bad[i], !state_read(&a, &d, &s));
	}
	/* What is ours is read leniently too. */
	struct logdir d = new_logs(&a);

	put(&a, &d, ".execution_state",
	    "{\"last_run_completed_at\":\"t\",\"branch\":\"b\",\"commit\":\"c\",\"attempts\":-3,"
	    "\"outstanding\":1,"
	    "\"commit_in_base\":\"yes\",\"working_tree_ref\":7}");
	CHECK(state_read(&a, &d, &s));
	CHECK(!s.has_outstanding && !s.has_was_in_base && !s.working_tree_ref.s);
	struct logdir other = new_logs(&a);

	CHECK(fs_make_dirs(logdir_file(&a, &other, ".execution_state").s, 0700, &err) == 0);
	CHECK(!state_read(&a, &other, &s));
}

TEST(a_state_that_is_a_link_is_replaced_and_not_what_it_leads_to)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct execution_state s = some_state();
	struct err err;

	put(&a, &d, "target", "precious");
	CHECK(symlink("target", logdir_file(&a, &d, ".execution_state").s) == 0);
	CHECK(state_write(&a, &d, &s, &err) == 0);
	CHECK_STR(content(&a, &d, "target"), "precious");
	CHECK(fs_lkind(logdir_file(&a, &d, ".execution_state").s) == FS_FILE);
}
