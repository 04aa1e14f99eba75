/* SPDX-License-Identifier: MIT */
/* The runner: one loop that starts tasks, waits for all of their processes at once, and ends them when their time is up.
 * It decides when a task runs, and never what its result means. */
#include "task/runner.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/syscalls.h"

#define TICK_MS 100
/* From TERM to KILL at the deadline. The hook's own deadline follows soon after. */
#define DEADLINE_GRACE_MS 500
#define PARALLEL_LIMIT 128
/* Descriptors of a task that runs, of everything else, and of a task that is being started: its log, both ends of its
 * pipes, and what git needs for a review's diff. */
#define TASK_FDS 8
#define OTHER_FDS 64
#define START_FDS 24

struct state {
	struct runner *r;
	struct procset set;      /* of the running tasks */
	bool has_lane_task;      /* a task of the serial lane is running */
	bool has_exclusive_task; /* a task that runs alone is running */
	bool has_needs;          /* of any task */
	size_t waiting[2];       /* before these places no task of the lane, or of the others, waits */
	bool is_closed;          /* no further task starts: one failed fast, or the deadline has come */
	bool is_interrupted;
	int64_t tick_ms;
	enum room { ROOM_UNKNOWN, ROOM_FOR_SOME, ROOM_FOR_ALL } room; /* for descriptors */
};

struct gate_result *
task_results(struct arena *a, const struct task *tasks, size_t count)
{
	struct gate_result *results = arena_array(a, count, struct gate_result);

	for (size_t i = 0; i < count; i++)
		results[i] = tasks[i].result;
	return results;
}

struct str
task_kill_message(const struct task *t)
{
	const char *name = signal_name(t->process.code);

	switch (t->process.end) {
	case PROC_SIGNALED:
		return str_cat(t->arena, "Killed by signal ", t->process.code, " (SIG", name ? name : "?",
			       ")");
	case PROC_TIMED_OUT:
		return str_fmt(t->arena, "%s after %.12gs", t->kind->timeout_title,
			       (double)t->call.process.timeout_ms / 1000);
	case PROC_DEADLINE:
		return STR("Not finished before the deadline of the run");
	case PROC_LOST:
		return STR("The output or the exit status could not be read");
	case PROC_EXITED:
		break;
	}
	return STR_NONE;
}

/* Tasks in the serial lane run one after the other, next to the parallel ones. */
static bool
is_in_lane(const struct state *s, const struct task *t)
{
	return !s->r->allows_parallel || !t->is_parallel;
}

static bool
has_deadline_come(const struct state *s)
{
	return s->r->deadline_ms > 0 && clock_mono_ms() >= s->r->deadline_ms;
}

static void
on_output(void *owner, int stream, struct str bytes)
{
	struct task *t = owner;

	capture_put(&t->output, bytes);
	gatelog_output(&t->log, bytes);
	if (t->kind->output)
		t->kind->output(t, stream, bytes);
}

static void
end_task(struct state *s, struct task *t)
{
	const struct run_watcher *w = s->r->watcher;
	struct gate_result *r = &t->result;

	r->elapsed_ms = clock_mono_ms() - r->started_ms;
	t->kind->judge(t);
	if (is_in_lane(s, t))
		s->has_lane_task = false;
	if (t->is_exclusive)
		s->has_exclusive_task = false;
	if (t->is_again) {
		size_t *from = &s->waiting[is_in_lane(s, t)], at = (size_t)(t - s->r->tasks);

		t->is_again = t->cannot_start = false;
		r->outcome = OUTCOME_WAITING;
		*from = at < *from ? at : *from;
		return;
	}
	r->ended_us = clock_real_us();
	if (r->outcome != OUTCOME_PASS && t->output.tail_max > 0)
		r->output = capture_text(&t->output, t->arena, 0);
	if (t->fails_fast && r->outcome != OUTCOME_PASS)
		s->is_closed = true;
	if (s->r->record)
		s->r->record(s->r->record_context, &t->result);
	if (w && w->ended)
		w->ended(w->context, r);
}

/* Has no task of the job begun yet? They follow each other. */
static bool
is_first_of_job(const struct runner *r, const struct task *t)
{
	const struct task *at = t;

	while (at > r->tasks && at[-1].job == t->job)
		at--;
	for (; at < r->tasks + r->count && at->job == t->job; at++)
		if (at->was_begun)
			return false;
	return true;
}

static void
start_task(struct state *s, struct task *t)
{
	struct runner *r = s->r;
	const struct run_watcher *w = r->watcher;
	bool is_first = is_first_of_job(r, t);

	t->was_begun = true;
	t->result.outcome = OUTCOME_RUNNING;
	t->result.started_ms = clock_mono_ms();
	if (is_in_lane(s, t))
		s->has_lane_task = true;
	s->has_exclusive_task = t->is_exclusive;
	if (w && w->started)
		w->started(w->context, &t->result, is_first);
	int result = t->kind->begin(t, r->logs, r->run, &t->start_error);

	t->call.process.output = on_output;
	t->call.process.owner = t;
	t->call.process.ends_daemons = true;
	if (result == 0 && command_prepare(t->arena, &t->call, &t->start_error) < 0)
		result = err_wrap(&t->start_error, "the command");
	if (result != 0 || procset_start(&s->set, &t->call.process, &t->start_error) < 0) {
		t->cannot_start = result <= 0;
		end_task(s, t);
	}
}

/* What has become of the gates that a task needs. */
enum needed { NEEDED_PASSED, NEEDED_PENDING, NEEDED_FAILED };

