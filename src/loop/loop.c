/* SPDX-License-Identifier: MIT */
/* Loops on disk. Any doubt lets the agent stop and says why; a block is only returned after the pass that bounds
 * it has been counted in the file. */
#include "loop/loop.h"

#include "base/path.h"
#include "client/client.h"
#include "model/event.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "loop/decide.h"
#include "loop/promise.h"
#include "store/loop_journal.h"

#include <errno.h>
#include <inttypes.h>

/* How often a change is tried again because somebody edited the file meanwhile. */
#define CHANGE_TRIES 5
/* How long a file that makes no sense is left alone before it is believed to be complete. */
#define SETTLE_MS 100
/* As many files that make no sense in one second have names of their own. */
#define ASIDE_TRIES 100

struct str
loop_path(struct arena *a, struct str dir)
{
	return path_join(a, dir, STR(".claude/ralph-loop.local.md"));
}

struct str
loop_session_path(struct arena *a, struct str dir, struct str session)
{
	struct str name = session_slug(a, session);

	return path_join(a, dir, str_fmt(a, ".claude/ralph-loop." STR_FMT ".local.md", STR_ARG(name)));
}

/* A link is followed if it stays below the directory that holds .claude: nothing is written elsewhere. */
static int
resolve_link(struct arena *a, struct str path, struct str *ret, struct err *err)
{
	struct str project = fs_real(a, str_copy(a, path_parent(path_parent(path))).s);
	struct str target = fs_real(a, path.s);

	if (!target.s)
		return err_set(err, ERR_VALUE, STR_FMT ": is a symbolic link to nothing", STR_ARG(path));
	if (!path_below(target, project).s)
		return err_set(err, ERR_VALUE, STR_FMT ": is a symbolic link out of the project",
			       STR_ARG(path));
	*ret = target;
	return 0;
}

int
loop_open(struct arena *a, struct str path, struct loop *ret, struct err *err)
{
	static const struct locked_how how = { .timeout_ms = LOOP_LOCK_MS };
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };

	int result = locked_open(path.s, &how, &l.file, err);

	if (result < 0 && fs_lkind(path.s) == FS_LINK) {
		l.link = path;
		if (resolve_link(a, path, &path, err) < 0)
			return -1;
		result = locked_open(path.s, &how, &l.file, err);
	}
	if (result < 0)
		return -1;
	if (l.file.fd >= 0) {
		if (locked_read(a, &l.file, STATE_LIMIT_BYTES, &l.text, err) < 0)
			return -1;
		l.is_corrupt = loop_state_parse(a, l.text, &l.state, &l.why_corrupt) < 0;
	}
	*ret = l;
	l.file = LOCKED_NONE;
	return 0;
}

void
loop_close(struct loop *l)
{
	locked_close(&l->file);
}

/* The end of the loop matters more than the record of it. */
static void
record(struct arena *a, const struct loop *l, struct str path, uint64_t passes, const char *reason)
{
	struct loop_journal_entry entry = {
		.ended_us = clock_real_us(),
		.project = path_parent(path_parent(path)),
		.session = l->state.session_id,
		.state_file = path,
		.passes = passes,
		.reason = reason,
	};
	struct err ignored;

	(void)(loop_journal_add(a, &entry, &ignored) == 0);
}

/* A link that led to a file which is no longer there would be in the way of every later stop. */
static int
remove_link(const struct loop *l, struct err *err)
{
	return l->link.s ? fs_remove(l->link.s, err) : 0;
}

int
loop_end(struct arena *a, struct loop *l, struct str path, uint64_t passes, const char *reason,
	 struct err *err)
{
	record(a, l, path, passes, reason);
	if (locked_remove(&l->file, err) < 0)
		return -1;
	return remove_link(l, err);
}

static struct verdict
say(enum status status, struct str message)
{
	return (struct verdict){ .status = status, .message = message };
}

struct str
loop_problem(struct arena *a, struct str path, const struct err *why)
{
	struct err all = *why;

	if (str_find(str_from(why->msg), path) >= 0)
		return str_copy(a, str_from(why->msg)); /* it could not even be read, which names it */
	(void)err_wrap_file(&all, str_copy(a, path).s);
	return str_copy(a, str_from(all.msg));
}

