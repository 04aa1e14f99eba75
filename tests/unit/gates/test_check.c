/* SPDX-License-Identifier: MIT */
/* Checks: what their end means and what their log says, with real commands. */
#include "test.h"

#include "base/path.h"
#include "gates/check.h"
#include "os/clock.h"
#include "os/fs.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_PART "check_src_x"

struct bench {
	struct arena arena;
	struct gates_config config;
	struct logdir logs;
	struct gate gate;
	struct job job;
	struct task task;
	struct str base_branch;
	struct str last_program;
	bool is_rerun;
	int64_t deadline_in_ms, run;
};

static void
bench_clear(struct bench *b)
{
	arena_free(&b->arena);
}

static struct bench
bench(const char *command)
{
	struct bench b = { .base_branch = STR("origin/main") };
	struct str root = str_from(test_dir());
	struct err err;

	b.config.root = root;
	b.config.dialect = &dialects[DIALECT_GAUNTLET];
	b.logs = (struct logdir){ .path = path_join(&b.arena, root, STR("logs")),
				  .shown = STR("logs"),
				  .dialect = &dialects[DIALECT_GAUNTLET] };
	CHECK(fs_make_dirs(b.logs.path.s, 0700, &err) == 0);
	CHECK(fs_make_dirs(path_join(&b.arena, root, STR("src")).s, 0700, &err) == 0);
	b.gate = (struct gate){ .name = STR("x"), .command = str_from(command) };
	b.job = (struct job){ .id = STR("check:src:x"), .file_part = STR(FILE_PART), .dir = STR("src") };
	return b;
}

static void
run(struct bench *b)
{
	b->job.gate = &b->gate;
	struct check_facts facts = { .base_branch = b->base_branch,
				     .is_rerun = b->is_rerun,
				     .last_program = b->last_program };

	check_prepare(&b->arena, &b->config, &b->job, &facts, &b->task);
	struct runner r = {
		.arena = &b->arena,
		.tasks = &b->task,
		.count = 1,
		.logs = &b->logs,
		.run = ++b->run,
		.deadline_ms = b->deadline_in_ms ? clock_mono_ms() + b->deadline_in_ms : 0,
	};

	(void)runner_run(&r);
	CHECK(b->task.log.fd == -1);
}

static struct str
log_of(struct bench *b)
{
	struct str text = STR_NONE;
	struct err err;

	CHECK(fs_read(&b->arena, path_join(&b->arena, b->config.root, b->task.result.log_path).s, MIB(64),
		      &text, &err) == 0);
	return text;
}

/* Each time is one T. */
static struct str
without_times(struct arena *a, struct str log)
{
	char *text = arena_bytes(a, log.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < log.n; i++) {
		int64_t us;

		if (log.s[i] == '[' && i + 26 <= log.n && clock_parse(str_sub(log, i + 1, i + 25), &us)) {
			text[n++] = 'T';
			i += 25;
		} else {
			text[n++] = log.s[i];
		}
	}
	return str_copy(a, (struct str){ text, n });
}

static bool
has(struct str text, const char *part)
{
	return str_find(text, str_from(part)) >= 0;
}

TEST(the_log_of_a_check_that_passes)
{
	CLEANUP(bench_clear) struct bench b = bench("echo out");

	run(&b);
	CHECK(b.task.result.outcome == OUTCOME_PASS);
	CHECK_STR(b.task.result.message, "Command exited with code 0");
	CHECK_STR(b.task.result.log_path, "logs/" FILE_PART ".1.log");
	CHECK_STR(without_times(&b.arena, log_of(&b)), "T T Starting check: x\n"
						       "T Executing command: echo out\n"
						       "T Working directory: src\n\n"
						       "T out\n"
						       "T Result: pass - Command exited with code 0\n");
}

