/* SPDX-License-Identifier: MIT */
/* What people and clients do beside stops, and two things at once. */
#include "model.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static void
expect_exit(struct play *p, const struct call *c, int code)
{
	if (!WIFEXITED(c->status) || WEXITSTATUS(c->status) != code)
		complain(p, "%s %s: exit status %#x, expected exit code %d: '" STR_FMT "' '" STR_FMT "'",
			 c->argv[0], c->argv[1], (unsigned)c->status, code, STR_ARG(c->out), STR_ARG(c->err));
}

static struct str
hook_input(const struct play *p, const struct event *e, const char *name, const char *prompt)
{
	return str_fmt(p->arena,
		       "{\"session_id\":\"%s\",\"cwd\":\"" STR_FMT
		       "\",\"hook_event_name\":\"%s\",\"prompt\":\"%s\"}",
		       session_ids[e->session], STR_ARG(p->world.project), name, prompt);
}

static void
play_prompt(struct play *p, const struct event *e)
{
	struct model *m = &p->model;
	bool is_wanted = e->what % 3 > 0;
	struct call c = { .argv = { "holdfast", "hook", "UserPromptSubmit" } };

	c.input = hook_input(p, e, "UserPromptSubmit", is_wanted ? "/plan it" : "hello");
	play_call(p, &c);
	expect_exit(p, &c, 0);
	if (c.out.n > 0)
		complain(p, "a prompt was answered: " STR_FMT, STR_ARG(c.out));
	if (!p->plan->config.has_yaml || p->plan->config.message_count == 0 || m->is_yaml_broken ||
	    m->is_db_broken || e->session == NOBODY || m->has_prompt[e->session])
		return;
	m->has_prompt[e->session] = true;
	m->is_wanted[e->session] = is_wanted;
	m->places[e->session] = 1;
}

static void
play_session_end(struct play *p, const struct event *e)
{
	struct call c = { .argv = { "holdfast", "hook", "SessionEnd" } };
	struct seen expected = look(&p->world), after;

	c.input = hook_input(p, e, "SessionEnd", "");
	play_call(p, &c);
	expect_exit(p, &c, 0);
	if (c.out.n > 0)
		complain(p, "the end of a session was answered: " STR_FMT, STR_ARG(c.out));
	if (e->session != NOBODY)
		expected.rounds[e->session] = ROUNDS_NONE;
	after = look(&p->world);
	if (!p->model.is_shut)
		expect_seen(p, &expected, &after);
}

/* ---- loops ---- */

/* Where the loop goes; -1: it is refused. */
static int
choose_loop(const struct seen *s, int session, bool is_forced)
{
	const struct loop_seen *shared = &s->loops[LOOP_MAIN];
	bool is_foreign = shared->is_there && !shared->is_broken && shared->owner.n > 0 &&
			  !str_is(shared->owner, session_ids[session]);

	if (!is_foreign)
		return !shared->is_there || is_forced ? LOOP_MAIN : -1;
	if (session == NOBODY)
		return is_forced ? LOOP_MAIN : -1;
	return !s->loops[session].is_there || is_forced ? session : -1;
}

static void
play_ralph_start(struct play *p, const struct event *e)
{
	static const long limits[] = { 0, 1, 2, 3, 4, 12 };
	int session = e->what % (SESSIONS + 1);
	bool has_promise = e->what / 8 % 3 > 0, is_forced = e->how % 4 == 0;
	long max = limits[(size_t)e->how / 8 % COUNT_OF(limits)];
	struct seen expected = look(&p->world), after;
	int at = choose_loop(&expected, session, is_forced);
	struct str texts[] = {
		str_fmt(p->arena, "--max-iterations=%ld", max),
		str_fmt(p->arena, "--completion-promise=%s", has_promise ? "DONE" : "null"),
		str_fmt(p->arena, "--session=%s", session_ids[session]),
	};
	struct call c = { .argv = { "holdfast", "ralph", "start", texts[0].s, texts[1].s } };
	size_t n = 5;

	if (session != NOBODY)
		c.argv[n++] = texts[2].s;
	if (is_forced)
		c.argv[n++] = "--force";
	c.input = STR("");
	c.argv[n] = "Go on";
	play_call(p, &c);
	after = look(&p->world);
	if (p->model.is_shut)
		return;
	expect_exit(p, &c, at < 0 ? 1 : 0);
	if (at >= 0)
		expected.loops[at] = (struct loop_seen){ .is_there = true,
							 .has_promise = has_promise,
							 .iteration = 1,
							 .max = max,
							 .owner = str_from(session_ids[session]) };
	expect_seen(p, &expected, &after);
}

enum { CANCEL, PAUSE, RESUME };

struct call
ralph_control_call(const struct event *e)
{
	static const char *const words[] = { "cancel", "pause", "resume" };
	static const char *const whose[] = { "--session=s-one", "--session=s-two", "--all", NULL };
	struct call c = { .argv = { "holdfast", "ralph", words[e->what % 3], whose[e->how % 4] },
			  .input = STR("") };

	return c;
}

