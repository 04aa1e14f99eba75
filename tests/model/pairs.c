/* SPDX-License-Identifier: MIT */
/* Calls that are ended at a random moment, and two calls at once. The model does not know how far they came: it checks what
 * must hold in any case, and learns the state again from later stops. */
#include "model.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* ---- a stop that is ended ---- */

static bool
was_interrupted(struct play *p, const struct event *e, const struct call *c, struct answer *a)
{
	if (WIFSIGNALED(c->status)) {
		if (WTERMSIG(c->status) != c->signal)
			complain(p, "the hook was ended by signal %d: " STR_FMT, WTERMSIG(c->status),
				 STR_ARG(c->err));
		else if (c->out.n > 0 && c->signal != SIGKILL)
			complain(p, "the hook answered and did not exit: " STR_FMT, STR_ARG(c->out));
		return true;
	}
	if (e->front_end == BY_CONCLAUDE && WEXITSTATUS(c->status) == 1)
		return true;
	bool is_right = answer_read(p, e, c, a);

	/* A failure that was known when a signal came. */
	if (is_right && str_find(a->reason, STR("The gates were interrupted")) >= 0)
		return true;
	/* These doors have no statuses. */
	if (e->front_end == BY_RALPH || e->front_end == BY_CODEX)
		return !is_right || !a->is_block;
	return !is_right || str_is(a->status, "error") || str_is(a->status, "infrastructure_error");
}

static void
judge_ended(struct play *p, const struct event *e, const struct facts *facts)
{
	struct model *m = &p->model;
	const struct seen *before = &facts->seen;
	struct gates_ran ran = gates_trace(&p->world);
	bool is_untracked = m->gates.is_untracked || facts->gates.repository.is_unsure;
	struct reply reply = { .is_not_due = true, .gates = is_untracked ? "passed" : NULL, .ran = &ran };
	struct expected x = expect_stop(m, e, facts, &reply);
	struct seen after = observe(&p->world);

	if (e->session != NO_SESSION && m->has_prompt[e->session]) {
		uint64_t all = (UINT64_C(2) << messages_in_all(&p->config)) - 1;

		m->places[e->session] = (m->places[e->session] | m->places[e->session] << 1) & all;
	}
	m->reason[e->session] = STR_NONE;
	content_note_passes(m, facts->gates.repository.files, &ran);
	if (p->config.has_gates)
		gates_lose_track(m, &ran);
	if (m->is_shut)
		return;
	/* Each count is the one before the stop or the one after it. */
	for (int i = 0; i < LOOPS; i++)
		if (loop_equal(&before->loops[i], &after.loops[i]))
			x.seen.loops[i] = before->loops[i];
	for (int i = 0; i < SESSIONS; i++) {
		if (before->rounds[i] == after.rounds[i] || after.rounds[i] == COUNT_NONE)
			x.seen.rounds[i] = after.rounds[i];
	}
	for (int i = 0; i <= SESSIONS; i++) {
		if (after.tries[i] == 0 || after.tries[i] == before->tries[i] ||
		    after.tries[i] == before->tries[i] + 1)
			x.seen.tries[i] = after.tries[i];
		if (after.blocks[i] == 0 || after.blocks[i] == before->blocks[i] ||
		    after.blocks[i] == before->blocks[i] + 1)
			x.seen.blocks[i] = after.blocks[i];
	}
	if (before->asides == after.asides)
		x.seen.asides = after.asides;
	expect_seen(p, &x.seen, &after);
}

static void
play_ended_stop(struct play *p, const struct event *e)
{
	struct facts before = facts_gather(&p->model, e);
	struct call c = stop_call(p, e);
	struct answer a = { .status = STR("") };

	c.signal = e->signal;
	c.after_us = e->after_us;
	play_call(p, &c);
	p->world.is_lenient |= e->signal == SIGKILL && WIFSIGNALED(c.status);
	p->world.was_ended = true;
	bool is_interrupted = was_interrupted(p, e, &c, &a);

	buf_addf(&p->story, " -> %s " STR_FMT, is_interrupted ? "interrupted" : "", STR_ARG(a.status));
	if (is_interrupted)
		judge_ended(p, e, &before);
	else
		judge_stop(p, e, &a, &before);
}

/* ---- another command that is ended ---- */

enum { ENDED_RUN, ENDED_CLEAN, ENDED_START, ENDED_CONTROL, ENDED_SESSION_END, ENDED_OTHERS };