static enum needed
needed_state(const struct state *s, const struct task *t, struct str *ret_name)
{
	enum needed worst = NEEDED_PASSED;

	for (size_t i = 0; t->needs && i < t->needs->count; i++)
		for (size_t k = 0; k < s->r->count; k++) {
			const struct gate_result *r = &s->r->tasks[k].result;

			if (!str_eq(r->gate, t->needs->items[i]) || r->outcome == OUTCOME_PASS)
				continue;
			bool is_pending = r->outcome == OUTCOME_WAITING || r->outcome == OUTCOME_RUNNING;

			*ret_name = r->gate;
			if (!is_pending)
				return NEEDED_FAILED;
			worst = NEEDED_PENDING;
		}
	return worst;
}

/* Skips the tasks whose needs have failed, and with them those that need these. */
static void
skip_hopeless(struct state *s)
{
	bool has_skipped = s->has_needs;

	while (has_skipped) {
		has_skipped = false;
		for_each (t, s->r->tasks, s->r->count) {
			struct str name;

			if (t->result.outcome != OUTCOME_WAITING || t->was_begun ||
			    needed_state(s, t, &name) != NEEDED_FAILED)
				continue;
			t->result.outcome = OUTCOME_SKIPPED;
			t->result.message = str_cat(t->arena, "not run: it needs ", name,
						    ", which has not passed");
			has_skipped = true;
		}
	}
}

/* The first task that may start, of the lane or of the others; NULL: none may. */
static struct task *
first_ready(struct state *s, bool in_lane)
{
	size_t *from = &s->waiting[in_lane];
	bool is_first = true;

	for (size_t at = *from; at < s->r->count; at++) {
		struct task *t = &s->r->tasks[at];
		bool is_waiting = t->result.outcome == OUTCOME_WAITING && is_in_lane(s, t) == in_lane;
		struct str ignored;

		if (is_waiting && (!t->is_exclusive || s->set.count == 0) &&
		    needed_state(s, t, &ignored) == NEEDED_PASSED)
			return t;
		is_first &= !is_waiting;
		if (is_first)
			*from = at + 1;
	}
	return NULL;
}

/* In plan order, except that the last free place is for the lane: tasks that run one after the other take longest. */
static struct task *
next_task(struct state *s)
{
	struct task *lane = s->has_lane_task ? NULL : first_ready(s, true);
	struct task *parallel = first_ready(s, false);

	if (!lane || !parallel)
		return lane ? lane : parallel;
	return parallel < lane && s->set.count + 1 < s->set.max ? parallel : lane;
}

/* Can one more task open its descriptors? Where all that may run at once can, that is found out once. */
static bool
has_room(struct state *s)
{
	size_t most = s->r->count < s->set.max ? s->r->count : s->set.max;

	if (s->room == ROOM_UNKNOWN)
		s->room = fd_has_room(most * TASK_FDS + START_FDS) ? ROOM_FOR_ALL : ROOM_FOR_SOME;
	return s->room == ROOM_FOR_ALL || fd_has_room(START_FDS);
}

static void
start_due(struct state *s)
{
	struct task *t;

	skip_hopeless(s);
	while (s->set.count < s->set.max && !s->is_closed && !s->has_exclusive_task && (t = next_task(s))) {
		/* One that has ended gives its descriptors back. */
		if (s->set.count > 0 && !has_room(s))
			return;
		if (has_deadline_come(s))
			s->is_interrupted = s->is_closed = true;
		else
			start_task(s, t);
	}
}

static void
tick(struct state *s)
{
	const struct run_watcher *w = s->r->watcher;

	if (clock_mono_ms() < s->tick_ms)
		return;
	CLEANUP(arena_free) struct arena a = { 0 };

	w->tick(w->context, task_results(&a, s->r->tasks, s->r->count), s->r->count);
	s->tick_ms = clock_mono_ms() + TICK_MS;
}

size_t
runner_places(size_t cores, size_t runnable)
{
	size_t others = runnable > 0 ? runnable - 1 : 0;

	return others <= cores ? cores + 1 : others < 2 * cores ? others : 2 * cores;
}

bool
runner_run(struct runner *r)
{
	size_t max = r->max_parallel > 0 ? r->max_parallel : runner_places(cpu_count(), runnable_count());
	struct state s = { .r = r };

	if (max > PARALLEL_LIMIT)
		max = PARALLEL_LIMIT;
	fd_raise_limit(max * TASK_FDS + OTHER_FDS);
	procset_init(&s.set, r->arena, max);
	for (size_t i = 0; i < r->count; i++)
		s.has_needs |= r->tasks[i].needs && r->tasks[i].needs->count > 0;
	s.tick_ms = r->watcher && r->watcher->tick ? clock_mono_ms() : INT64_MAX;
	for (start_due(&s); s.set.count > 0; start_due(&s)) {
		bool has_deadline = r->deadline_ms > 0 && !s.is_interrupted;
		struct proc_result ended;

		procset_wait(&s.set, has_deadline && r->deadline_ms < s.tick_ms ? r->deadline_ms : s.tick_ms);
		while (procset_take(&s.set, &ended)) {
			struct task *t = ended.owner;

			t->process = ended;
			t->result.signal = ended.end == PROC_SIGNALED ? ended.code : 0;
			end_task(&s, t);
		}
		if (s.set.count > 0 && !s.is_interrupted && has_deadline_come(&s)) {
			s.is_interrupted = s.is_closed = true;
			procset_stop(&s.set, NULL, DEADLINE_GRACE_MS);
		}
		tick(&s);
	}
	for (size_t i = 0; i < r->count; i++)
		if (r->tasks[i].result.outcome == OUTCOME_WAITING)
			r->tasks[i].result.outcome = OUTCOME_SKIPPED;
	return s.is_interrupted;
}
