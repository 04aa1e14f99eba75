/* SPDX-License-Identifier: MIT */
/* A stop in a loop. Whatever goes wrong lets the agent stop, with the reason. A block is only returned after the iteration was
 * counted in the file, so that the limit holds. */
#include "loop/loop.h"

#include "os/clock.h"
#include "os/fs.h"

#include <errno.h>

/* How often a change is tried again because another program edited the file meanwhile. */
#define CHANGE_TRIES 5
/* How long to wait before a corrupt file counts as completely written. */
#define SETTLE_MS 100

/* One stop of the loop at a path. */
struct attempt {
	struct arena *a;
	struct str path;
	const struct loop_call *call;
	struct loop *l; /* open */
	struct loop_decision d;
	struct loop_verified verified; /* what the loop verifies, once that was run */
	bool is_gone;                  /* another program has replaced the file */
};

/* Ends the loop and keeps its file. */
static struct verdict
set_aside(struct attempt *t)
{
	struct arena *a = t->a;
	struct verdict v = { .status = STATUS_LOOP_CORRUPT,
			     .message = loop_problem(a, t->path, &t->l->why_corrupt) };
	struct str aside;
	struct err err;

	if (t->call->is_dry)
		return v;
	if (loop_set_aside(a, t->l, t->path, &aside, &err) < 0) {
		v.message = str_cat(a, v.message, "; it could not be set aside: ", err.msg);
		return v;
	}
	v.message = str_cat(a, v.message, "; the loop has ended and the file is kept as ", aside);
	v.loop_end = LOOP_CORRUPT_STATE;
	return v;
}

static struct str
how_it_ends(struct arena *a, const struct loop_state *s)
{
	struct str promises = loop_promises(a, &s->options, "</promise> or <promise>");

	if (promises.s)
		return str_cat(a, "it ends with <promise>", promises,
			       "</promise>, to be said only when it is true");
	return s->max_iterations == 0
		       ? STR("it has neither a limit nor a completion promise; only `holdfast ralph cancel` "
			     "ends it")
		       : STR("it has no completion promise; its limit or `holdfast ralph cancel` ends it");
}

static struct verdict
end_loop(struct attempt *t, struct str message)
{
	enum loop_step step = t->d.step;
	const char *reason = loop_step_reason(step);
	struct loop_state *s = &t->l->state;
	struct verdict v = { .status = step == LOOP_COMPLETE ? STATUS_LOOP_COMPLETE
				       : step >= LOOP_LIMIT  ? STATUS_LOOP_LIMIT_REACHED
							     : STATUS_LOOP_STOPPED,
			     .message = message,
			     .loop_end = reason };
	struct err err;

	s->options.usage = t->d.usage;
	if (!s->session_id.s)
		s->session_id =
			t->call->event->session_id; /* the session that ends an ownerless loop owns it */
	if (!t->call->is_dry && loop_end(t->a, t->l, t->path, s->iteration, reason, &err) < 0)
		v.message = str_cat(t->a, message, " (its file could not be removed: ", err.msg, ")");
	return v;
}

/* Writes the file. False: it can't be written, which is the verdict; `what` is what could not be done. */
static bool
write_file(struct attempt *t, struct str text, struct str what, struct verdict *ret)
{
	struct err err;

	if (t->call->is_dry || locked_change(t->a, &t->l->file, t->l->text, text, &t->is_gone, &err) == 0)
		return true;
	*ret = verdict_of(STATUS_LOOP_UNWRITABLE, str_cat(t->a, what, ": ", err.msg));
	return false;
}

/* "2 background tasks and 1 scheduled wake-up" */
static struct str
tasks_in_words(struct arena *a, const struct event *e)
{
	struct str tasks = str_cat(a, e->background_tasks, " background task",
				   e->background_tasks == 1 ? "" : "s");
	struct str wake_ups = str_cat(a, e->wake_ups, " scheduled wake-up", e->wake_ups == 1 ? "" : "s");

	if (e->wake_ups == 0)
		return tasks;
	return e->background_tasks == 0 ? wake_ups : str_cat(a, tasks, " and ", wake_ups);
}