/* Under a name with the time; where that is taken, with a number behind it. */
static int
rename_aside(struct arena *a, const struct loop *l, struct str path, struct str *ret, struct err *err)
{
	struct str time = clock_format_seconds(a, clock_real_us());
	struct str name = str_fmt(a, STR_FMT ".corrupt-" STR_FMT, STR_ARG(path), STR_ARG(time));

	*ret = name;
	for (int i = 2; locked_rename(&l->file, ret->s, err) < 0; i++) {
		if (err->sys != EEXIST || i > ASIDE_TRIES)
			return -1;
		*ret = str_fmt(a, STR_FMT "-%d", STR_ARG(name), i);
	}
	return 0;
}

/* Out of the way but not lost, so that it can be looked at and mended. */
static struct verdict
set_aside(struct arena *a, struct loop *l, struct str path)
{
	struct str problem = loop_problem(a, path, &l->why_corrupt), aside;
	struct err err;

	if (rename_aside(a, l, path, &aside, &err) < 0 || remove_link(l, &err) < 0)
		return say(STATUS_LOOP_CORRUPT,
			   str_fmt(a, STR_FMT "; it could not be set aside: %s", STR_ARG(problem), err.msg));
	record(a, l, path, 0, "corrupt_state");
	return say(STATUS_LOOP_CORRUPT,
		   str_fmt(a, STR_FMT "; the loop has ended and the file is kept as " STR_FMT,
			   STR_ARG(problem), STR_ARG(aside)));
}

static enum loop_step
decide(struct arena *a, const struct loop_state *s, const struct event *event)
{
	struct loop_facts facts = {
		.owner = s->session_id,
		.session = event->session_id,
		.is_within_another = s->session_id.n == 0 && client_is_nested(a, event, env_get),
		.is_paused = s->is_paused,
		.waits_for_background = s->waits_for_background,
		.background_tasks = event->background_tasks,
		.iteration = s->iteration,
		.max_iterations = s->max_iterations,
	};
	enum loop_step step = loop_decide(&facts);

	/* The message is only looked for where it can change anything. */
	if (s->promise.s && (step == LOOP_CONTINUES || step == LOOP_LIMIT)) {
		facts.is_promise_kept = promise_is_kept(client_final_message(a, event), s->promise,
							s->is_strict);
		step = loop_decide(&facts);
	}
	return step;
}

struct str
loop_pass(struct arena *a, uint64_t iteration, uint64_t max)
{
	return max ? str_fmt(a, "%" PRIu64 " of %" PRIu64, iteration, max)
		   : str_fmt(a, "%" PRIu64, iteration);
}

/* What whoever works in the loop must know: how it ends. */
static struct str
promise_line(struct arena *a, struct str promise, uint64_t max)
{
	if (!promise.s && max == 0)
		return STR("it has neither a limit nor a completion promise, and only `holdfast ralph "
			   "cancel` ends it");
	if (!promise.s)
		return STR(
			"it has no completion promise and ends at its limit or by `holdfast ralph cancel`");
	return str_fmt(a, "it ends with <promise>" STR_FMT "</promise>, to be said only when it is true",
		       STR_ARG(promise));
}

static struct verdict
ended(struct arena *a, struct loop *l, struct str path, const struct event *event, enum status status,
      struct str message)
{
	const char *reason = status == STATUS_LOOP_COMPLETE ? "complete" : "max_iterations";
	struct err err;

	if (!l->state.session_id.s)
		l->state.session_id = event->session_id; /* adopted by the stop that ends it */
	if (loop_end(a, l, path, l->state.iteration, reason, &err) < 0)
		message = str_fmt(a, STR_FMT " (its file could not be removed: %s)", STR_ARG(message),
				  err.msg);
	return say(status, message);
}

/* Counts the pass, and blocks if that worked. *ret_is_gone: the file is not the one that was read any more. */
static struct verdict
go_on(struct arena *a, struct loop *l, const struct event *event, bool *ret_is_gone)
{
	const struct loop_state *s = &l->state;
	uint64_t next = s->iteration + 1;
	struct str owner = s->session_id.s || event->session_id.n == 0 ? STR_NONE : event->session_id;
	struct str text = loop_state_with_iteration(a, s, next, owner);
	struct err err;

	if (locked_change(a, &l->file, l->text, text, ret_is_gone, &err) < 0)
		return say(
			STATUS_LOOP_UNWRITABLE,
			str_fmt(a, "the pass could not be counted, so the loop does not go on: %s", err.msg));
	struct str pass = loop_pass(a, next, s->max_iterations);
	struct str how = promise_line(a, s->promise, s->max_iterations);

	return (struct verdict){
		.status = STATUS_LOOP_CONTINUES,
		.message = str_fmt(a, "Ralph loop: pass " STR_FMT " begins; " STR_FMT, STR_ARG(pass),
				   STR_ARG(how)),
		.reason = s->prompt,
	};
}