TEST(the_log_of_a_check_that_fails)
{
	CLEANUP(bench_clear) struct bench b = bench("echo out; sleep 0.1; echo bad >&2; exit 3");

	b.gate.fix_instructions = STR("Do the fix.\n");
	run(&b);
	CHECK(b.task.result.outcome == OUTCOME_FAIL);
	CHECK_STR(b.task.result.message, "Exited with code 3");
	CHECK_STR(capture_text(&b.task.output, &b.arena, 0), "out\nbad");
	CHECK_STR(without_times(&b.arena, log_of(&b)),
		  "T T Starting check: x\n"
		  "T Executing command: echo out; sleep 0.1; echo bad >&2; exit 3\n"
		  "T Working directory: src\n\n"
		  "T out\nbad\n"
		  "T \nCommand failed: echo out; sleep 0.1; echo bad >&2; exit 3\n"
		  "T Result: fail - Exited with code 3\n"
		  "T \n--- Fix Instructions ---\nDo the fix.\n\n");
}

TEST(output_without_a_last_newline_does_not_swallow_the_result)
{
	CLEANUP(bench_clear) struct bench b = bench("printf half");

	run(&b);
	CHECK(has(without_times(&b.arena, log_of(&b)), "T half\nT Result: pass"));
}

/* scenario: G13-45 */
TEST(every_end_has_its_outcome_and_its_message)
{
	static const struct {
		const char *command;
		int64_t timeout_ms, deadline_in_ms;
		enum gate_outcome outcome;
		const char *message;
	} rows[] = {
		{ "true", 0, 0, OUTCOME_PASS, "Command exited with code 0" },
		{ "true", 60000, 60000, OUTCOME_PASS, "Command exited with code 0" },
		{ "exit 1", 0, 0, OUTCOME_FAIL, "Exited with code 1" },
		{ "exit 126", 0, 0, OUTCOME_FAIL, "Exited with code 126" },
		{ "exit 127", 0, 0, OUTCOME_FAIL, "Exited with code 127" },
		{ "exit 255", 0, 0, OUTCOME_FAIL, "Exited with code 255" },
		{ "sleep 60", 200, 0, OUTCOME_FAIL, "Timed out after 0.2s" },
		{ "sleep 60", 1000, 0, OUTCOME_FAIL, "Timed out after 1s" },
		{ "sleep 60", 0, 200, OUTCOME_ERROR, "Not finished before the deadline of the run" },
		{ "sleep 60", 60000, 200, OUTCOME_ERROR, "Not finished before the deadline of the run" },
		{ "kill -9 $$", 0, 0, OUTCOME_ERROR, "Killed by signal 9 (SIGKILL)" },
		{ "kill -TERM $$", 1000, 0, OUTCOME_ERROR, "Killed by signal 15 (SIGTERM)" },
		{ "ulimit -c 0; kill -SEGV $$", 0, 0, OUTCOME_FAIL, "Killed by signal 11 (SIGSEGV)" },
		{ "ulimit -c 0; kill -ABRT $$", 0, 0, OUTCOME_FAIL, "Killed by signal 6 (SIGABRT)" },
		{ "no-such-program --all", 0, 0, OUTCOME_ERROR, "Missing command: no-such-program" },
		{ "./no-such-script", 0, 0, OUTCOME_ERROR, "Missing command: ./no-such-script" },
		{ "true && no-such-program", 0, 0, OUTCOME_FAIL, "Exited with code 127" },
		{ "read line", 5000, 0, OUTCOME_FAIL, "Exited with code 1" },
		{ "sleep 60 & echo started", 5000, 0, OUTCOME_PASS, "Command exited with code 0" },
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(bench_clear) struct bench b = bench(rows[i].command);

		b.gate.timeout_ms = rows[i].timeout_ms;
		b.deadline_in_ms = rows[i].deadline_in_ms;
		run(&b);
		CHECK_STR(b.task.result.message, rows[i].message);
		CHECK_ROW(rows[i].command,
			  b.task.result.outcome == rows[i].outcome && b.task.result.elapsed_ms < 20000);
		struct str log = log_of(&b);

		CHECK_ROW(rows[i].command,
			  has(log, str_fmt(&b.arena, "Result: " STR_FMT " - %s\n",
					   STR_ARG(gate_outcome_name(rows[i].outcome)), rows[i].message)
					   .s));
		CHECK_ROW(rows[i].command,
			  has(log, "\nCommand failed: ") == (rows[i].outcome != OUTCOME_PASS));
	}
}

