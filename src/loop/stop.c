/* SPDX-License-Identifier: MIT */
/* A stop in a loop. Whatever goes wrong lets the agent stop, with the reason. A block is only returned after the iteration was
 * counted in the file, so that the limit holds. */
#include "loop/loop.h"

#include "base/buf.h"
#include "base/path.h"
#include "os/clock.h"
#include "os/fs.h"
#include "loop/adopt.h"
#include "loop/gather.h"
#include "loop/stuck.h"

#include <errno.h>
#include <inttypes.h>

/* How often a change is tried again because another program edited the file meanwhile. */
#define CHANGE_TRIES 5
/* How long to wait before a corrupt file counts as completely written. */
#define SETTLE_MS 100

static struct verdict
verdict(enum status status, struct str message)
{
	return (struct verdict){ .status = status, .message = message };
}

/* Ends the loop and keeps its file. */
static struct verdict
set_aside(struct arena *a, struct loop *l, struct str path)
{
	struct verdict v = { .status = STATUS_LOOP_CORRUPT,
			     .message = loop_problem(a, path, &l->why_corrupt) };
	struct str aside;
	struct err err;

	if (l->is_dry)
		return v;
	if (loop_set_aside(a, l, path, &aside, &err) < 0) {
		v.message = str_fmt(a, STR_FMT "; it could not be set aside: %s", STR_ARG(v.message),
				    err.msg);
		return v;
	}
	v.message = str_fmt(a, STR_FMT "; the loop has ended and the file is kept as " STR_FMT,
			    STR_ARG(v.message), STR_ARG(aside));
	v.loop_end = LOOP_CORRUPT_STATE;
	return v;
}

static struct str
how_it_ends(struct arena *a, const struct loop_state *s)
{
	struct str promise = s->promise;
	uint64_t max = s->max_iterations;

	for (size_t i = 0; i < s->options.outcome_count; i++)
		promise = i > 0 ? str_fmt(a, STR_FMT "</promise> or <promise>" STR_FMT, STR_ARG(promise),
					  STR_ARG(s->options.outcomes[i].promise))
				: s->options.outcomes[i].promise;
	if (!promise.s && max == 0)
		return STR("it has neither a limit nor a completion promise; only `holdfast ralph "
			   "cancel` ends it");
	if (!promise.s)
		return STR("it has no completion promise; its limit or `holdfast ralph cancel` ends it");
	return str_fmt(a, "it ends with <promise>" STR_FMT "</promise>, to be said only when it is true",
		       STR_ARG(promise));
}

static struct verdict
end_loop(struct arena *a, struct loop *l, struct str path, const struct event *event, enum loop_step step,
	 struct str message)
{
	enum status status = step == LOOP_COMPLETE ? STATUS_LOOP_COMPLETE
			     : step >= LOOP_LIMIT  ? STATUS_LOOP_LIMIT_REACHED
						   : STATUS_LOOP_STOPPED;
	struct err err;

	struct verdict v = { .status = status, .message = message, .loop_end = loop_step_reason(step) };

	if (l->is_dry)
		return v;
	if (!l->state.session_id.s)
		l->state.session_id = event->session_id; /* the session that ends an ownerless loop owns it */
	if (loop_end(a, l, path, l->state.iteration, loop_step_reason(step), &err) < 0)
		v.message = str_fmt(a, STR_FMT " (its file could not be removed: %s)", STR_ARG(message),
				    err.msg);
	return v;
}

/* "2 background tasks and 1 scheduled wake-up" */
static struct str
tasks_in_words(struct arena *a, const struct event *e)
{
	struct str tasks = str_fmt(a, "%zu background task%s", e->background_tasks,
				   e->background_tasks == 1 ? "" : "s");
	struct str wake_ups = str_fmt(a, "%zu scheduled wake-up%s", e->wake_ups, e->wake_ups == 1 ? "" : "s");

	if (e->wake_ups == 0)
		return tasks;
	return e->background_tasks == 0
		       ? wake_ups
		       : str_fmt(a, STR_FMT " and " STR_FMT, STR_ARG(tasks), STR_ARG(wake_ups));
}