static struct verdict
apply(struct arena *a, struct loop *l, struct str path, const struct event *event, bool *ret_is_gone)
{
	const struct loop_state *s = &l->state;

	switch (decide(a, s, event)) {
	case LOOP_NOT_OWNED:
		if (s->session_id.n == 0)
			return say(STATUS_LOOP_NOT_OWNED,
				   str_fmt(a,
					   "the Ralph loop in " STR_FMT
					   " is for the first session that stops here, and this one "
					   "runs within another",
					   STR_ARG(path)));
		return say(STATUS_LOOP_NOT_OWNED,
			   str_fmt(a, "the Ralph loop in " STR_FMT " belongs to session " STR_FMT,
				   STR_ARG(path), STR_ARG(s->session_id)));
	case LOOP_PAUSED:
		return say(STATUS_LOOP_PAUSED, str_fmt(a,
						       "the Ralph loop is paused at pass %" PRIu64
						       "; `holdfast ralph resume` goes on",
						       s->iteration));
	case LOOP_WAITS:
		return say(STATUS_LOOP_PAUSED,
			   str_fmt(a,
				   "the Ralph loop waits for %zu background task%s; `wait_for_background: "
				   "false` "
				   "in its file turns that off",
				   event->background_tasks, event->background_tasks == 1 ? "" : "s"));
	case LOOP_COMPLETE:
		return ended(a, l, path, event, STATUS_LOOP_COMPLETE,
			     str_fmt(a,
				     "Ralph loop: complete after %" PRIu64 " pass%s, <promise>" STR_FMT
				     "</promise> was given",
				     s->iteration, s->iteration == 1 ? "" : "es", STR_ARG(s->promise)));
	case LOOP_LIMIT:
		return ended(a, l, path, event, STATUS_LOOP_LIMIT_REACHED,
			     str_fmt(a, "Ralph loop: Max iterations (%" PRIu64 ") reached",
				     s->max_iterations ? s->max_iterations : s->iteration));
	case LOOP_CONTINUES:
		break;
	}
	return go_on(a, l, event, ret_is_gone);
}

static struct str
with_doubts(struct arena *a, const struct loop *l, struct str message)
{
	if (!l->state.doubled_key.s)
		return message;
	return str_fmt(a, STR_FMT " (warning: '" STR_FMT "' stands twice in its file, the first counts)",
		       STR_ARG(message), STR_ARG(l->state.doubled_key));
}

/* Whoever writes a file anew in place empties it first: what is half there may be whole in a moment. */
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
stop_at(struct arena *a, struct str path, const struct event *event, struct verdict *ret)
{
	for (int try = 0; try < CHANGE_TRIES; try++) {
		CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
		bool is_gone = false;
		struct err err;

		if (loop_open(a, path, &l, &err) < 0) {
			/* What the system or another process keeps from us may be a good loop. */
			bool is_kept = err.code == ERR_BUSY || (err.code == ERR_SYS && err.sys != EISDIR);

			*ret = say(is_kept ? STATUS_LOOP_UNWRITABLE : STATUS_LOOP_CORRUPT,
				   str_fmt(a, "the Ralph loop's file could not be read: %s", err.msg));
			return true;
		}
		if (l.file.fd < 0)
			return false;
		if (l.is_corrupt && !has_settled(a, &l))
			continue;
		*ret = l.is_corrupt ? set_aside(a, &l, path) : apply(a, &l, path, event, &is_gone);
		ret->message = with_doubts(a, &l, ret->message);
		if (!is_gone)
			return true;
	}
	*ret = say(STATUS_LOOP_UNWRITABLE, str_fmt(a, STR_FMT ": is edited all the time", STR_ARG(path)));
	return true;
}

bool
loop_stop(struct arena *a, const struct project_dirs *where, const struct event *event, struct verdict *ret)
{
	bool has_foreign = false;

	for (size_t i = 0; i < where->count; i++) {
		struct str paths[2] = { STR_NONE, loop_path(a, where->dirs[i]) };

		if (event->session_id.n > 0)
			paths[0] = loop_session_path(a, where->dirs[i], event->session_id);
		for (size_t k = 0; k < COUNT_OF(paths); k++) {
			struct verdict v;

			if (!paths[k].s || !stop_at(a, paths[k], event, &v))
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