/* scenario: G13-45 */
TEST(a_directory_that_is_not_there_is_an_error)
{
	CLEANUP(bench_clear) struct bench b = bench("true");
	struct err err;

	b.job.dir = STR("pkg/none");
	run(&b);
	CHECK(b.task.result.outcome == OUTCOME_ERROR && b.task.cannot_start);
	CHECK_STR(b.task.result.message, "The working directory does not exist: pkg/none");
	CHECK(has(log_of(&b), "Result: error - The working directory does not exist: pkg/none"));
	CHECK(fs_create(path_join(&b.arena, b.config.root, STR("file")).s, STR(""), 0600, &err) == 0);
	b.job.dir = STR("file");
	run(&b);
	CHECK(b.task.result.outcome == OUTCOME_ERROR);
	CHECK_STR(b.task.result.message, "The working directory is not a directory: file");
}

TEST(a_log_that_can_not_be_written_is_an_error_and_nothing_runs)
{
	CLEANUP(bench_clear) struct bench b = bench("touch ran");

	b.logs.path = STR("/dev/null/logs");
	run(&b);
	CHECK(b.task.result.outcome == OUTCOME_ERROR && b.task.cannot_start && !b.task.result.log_path.s);
	CHECK(has(b.task.result.message, "The log can't be written: the log directory: /dev/null"));
	CHECK(fs_kind(path_join(&b.arena, b.config.root, STR("src/ran")).s) == FS_NOTHING);
}

TEST(a_command_with_a_nul_byte_is_an_error)
{
	CLEANUP(bench_clear) struct bench b = bench("");

	b.gate.command = STR("true\0false");
	run(&b);
	CHECK(b.task.result.outcome == OUTCOME_ERROR && b.task.cannot_start);
	CHECK(has(log_of(&b), "Result: error - "));
}

TEST(a_check_runs_in_its_directory_with_the_nested_hook_switched_off)
{
	CLEANUP(bench_clear) struct bench b = bench("pwd; echo $GAUNTLET_STOP_HOOK_ACTIVE. $CLAUDECODE.");
	struct str root = fs_real(&b.arena, b.config.root.s);

	(void)setenv("CLAUDECODE", "1", 1);
	run(&b);
	(void)unsetenv("CLAUDECODE");
	CHECK_STR(capture_text(&b.task.output, &b.arena, 0), str_fmt(&b.arena, "%s/src\n1. .", root.s).s);
	b.job.dir = STR(".");
	run(&b);
	CHECK(has(capture_text(&b.task.output, &b.arena, 0), str_fmt(&b.arena, "%s\n", root.s).s));
	CHECK(has(log_of(&b), "Working directory: .\n"));
	b.job.dir = STR("/");
	run(&b);
	CHECK(str_starts(capture_text(&b.task.output, &b.arena, 0), STR("/\n")));
}