static bool
is_reached(const struct loop_seen *l, int at, int whose)
{
	if (!l->is_there || whose >= SESSIONS)
		return l->is_there;
	return l->is_broken ? at == whose : str_is(l->owner, session_ids[whose]);
}

static int
control_loop(struct loop_seen *l, int what)
{
	if (what == CANCEL) {
		*l = (struct loop_seen){ 0 };
		return 0;
	}
	if (l->is_broken)
		return 1;
	l->is_paused = what == PAUSE;
	return 0;
}

static void
play_ralph_control(struct play *p, const struct event *e)
{
	int whose = e->how % 4, reached = 0, code = 0;
	struct seen expected = look(&p->world), after;
	struct call c = ralph_control_call(e);

	for (int i = 0; i < LOOPS; i++)
		reached += is_reached(&expected.loops[i], i, whose);
	if (reached > 1 && whose == 3)
		code = 1; /* it is not said which */
	for (int i = 0; i < LOOPS && code == 0; i++)
		if (is_reached(&expected.loops[i], i, whose))
			code |= control_loop(&expected.loops[i], e->what % 3) << 1;
	play_call(p, &c);
	after = look(&p->world);
	if (p->model.is_shut)
		return;
	expect_exit(p, &c, code ? 1 : 0);
	expect_seen(p, &expected, &after);
}

/* ---- gates by hand ---- */

static void
play_run(struct play *p, const struct event *e)
{
	struct model *m = &p->model;
	int only = e->what % 3 == 0 ? e->how % p->plan->config.check_count : -1;
	struct str gate = str_fmt(p->arena, "--gate=k%d", only);
	struct call c = { .argv = { "holdfast", e->what % 2 ? "run" : "check", only >= 0 ? gate.s : NULL },
			  .input = STR("") };
	struct gates_step step = { 0 };
	bool is_known = p->plan->config.has_gates && !m->gates.is_in_doubt && !m->is_shut;

	if (is_known) {
		struct repository r = repository_look(m);

		step = gates_expect(m, &r, only);
	}
	play_call(p, &c);
	struct gates_ran ran = gates_trace(&p->world);

	if (!p->plan->config.has_gates || m->gates.has_foreign_lock) {
		expect_exit(p, &c, 1);
		if (ran.ran)
			complain(p, "checks %#x were run under a lock", ran.ran);
		return;
	}
	if (!is_known) {
		if (ran.failed && WEXITSTATUS(c.status) == 0)
			complain(p, "exit code 0, and checks %#x failed", ran.failed);
		gates_doubt(m, &ran);
		return;
	}
	expect_exit(p, &c,
		    strcmp(step.status, "failed") == 0 || strcmp(step.status, "retry_limit_exceeded") == 0);
	if (ran.ran != step.planned)
		complain(p, "checks %#x were run, expected %#x (%s)", ran.ran, step.planned, step.status);
	gates_after(m, &ran, only);
	if (ran.ran && !m->gates.in_state)
		m->blocks = 0;
}

static void
play_clean(struct play *p)
{
	struct call c = { .argv = { "holdfast", "clean" }, .input = STR("") };

	play_call(p, &c);
	if (!p->plan->config.has_gates || p->model.is_shut)
		return;
	expect_exit(p, &c, p->model.gates.has_foreign_lock ? 1 : 0);
	if (!p->model.gates.has_foreign_lock)
		gates_forget(&p->model);
}

/* Whatever is on disk, to look at it changes nothing. */
static void
play_look(struct play *p, const struct event *e)
{
	static const char *const commands[][5] = {
		{ "holdfast", "ralph", "status" },
		{ "holdfast", "ralph", "status", "--json" },
		{ "holdfast", "ralph", "list", "--json" },
		{ "holdfast", "doctor" },
		{ "holdfast", "list", "--json" },
		{ "holdfast", "detect", "--json" },
		{ "holdfast", "validate" },
		{ "holdfast", "config" },
		{ "holdfast", "health" },
		{ "holdfast", "run", "--dry-run" },
		{ "conclaude", "validate" },
		{ "conclaude", "visualize" },
		{ "holdfast", "init", "--dry-run" },
		{ "holdfast", "uninstall", "--dry-run" },
	};
	struct call c = { .input = STR("") };
	struct seen before = look(&p->world), after;

	memcpy(c.argv, commands[(size_t)e->what % COUNT_OF(commands)], sizeof(commands[0]));
	play_call(p, &c);
	if (!WIFEXITED(c.status) || WEXITSTATUS(c.status) > 1)
		complain(p, "%s %s: exit status %#x", c.argv[0], c.argv[1], (unsigned)c.status);
	if (gates_trace(&p->world).ran)
		complain(p, "%s %s runs a check", c.argv[0], c.argv[1]);
	after = look(&p->world);
	expect_seen(p, &before, &after);
	if (before.attempts != after.attempts)
		complain(p, "%s %s changes the gates' state", c.argv[0], c.argv[1]);
}