/* The tasks that the loop has waited for in vain; empty: there are none. */
static struct str
what_it_left(struct arena *a, const struct loop_state *s, const struct event *event)
{
	if (!s->waits_for_background || event->background_tasks + event->wake_ups == 0)
		return STR("");
	return str_fmt(a, "; " STR_FMT " still %s, and the loop has waited for %d stops",
		       STR_ARG(tasks_in_words(a, event)), event->wake_ups > 0 ? "pending" : "running",
		       LOOP_WAITS_MAX);
}

static struct str
with_uncounted(struct arena *a, const struct loop_decision *d, struct str more)
{
	return d->uncounted.s ? str_fmt(a, STR_FMT "; " STR_FMT, STR_ARG(more), STR_ARG(d->uncounted)) : more;
}

/* Lets the agent stop: it wakes up when a task ends. *ret_is_gone: another program has replaced the file. */
static struct verdict
wait_for_tasks(struct arena *a, struct loop *l, const struct event *event, bool *ret_is_gone)
{
	const struct loop_state *s = &l->state;
	struct str tasks = tasks_in_words(a, event);
	struct str text = loop_state_with_waits(a, s, s->waits + 1);
	struct err err;

	if (!l->is_dry && locked_change(a, &l->file, l->text, text, ret_is_gone, &err) < 0)
		return verdict(STATUS_LOOP_UNWRITABLE, str_fmt(a,
							       "the Ralph loop waits for " STR_FMT
							       ", and that could not be counted: %s",
							       STR_ARG(tasks), err.msg));
	return verdict(STATUS_LOOP_PAUSED, str_fmt(a,
						   "the Ralph loop waits for " STR_FMT " (stop %" PRIu64
						   " of %d, then it continues all the same); "
						   "`wait_for_background: false` in its file turns that off",
						   STR_ARG(tasks), s->waits + 1, LOOP_WAITS_MAX));
}

/* What the agent gets before the prompt: what the user wants to be said, what is wrong with its promise, and that it gets
 * nowhere. Each ends in a blank line. */
static struct str
notes_of(struct arena *a, const struct loop_state *s, const struct loop_decision *d, struct str why)
{
	struct buf b = BUF(a, SIZE_MAX);
	const char *ignored;

	if (s->options.steer.s)
		buf_addf(&b, STR_FMT "\n\n", STR_ARG(s->options.steer));
	if (d->promised)
		buf_addf(&b,
			 "You gave <promise>" STR_FMT "</promise>, and it is not true yet: " STR_FMT
			 "\n\nFix that before you give the promise again. The task is still this:\n\n",
			 STR_ARG(d->promised->promise), STR_ARG(why));
	if (d->stuck_how)
		buf_addf(&b,
			 "The last %" PRIu64
			 " iterations %s. Try another way, or say what keeps you from going "
			 "on. If nothing changes, the loop ends.\n\n",
			 loop_stuck_longest(&d->stuck, &ignored), d->stuck_how);
	return buf_str(&b);
}

/* The same for the user, in a few words before the iteration. */
static struct str
what_was_wrong(struct arena *a, const struct loop_decision *d, struct str why)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str first = STR("");
	const char *ignored;

	if (d->promised) {
		(void)str_next(&why, '\n', &first);
		if (str_ends(first, STR(":")) || str_ends(first, STR(".")))
			first.n--;
		buf_addf(&b, "the promise was given, but " STR_FMT "; ", STR_ARG(first));
	}
	if (d->stuck_how)
		buf_addf(&b, "the last %" PRIu64 " iterations %s; ", loop_stuck_longest(&d->stuck, &ignored),
			 d->stuck_how);
	return buf_str(&b);
}

