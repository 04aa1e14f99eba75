/* SPDX-License-Identifier: MIT */
/* What users and clients do in addition to stops. */
#include "model.h"

#include "doc/json.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void
expect_exit(struct play *p, const struct call *c, int code)
{
	if (!WIFEXITED(c->status) || WEXITSTATUS(c->status) != code)
		complain(p, "%s %s: exit status %#x, expected exit code %d: '" STR_FMT "' '" STR_FMT "'",
			 c->argv[0], c->argv[1], (unsigned)c->status, code, STR_ARG(c->out), STR_ARG(c->err));
}

struct str
hook_input(const struct play *p, const struct event *e, const char *name, struct str prompt)
{
	struct buf b = BUF(p->arena, SIZE_MAX);

	buf_addf(&b, "{\"session_id\":\"%s\",\"cwd\":\"" STR_FMT "\",\"hook_event_name\":\"%s\"",
		 session_ids[e->session], STR_ARG(p->world.project), name);
	json_add(&b, "prompt", prompt);
	buf_addc(&b, '}');
	return buf_str(&b);
}

/* All tries of the session, in each project. */
static void
give_back(struct model *m, struct seen *expected, int session)
{
	expected->tries[session] = expected->elsewhere[session] = expected->blocks[session] = 0;
	m->blocks[session] = 0;
}

static void
play_prompt(struct play *p, const struct event *e)
{
	struct model *m = &p->model;
	/* Some prompts are of the client itself: they give no tries back. */
	struct str own = e->what % 10 == 0   ? STR("<task-notification>done</task-notification>")
			 : e->what % 10 == 3 ? STR("")
			 : e->what % 10 == 4 ? STR(" \n")
			 : e->what % 10 == 1 && e->session != NO_SESSION ? m->reason[e->session]
									 : STR_NONE;
	bool is_start = e->what % 10 == 2; /* of a session: there is no prompt yet */
	bool is_wanted = !own.s && e->what % 3 > 0;
	const char *name = is_start ? "SessionStart" : "UserPromptSubmit";
	bool is_plugins = p->config.is_for_all && !p->config.is_registered;
	struct call c = { .argv = { "holdfast", "hook", name, is_plugins ? "--plugin" : NULL } };
	struct seen expected = observe(&p->world), after;

	c.input = hook_input(p, e, name, own.s ? own : is_wanted ? STR("/plan it") : STR("hello"));
	play_call(p, &c);
	expect_exit(p, &c, 0);
	if (c.out.n > 0)
		complain(p, "a prompt was answered: " STR_FMT, STR_ARG(c.out));
	if (!own.s && !is_start && e->session != NO_SESSION)
		give_back(m, &expected, e->session);
	after = observe(&p->world);
	expect_seen(p, &expected, &after);
	if (!trust_allows(m, BY_STOP_HOOK))
		return;
	if (p->config.has_gates && e->session != NO_SESSION && m->gates.session_starts[e->session].n == 0)
		m->gates.session_starts[e->session] = world_sh(&p->world, "git rev-parse HEAD");
	/* Work on the base branch starts here, if nothing is known about it. */
	if (p->config.has_gates && m->gates.main_start.n == 0 &&
	    str_is(world_sh(&p->world, "git symbolic-ref -q --short HEAD"), "main"))
		m->gates.main_start = world_sh(&p->world, "git rev-parse HEAD");
	if (!p->config.has_yaml || p->config.message_count == 0 || m->is_yaml_broken || m->is_db_broken ||
	    is_start || e->session == NO_SESSION || m->has_prompt[e->session] || (own.s && own.n == 0))
		return;
	m->has_prompt[e->session] = true;
	m->is_wanted[e->session] = is_wanted;
	m->places[e->session] = 1;
}

static void
play_session_end(struct play *p, const struct event *e)
{
	struct call c = { .argv = { "holdfast", "hook", "SessionEnd" } };
	struct seen expected = observe(&p->world), after;

	c.input = hook_input(p, e, "SessionEnd", STR(""));
	play_call(p, &c);
	expect_exit(p, &c, 0);
	if (c.out.n > 0)
		complain(p, "the end of a session was answered: " STR_FMT, STR_ARG(c.out));
	if (e->session != NO_SESSION) {
		expected.rounds[e->session] = COUNT_NONE;
		give_back(&p->model, &expected, e->session);
		p->model.trust.is_told[e->session] = NO;
	}
	after = observe(&p->world);
	if (!p->model.is_shut)
		expect_seen(p, &expected, &after);
}