void
play_act(struct play *p, const struct event *e)
{
	switch (e->kind) {
	case EV_PROMPT:
		play_prompt(p, e);
		break;
	case EV_SESSION_END:
		play_session_end(p, e);
		break;
	case EV_RALPH_START:
		play_ralph_start(p, e);
		break;
	case EV_RALPH_CONTROL:
		play_ralph_control(p, e);
		break;
	case EV_RUN:
		play_run(p, e);
		break;
	case EV_CLEAN:
		play_clean(p);
		break;
	default:
		play_look(p, e);
	}
}

/* ---- two at once ---- */

enum { WITH_SAME, WITH_OTHER, WITH_CANCEL, WITH_CLEAN, WITH_RUN, WITH_SESSION_END, WITH_COUNT };

static long
passes_between(const struct seen *before, const struct seen *after, bool *ret_is_whole)
{
	long passes = 0;

	*ret_is_whole = true;
	for (int i = 0; i < LOOPS; i++) {
		if (before->loops[i].is_there != after->loops[i].is_there)
			*ret_is_whole = false;
		else
			passes += after->loops[i].iteration - before->loops[i].iteration;
	}
	return passes;
}

/* Either may have come first. */
static void
hear_both(struct play *p, const struct event *e, const struct answer *a, int other)
{
	uint64_t at_first = p->model.places[e->session], one, two;

	if (other != e->session || !str_is(a[0].status, "follow_up") || !str_is(a[1].status, "follow_up")) {
		if (str_is(a[0].status, "follow_up"))
			follow_up_heard(p, e->session, a[0].reason);
		if (str_is(a[1].status, "follow_up"))
			follow_up_heard(p, other, a[1].reason);
		return;
	}
	size_t wrong = p->wrong.n;

	follow_up_heard(p, other, a[0].reason);
	follow_up_heard(p, other, a[1].reason);
	one = p->model.places[other];
	p->model.places[other] = at_first;
	if (one)
		p->wrong.n = wrong;
	wrong = p->wrong.n;
	follow_up_heard(p, other, a[1].reason);
	follow_up_heard(p, other, a[0].reason);
	two = p->model.places[other];
	if (one | two)
		p->wrong.n = wrong;
	p->model.places[other] = one | two;
}

static void
judge_two(struct play *p, const struct event *e, int with, const struct answer *a, const struct seen *before)
{
	struct seen after = look(&p->world);
	bool is_whole;
	long passes = passes_between(before, &after, &is_whole);
	long went_on = str_is(a[0].status, "loop_continues") + str_is(a[1].status, "loop_continues");
	long rounds = str_is(a[0].status, "round_completed") + str_is(a[1].status, "round_completed");

	if (is_whole && passes != went_on)
		complain(p, "%ld stops went on, and %ld passes were counted", went_on, passes);
	if (with == WITH_CANCEL)
		for (int i = 0; i < LOOPS && !p->model.is_shut; i++)
			if (after.loops[i].is_there)
				complain(p, "%s has come back after it was cancelled", loop_file(i));
	if (with == WITH_SAME && rounds == 2 && e->session != NOBODY &&
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
	struct seen before = look(&p->world);

	second.session = with == WITH_OTHER ? 1 - e->session % SESSIONS : e->session;
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
					  .input = hook_input(p, e, "SessionEnd", "") };
	call_start(&p->world, &calls[0], 1);
	call_start(&p->world, &calls[1], 2);
	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		call_wait(&p->world, &calls[i]);
		if (calls[i].hangs || WIFSIGNALED(calls[i].status))
			complain(p, "%s %s: status %#x", calls[i].argv[0], calls[i].argv[1],
				 (unsigned)calls[i].status);
	}
	if (!call_reap())
		complain(p, "two at once have left a process");
	if (!answer_read(p, e, &calls[0], &a[0]) ||
	    (with <= WITH_OTHER && !answer_read(p, &second, &calls[1], &a[1])))
		return;
	buf_addf(&p->story, " -> " STR_FMT ", " STR_FMT, STR_ARG(a[0].status), STR_ARG(a[1].status));
	struct gates_ran ran = gates_trace(&p->world);

	judge_two(p, e, with, a, &before);
	if (with > WITH_OTHER) {
		if (str_is(a[0].status, "follow_up"))
			follow_up_heard(p, e->session, a[0].reason);
	} else {
		hear_both(p, e, a, second.session);
	}
	for (int i = 0; i < 2; i++)
		p->model.blocks += str_is(a[i].status, "failed");
	if (p->plan->config.has_gates)
		gates_doubt(&p->model, &ran);
	if (with == WITH_CLEAN)
		p->model.gates.in_state = p->model.gates.in_logs = 0, p->model.blocks = 0;
}