/* Counts the iteration, and blocks if that worked. *ret_is_gone: another program has replaced the file. */
static struct verdict
continue_loop(struct arena *a, struct loop *l, struct str path, const struct event *event,
	      const struct loop_decision *d, struct str why, bool *ret_is_gone)
{
	const struct loop_state *s = &l->state;
	uint64_t next = s->iteration + 1;
	struct str owner = s->session_id.s || event->session_id.n == 0 ? STR_NONE : event->session_id;
	struct str text = loop_state_with_iteration(a, s, next, owner, &d->edits);
	struct err err;

	if (!l->is_dry && locked_change(a, &l->file, l->text, text, ret_is_gone, &err) < 0)
		return verdict(
			STATUS_LOOP_UNWRITABLE,
			str_fmt(a, "the iteration could not be counted, so the loop does not continue: %s",
				err.msg));
	struct str progress = loop_progress(a, next, s->max_iterations);
	struct str how = how_it_ends(a, s);

	struct str notes = notes_of(a, s, d, why), brief = STR_NONE;

	if (!loop_is_full(&s->options, next))
		brief = str_fmt(a,
				"Go on with the task of this Ralph loop, iteration " STR_FMT
				". The prompt is the same as before; all of it is in " STR_FMT
				", after the second line ---.",
				STR_ARG(progress), STR_ARG(path));
	return (struct verdict){
		.status = STATUS_LOOP_CONTINUES,
		.message = str_fmt(a, "Ralph loop: " STR_FMT "iteration " STR_FMT "; " STR_FMT STR_FMT,
				   STR_ARG(what_was_wrong(a, d, why)), STR_ARG(progress), STR_ARG(how),
				   STR_ARG(with_uncounted(a, d, what_it_left(a, s, event)))),
		.reason = loop_instruction(a, s, notes, brief),
		.number = next,
		.of = s->max_iterations,
	};
}

/* The loop is closed to this session; the message says how to hand it over. */
static struct verdict
not_owned(struct arena *a, const struct loop_state *s, struct str path, struct str refusal,
	  const struct event *event)
{
	struct str progress = loop_progress(a, s->iteration, s->max_iterations);
	struct str session = event->session_id.n > 0
				     ? str_fmt(a, " --session " STR_FMT, STR_ARG(event->session_id))
				     : STR("");
	struct str whose = refusal.s
				   ? str_fmt(a, "names no session, and this one does not adopt it: " STR_FMT,
					     STR_ARG(refusal))
				   : str_fmt(a, "belongs to session " STR_FMT, STR_ARG(s->session_id));

	/* Nothing for the user of a helper, whose loop goes on in the session that started it. */
	if (!refusal.s && s->session_id.n == 0)
		return (struct verdict){
			.status = STATUS_LOOP_NOT_OWNED,
			.message = str_fmt(a,
					   "the Ralph loop in " STR_FMT
					   " is for the first session that stops here, "
					   "and this one was started by another",
					   STR_ARG(path)),
			.is_quiet = true,
		};
	return verdict(STATUS_LOOP_NOT_OWNED,
		       str_fmt(a,
			       "the Ralph loop in " STR_FMT " (iteration " STR_FMT ") " STR_FMT
			       "; `holdfast ralph adopt" STR_FMT "` hands it to %s",
			       STR_ARG(path), STR_ARG(progress), STR_ARG(whose), STR_ARG(session),
			       session.n > 0 ? "this session" : "the next session that stops"));
}

/* The user has typed a prompt, and this stop answers it. */
static struct verdict
hold(struct arena *a, struct loop *l, bool *ret_is_gone)
{
	const struct loop_state *s = &l->state;
	struct err err;

	if (!l->is_dry && locked_change(a, &l->file, l->text, loop_state_with_prompted(a, s, PROMPTED_OVER),
					ret_is_gone, &err) < 0)
		return verdict(
			STATUS_LOOP_UNWRITABLE,
			str_fmt(a, "the Ralph loop waits for you, and that could not be noted: %s", err.msg));
	return verdict(
		STATUS_LOOP_PAUSED,
		str_fmt(a,
			"the Ralph loop waits at iteration %" PRIu64
			", because you typed a prompt; your next prompt goes on with it, `holdfast ralph "
			"pause` keeps it waiting",
			s->iteration));
}