/* Lets the agent stop once that is noted at a key of the file; `cause` is why the loop waits. */
static struct verdict
wait_for(struct attempt *t, const char *key, struct str value, struct str cause, struct str message)
{
	struct verdict v = verdict_of(STATUS_LOOP_PAUSED, message);

	(void)write_file(t, frontmatter_set(t->a, &t->l->state.doc, key, value), cause, &v);
	return v;
}

/* The agent wakes up when a task ends. */
static struct verdict
wait_for_tasks(struct attempt *t)
{
	struct str tasks = tasks_in_words(t->a, t->call->event), waits = str_cat(t->a, t->l->state.waits + 1);
	struct str cause = str_cat(t->a, "the Ralph loop waits for ", tasks);

	return wait_for(t, "waits", waits, str_cat(t->a, cause, ", and that could not be counted"),
			str_cat(t->a, cause, " (stop ", waits, " of ", LOOP_WAITS_MAX,
				", then it continues all the same); `wait_for_background: false` in its "
				"file turns that off"));
}

/* What the agent gets before the prompt: what the user wants to be said, what is wrong with its promise, and that it gets
 * nowhere. Each ends in a blank line. */
static struct str
notes_of(const struct attempt *t)
{
	const struct loop_decision *d = &t->d;
	struct buf b = BUF(t->a, SIZE_MAX);

	if (t->l->state.options.steer.s)
		buf_cat(&b, t->l->state.options.steer, "\n\n");
	if (d->promised)
		buf_cat(&b, "You gave <promise>", d->promised->promise,
			"</promise>, and it is not true yet: ", t->verified.text,
			"\n\nFix that before you give the promise again. The task is still this:\n\n");
	if (d->stuck_how)
		buf_cat(&b, "The last ", d->stuck_for, " iterations ", d->stuck_how,
			". Try another way, or say what keeps you from going on. If nothing changes, the "
			"loop ends.\n\n");
	return buf_str(&b);
}

/* The same for the user, in a few words before the iteration. */
static struct str
what_was_wrong(const struct attempt *t)
{
	struct str first = str_before(t->verified.text, '\n');
	struct buf b = BUF(t->a, SIZE_MAX);

	if (str_ends(first, STR(":")) || str_ends(first, STR(".")))
		first.n--;
	if (t->d.promised)
		buf_cat(&b, "the promise was given, but ", first, "; ");
	if (t->d.stuck_how)
		buf_cat(&b, "the last ", t->d.stuck_for, " iterations ", t->d.stuck_how, "; ");
	return buf_str(&b);
}

/* Counts the iteration, and blocks if that worked. */
static struct verdict
continue_loop(struct attempt *t)
{
	struct arena *a = t->a;
	const struct loop_state *s = &t->l->state;
	const struct event *event = t->call->event;
	uint64_t next = s->iteration + 1;
	struct str owner = s->session_id.s || event->session_id.n == 0 ? STR_NONE : event->session_id;
	struct str progress = loop_progress(a, next, s->max_iterations), brief = STR_NONE, left = STR("");
	struct verdict v;

	if (!write_file(t, loop_state_with_iteration(a, s, next, owner, &t->d.edits),
			STR("the iteration could not be counted, so the loop does not continue"), &v))
		return v;
	if (!loop_is_full(&s->options, next))
		brief = str_cat(a, "Go on with the task of this Ralph loop, iteration ", progress,
				". The prompt is the same as before; all of it is in ", t->path,
				", after the second line ---.");
	/* The loop has waited for these in vain. */
	if (s->waits_for_background && event->background_tasks + event->wake_ups > 0)
		left = str_cat(a, "; ", tasks_in_words(a, event), " still ",
			       event->wake_ups > 0 ? "pending" : "running", ", and the loop has waited for ",
			       LOOP_WAITS_MAX, " stops");
	return (struct verdict){
		.status = STATUS_LOOP_CONTINUES,
		.message = str_cat(a, "Ralph loop: ", what_was_wrong(t), "iteration ", progress, "; ",
				   how_it_ends(a, s), left, t->d.uncounted.s ? "; " : "", t->d.uncounted),
		.reason = loop_instruction(a, s, notes_of(t), brief),
		.number = next,
		.of = s->max_iterations,
	};
}

