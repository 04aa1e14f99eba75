/* SPDX-License-Identifier: MIT */
/* holdfast ralph pause, resume and cancel. Each change is made under the loop's lock: against a hook that decides
 * at the same time, it either comes first or waits. */
#include "base/path.h"
#include "base/escapes.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"
#include "loop/loop.h"

#include <inttypes.h>
#include <stdio.h>

typedef int act_fn(struct arena *a, const struct invocation *inv, struct loop *l, struct str path,
		   struct err *err);

static void
say(const struct invocation *inv, enum ralph_text text, uint64_t number)
{
	(void)printf(ralph_text(inv, text), number);
	(void)printf("\n");
}

static int
cancel(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	uint64_t at = l->state.iteration, completed = at > 0 ? at - 1 : 0;
	struct str elapsed = ralph_elapsed(a, &l->state), max = STR(""), time = STR("");

	if (loop_end(a, l, path, completed, "cancelled", err) < 0)
		return -1;
	if (l->is_corrupt) {
		ralph_print_corrupt(a, inv, path, &l->why_corrupt);
		(void)printf("%s\n", ralph_text(inv, TEXT_CANCELLED_CORRUPT));
		return 0;
	}
	if (l->state.max_iterations > 0)
		max = str_fmt(a, " / %" PRIu64, l->state.max_iterations);
	if (elapsed.s)
		time = str_fmt(a, ", " STR_FMT, STR_ARG(elapsed));
	say(inv, TEXT_CANCELLED, at);
	(void)printf(ralph_text(inv, TEXT_COMPLETED), completed, max.s, time.s);
	(void)printf("\n");
	return 0;
}

static int
set_active(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, bool is_active,
	   struct err *err)
{
	bool is_gone;

	if (l->is_corrupt)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(loop_problem(a, path, &l->why_corrupt)));
	struct str text = loop_state_with_active(a, &l->state, is_active);

	if (locked_change(a, &l->file, l->text, text, &is_gone, err) < 0)
		return -1;
	if (is_gone)
		return err_set(err, ERR_BUSY, STR_FMT ": was changed by somebody else just now",
			       STR_ARG(path));
	say(inv, is_active ? TEXT_RESUMED : TEXT_PAUSED, l->state.iteration);
	return 0;
}

static int
pause_loop(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	return set_active(a, inv, l, path, false, err);
}

static int
resume(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	if (!l->is_corrupt && !l->state.is_paused) {
		say(inv, TEXT_NOT_PAUSED, l->state.iteration);
		return 0;
	}
	return set_active(a, inv, l, path, true, err);
}

/* Has the file the session's own name? That is all there is to go by where it can't be understood. */
static bool
is_file_of(struct arena *a, const struct loop_ref *ref, struct str session)
{
	struct str dir = path_parent(path_parent(ref->path));

	return str_eq(loop_session_path(a, dir, session), ref->path);
}

/* Whose loops the command reaches: all of them, one session's, or, typed at a terminal, the only one there is. One that
 * belongs to nobody is the caller's, unless a session is named. */
static bool
is_reached(struct arena *a, const struct invocation *inv, const struct loop_ref *ref, struct str session)
{
	if (option_has(inv, "all") || session.n == 0)
		return true;
	if (ref->is_corrupt || ref->state.session_id.n == 0)
		return option_str(inv, "session").n == 0 || (ref->is_corrupt && is_file_of(a, ref, session));
	return str_eq(ref->state.session_id, session);
}

static void
say_not_reached(struct arena *a, const struct invocation *inv, const struct loop_ref *ref)
{
	struct str path = str_copy(a, strip_escapes_line(a, ref->path));
	struct str owner = str_copy(a, strip_escapes_line(a, ref->state.session_id));

	if (ref->is_corrupt || owner.n == 0)
		(void)fprintf(stderr, ralph_text(inv, TEXT_OWNERLESS), path.s);
	else
		(void)fprintf(stderr, ralph_text(inv, TEXT_FOREIGN), path.s, owner.s);
	(void)fprintf(stderr, "\n");
}

static int
act_on(struct arena *a, const struct invocation *inv, struct str path, act_fn *act)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct err err;

	if (loop_open(a, path, &l, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	if (l.file.fd < 0) {
		(void)printf("%s\n", ralph_text(inv, TEXT_NONE));
		return 0;
	}
	return act(a, inv, &l, path, &err) < 0 ? command_fail(inv, "%s", err.msg) : 0;
}

static int
control(struct arena *a, const struct invocation *inv, act_fn *act)
{
	struct str session = ralph_session(inv);
	struct loop_refs refs;
	struct project_dirs where;
	size_t reached = 0;
	int result = 0;

	ralph_where(a, &where);
	loops_find(a, &where, &refs);
	for (size_t i = 0; i < refs.count; i++)
		reached += is_reached(a, inv, &refs.items[i], session);
	if (reached == 0)
		(void)printf("%s\n", ralph_text(inv, TEXT_NONE));
	if (reached > 1 && session.n == 0 && !option_has(inv, "all")) {
		(void)fprintf(stderr, ralph_text(inv, TEXT_AMBIGUOUS), reached);
		(void)fprintf(stderr, "\n");
		return 1;
	}
	for (size_t i = 0; i < refs.count; i++) {
		if (is_reached(a, inv, &refs.items[i], session))
			result |= act_on(a, inv, refs.items[i].path, act);
		else
			say_not_reached(a, inv, &refs.items[i]);
	}
	return result;
}

static int
run_cancel(struct arena *a, const struct invocation *inv)
{
	return control(a, inv, cancel);
}

static int
run_pause(struct arena *a, const struct invocation *inv)
{
	return control(a, inv, pause_loop);
}

static int
run_resume(struct arena *a, const struct invocation *inv)
{
	return control(a, inv, resume);
}

static const struct option_row options[] = {
	SESSION_OPTION,
	{ .name = "all", .help = "all loops of this project" },
	LANG_OPTION,
};

const struct command ralph_cancel_command = {
	.name = "cancel",
	.summary = "end a loop now",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run_cancel,
};

const struct command ralph_pause_command = {
	.name = "pause",
	.summary = "pause a loop: let the agent stop, and keep the loop",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run_pause,
};

const struct command ralph_resume_command = {
	.name = "resume",
	.summary = "continue a paused loop",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run_resume,
};
