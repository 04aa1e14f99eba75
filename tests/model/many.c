/* SPDX-License-Identifier: MIT */
/* Many sessions that stop at once. With holdfast.yml the gates run once, and all of them decide from the result; with
 * .gauntlet, the others find the lock. A check is held until all others wait or have ended, so that time decides nothing. */
#include "model.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MANY_MOST 4
#define PATIENCE_MS 20000

static bool
has_loops(const struct world *w)
{
	struct seen s = observe(w);

	for (int i = 0; i < LOOPS; i++)
		if (s.loops[i].is_there)
			return true;
	return false;
}

/* Checks that change the repository make the second stop another one than the first. */
static bool
are_steady(const struct config *c)
{
	for (int i = 0; i < c->check_count; i++)
		if (c->checks[i].manner >= MANNER_CLEANS)
			return false;
	return true;
}

/* The check that is held: one that runs, and has no timeout; -1: none. */
static int
choose_held(const struct config *c, const struct gates_step *step, int how)
{
	unsigned runs = step->planned & ~step->reused;

	for (int i = 0; i < CHECKS_MOST; i++) {
		int check = (i + how) % CHECKS_MOST;

		if (check < c->check_count && !c->checks[check].has_timeout && (runs & check_jobs(c, check)))
			return check;
	}
	return -1;
}

/* Lets the check go on when all calls but one are idle. False: that took too long. */
static bool
let_go(const struct world *w, const struct call *calls, int count, struct str hold)
{
	static const struct timespec moment = { 0, 2000000 };
	int idle = 0;

	for (int waited_ms = 0; waited_ms < PATIENCE_MS && idle < count - 1; waited_ms += 2) {
		idle = 0;
		(void)nanosleep(&moment, NULL);
		for (int i = 0; i < count; i++)
			idle += call_is_idle(&calls[i]);
		/* Until a check is held, they are on their way. */
		if (!world_has(w, str_fmt(w->arena, STR_FMT ".held", STR_ARG(hold)).s) && idle < count)
			idle = 0;
	}
	(void)unlink(hold.s);
	(void)unlink(str_fmt(w->arena, STR_FMT ".held", STR_ARG(hold)).s);
	return idle >= count - 1;
}

struct many {
	int count;
	bool is_by_hand; /* the first is a run by hand */
	bool is_steady;
	struct event stops[MANY_MOST];
	struct call calls[MANY_MOST];
	struct answer answers[MANY_MOST];
};

/* The answer to those that did not run the gates. They decide after the first, from its results. */
static const char *
expected_of_others(const struct play *p, const struct gates_step *first)
{
	struct event stop = { .kind = EV_STOP, .front_end = BY_GAUNTLET, .session = NO_SESSION };
	struct gates_ran none = { 0 };

	if (!p->config.is_native)
		return "lock_exists";
	if (strcmp(first->status, "failed") == 0)
		return "failed";
	struct gates_step step = gates_expect_stop(&p->model, &stop);

	/* They share a pass of the run that they waited for, also of a gate that is not reused later. */
	step.reused |= step.planned & first->planned & ~first->reused;
	gates_settle(&p->model, &step, &none);
	return step.status;
}

/* One of them has run the gates, and all others get the same result. */
static void
judge_many(struct play *p, const struct many *y, const struct gates_step *step, const struct gates_ran *ran)
{
	bool is_last_try = p->config.max_retries == 0;
	const char *first = strcmp(step->status, "failed") == 0 && is_last_try ? "retry_limit_exceeded"
									       : step->status;
	int firsts = 0, stops = y->count - y->is_by_hand;

	if (!gates_have_run(&p->model, ran, step))
		complain(p, "%d at once: checks %#x were run, %#x of them again, expected %#x", y->count,
			 ran->ran, ran->again, step->planned & ~step->reused);
	gates_after(&p->model, step, ran, false);
	const char *others = expected_of_others(p, step);

	for (int i = y->is_by_hand; i < y->count; i++) {
		struct str status = y->answers[i].status;

		if (str_is(status, first) && (firsts == 0 || strcmp(first, others) == 0))
			firsts++;
		else if (!str_is(status, others))
			complain(p, "%d at once: one is '" STR_FMT "', expected '%s', or '%s' of one",
				 y->count, STR_ARG(status), others, first);
	}
	if (firsts == 0 && stops == y->count)
		complain(p, "%d at once: none is '%s'", y->count, first);
}

static void
start_all(struct play *p, const struct event *e, struct many *y)
{
	bool is_bare = has_loops(&p->world) || p->config.has_yaml;

	for (int i = 0; i < y->count; i++) {
		y->stops[i] = (struct event){ .kind = EV_STOP,
					      .front_end = is_bare || !trust_allows(&p->model, BY_STOP_HOOK)
								   ? BY_GAUNTLET
								   : BY_STOP_HOOK };
		y->calls[i] = stop_call(p, &y->stops[i]);
		/* Sessions of their own: nobody has counted anything for them. */
		y->calls[i].input = str_fmt(p->arena,
					    "{\"session_id\":\"s-%zu-%d\",\"cwd\":\"" STR_FMT
					    "\",\"hook_event_name\":\"Stop\"}",
					    p->at, i, STR_ARG(p->world.project));
		if (i == 0 && y->is_by_hand)
			y->calls[i] = (struct call){ .argv = { "holdfast", "run" }, .input = STR("") };
		call_start(&p->world, &y->calls[i], i + 1);
		if (i == 0 && (y->is_by_hand || e->how % 2))
			(void)usleep((useconds_t)(e->how * 40));
	}
}