/* The loop is closed to this session; the message says how to hand it over. `refusal` is why it may not be adopted. */
static struct verdict
not_owned(struct attempt *t, struct str refusal)
{
	struct arena *a = t->a;
	const struct loop_state *s = &t->l->state;
	struct str id = strip_escapes_line(a, t->call->event->session_id);
	struct str whose = refusal.s
				   ? str_cat(a, "names no session, and this one does not adopt it: ", refusal)
				   : str_cat(a, "belongs to session ", strip_escapes_line(a, s->session_id));

	/* Nothing for the user of a helper, whose loop goes on in the session that started it. */
	if (!refusal.s && s->session_id.n == 0)
		return (struct verdict){
			.status = STATUS_LOOP_NOT_OWNED,
			.message = str_cat(a, "the Ralph loop in ", t->path,
					   " is for the first session that stops here, and this one was "
					   "started by another"),
			.is_quiet = true,
		};
	return verdict_of(STATUS_LOOP_NOT_OWNED,
			  str_cat(a, "the Ralph loop in ", t->path, " (iteration ",
				  loop_progress(a, s->iteration, s->max_iterations), ") ", whose,
				  "; `holdfast ralph adopt", id.n > 0 ? " --session " : "", id,
				  "` hands it to ",
				  id.n > 0 ? "this session" : "the next session that stops"));
}

/* What people read about the end of a loop. */
static struct str
end_text(const struct attempt *t)
{
	struct arena *a = t->a;
	const struct loop_state *s = &t->l->state;
	const struct loop_decision *d = &t->d;
	const struct loop_verified *verified = &t->verified;
	struct str iterations = str_cat(a, s->iteration, " iteration", s->iteration == 1 ? "" : "s");
	struct str promise = d->promised ? d->promised->promise : STR("");
	struct str ended = str_cat(a, "Ralph loop: ended after ", iterations, ", ");

	switch (d->step) {
	case LOOP_COMPLETE:
		return str_cat(a, "Ralph loop: complete after ", iterations, ", <promise>", promise,
			       "</promise> was given", verified->text.n > 0 ? ", and " : "", verified->text);
	case LOOP_UNVERIFIED:
		return str_cat(a, ended, "<promise>", promise,
			       "</promise> was given and not verified: ", verified->text);
	case LOOP_STOPPED:
		return str_cat(a, "Ralph loop: stopped after ", iterations, ", <promise>", promise,
			       "</promise> was given; the agent's answer says why");
	case LOOP_STUCK:
		return str_cat(a, ended, "it is stuck: the last ", d->stuck_for, " iterations ",
			       d->stuck_how);
	case LOOP_TIME:
		return str_cat(a, ended, "its ", s->options.max_minutes, " minutes are used up");
	case LOOP_TOKENS:
		return str_cat(a, ended, d->usage.tokens, " tokens are used and its limit is ",
			       s->options.max_tokens);
	case LOOP_COST:
		return str_cat(a, ended, "it has cost $", loop_dollars(a, d->usage.cost),
			       " and its limit is $", loop_dollars(a, s->options.max_cost));
	default:
		return str_cat(a, "Ralph loop: Max iterations (",
			       s->max_iterations ? s->max_iterations : s->iteration, ") reached",
			       verified->proof == PROOF_FAILED
				       ? "; the promise was given, and what it is verified by failed"
				       : "");
	}
}

