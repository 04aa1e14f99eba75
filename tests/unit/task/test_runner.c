/* SPDX-License-Identifier: MIT */
/* When tasks run, with real processes: side by side, in the lane, after a failure and at the deadline. */
#include "test.h"

#include "base/buf.h"
#include "task/runner.h"
#include "os/clock.h"
#include "os/fs.h"

#include <string.h>
#include <sys/resource.h>

#define MAX_TASKS 16

struct bench {
	struct arena arena;
	struct job jobs[MAX_TASKS];
	struct task tasks[MAX_TASKS];
	const char *scripts[MAX_TASKS];
	size_t count;
	struct buf events; /* "+a" when a starts, "-a" when it has ended */
	size_t running, most_running;
	size_t ticks, first_of_job;
};

static void
bench_clear(struct bench *b)
{
	arena_free(&b->arena);
}

static int
begin(struct task *t, const struct logdir *logs, int64_t run, struct err *err)
{
	const char **argv = arena_array(t->arena, 4, const char *);

	(void)logs;
	(void)run;
	if (str_is(t->command, "no log"))
		return err_set(err, ERR_VALUE, "no log");
	if (str_is(t->command, "nothing"))
		return 1;
	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = t->command.s;
	t->call.process.argv = argv;
	capture_init(&t->output, t->arena, 0, KIB(4));
	return 0;
}

static void
judge(struct task *t)
{
	if (t->cannot_start || t->process.end == PROC_DEADLINE)
		t->result.outcome = OUTCOME_ERROR;
	else
		t->result.outcome = t->process.end == PROC_EXITED && t->process.code == 0 ? OUTCOME_PASS
											  : OUTCOME_FAIL;
}

static const struct task_kind kind = { .begin = begin, .judge = judge };

static struct task *
add(struct bench *b, const char *name, const char *script)
{
	size_t i = b->count++;

	b->jobs[i].id = str_from(name);
	b->tasks[i] = (struct task){
		.kind = &kind,
		.job = &b->jobs[i],
		.arena = &b->arena,
		.command = str_from(script),
		.log = { .fd = -1 },
		.result = { .id = b->jobs[i].id },
		.call.process = { .grace_ms = 500, .forgets_output = true },
	};
	return &b->tasks[i];
}

static struct task *
add_parallel(struct bench *b, const char *name, const char *script)
{
	struct task *t = add(b, name, script);

	t->is_parallel = true;
	return t;
}

static void
on_started(void *context, const struct gate_result *r, bool is_first)
{
	struct bench *b = context;

	b->first_of_job += is_first;
	buf_addf(&b->events, "+" STR_FMT, STR_ARG(r->id));
	b->running++;
	b->most_running = b->running > b->most_running ? b->running : b->most_running;
}

static void
on_ended(void *context, const struct gate_result *r)
{
	struct bench *b = context;

	buf_addf(&b->events, "-" STR_FMT, STR_ARG(r->id));
	b->running--;
}

static void
on_tick(void *context, const struct gate_result *results, size_t count)
{
	struct bench *b = context;

	CHECK(str_eq(results[0].id, b->jobs[0].id) && count == b->count);
	b->ticks++;
}

struct options {
	size_t max_parallel;
	int64_t deadline_in_ms; /* 0: none; -1: it has come */
	bool is_serial, ticks;
};

static bool
run(struct bench *b, struct options o)
{
	struct run_watcher watcher = { b, on_started, on_ended, o.ticks ? on_tick : NULL };
	struct runner r = {
		.arena = &b->arena,
		.tasks = b->tasks,
		.count = b->count,
		.allows_parallel = !o.is_serial,
		.max_parallel = o.max_parallel,
		.deadline_ms = o.deadline_in_ms ? clock_mono_ms() + o.deadline_in_ms : 0,
		.watcher = &watcher,
	};

	b->events = BUF(&b->arena, KIB(64));
	return runner_run(&r);
}

TEST(tasks_that_may_run_side_by_side)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "a", "sleep 0.4");
	add_parallel(&b, "b", "sleep 0.4");
	add_parallel(&b, "c", "sleep 0.4; exit 3");
	CHECK(!run(&b, (struct options){ .max_parallel = 8 }));
	CHECK(b.most_running == 3);
	CHECK(str_starts(buf_str(&b.events), STR("+a+b+c-")));
	CHECK(b.tasks[0].result.outcome == OUTCOME_PASS && b.tasks[2].result.outcome == OUTCOME_FAIL);
	CHECK(b.tasks[2].process.code == 3 && b.tasks[2].result.elapsed_ms >= 400);
	CHECK(b.first_of_job == 3);
}