/* Waits until the check has come so far. False: that took too long. */
static bool
wait_held(const struct world *w, struct str hold)
{
	static const struct timespec moment = { 0, 2000000 };
	struct str held = str_fmt(w->arena, STR_FMT ".held", STR_ARG(hold));

	for (int waited_ms = 0; waited_ms < PATIENCE_MS && !world_has(w, held.s); waited_ms += 2)
		(void)nanosleep(&moment, NULL);
	bool is_held = world_has(w, held.s);

	(void)unlink(held.s);
	return is_held;
}

/* While a check looks at its file, the file says the opposite. What it found is not what is there. That is noticed if the file is one
 * that the check is for: one in docs looks at a file in src, and its pass counts for docs alone, whatever it has read (R11). */
void
play_disturbed(struct play *p, const struct event *e)
{
	struct model *m = &p->model;
	const struct world *w = &p->world;
	struct event stop = { .kind = EV_STOP, .front_end = BY_GAUNTLET, .session = NO_SESSION };
	struct answer a = { 0 };

	if (!p->config.has_gates || !p->config.is_native || m->is_shut || !are_steady(&p->config) ||
	    p->config.has_review)
		return;
	struct gates_step step = gates_expect_stop(m, &stop);
	int held = choose_held(&p->config, &step, e->how);

	if (held < 0 || p->config.checks[held].entry == ENTRY_PACKAGES)
		return;
	struct str file = str_fmt(p->arena, "src/c%d", held), text = world_read(w, file.s);
	bool is_good = check_is_good(w, file.s), is_by_hand = e->what % 2;
	bool is_covered = jobs_covering(&p->config, file) & job_bit(held);
	struct str before = str_fmt(p->arena, STR_FMT "/hold", STR_ARG(w->dir));
	struct str end = str_fmt(p->arena, STR_FMT "/hold.end", STR_ARG(w->dir));
	struct call c = stop_call(p, &stop);

	c.input = str_fmt(p->arena,
			  "{\"session_id\":\"s-%zu\",\"cwd\":\"" STR_FMT "\",\"hook_event_name\":\"Stop\"}",
			  p->at, STR_ARG(w->project));
	if (is_by_hand)
		c = (struct call){ .argv = { "holdfast", "run" }, .input = STR("") };
	world_write(w, before.s, str_fmt(p->arena, "%d\n", held));
	world_write(w, end.s, str_fmt(p->arena, "%d\n", held));
	call_start(w, &c, 1);
	if (wait_held(w, before))
		world_write(w, file.s, is_good ? STR("bad\n") : STR("good\n"));
	(void)unlink(before.s);
	(void)wait_held(w, end);
	if (text.s)
		world_write(w, file.s, text);
	else
		(void)unlink(world_path(w, file.s).s);
	(void)unlink(end.s);
	call_wait(w, &c);
	if (c.hangs || !WIFEXITED(c.status))
		complain(p, "a disturbed run: status %#x", (unsigned)c.status);
	else if (!is_by_hand && !answer_read(p, &stop, &c, &a))
		return;
	buf_addf(&p->story, " -> " STR_FMT, STR_ARG(a.status));
	struct gates_ran ran = gates_trace(w);

	if (is_good || !is_covered)
		content_note_passes(m, step.repository.files, &ran);
	else if (str_starts(a.status, STR("passed")) || str_is(a.status, "unchanged"))
		complain(p, "a check that fails is '" STR_FMT "', as it passed while the file was another",
			 STR_ARG(a.status));
	gates_lose_track(m, &ran);
}

void
play_many(struct play *p, const struct event *e)
{
	struct model *m = &p->model;
	struct many y = { .count = 2 + e->what % (MANY_MOST - 1), .is_steady = are_steady(&p->config) };
	struct event stop = { .kind = EV_STOP, .front_end = BY_GAUNTLET, .session = NO_SESSION };

	if (!p->config.has_gates || m->is_shut || m->gates.has_foreign_lock || !p->config.is_enabled ||
	    p->config.has_review)
		return;
	struct gates_step step = gates_expect_stop(m, &stop);
	int held = choose_held(&p->config, &step, e->how);
	struct str hold = str_fmt(p->arena, STR_FMT "/hold", STR_ARG(p->world.dir));
	bool is_certain = held >= 0 && !step.unsure && !m->gates.is_untracked && !step.repository.is_unsure &&
			  y.is_steady;

	/* A run by hand runs what a stop would not, and the stop that waits for it decides by all of it. */
	y.is_by_hand = is_certain && p->config.is_native && !step.reused && e->what % 4 == 0;
	if (held >= 0)
		world_write(&p->world, hold.s, str_fmt(p->arena, "%d\n", held));
	start_all(p, e, &y);
	is_certain &= held < 0 || let_go(&p->world, y.calls, y.count, hold);
	for (int i = 0; i < y.count; i++) {
		call_wait(&p->world, &y.calls[i]);
		if (y.calls[i].hangs || !WIFEXITED(y.calls[i].status))
			complain(p, "one of %d at once: status %#x", y.count, (unsigned)y.calls[i].status);
		else if (i >= y.is_by_hand && !answer_read(p, &y.stops[i], &y.calls[i], &y.answers[i]))
			return;
		buf_addf(&p->story, " -> " STR_FMT, STR_ARG(y.answers[i].status));
	}
	if (!call_reap())
		complain(p, "many at once left a process running");
	struct gates_ran ran = gates_trace(&p->world);

	content_note_passes(m, step.repository.files, &ran);
	for (int i = y.is_by_hand; i < y.count; i++)
		if (p->config.is_native && str_is(y.answers[i].status, "lock_exists"))
			complain(p, "a stop did not wait");
	if (!is_certain) {
		gates_lose_track(m, &ran);
		return;
	}
	gates_settle(m, &step, &ran);
	judge_many(p, &y, &step, &ran);
}