TEST(the_base_branch_is_put_into_the_command)
{
	static const struct {
		const char *command, *branch, *output, *logged;
	} rows[] = {
		{ "echo ${BASE_BRANCH} ${BASE_BRANCH}x", "origin/main", "origin/main origin/mainx",
		  "echo origin/main origin/mainx" },
		{ "echo '${BASE_BRANCH}'", "v1.2-rc_3", "v1.2-rc_3", "echo 'v1.2-rc_3'" },
		{ "echo $BASE_BRANCH.", "main", ".", "echo $BASE_BRANCH." },
		{ "echo \"${BASE_BRANCH}\"", "a;touch pwned", "a;touch pwned", "echo \"${BASE_BRANCH}\"" },
		{ "echo ${BASE_BRANCH}", "$(touch pwned)", "$(touch pwned)", "echo ${BASE_BRANCH}" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(bench_clear) struct bench b = bench(rows[i].command);

		b.base_branch = str_from(rows[i].branch);
		run(&b);
		CHECK_STR(capture_text(&b.task.output, &b.arena, 0), rows[i].output);
		CHECK(has(log_of(&b), str_fmt(&b.arena, "Executing command: %s\n", rows[i].logged).s));
		CHECK(fs_kind(path_join(&b.arena, b.config.root, STR("src/pwned")).s) == FS_NOTHING);
	}
}

TEST(a_rerun_has_its_own_command_where_there_is_one)
{
	static const struct {
		const char *rerun;
		bool is_rerun;
		const char *output;
	} rows[] = {
		{ "echo again", true, "again" },
		{ "echo again", false, "first" },
		{ NULL, true, "first" },
		{ "echo ${BASE_BRANCH}", true, "origin/main" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(bench_clear) struct bench b = bench("echo first");

		b.gate.rerun_command = str_from(rows[i].rerun);
		b.is_rerun = rows[i].is_rerun;
		run(&b);
		CHECK_STR(capture_text(&b.task.output, &b.arena, 0), rows[i].output);
	}
}

TEST(a_program_is_missing_only_where_that_is_certain)
{
	static const struct {
		const char *command, *missing;
	} rows[] = {
		{ "no-such-program", "no-such-program" },
		{ "  no-such-program\t-x", "no-such-program" },
		{ "\nno-such-program", "no-such-program" },
		{ "no-such-program;true", "no-such-program" },
		{ "no-such-program&&true", "no-such-program" },
		{ "A=1 B_2=x/y no-such-program a", "no-such-program" },
		{ "./none a", "./none" },
		{ "bin/none", "bin/none" },
		{ "/nowhere/none", "/nowhere/none" },
		{ "sh -c x", NULL },
		{ "./there", NULL },
		{ "./loose-link", NULL },
		{ "A= no-such-program", "no-such-program" },
		{ "1A=x no-such-program", NULL },
		{ "A-B=x no-such-program", NULL },
		{ "PATH=/x no-such-program", NULL },
		{ "A=$B no-such-program", NULL },
		{ "A=1\nno-such-program", NULL },
		{ "A=1", NULL },
		{ "\"no-such-program\"", NULL },
		{ "no-such-\"program\"", NULL },
		{ "$none", NULL },
		{ "no-such-program>x", NULL },
		{ "no-such-program() { :; }", NULL },
		{ "# comment", NULL },
		{ "(no-such-program)", NULL },
		{ "cd x && none", NULL },
		{ "if none; then", NULL },
		{ "! none", NULL },
		{ "{ none; }", NULL },
		{ "for x in y; do none; done", NULL },
		{ "~/none", NULL },
		{ "*", NULL },
		{ "", NULL },
		{ "   ", NULL },
	};
	CLEANUP(bench_clear) struct bench b = bench("");
	struct str dir = b.config.root;
	struct err err;

	CHECK(fs_create(path_join(&b.arena, dir, STR("there")).s, STR(""), 0600, &err) == 0);
	CHECK(symlink("/nowhere", path_join(&b.arena, dir, STR("loose-link")).s) == 0);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str missing = check_missing_program(&b.arena, str_from(rows[i].command), dir);

		if (rows[i].missing)
			CHECK_STR(missing, rows[i].missing);
		else
			CHECK_ROW(rows[i].command, !missing.s);
	}
}

TEST(a_missing_program_that_was_there_before_is_a_failure)
{
	static const struct {
		const char *last;
		enum gate_outcome outcome;
		const char *message;
	} rows[] = {
		{ NULL, OUTCOME_ERROR, "Missing command: no-such-program" },
		{ "another-program", OUTCOME_ERROR, "Missing command: no-such-program" },
		{ "no-such-program", OUTCOME_FAIL,
		  "Missing command: no-such-program (it was there when the check last ran)" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(bench_clear) struct bench b = bench("no-such-program --fix");

		if (rows[i].last)
			b.last_program = str_from(rows[i].last);
		run(&b);
		CHECK(b.task.result.outcome == rows[i].outcome);
		CHECK_STR(b.task.result.message, rows[i].message);
		CHECK_STR(b.task.result.program, "no-such-program");
	}
}

TEST(in_a_path_with_relative_directories_nothing_is_certain)
{
	static const struct {
		const char *path;
		bool is_certain;
	} rows[] = {
		{ "/bin:/usr/bin", true }, { "/bin", true },    { "/bin:", false }, { ":/bin", false },
		{ "/bin::/usr", false },   { "bin:/x", false }, { "", false },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str old = str_copy(&a, str_from(getenv("PATH")));

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		(void)setenv("PATH", rows[i].path, 1);
		bool is_missing = check_missing_program(&a, STR("no-such-program"), STR("/")).s;

		(void)setenv("PATH", old.s, 1);
		CHECK_ROW(rows[i].path, is_missing == rows[i].is_certain);
	}
}