TEST(no_more_processes_than_allowed_run_at_once)
{
	static const struct {
		size_t max, most;
	} rows[] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 6, 6 }, { 7, 6 } };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(bench_clear) struct bench b = { 0 };
		static const char *const names[] = { "a", "b", "c", "d", "e", "f" };

		for (size_t k = 0; k < COUNT_OF(names); k++)
			add_parallel(&b, names[k], "sleep 0.1");
		CHECK(!run(&b, (struct options){ .max_parallel = rows[i].max }));
		CHECK(b.most_running == rows[i].most);
	}
}

TEST(tasks_that_may_not_have_one_lane_beside_the_others)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "p", "sleep 0.6");
	add(&b, "x", "sleep 0.1");
	add(&b, "y", "sleep 0.1");
	add_parallel(&b, "q", "sleep 0.3");
	CHECK(!run(&b, (struct options){ .max_parallel = 8 }));
	struct str events = buf_str(&b.events);

	CHECK(str_starts(events, STR("+p+x+q")) && b.most_running == 3);
	CHECK(str_find(events, STR("-x")) < str_find(events, STR("+y")));
}

TEST(the_lane_counts_towards_what_runs_at_once_and_has_the_last_place)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "p", "true");
	add(&b, "x", "true");
	add_parallel(&b, "q", "true");
	add(&b, "y", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 1 }));
	CHECK_STR(buf_str(&b.events), "+x-x+y-y+p-p+q-q");
	b = (struct bench){ .arena = b.arena };
	add_parallel(&b, "p", "sleep 1");
	add_parallel(&b, "q", "true");
	add(&b, "x", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 2 }));
	CHECK_STR(buf_str(&b.events), "+p+x-x+q-q-p");
}

/* scenario: G13-49 */
TEST(without_parallel_everything_is_in_the_order_of_the_plan)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "p", "sleep 0.1");
	add(&b, "x", "true");
	add_parallel(&b, "q", "true");
	add(&b, "y", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 8, .is_serial = true }));
	CHECK_STR(buf_str(&b.events), "+p-p+x-x+q-q+y-y");
}

/* scenario: G13-49 */
TEST(after_a_fast_failure_nothing_starts_and_what_runs_is_finished)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "p", "sleep 1");
	add(&b, "x", "true")->fails_fast = true;
	add(&b, "y", "sleep 0.1; exit 1")->fails_fast = true;
	add(&b, "z", "true");
	add_parallel(&b, "q", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 2 }));
	CHECK_STR(buf_str(&b.events), "+p+x-x+y-y-p");
	CHECK(b.tasks[0].result.outcome == OUTCOME_PASS && b.tasks[2].result.outcome == OUTCOME_FAIL);
	CHECK(b.tasks[3].result.outcome == OUTCOME_SKIPPED && b.tasks[4].result.outcome == OUTCOME_SKIPPED);
}

/* scenario: G13-46 */
TEST(a_failure_of_another_kind_stops_nothing)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "exit 1");
	add(&b, "y", "no log");
	add(&b, "z", "true")->call.process.dir = "/nowhere";
	add(&b, "w", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 2 }));
	CHECK_STR(buf_str(&b.events), "+x-x+y-y+z-z+w-w");
	CHECK(b.tasks[1].cannot_start && b.tasks[1].result.outcome == OUTCOME_ERROR);
	CHECK_STR(str_from(b.tasks[1].start_error.msg), "no log");
	CHECK(b.tasks[2].cannot_start && strstr(b.tasks[2].start_error.msg, "/nowhere"));
	CHECK(b.tasks[3].result.outcome == OUTCOME_PASS);
}

TEST(an_error_fails_fast_too)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "no log")->fails_fast = true;
	add(&b, "y", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 2 }));
	CHECK_STR(buf_str(&b.events), "+x-x");
	CHECK(b.tasks[1].result.outcome == OUTCOME_SKIPPED);
}

TEST(at_the_deadline_what_runs_is_ended_and_the_rest_is_skipped)
{
	CLEANUP(bench_clear) struct bench b = { 0 };
	int64_t start = clock_mono_ms();

	add_parallel(&b, "p", "sleep 60");
	add_parallel(&b, "q", "trap '' TERM; sleep 60; sleep 60");
	add(&b, "x", "true");
	add(&b, "y", "sleep 60");
	add(&b, "z", "true");
	CHECK(run(&b, (struct options){ .max_parallel = 4, .deadline_in_ms = 400 }));
	CHECK(clock_mono_ms() - start < 10000);
	CHECK(b.tasks[0].process.end == PROC_DEADLINE && b.tasks[1].process.end == PROC_DEADLINE);
	CHECK(b.tasks[2].process.end == PROC_EXITED);
	CHECK(b.tasks[2].result.outcome == OUTCOME_PASS && b.tasks[3].result.outcome == OUTCOME_ERROR);
	CHECK(b.tasks[4].result.outcome == OUTCOME_SKIPPED && b.tasks[3].result.outcome != OUTCOME_SKIPPED);
}