static struct call
other_call(const struct play *p, const struct event *e, int which)
{
	static const char *const words[] = { "run", "clean" };

	if (which == ENDED_START)
		return ralph_start_call(p, e);
	if (which == ENDED_CONTROL)
		return ralph_control_call(e);
	if (which == ENDED_SESSION_END)
		return (struct call){ .argv = { "holdfast", "hook", "SessionEnd" },
				      .input = hook_input(p, e, "SessionEnd", STR("")) };
	return (struct call){ .argv = { "holdfast", words[which] }, .input = STR("") };
}

/* No file may be half-written. */
static void
play_ended_other(struct play *p, const struct event *e, int which)
{
	struct call c = other_call(p, e, which);
	struct str files = p->config.is_native ? repository_files(&p->world, tree_now(&p->world)) : STR("");
	struct seen before = observe(&p->world), after;

	c.signal = e->signal;
	c.after_us = e->after_us;
	play_call(p, &c);
	p->world.is_lenient |= e->signal == SIGKILL && WIFSIGNALED(c.status);
	p->world.was_ended = true;
	if (WIFSIGNALED(c.status) ? WTERMSIG(c.status) != e->signal : WEXITSTATUS(c.status) > 1)
		complain(p, "%s %s: exit status %#x", c.argv[0], c.argv[1], (unsigned)c.status);
	after = observe(&p->world);
	for (int i = 0; i < LOOPS; i++)
		if (after.loops[i].is_broken && !before.loops[i].is_broken)
			complain(p, "%s is half-written", loop_file(i));
	struct gates_ran ran = gates_trace(&p->world);

	content_note_passes(&p->model, files, &ran);
	if (p->config.has_gates && which <= ENDED_CLEAN)
		gates_lose_track(&p->model, &ran);
	for (int i = 0; i <= SESSIONS; i++)
		if (which == ENDED_CLEAN || (which == ENDED_SESSION_END && i == e->session))
			p->model.blocks[i] = 0;
}

void
play_ended(struct play *p, const struct event *e)
{
	int which = e->how % (2 * ENDED_OTHERS);

	if (e->session != NO_SESSION)
		p->model.trust.is_told[e->session] = PERHAPS;
	if (which < ENDED_OTHERS)
		play_ended_other(p, e, which);
	else
		play_ended_stop(p, e);
}

/* ---- two at once ---- */

enum { WITH_SAME, WITH_OTHER, WITH_CANCEL, WITH_CLEAN, WITH_RUN, WITH_SESSION_END, WITH_COUNT };

static long
iterations_between(const struct seen *before, const struct seen *after, bool *ret_is_complete)
{
	long iterations = 0;

	*ret_is_complete = true;
	for (int i = 0; i < LOOPS; i++) {
		if (before->loops[i].is_there != after->loops[i].is_there)
			*ret_is_complete = false;
		else
			iterations += after->loops[i].iteration - before->loops[i].iteration;
	}
	return iterations;
}

/* Either call may have come first. */
static void
note_both(struct play *p, const struct event *e, const struct answer *a, int other)
{
	uint64_t at_first = p->model.places[e->session], one, two;

	if (other != e->session || !str_is(a[0].status, "follow_up") || !str_is(a[1].status, "follow_up")) {
		if (str_is(a[0].status, "follow_up"))
			follow_up_sent(p, e->session, a[0].reason);
		if (str_is(a[1].status, "follow_up"))
			follow_up_sent(p, other, a[1].reason);
		return;
	}
	size_t wrong = p->wrong.n;

	follow_up_sent(p, other, a[0].reason);
	follow_up_sent(p, other, a[1].reason);
	one = p->model.places[other];
	p->model.places[other] = at_first;
	follow_up_sent(p, other, a[1].reason);
	follow_up_sent(p, other, a[0].reason);
	two = p->model.places[other];
	if (one | two)
		p->wrong.n = wrong;
	p->model.places[other] = one | two;
}