static struct str
iterations_in_words(struct arena *a, const struct loop_state *s)
{
	return str_fmt(a, "%" PRIu64 " iteration%s", s->iteration, s->iteration == 1 ? "" : "s");
}

/* What people read about the end of a loop. */
static struct str
end_text(struct arena *a, const struct loop_state *s, const struct loop_decision *d,
	 const struct loop_verified *verified)
{
	struct str iterations = iterations_in_words(a, s);
	struct str promise = d->promised ? d->promised->promise : STR("");

	switch (d->step) {
	case LOOP_COMPLETE:
		return str_fmt(a,
			       "Ralph loop: complete after " STR_FMT ", <promise>" STR_FMT
			       "</promise> was given%s" STR_FMT,
			       STR_ARG(iterations), STR_ARG(promise), verified->text.n > 0 ? ", and " : "",
			       STR_ARG(verified->text));
	case LOOP_UNVERIFIED:
		return str_fmt(a,
			       "Ralph loop: ended after " STR_FMT ", <promise>" STR_FMT
			       "</promise> was given and not verified: " STR_FMT,
			       STR_ARG(iterations), STR_ARG(promise), STR_ARG(verified->text));
	case LOOP_STOPPED:
		return str_fmt(a,
			       "Ralph loop: stopped after " STR_FMT ", <promise>" STR_FMT
			       "</promise> was given; the agent's answer says why",
			       STR_ARG(iterations), STR_ARG(promise));
	case LOOP_STUCK: {
		const char *how;
		uint64_t count = loop_stuck_longest(&d->stuck, &how);

		return str_fmt(a,
			       "Ralph loop: ended after " STR_FMT ", it is stuck: the last %" PRIu64
			       " iterations %s",
			       STR_ARG(iterations), count, how);
	}
	case LOOP_TIME:
		return str_fmt(a, "Ralph loop: ended after " STR_FMT ", its %" PRIu64 " minutes are used up",
			       STR_ARG(iterations), s->options.max_minutes);
	case LOOP_TOKENS:
		return str_fmt(a,
			       "Ralph loop: ended after " STR_FMT ", %" PRId64 " tokens are used and its "
			       "limit is %" PRIu64,
			       STR_ARG(iterations), d->usage.tokens, s->options.max_tokens);
	case LOOP_COST:
		return str_fmt(a,
			       "Ralph loop: ended after " STR_FMT ", it has cost $" STR_FMT
			       " and its limit is $" STR_FMT,
			       STR_ARG(iterations), STR_ARG(loop_dollars(a, d->usage.cost)),
			       STR_ARG(loop_dollars(a, s->options.max_cost)));
	default:
		return str_fmt(a, "Ralph loop: Max iterations (%" PRIu64 ") reached%s",
			       s->max_iterations ? s->max_iterations : s->iteration,
			       verified->proof == PROOF_FAILED ? "; the promise was given, and what it is "
								 "verified by failed"
							       : "");
	}
}

/* *ret_verifies: what the loop verifies must be run before this stop can be decided. */
static struct verdict
apply(struct arena *a, struct loop *l, struct str path, const struct event *event,
      const struct loop_verified *verified, bool *ret_is_gone, bool *ret_verifies)
{
	const struct loop_state *s = &l->state;
	struct str refusal = s->session_id.n == 0 ? loop_adoption_problem(a, path) : STR_NONE;
	struct loop_decision d = loop_gather(a, s, path, refusal, event, verified->proof);

	switch (d.step) {
	case LOOP_NOT_OWNED:
		return not_owned(a, s, path, refusal, event);
	case LOOP_PAUSED:
		return verdict(STATUS_LOOP_PAUSED, str_fmt(a,
							   "the Ralph loop is paused at iteration %" PRIu64
							   "; `holdfast ralph resume` continues it",
							   s->iteration));
	case LOOP_WAITS:
		return wait_for_tasks(a, l, event, ret_is_gone);
	case LOOP_HELD:
		return hold(a, l, ret_is_gone);
	case LOOP_VERIFIES:
		*ret_verifies = true;
		return verdict(STATUS_LOOP_CONTINUES, STR_NONE);
	case LOOP_COMPLETE:
	case LOOP_UNVERIFIED:
	case LOOP_STUCK:
	case LOOP_STOPPED:
	case LOOP_LIMIT:
	case LOOP_TIME:
	case LOOP_TOKENS:
	case LOOP_COST:
		l->state.options.usage = d.usage;
		return end_loop(a, l, path, event, d.step, end_text(a, s, &d, verified));
	case LOOP_CONTINUES:
		break;
	}
	return continue_loop(a, l, path, event, &d, verified->text, ret_is_gone);
}