TEST(a_deadline_that_has_come_starts_nothing)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "true");
	CHECK(run(&b, (struct options){ .deadline_in_ms = -1 }));
	CHECK_STR(buf_str(&b.events), "");
	CHECK(b.tasks[0].result.outcome == OUTCOME_SKIPPED);
}

TEST(a_deadline_after_the_end_of_everything_does_not_count)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "exit 1")->fails_fast = true;
	add(&b, "y", "true");
	CHECK(!run(&b, (struct options){ .deadline_in_ms = 20000 }));
	CHECK(b.tasks[1].result.outcome == OUTCOME_SKIPPED);
	b = (struct bench){ .arena = b.arena };
	CHECK(!run(&b, (struct options){ .deadline_in_ms = -1 }));
}

TEST(each_task_has_its_own_timeout)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "p", "sleep 60")->call.process.timeout_ms = 200;
	add_parallel(&b, "q", "sleep 0.5")->call.process.timeout_ms = 10000;
	CHECK(!run(&b, (struct options){ .max_parallel = 4 }));
	CHECK(b.tasks[0].process.end == PROC_TIMED_OUT && b.tasks[0].result.elapsed_ms < 10000);
	CHECK(b.tasks[1].result.outcome == OUTCOME_PASS);
}

TEST(a_live_view_is_ticked_and_nobody_else)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "sleep 0.6");
	CHECK(!run(&b, (struct options){ .ticks = true }));
	CHECK(b.ticks >= 2 && b.ticks <= 8);
	b.ticks = 0;
	b.tasks[0].result.outcome = OUTCOME_WAITING;
	CHECK(!run(&b, (struct options){ 0 }));
	CHECK(b.ticks == 0);
}

TEST(of_a_jobs_tasks_the_first_to_start_is_marked)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add_parallel(&b, "r", "true");
	add_parallel(&b, "r", "true")->job = &b.jobs[0];
	add_parallel(&b, "s", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 8 }));
	CHECK(str_starts(buf_str(&b.events), STR("+r+r+s-")));
	CHECK(b.first_of_job == 2);
}

TEST(the_end_of_the_output_is_at_hand_both_streams_in_order)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three");
	CHECK(!run(&b, (struct options){ 0 }));
	CHECK_STR(capture_text(&b.tasks[0].output, &b.arena, 0), "one\ntwo\nthree");
	CHECK_STR(capture_text(&b.tasks[0].output, &b.arena, 1), "... (2 lines omitted)\nthree");
}

/* A kind that separates its streams, and whose tasks go on to another command when one exits with 7. */
struct twice {
	struct buf out, err;
	size_t judged;
};

static void
on_stream(struct task *t, int stream, struct str bytes)
{
	struct twice *own = t->own;

	buf_add(stream == 1 ? &own->out : &own->err, bytes);
}

static void
judge_twice(struct task *t)
{
	struct twice *own = t->own;

	own->judged++;
	judge(t);
	if (t->process.code == 7) {
		t->command = STR("echo second");
		t->is_again = true;
	}
}

TEST(a_task_may_become_another_in_its_place_and_tells_its_streams_apart)
{
	static const struct task_kind kind_of_two = { .begin = begin,
						      .judge = judge_twice,
						      .output = on_stream };
	CLEANUP(bench_clear) struct bench b = { 0 };
	struct twice own = { .out = BUF(&b.arena, KIB(1)), .err = BUF(&b.arena, KIB(1)) };
	struct task *t = add(&b, "x", "echo first; echo problem >&2; exit 7");

	t->kind = &kind_of_two;
	t->own = &own;
	t->fails_fast = true;
	add(&b, "y", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 2 }));
	CHECK_STR(buf_str(&b.events), "+x+x-x+y-y");
	CHECK_STR(buf_str(&own.out), "first\nsecond\n");
	CHECK_STR(buf_str(&own.err), "problem\n");
	CHECK(own.judged == 2 && t->result.outcome == OUTCOME_PASS && !t->is_again);
}

TEST(a_task_with_nothing_to_run_is_judged_at_once)
{
	CLEANUP(bench_clear) struct bench b = { 0 };

	add(&b, "x", "nothing");
	add(&b, "y", "true");
	CHECK(!run(&b, (struct options){ .max_parallel = 2 }));
	CHECK_STR(buf_str(&b.events), "+x-x+y-y");
	CHECK(!b.tasks[0].cannot_start && b.tasks[0].result.outcome == OUTCOME_PASS);
}

TEST(one_task_more_than_cores_runs_and_more_on_a_busy_machine)
{
	static const struct {
		size_t cores, runnable, places;
	} cases[] = {
		{ 4, 0, 5 }, { 4, 1, 5 }, { 4, 5, 5 }, { 4, 6, 5 }, { 4, 9, 8 }, { 4, 10, 8 }, { 1, 100, 2 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		CHECK(runner_places(cases[i].cores, cases[i].runnable) == cases[i].places);
	CHECK(runnable_count() >= 1);
}
