/* SPDX-License-Identifier: MIT */
/* Plays a session, and judges the stops in it. */
#include "model.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void
complain(struct play *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str what = str_vfmt(p->arena, fmt, args);

	va_end(args);
	buf_addf(&p->wrong, "event %zu: " STR_FMT "\n", p->at, STR_ARG(what));
}

void
play_call(struct play *p, struct call *c)
{
	call_start(&p->world, c, 1);
	call_wait(&p->world, c);
	if (c->hangs)
		complain(p, "%s %s does not end", c->argv[0], c->argv[1]);
	else if (!c->signal && WIFSIGNALED(c->status))
		complain(p, "%s %s was ended by signal %d: " STR_FMT, c->argv[0], c->argv[1],
			 WTERMSIG(c->status), STR_ARG(c->err));
	if (!call_reap())
		complain(p, "%s %s left a process running", c->argv[0], c->argv[1]);
	if (str_find(c->err, STR("runtime error:")) >= 0 || str_find(c->err, STR("Sanitizer")) >= 0)
		complain(p, "%s %s: " STR_FMT, c->argv[0], c->argv[1], STR_ARG(c->err));
}

/* ---- what is on disk ---- */

void
expect_seen(struct play *p, const struct seen *expected, const struct seen *after)
{
	for (int i = 0; i < LOOPS; i++)
		if (!loop_equal(&expected->loops[i], &after->loops[i]))
			complain(p, "%s should %s at iteration %ld, and is '" STR_FMT "'", loop_file(i),
				 expected->loops[i].is_there ? "be" : "not be", expected->loops[i].iteration,
				 STR_ARG(after->loops[i].text));
	for (int i = 0; i < SESSIONS; i++) {
		if (expected->rounds[i] != after->rounds[i])
			complain(p, "rounds of %s: %ld, expected %ld", session_ids[i], after->rounds[i],
				 expected->rounds[i]);
		if (expected->elsewhere[i] != after->elsewhere[i])
			complain(p, "tries of %s in the other project: %ld, expected %ld", session_ids[i],
				 after->elsewhere[i], expected->elsewhere[i]);
	}
	for (int i = 0; i <= SESSIONS; i++) {
		if (expected->tries[i] != after->tries[i])
			complain(p, "tries of '%s': %ld, expected %ld", session_ids[i], after->tries[i],
				 expected->tries[i]);
		if (expected->blocks[i] != after->blocks[i])
			complain(p, "blocks of '%s': %ld, expected %ld", session_ids[i], after->blocks[i],
				 expected->blocks[i]);
	}
	if (expected->asides != after->asides)
		complain(p, "the files that were set aside are not the expected ones");
}

/* A count on disk bounds each block, whatever else is wrong. */
static void
judge_count(struct play *p, const struct event *e, struct str status, const struct seen *before,
	    const struct seen *after)
{
	long iterations = 0;

	for (int i = 0; i < LOOPS; i++)
		if (after->loops[i].is_there && before->loops[i].is_there)
			iterations += after->loops[i].iteration - before->loops[i].iteration;
	if (str_is(status, "loop_continues") && iterations != 1)
		complain(p, "the loop continued, and %ld iterations were counted", iterations);
	if (str_is(status, "round_completed")) {
		long was = before->rounds[e->session];

		if (after->rounds[e->session] != (was < 0 ? 1 : was + 1) ||
		    after->rounds[e->session] >= p->config.rounds)
			complain(p, "a round was completed, and the count went from %ld to %ld", was,
				 after->rounds[e->session]);
	}
	if (str_is(status, "failed")) {
		long *blocks = &p->model.blocks[e->session];

		if (++*blocks > p->config.max_retries)
			complain(p, "gates have blocked %ld times with %d retries", *blocks,
				 p->config.max_retries);
		if (after->tries[e->session] < 1)
			complain(p, "gates blocked, and no try was counted");
	}
}

void
follow_up_sent(struct play *p, int session, struct str reason)
{
	const struct config *c = &p->config;
	uint64_t places = p->model.places[session], next = 0;
	int place = 0;

	for (int i = 0; i < c->message_count; i++)
		for (int k = 0; k < c->times[i]; k++, place++)
			if ((places >> place & 1) && str_eq(reason, str_fmt(p->arena, "message %d", i)))
				next |= UINT64_C(2) << place;
	if (next == 0)
		complain(p, "the message '" STR_FMT "' is not due (places %#lx)", STR_ARG(reason),
			 (unsigned long)places);
	p->model.places[session] = next;
}