static struct str
with_warning(struct arena *a, const struct loop *l, struct str message)
{
	if (!l->state.duplicate_key.s)
		return message;
	return str_fmt(a, STR_FMT " (warning: its file has '" STR_FMT "' twice; the first counts)",
		       STR_ARG(message), STR_ARG(l->state.duplicate_key));
}

/* A program that rewrites a file in place empties it first, so half a file may be complete in a moment. */
static bool
has_settled(struct arena *a, const struct loop *l)
{
	int64_t written_at = fs_written_at(l->file.path);
	struct str now;
	struct err ignored;

	clock_sleep_ms(SETTLE_MS);
	return fs_written_at(l->file.path) == written_at &&
	       locked_read(a, &l->file, STATE_LIMIT_BYTES, &now, &ignored) == 0 && str_eq(now, l->text);
}

/* False: there is no loop at the path. */
static bool
stop_at(struct arena *a, struct str path, const struct loop_call *call, struct verdict *ret)
{
	struct loop_verified verified = { 0 };

	for (int try = 0; try < CHANGE_TRIES; try++) {
		CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
		bool is_gone = false, verifies = false;
		struct err err;

		if (loop_open(a, path, &l, &err) < 0) {
			/* The loop may be fine where the system or another process denies access. */
			bool is_denied = err.code == ERR_BUSY || (err.code == ERR_SYS && err.sys != EISDIR);

			*ret = verdict(is_denied ? STATUS_LOOP_UNWRITABLE : STATUS_LOOP_CORRUPT,
				       str_fmt(a, "the Ralph loop's file could not be read: %s", err.msg));
			return true;
		}
		if (l.file.fd < 0)
			return false;
		l.is_dry = call->is_dry;
		if (l.is_corrupt && !has_settled(a, &l))
			continue;
		*ret = l.is_corrupt ? set_aside(a, &l, path)
				    : apply(a, &l, path, call->event, &verified, &is_gone, &verifies);
		if (verifies) {
			/* The user may cancel or edit the loop meanwhile, so it is read again after that. */
			loop_close(&l);
			verified = call->verify(call->context, path, &l.state.options);
			continue;
		}
		ret->message = with_warning(a, &l, ret->message);
		if (!is_gone)
			return true;
	}
	*ret = verdict(STATUS_LOOP_UNWRITABLE,
		       str_fmt(a, STR_FMT ": other programs keep changing it", STR_ARG(path)));
	return true;
}

bool
loop_stop(struct arena *a, const struct project_dirs *where, const struct loop_call *call,
	  struct verdict *ret)
{
	struct str session = call->event->session_id;
	bool has_foreign = false;

	for (size_t i = 0; i < where->count; i++) {
		struct str paths[2] = { STR_NONE, loop_path(a, where->dirs[i]) };

		if (session.n > 0)
			paths[0] = loop_session_path(a, where->dirs[i], session);
		for (size_t k = 0; k < COUNT_OF(paths); k++) {
			struct verdict v;

			if (!paths[k].s || !stop_at(a, paths[k], call, &v))
				continue;
			if (v.status != STATUS_LOOP_NOT_OWNED) {
				*ret = v;
				return true;
			}
			if (!has_foreign)
				*ret = v;
			has_foreign = true;
		}
	}
	return has_foreign;
}