static void
judge_two(struct play *p, const struct event *e, int with, const struct answer *a, const struct seen *before)
{
	struct seen after = observe(&p->world);
	bool is_complete;
	long iterations = iterations_between(before, &after, &is_complete);
	long went_on = str_is(a[0].status, "loop_continues") + str_is(a[1].status, "loop_continues");
	long rounds = str_is(a[0].status, "round_completed") + str_is(a[1].status, "round_completed");

	if (is_complete && iterations != went_on)
		complain(p, "%ld stops continued the loop, and %ld iterations were counted", went_on,
			 iterations);
	if (with == WITH_CANCEL)
		for (int i = 0; i < LOOPS && !p->model.is_shut; i++)
			if (after.loops[i].is_there)
				complain(p, "%s exists again after it was cancelled", loop_file(i));
	if (with == WITH_SAME && rounds == 2 && e->session != NO_SESSION &&
	    after.rounds[e->session] - (before->rounds[e->session] < 0 ? 0 : before->rounds[e->session]) != 2)
		complain(p, "two rounds were completed, and the count went from %ld to %ld",
			 before->rounds[e->session], after.rounds[e->session]);
}

void
play_two(struct play *p, const struct event *e)
{
	int with = e->what % WITH_COUNT;
	struct event second = *e;
	struct call calls[2] = { stop_call(p, e) };
	struct answer a[2] = { { .status = STR("") }, { .status = STR("") } };
	struct seen before = observe(&p->world);
	struct str files = p->config.is_native ? repository_files(&p->world, tree_now(&p->world)) : STR("");

	second.session = with == WITH_OTHER ? 1 - e->session % SESSIONS : e->session;
	for (int i = 0; i < SESSIONS; i++)
		p->model.trust.is_told[i] = PERHAPS;
	/* The session's definitions are forgotten; the stop may keep the present ones after that. */
	if (with == WITH_SESSION_END && e->session != NO_SESSION)
		p->model.trust.at_session[e->session] = STR_NONE;
	calls[1] = stop_call(p, &second);
	if (with == WITH_CANCEL)
		calls[1] = (struct call){ .argv = { "holdfast", "ralph", "cancel", "--all" },
					  .input = STR("") };
	else if (with == WITH_CLEAN)
		calls[1] = (struct call){ .argv = { "holdfast", "clean" }, .input = STR("") };
	else if (with == WITH_RUN)
		calls[1] = (struct call){ .argv = { "holdfast", "run" }, .input = STR("") };
	else if (with == WITH_SESSION_END)
		calls[1] = (struct call){ .argv = { "holdfast", "hook", "SessionEnd" },
					  .input = hook_input(p, e, "SessionEnd", STR("")) };
	call_start(&p->world, &calls[0], 1);
	call_start(&p->world, &calls[1], 2);
	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		call_wait(&p->world, &calls[i]);
		if (calls[i].hangs || WIFSIGNALED(calls[i].status))
			complain(p, "%s %s: status %#x", calls[i].argv[0], calls[i].argv[1],
				 (unsigned)calls[i].status);
	}
	if (!call_reap())
		complain(p, "two at once left a process running");
	if (!answer_read(p, e, &calls[0], &a[0]) ||
	    (with <= WITH_OTHER && !answer_read(p, &second, &calls[1], &a[1])))
		return;
	buf_addf(&p->story, " -> " STR_FMT ", " STR_FMT, STR_ARG(a[0].status), STR_ARG(a[1].status));
	struct gates_ran ran = gates_trace(&p->world);

	content_note_passes(&p->model, files, &ran);
	for (int i = 0; i < 2 && p->config.is_native; i++)
		if (str_is(a[i].status, "lock_exists"))
			complain(p, "a stop did not wait for the run in progress");
	judge_two(p, e, with, a, &before);
	if (with > WITH_OTHER) {
		if (str_is(a[0].status, "follow_up"))
			follow_up_sent(p, e->session, a[0].reason);
	} else {
		note_both(p, e, a, second.session);
	}
	/* Which reason was recorded last is not known. */
	p->model.reason[e->session] = p->model.reason[second.session] = STR_NONE;
	p->model.blocks[e->session] += str_is(a[0].status, "failed");
	p->model.blocks[second.session] += str_is(a[1].status, "failed");
	for (int i = 0; i < 2; i++)
		if (str_starts(a[i].status, STR("passed")))
			p->model.blocks[i ? second.session : e->session] = 0;
	if (p->config.has_gates)
		gates_lose_track(&p->model, &ran);
	for (int i = 0; i <= SESSIONS; i++)
		if (with == WITH_CLEAN || (with == WITH_SESSION_END && i == e->session))
			p->model.blocks[i] = 0;
}