static struct verdict
apply(struct attempt *t)
{
	const struct loop_state *s = &t->l->state;
	struct str refusal = s->session_id.n == 0 ? loop_adoption_problem(t->a, t->path) : STR_NONE;

	t->d = loop_gather(t->a, s, t->path, refusal, t->call->event, t->verified.proof);
	if (loop_step_reason(t->d.step))
		return end_loop(t, end_text(t));
	switch (t->d.step) {
	case LOOP_NOT_OWNED:
		return not_owned(t, refusal);
	case LOOP_PAUSED:
		return verdict_of(STATUS_LOOP_PAUSED,
				  str_cat(t->a, "the Ralph loop is paused at iteration ", s->iteration,
					  "; `holdfast ralph resume` continues it"));
	case LOOP_WAITS:
		return wait_for_tasks(t);
	case LOOP_HELD:
		/* The user has typed a prompt, and this stop answers it. */
		return wait_for(
			t, "prompted", str_from(loop_prompted_names[PROMPTED_OVER]),
			STR("the Ralph loop waits for you, and that could not be noted"),
			str_cat(t->a, "the Ralph loop waits at iteration ", s->iteration,
				", because you typed a prompt; your next prompt goes on with it, `holdfast "
				"ralph pause` keeps it waiting"));
	case LOOP_VERIFIES:
		return verdict_of(STATUS_LOOP_CONTINUES, STR_NONE); /* not sent: it is decided again */
	default:
		return continue_loop(t);
	}
}

/* A program that rewrites a file in place empties it first, so half a file may be complete in a moment. */
static bool
has_settled(struct arena *a, const struct loop *l)
{
	int64_t written_at = fs_written_at(l->file.path);
	struct str now;

	clock_sleep_ms(SETTLE_MS);
	return fs_written_at(l->file.path) == written_at &&
	       locked_read(a, &l->file, STATE_LIMIT_BYTES, &now, IGNORED) == 0 && str_eq(now, l->text);
}

/* False: there is no loop at the path. */
static bool
stop_at(struct arena *a, struct str path, const struct loop_call *call, struct verdict *ret)
{
	struct loop_verified verified = { 0 };

	for (int try = 0; try < CHANGE_TRIES; try++) {
		CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
		struct attempt t = { a, path, call, &l, .verified = verified };
		struct err err;

		if (loop_open(a, path, &l, &err) < 0) {
			/* The loop may be fine where the system or another process denies access. */
			bool is_denied = err.code == ERR_BUSY || (err.code == ERR_SYS && err.sys != EISDIR);

			*ret = verdict_of(is_denied ? STATUS_LOOP_UNWRITABLE : STATUS_LOOP_CORRUPT,
					  str_cat(a, "the Ralph loop's file could not be read: ", err.msg));
			return true;
		}
		if (l.file.fd < 0)
			return false;
		if (l.is_corrupt && !has_settled(a, &l))
			continue;
		*ret = l.is_corrupt ? set_aside(&t) : apply(&t);
		if (t.d.step == LOOP_VERIFIES) {
			/* The user may cancel or edit the loop meanwhile, so it is read again after that. */
			loop_close(&l);
			verified = call->verify(call->context, path, &l.state.options);
			continue;
		}
		if (l.state.duplicate_key.s)
			ret->message = str_cat(a, ret->message, " (warning: its file has '",
					       l.state.duplicate_key, "' twice; the first counts)");
		if (!t.is_gone)
			return true;
	}
	*ret = verdict_of(STATUS_LOOP_UNWRITABLE, str_cat(a, path, ": other programs keep changing it"));
	return true;
}

bool
loop_stop(struct arena *a, const struct project_dirs *where, const struct loop_call *call,
	  struct verdict *ret)
{
	struct str session = call->event->session_id;
	bool has_foreign = false;

	/* In each directory, the session's own loop comes before that of the first session. */
	for (size_t i = 0; i < where->count; i++)
		for (int is_own = session.n > 0; is_own >= 0; is_own--) {
			struct str path = loop_path(a, where->dirs[i], is_own ? session : STR(""));
			struct verdict v;

			if (!stop_at(a, path, call, &v))
				continue;
			if (v.status != STATUS_LOOP_NOT_OWNED || !has_foreign)
				*ret = v;
			if (v.status != STATUS_LOOP_NOT_OWNED)
				return true;
			has_foreign = true;
		}
	return has_foreign;
}
