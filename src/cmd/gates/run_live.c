/* SPDX-License-Identifier: MIT */
/* Turns tasks into the rows of a live view. It shows and decides nothing. */
#include "cmd/gates/run_live.h"

#include "os/clock.h"
#include "os/tty.h"

static enum live_state
state_of(const struct task *t)
{
	static const enum live_state ended[] = {
		[OUTCOME_PASS] = LIVE_PASSED,
		[OUTCOME_FAIL] = LIVE_FAILED,
		[OUTCOME_ERROR] = LIVE_ERROR,
	};

	if (!t->is_started)
		return LIVE_WAITING;
	return t->is_ended ? ended[t->outcome] : LIVE_RUNNING;
}

static void
on_tick(void *context, const struct task *tasks, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct run_live *l = context;
	struct live_row *rows = arena_array(&a, count, struct live_row);
	int64_t now_ms = clock_mono_ms();

	for (size_t i = 0; i < count; i++)
		rows[i] = (struct live_row){
			.name = task_name(&a, &tasks[i]),
			.state = state_of(&tasks[i]),
			.elapsed_ms = now_ms - tasks[i].started_ms,
		};
	live_draw(&l->view, rows, count, now_ms - l->started_ms);
}

static void
on_say(void *context, struct str text)
{
	struct run_live *l = context;

	live_say(&l->view, text);
}

const struct run_watcher *
run_live_open(struct run_live *l)
{
	*l = (struct run_live){ 0 };
	if (!tty_can_redraw(2))
		return NULL;
	live_open(&l->view, 2);
	l->started_ms = clock_mono_ms();
	l->is_open = true;
	l->watcher = (struct run_watcher){ .context = l, .tick = on_tick, .say = on_say };
	return &l->watcher;
}

void
run_live_close(struct run_live *l)
{
	if (l->is_open)
		live_close(&l->view);
	l->is_open = false;
}