/* What is kept about definitions, a file a line. */
static struct str
kept_definitions(const struct world *w)
{
	return world_sh(w, "find '" STR_FMT "/home/state/holdfast/definitions' -type f 2>/dev/null",
			STR_ARG(w->dir));
}

/* A stop of the session in another project: neither uses up nor gives back tries of the first. */
static void
play_elsewhere(struct play *p, const struct event *e)
{
	const struct world *w = &p->world;
	struct str other = world_other(w), kept = kept_definitions(w), added, line;
	struct call c = { .argv = { "holdfast", "stop-hook" } };
	struct seen expected = observe(w), after;
	struct answer a;
	int s = e->session;

	if (s == NO_SESSION || p->model.is_shut || p->config.is_for_all)
		return;
	(void)world_sh(w,
		       "mkdir '" STR_FMT "' 2>/dev/null && cd '" STR_FMT "' && git init -q && echo x >a && "
		       "echo '{tries: %d, gates: {no: \"false\"}}' >holdfast.yml",
		       STR_ARG(other), STR_ARG(other), OTHER_TRIES);
	c.input = str_fmt(p->arena, "{\"session_id\":\"%s\",\"cwd\":\"" STR_FMT "\"}", session_ids[s],
			  STR_ARG(other));
	play_call(p, &c);
	if (!answer_read(p, &(struct event){ .front_end = BY_STOP_HOOK, .session = s }, &c, &a))
		return;
	bool is_try = expected.elsewhere[s] < OTHER_TRIES;
	bool is_block = is_try && expected.blocks[s] < BLOCKS_MOST;

	expected.elsewhere[s] += is_try;
	expected.blocks[s] = is_block ? expected.blocks[s] + 1 : 0;
	if (a.is_block != is_block)
		complain(p, "the stop in the other project was %s: " STR_FMT,
			 a.is_block ? "blocked" : "allowed", STR_ARG(a.status));
	if (a.is_block)
		p->model.reason[s] = str_copy(p->arena, a.reason);
	after = observe(w);
	expect_seen(p, &expected, &after);
	/* What the model knows of definitions is that of the first project alone. */
	added = kept_definitions(w);
	while (str_next(&added, '\n', &line))
		if (str_find(kept, line) < 0)
			(void)unlink(str_copy(p->arena, line).s);
}

/* ---- loops ---- */

/* The file for the new loop; -1: the loop is refused. */
static int
choose_loop(const struct seen *s, int session, bool is_forced)
{
	const struct loop_seen *shared = &s->loops[LOOP_MAIN];
	bool is_foreign = shared->is_there && !shared->is_broken && shared->owner.n > 0 &&
			  !str_is(shared->owner, session_ids[session]);

	if (!is_foreign)
		return !shared->is_there || is_forced ? LOOP_MAIN : -1;
	if (session == NO_SESSION)
		return is_forced ? LOOP_MAIN : -1;
	return !s->loops[session].is_there || is_forced ? session : -1;
}

struct loop_request {
	int session;
	bool has_promise, is_forced;
	long max;
};

static struct loop_request
loop_request(const struct event *e)
{
	static const long limits[] = { 0, 1, 2, 3, 4, 12 };

	return (struct loop_request){ e->what % (SESSIONS + 1), e->what / 8 % 3 > 0, e->how % 4 == 0,
				      limits[(size_t)e->how / 8 % COUNT_OF(limits)] };
}

struct call
ralph_start_call(const struct play *p, const struct event *e)
{
	struct loop_request w = loop_request(e);
	struct call c = { .argv = { "holdfast", "ralph", "start", "Go on" }, .input = STR("") };
	size_t n = 4;

	c.argv[n++] = str_fmt(p->arena, "--max-iterations=%ld", w.max).s;
	c.argv[n++] = w.has_promise ? "--completion-promise=DONE" : "--completion-promise=null";
	if (w.session != NO_SESSION)
		c.argv[n++] = str_fmt(p->arena, "--session=%s", session_ids[w.session]).s;
	if (w.is_forced)
		c.argv[n++] = "--force";
	return c;
}