/* ---- gates that the model does not track ---- */

static bool
is_gates_status(struct str status)
{
	static const char *const names[] = { "failed",
					     "passed",
					     "passed_with_warnings",
					     "no_changes",
					     "no_applicable_gates",
					     "unchanged",
					     "retry_limit_exceeded",
					     "interval_not_elapsed",
					     "lock_exists",
					     "stop_hook_disabled",
					     "error",
					     "infrastructure_error" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (str_is(status, names[i]))
			return true;
	return false;
}

/* The tries start again at zero where the gates have passed. Not every front end says so, and a later policy may have decided. */
static void
note_pass(struct play *p, const struct event *e, const struct answer *a, const struct gates_ran *ran,
	  const struct seen *after)
{
	bool may_have_passed = !is_gates_status(a->status) && !ran->failed;

	if (str_starts(a->status, STR("passed")) || (may_have_passed && after->tries[e->session] == 0))
		p->model.blocks[e->session] = 0;
}

/* Statuses that allow a stop because nothing is known to be wrong. */
static bool
is_confident(struct str status)
{
	return str_starts(status, STR("passed")) || str_is(status, "no_changes") ||
	       str_is(status, "no_applicable_gates") || str_is(status, "unchanged") ||
	       str_is(status, "interval_not_elapsed");
}

/* What always holds: nothing passes unless it ran and did not fail. */
void
gates_judge(struct play *p, struct str status, const struct gates_ran *r)
{
	const struct gates *g = &p->model.gates;
	unsigned known = g->outstanding;

	if (g->review.mark == MARK_SKIPPED || (r->asked && r->answer == REVIEWER_PASSES))
		known &= ~JOB_REVIEW;
	if (is_confident(status) && r->failed)
		complain(p, STR_FMT ", and checks %#x failed", STR_ARG(status), r->failed);
	if (is_confident(status) && r->asked && r->answer != REVIEWER_PASSES &&
	    !(r->answer == REVIEWER_FINDS && review_was_skipped(g->review.skipped_files, r->file)))
		complain(p, STR_FMT ", and the review did not pass", STR_ARG(status));
	/* An error blocks where a failure is known, and so do files that never stay. */
	if (str_is(status, "failed") && !r->failed && !p->config.has_review && !p->model.is_git_failing &&
	    !p->model.is_shut && !gates_have_moved(&p->model, r))
		complain(p, "gates failed, and no check has");
	if (is_confident(status) && (known & ~r->ran)) {
		struct repository now = repository_read(&p->model, SCOPE_ALL, NO_SESSION);
		/* After a change of the branch or a merge, the gates start over. */
		struct gates_step step = gates_expect(&p->model, &now, ~0u);

		if (review_is_undone(&p->model, now.tree))
			known &= ~JOB_REVIEW;
		if (step.planned & known & ~r->ran)
			complain(p, STR_FMT ", and jobs %#x are known to fail", STR_ARG(status), known);
	}
}

/* After a run that was not interrupted, the model knows again what is recorded. */
static void
gates_resume(struct play *p, struct str status, const struct gates_step *step, const struct gates_ran *r)
{
	struct gates *g = &p->model.gates;
	bool has_passed = str_is(status, "passed");
	struct gates_step known = *step;

	/* Both record the commit. */
	if ((str_is(status, "no_changes") || str_is(status, "unchanged")) && step->runs) {
		g->passed_at = step->repository.commit;
		g->is_passed_at_known = !g->is_untracked;
		g->is_start_known = false;
	}
	if (has_passed && review_is_undone(&p->model, step->repository.tree))
		g->outstanding &= ~JOB_REVIEW;
	if (r->ran == 0 && r->asked == 0)
		return;
	known.planned = (known.planned & ~JOB_REVIEW) | r->ran | (r->asked ? JOB_REVIEW : 0);
	bool was_untracked = g->is_untracked;

	gates_after(&p->model, &known, r, false);
	g->is_untracked = was_untracked;
	if (has_passed || (r->failed && r->ran == config_jobs(&p->config))) {
		g->is_untracked = false;
		if (has_passed)
			g->outstanding = 0;
	}
	/* A review that passes, whether its reviewer was asked or not, has passed for the current tree. Its findings may have been
	 * archived by somebody else. */
	if (has_passed && (step->planned & JOB_REVIEW)) {
		g->review.has_passed = true;
		g->review.tree = step->repository.tree;
		g->review.mark = MARK_NEW;
	}
	if (has_passed)
		g->passed_at = step->repository.commit;
	g->is_passed_at_known = has_passed;
	g->is_start_known = has_passed && str_is(step->repository.branch, "main");
	if (has_passed && step->repository.session != NO_SESSION) {
		g->session_starts[step->repository.session] = step->repository.commit;
		g->unknown_starts &= ~(1u << step->repository.session);
	}
	/* What the files were compared with may be another commit than the model believes. */
	if (was_untracked || step->repository.is_unsure)
		g->unknown_keys = ~0u;
	/* What the last of several rounds has seen, the model does not know. */
	if (gates_have_moved(&p->model, r)) {
		g->unknown_keys = g->unknown_starts = ~0u;
		g->is_passed_at_known = g->is_start_known = false;
	}
}

/* ---- a stop ---- */

static void
judge_follow_up(struct play *p, const struct event *e, const struct answer *a, const struct expected *x)
{
	struct model *m = &p->model;
	bool is_sent = str_is(a->status, "follow_up");

	if (is_sent)
		follow_up_sent(p, e->session, a->reason);
	else if (e->session != NO_SESSION && x->follow_up < 0)
		m->places[e->session] &= UINT64_C(1) << messages_in_all(&p->config) | m->places[e->session];
}

/* While git fails, a stop is decided as with a working git, or by an error that changes nothing. */
static void
judge_without_git(struct play *p, const struct answer *a, const struct expected *x,
		  const struct gates_ran *ran)
{
	const struct gates_step *step = &x->gates;

	if (ran->ran || ran->asked) {
		gates_lose_track(&p->model, ran);
		return;
	}
	if (!x->asks_gates || !is_confident(a->status))
		return;
	if (!str_is(a->status, step->status) &&
	    !(step->other_status && str_is(a->status, step->other_status)))
		complain(p, "git failed, and the status is '" STR_FMT "', expected '%s' or an error",
			 STR_ARG(a->status), step->status);
	else if (step->runs)
		gates_after(&p->model, step, ran, false);
}

/* What has not been seen to pass must not pass, and that an interval skips something is told. */
static void
judge_content(struct play *p, const struct answer *a, const struct expected *x, const struct gates_ran *ran)
{
	const struct gates *g = &p->model.gates;
	const struct gates_step *step = &x->gates;
	bool is_passed = str_starts(a->status, STR("passed")) || str_is(a->status, "unchanged");
	bool is_told = str_find(a->told, STR("the files may have changed since the gates last ran")) >= 0;

	content_note_passes(&p->model, step->repository.files, ran);
	if (x->asks_gates && is_passed && !step->repository.is_unsure) {
		unsigned unseen = content_unseen(&p->model, step, ran);

		if (unseen)
			complain(p, STR_FMT ", and jobs %#x have never passed for what is there",
				 STR_ARG(a->status), unseen);
	}
	if (!p->model.is_git_failing && !g->is_untracked && str_is(a->status, "interval_not_elapsed") &&
	    is_told == str_eq(g->tree, step->repository.tree))
		complain(p, "that the content has changed was %s", is_told ? "told" : "not told");
}

/* What the gates came to, by the answer. A front end without statuses tells it in words, if at all. */
static const char *
gates_status(const struct play *p, const struct answer *a, const struct gates_ran *ran)
{
	if (is_gates_status(a->status))
		return str_copy(p->arena, a->status).s;
	if (str_is(a->status, "block_limit_reached") ||
	    str_find(a->told, STR("stops in a row were blocked")) >= 0)
		return "failed";
	if (a->status.n > 0 || a->is_block)
		return "passed";
	if (str_find(a->told, STR("tries used:")) >= 0)
		return "retry_limit_exceeded";
	return review_cannot_run(&p->model, ran) ? "infrastructure_error" : "passed";
}

void
judge_stop(struct play *p, const struct event *e, const struct answer *a, const struct facts *facts)
{
	struct model *m = &p->model;
	struct gates_ran ran = gates_trace(&p->world);
	struct seen after = observe(&p->world);
	bool is_unsure = m->gates.is_untracked || m->is_shut || facts->gates.repository.is_unsure ||
			 gates_have_moved(m, &ran);
	bool is_untracked = is_unsure || m->is_git_failing;
	struct reply reply = { .is_not_due = !str_is(a->status, "follow_up"), .ran = &ran };

	if (is_untracked)
		reply.gates = gates_status(p, a, &ran);
	struct expected x = expect_stop(m, e, facts, &reply);

	/* Where the status is not that of the gates, nobody knows what they came to. */
	if (is_untracked && !is_gates_status(a->status))
		x.seen.tries[e->session] = after.tries[e->session];
	/* conclaude's front end may refuse the stop before anything is decided. */
	if (e->front_end == BY_CONCLAUDE && !a->is_block &&
	    after.blocks[e->session] == facts->seen.blocks[e->session])
		x.seen.blocks[e->session] = after.blocks[e->session];
	struct gates_step none = { 0 };
	const struct gates_step *step = x.asks_gates ? &x.gates : &none;

	judge_count(p, e, a->status, &facts->seen, &after);
	if (is_untracked)
		gates_judge(p, a->status, &ran);
	judge_content(p, a, &x, &ran);
	judge_follow_up(p, e, a, &x);
	note_pass(p, e, a, &ran, &after);
	if (e->session != NO_SESSION && a->is_block)
		m->reason[e->session] = str_copy(p->arena, a->reason);
	if (m->is_shut) {
		if (ran.ran || ran.asked || step->runs)
			gates_lose_track(m, &ran);
		return;
	}
	if (a->status.n == 0
		    ? x.is_block != a->is_block
		    : !str_is(a->status, x.status) && !(x.other_status && str_is(a->status, x.other_status)))
		complain(p, "the status is '" STR_FMT "', expected '%s'", STR_ARG(a->status), x.status);
	expect_seen(p, &x.seen, &after);
	if (m->is_git_failing) {
		if (!is_unsure)
			judge_without_git(p, a, &x, &ran);
		else if (ran.ran || ran.asked)
			gates_lose_track(m, &ran);
		return;
	}
	if (is_untracked) {
		gates_resume(p, a->status, &x.gates, &ran);
		return;
	}
	if (!gates_have_run(m, &ran, step))
		complain(p, "checks %#x were run, %#x of them again, expected %#x without %#x", ran.ran,
			 ran.again, step->planned, step->reused);
	const char *wrong = review_judge(m, step, &ran);

	if (wrong)
		complain(p, "%s: planned %#x, ran %#x", wrong, step->planned, ran.ran);
	if (!step->runs)
		return;
	unseen_judge(p, &facts->unseen, a->told);
	gates_after(m, step, &ran, false);
}

static void
play_stop(struct play *p, const struct event *e)
{
	struct facts before = facts_gather(&p->model, e);
	struct call c = stop_call(p, e);
	struct str words = trust_words(p, e);
	struct answer a;

	play_call(p, &c);
	if (!answer_read(p, e, &c, &a))
		return;
	buf_addf(&p->story, " -> " STR_FMT, STR_ARG(a.status));
	if (e->kind == EV_SUBAGENT) {
		struct seen after = observe(&p->world);

		if (e->front_end < BY_RALPH && !str_is(a.status, "subagent"))
			complain(p, "a subagent's stop is '" STR_FMT "'", STR_ARG(a.status));
		/* conclaude's front end decides about it as about any stop. */
		if (e->front_end == BY_CONCLAUDE)
			before.seen.blocks[e->session] = after.blocks[e->session];
		expect_seen(p, &before.seen, &after);
		return;
	}
	judge_stop(p, e, &a, &before);
	trust_judge(p, e, &a, words);
}

/* One of git's commands fails during this stop. */
static void
play_stop_without_git(struct play *p, const struct event *e)
{
	static const char *const commands[] = { "merge-base", "diff",     "merge-base", "rev-parse",
						"ls-files",   "cat-file", "write-tree" };
	const char *script = str_fmt(p->arena, STR_FMT "/bin/git", STR_ARG(p->world.dir)).s;
	struct event stop = *e;
	struct loop_seen shared = observe(&p->world).loops[LOOP_MAIN];
	struct call c;
	struct answer a;

	/* Whether git tracks the file of a loop without an owner is a question, too. */
	if (shared.is_there && shared.owner.n == 0)
		return;
	stop.kind = EV_STOP;
	stop.front_end = BY_STOP_HOOK;
	struct facts before = facts_gather(&p->model, &stop);
	struct str words = trust_words(p, &stop);

	c = stop_call(p, &stop);
	world_write(&p->world, script,
		    str_fmt(p->arena,
			    "#!/bin/sh\nfor a; do [ \"$a\" != %s ] || exit 128; done\n"
			    "PATH=${PATH#*:}; exec git \"$@\"\n",
			    commands[(size_t)e->what % COUNT_OF(commands)]));
	(void)chmod(script, 0700);
	play_call(p, &c);
	(void)unlink(script);
	if (!answer_read(p, &stop, &c, &a))
		return;
	buf_addf(&p->story, " -> " STR_FMT, STR_ARG(a.status));
	p->model.is_git_failing = true;
	judge_stop(p, &stop, &a, &before);
	trust_judge(p, &stop, &a, words);
	p->model.is_git_failing = false;
}

/* ---- the session ---- */

void
play_event(struct play *p, const struct event *e)
{
	(void)unlink(p->world.trace.s);
	/* An empty lock is held for some seconds, which must not depend on how fast the machine is. */
	if (p->model.gates.has_foreign_lock)
		(void)utimensat(AT_FDCWD, world_path(&p->world, "gauntlet_logs/.gauntlet-run.lock").s, NULL,
				0);
	switch (e->kind) {
	case EV_STOP:
	case EV_SUBAGENT:
		play_stop(p, e);
		break;
	case EV_NO_GIT:
		play_stop_without_git(p, e);
		break;
	case EV_ENDED:
		play_ended(p, e);
		break;
	case EV_TWO:
		play_two(p, e);
		break;
	case EV_DISTURB:
		play_disturbed(p, e);
		break;
	case EV_WAIT:
		play_many(p, e);
		break;
	case EV_COMMIT:
	case EV_BRANCH:
	case EV_MERGE:
	case EV_GIT:
		play_git(p, e);
		return;
	case EV_EDIT:
	case EV_FLAG:
	case EV_UNSEEN:
	case EV_DELETE:
	case EV_CORRUPT:
	case EV_SHUT:
	case EV_YAML:
	case EV_CONFIGURE:
	case EV_TIME:
	case EV_ANSWER:
	case EV_MARK:
		play_damage(p, e);
		return;
	default:
		play_act(p, e);
	}
}

bool
play_session(struct play *p, const bool *mask)
{
	for (size_t i = 0; i < p->plan->count && p->wrong.n == 0; i++) {
		const struct event *e = &p->plan->events[i];
		bool is_users = e->kind >= EV_EDIT && e->kind != EV_ENDED && e->kind != EV_TWO &&
				e->kind != EV_WAIT && e->kind != EV_DISTURB;

		if (!mask[i])
			continue;
		p->at = i;
		p->played++;
		buf_addf(&p->story, "%zu %s", i, event_text(p->arena, e).s);
		bool was_lenient = p->world.is_lenient;
		struct str before = world_list(&p->world);

		play_event(p, e);
		buf_addc(&p->story, '\n');
		if (is_users)
			continue;
		trust_observe(p);
		struct str changes = world_difference(&p->world, before, world_list(&p->world));

		/* After a kill, the two lists leave out different files. */
		if (was_lenient == p->world.is_lenient && changes.n > 0)
			complain(p, "a file that is not holdfast's has changed:" STR_FMT, STR_ARG(changes));
		if (world_has(&p->world, ".git/index.lock"))
			complain(p, "git's index is locked");
	}
	return p->wrong.n == 0;
}