static void
play_ralph_start(struct play *p, const struct event *e)
{
	struct loop_request w = loop_request(e);
	struct seen expected = observe(&p->world), after;
	int at = choose_loop(&expected, w.session, w.is_forced);
	struct call c = ralph_start_call(p, e);

	play_call(p, &c);
	after = observe(&p->world);
	if (p->model.is_shut)
		return;
	expect_exit(p, &c, at < 0 ? 1 : 0);
	if (at >= 0)
		expected.loops[at] = (struct loop_seen){ .is_there = true,
							 .has_promise = w.has_promise,
							 .iteration = 1,
							 .max = w.max,
							 .owner = str_from(session_ids[w.session]) };
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
	struct seen expected = observe(&p->world), after;
	struct call c = ralph_control_call(e);

	for (int i = 0; i < LOOPS; i++)
		reached += is_reached(&expected.loops[i], i, whose);
	bool is_ambiguous = reached > 1 && whose == 3;

	for (int i = 0; i < LOOPS && !is_ambiguous; i++)
		if (is_reached(&expected.loops[i], i, whose))
			code |= control_loop(&expected.loops[i], e->what % 3);
	play_call(p, &c);
	after = observe(&p->world);
	if (p->model.is_shut)
		return;
	expect_exit(p, &c, is_ambiguous || code);
	expect_seen(p, &expected, &after);
}

/* ---- gates by hand ---- */

static void
play_run(struct play *p, const struct event *e)
{
	struct model *m = &p->model;
	int gate = e->what % 3 == 0 ? e->how % p->config.check_count : -1;
	static const char *const scopes[SCOPE_COUNT] = { NULL, "--uncommitted", "--commit=HEAD" };
	enum scope scope = e->how % 2 ? SCOPE_ALL : (enum scope)(e->how / 2 % SCOPE_COUNT);
	enum { RUN, CHECK, REVIEW } kind = e->what % 2 ? RUN : CHECK;

	if (p->config.has_review && (gate >= 0 || scope != SCOPE_ALL))
		kind = CHECK; /* the model does not cover reviews of a part of the change */
	else if (p->config.has_review && e->how % 5 == 1)
		kind = REVIEW;
	static const char *const words[] = { "run", "check", "review" };
	static const unsigned kinds[] = { ~0u, ~JOB_REVIEW, JOB_REVIEW };
	bool is_partial = gate >= 0 || scope != SCOPE_ALL || (kind != RUN && p->config.has_review);
	struct call c = { .argv = { "holdfast", words[kind] }, .input = STR("") };
	size_t n = 2;
	struct gates_step step = { 0 };
	bool is_known = p->config.has_gates && !m->gates.is_untracked && !m->is_shut;

	if (gate >= 0)
		c.argv[n++] = str_fmt(p->arena, "--gate=k%d", gate).s;
	c.argv[n] = scopes[scope];
	if (is_known) {
		struct repository r = repository_read(m, scope, NO_SESSION);

		step = gates_expect(m, &r, gate >= 0 ? check_jobs(&p->config, gate) : kinds[kind]);
		is_known = !r.is_unsure;
	}
	struct seen before = observe(&p->world), after;
	struct str before_files = p->config.is_native ? repository_files(&p->world, tree_now(&p->world))
						      : STR("");

	play_call(p, &c);
	struct gates_ran ran = gates_trace(&p->world);

	/* A run by hand is not a try. */
	after = observe(&p->world);
	expect_seen(p, &before, &after);
	if (!p->config.has_gates || m->gates.has_foreign_lock) {
		expect_exit(p, &c, 1);
		if (ran.ran)
			complain(p, "checks %#x were run under a lock", ran.ran);
		return;
	}
	if (!is_known || gates_have_moved(m, &ran)) {
		if (ran.failed && WEXITSTATUS(c.status) == 0)
			complain(p, "exit code 0, and checks %#x failed", ran.failed);
		if (ran.asked && ran.answer != REVIEWER_PASSES && WEXITSTATUS(c.status) == 0)
			complain(p, "exit code 0, and the review did not pass");
		content_note_passes(m, before_files, &ran);
		gates_lose_track(m, &ran);
		return;
	}
	content_note_passes(m, step.repository.files, &ran);
	gates_settle(m, &step, &ran);
	expect_exit(p, &c,
		    strcmp(step.status, "passed") != 0 && strcmp(step.status, "passed_with_warnings") != 0 &&
			    step.status[0] != 'n');
	if (!gates_have_run(m, &ran, &step))
		complain(p, "checks %#x were run, expected %#x (%s)", ran.ran, step.planned, step.status);
	const char *wrong = review_judge(m, &step, &ran);

	if (wrong)
		complain(p, "%s: planned %#x, ran %#x", wrong, step.planned, ran.ran);
	gates_after(m, &step, &ran, is_partial);
}

static void
play_clean(struct play *p)
{
	struct call c = { .argv = { "holdfast", "clean" }, .input = STR("") };
	struct gates *g = &p->model.gates;
	struct str passed_at = g->passed_at, branch = g->branch;
	bool is_known = g->is_passed_at_known, is_untracked = g->is_untracked;
	struct seen expected = observe(&p->world), after;

	play_call(p, &c);
	if (!p->config.has_gates)
		return;
	if (!p->model.is_shut)
		expect_exit(p, &c, p->model.gates.has_foreign_lock ? 1 : 0);
	if (WIFEXITED(c.status) && WEXITSTATUS(c.status) == 0) {
		gates_archived(&p->model);
		g->passed_at = passed_at;
		g->branch = branch;
		g->is_passed_at_known = is_known;
		g->is_untracked = is_untracked;
		if (g->review.is_on_cooldown == YES)
			g->review.is_on_cooldown = PERHAPS;
		for (int i = 0; i <= SESSIONS; i++)
			expected.tries[i] = p->model.blocks[i] = 0;
	}
	after = observe(&p->world);
	if (!p->model.is_shut)
		expect_seen(p, &expected, &after);
}

/* Commands that only read change nothing, whatever is on disk. */
static void
play_inspect(struct play *p, const struct event *e)
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
		{ "holdfast", "trust", "--list" },
	};
	struct call c = { .input = STR("") };
	struct seen before = observe(&p->world), after;

	memcpy(c.argv, commands[(size_t)e->what % COUNT_OF(commands)], sizeof(commands[0]));
	play_call(p, &c);
	if (!WIFEXITED(c.status) || WEXITSTATUS(c.status) > 1)
		complain(p, "%s %s: exit status %#x", c.argv[0], c.argv[1], (unsigned)c.status);
	struct gates_ran ran = gates_trace(&p->world);

	if (ran.ran || ran.asked)
		complain(p, "%s %s ran a gate", c.argv[0], c.argv[1]);
	after = observe(&p->world);
	expect_seen(p, &before, &after);
}

/* Input that is not an event allows the stop and does nothing. */
static void
play_noise(struct play *p, const struct event *e)
{
	static const struct str texts[] = {
		STR(""),
		STR("\n \n"),
		STR("{\"session_id\":\"s-one\""),
		STR("[]"),
		STR("\xff\x00"),
		STR("null"),
		STR("{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s-one\"}"),
	};
	struct event stop = { .kind = EV_STOP, .front_end = e->how % 2 ? BY_STOP_HOOK : BY_GAUNTLET };
	struct call c = stop_call(p, &stop);
	struct seen before = observe(&p->world), after;
	struct answer a;

	c.input = texts[(size_t)e->what % COUNT_OF(texts)];
	play_call(p, &c);
	if (answer_read(p, &stop, &c, &a) && !str_is(a.status, "invalid_input"))
		complain(p, "noise is '" STR_FMT "'", STR_ARG(a.status));
	after = observe(&p->world);
	expect_seen(p, &before, &after);
	if (gates_trace(&p->world).ran)
		complain(p, "noise runs a check");
}

/* uninstall restores the settings that init changed, byte for byte. */
static void
play_install(struct play *p)
{
	struct call c = { .argv = { "holdfast", p->is_installed ? "uninstall" : "init" }, .input = STR("") };
	struct str before = world_read(&p->world, ".claude/settings.json");

	if (p->model.is_shut)
		return;
	play_call(p, &c);
	expect_exit(p, &c, 0);
	struct str after = world_read(&p->world, ".claude/settings.json");

	if (!p->is_installed) {
		p->settings = before;
		/* Who types init in a project agrees to what it defines. */
		trust_accepted(p, p->model.trust.is_pinned);
	} else if (!str_eq(after, p->settings) || !after.s != !p->settings.s)
		complain(p, "the settings were '" STR_FMT "' and are '" STR_FMT "'", STR_ARG(p->settings),
			 STR_ARG(after));
	p->is_installed = !p->is_installed;
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
	case EV_ELSEWHERE:
		play_elsewhere(p, e);
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
	case EV_NOISE:
		play_noise(p, e);
		break;
	case EV_INSTALL:
		play_install(p);
		break;
	case EV_CLEAN:
		play_clean(p);
		break;
	case EV_CLONE:
		play_clone(p, e);
		break;
	case EV_TRUST:
		play_trust(p, e);
		break;
	default:
		play_inspect(p, e);
	}
}
