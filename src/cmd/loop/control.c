/* SPDX-License-Identifier: MIT */
/* holdfast ralph pause, resume and cancel. Each holds the loop's lock, so a stop that is being decided comes either before
 * or after the change. */
#include "base/buf.h"
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"

#include <inttypes.h>
#include <stdio.h>

int
ralph_write(struct arena *a, struct loop *l, struct str path, struct str text, struct err *err)
{
	bool is_gone;

	if (locked_change(a, &l->file, l->text, text, &is_gone, err) < 0)
		return -1;
	return is_gone ? err_set(err, ERR_BUSY, STR_FMT ": another program changed it just now; try again",
				 STR_ARG(path))
		       : 0;
}

static int
cancel(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	uint64_t at = l->state.iteration, completed = at > 0 ? at - 1 : 0;
	struct str elapsed = ralph_elapsed(a, &l->state);
	struct buf count = BUF(a, KIB(1));

	if (loop_end(a, l, path, completed, LOOP_CANCELLED, err) < 0)
		return -1;
	if (l->is_corrupt) {
		ralph_print(a, inv, TEXT_CORRUPT, loop_problem(a, path, &l->why_corrupt));
		ralph_print(a, inv, TEXT_CANCELLED_CORRUPT, STR_NONE);
		return 0;
	}
	buf_addf(&count, "%" PRIu64, completed);
	if (l->state.max_iterations > 0)
		buf_addf(&count, " / %" PRIu64, l->state.max_iterations);
	if (elapsed.s)
		buf_addf(&count, ", " STR_FMT, STR_ARG(elapsed));
	ralph_print(a, inv, TEXT_CANCELLED, ralph_number(a, at));
	ralph_print(a, inv, TEXT_COMPLETED, buf_str(&count));
	return 0;
}

static int
pause_or_resume(struct arena *a, const struct invocation *inv, struct loop *l, struct str path,
		struct err *err)
{
	bool is_active = inv->command == &ralph_resume_command;

	if (l->is_corrupt)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(loop_problem(a, path, &l->why_corrupt)));
	if (is_active && !l->state.is_paused) {
		ralph_print(a, inv, TEXT_NOT_PAUSED, ralph_number(a, l->state.iteration));
		return 0;
	}
	struct str text = loop_state_with_active(a, &l->state, is_active);

	if (ralph_write(a, l, path, text, err) < 0)
		return -1;
	ralph_print(a, inv, is_active ? TEXT_RESUMED : TEXT_PAUSED, ralph_number(a, l->state.iteration));
	return 0;
}

/* Is the file named after the session? Nothing else shows the owner of a corrupt file. */
static bool
is_file_of(struct arena *a, const struct loop_ref *ref, struct str session)
{
	struct str dir = path_parent(path_parent(ref->path));

	return str_eq(loop_session_path(a, dir, session), ref->path);
}

/* With --all every loop is selected, within a session those of that session, and outside any session the only loop. A loop
 * without an owner belongs to the caller, unless --session names another. */
static bool
is_selected(struct arena *a, const struct invocation *inv, const struct loop_ref *ref, struct str session)
{
	if (option_has(inv, "all") || session.n == 0)
		return true;
	if (ref->is_corrupt || ref->state.session_id.n == 0)
		return option_str(inv, "session").n == 0 || (ref->is_corrupt && is_file_of(a, ref, session));
	return str_eq(ref->state.session_id, session);
}

static void
print_skipped(struct arena *a, const struct invocation *inv, const struct loop_ref *ref)
{
	struct str owner = ref->is_corrupt ? STR_NONE : ref->state.session_id;
	enum ralph_text text = owner.n == 0 ? TEXT_OWNERLESS : TEXT_FOREIGN;

	(void)fprintf(stderr, STR_FMT "\n", STR_ARG(ralph_text(a, inv, text, ref->path, owner)));
}

static int
change_at(struct arena *a, const struct invocation *inv, struct str path, ralph_change_fn *change)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct err err;

	if (loop_open(a, path, &l, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	if (l.file.fd < 0) {
		ralph_print(a, inv, TEXT_NONE, STR_NONE);
		return 0;
	}
	return change(a, inv, &l, path, &err) < 0 ? command_fail(inv, "%s", err.msg) : 0;
}

int
ralph_change(struct arena *a, const struct invocation *inv, ralph_change_fn *change)
{
	struct str session = ralph_session(inv);
	struct loop_refs refs;
	struct project_dirs where;
	size_t selected = 0;
	int result = 0;

	ralph_where(a, &where);
	loops_find(a, &where, &refs);
	for (size_t i = 0; i < refs.count; i++)
		selected += is_selected(a, inv, &refs.items[i], session);
	if (selected == 0)
		ralph_print(a, inv, TEXT_NONE, STR_NONE);
	if (selected > 1 && session.n == 0 && !option_has(inv, "all")) {
		struct str text = ralph_text(a, inv, TEXT_AMBIGUOUS, ralph_number(a, selected), STR_NONE);

		(void)fprintf(stderr, STR_FMT "\n", STR_ARG(text));
		return 1;
	}
	for (size_t i = 0; i < refs.count; i++) {
		if (is_selected(a, inv, &refs.items[i], session))
			result |= change_at(a, inv, refs.items[i].path, change);
		else
			print_skipped(a, inv, &refs.items[i]);
	}
	return result;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	bool waits = inv->command == &ralph_resume_command && option_has(inv, "wait");

	if (waits)
		return ralph_wait(a, inv);
	if (inv->arg_count > 0)
		return command_misuse(inv, "a command is only run with --wait");
	return ralph_change(a, inv, inv->command == &ralph_cancel_command ? cancel : pause_or_resume);
}

static const struct option_row options[] = {
	SESSION_OPTION,
	{ .name = "all", .help = "all loops of this project" },
	LANG_OPTION,
};

static const struct option_row resume_options[] = {
	SESSION_OPTION,
	{ .name = "all", .help = "all loops of this project" },
	{ .name = "wait", .help = "wait for a usage limit to pass, then go on with the session" },
	LANG_OPTION,
};

const struct command ralph_cancel_command = {
	.name = "cancel",
	.summary = "end a loop now",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

const struct command ralph_pause_command = {
	.name = "pause",
	.summary = "pause a loop: let the agent stop, and keep the loop",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

const struct command ralph_resume_command = {
	.name = "resume",
	.summary = "continue a paused loop, or with --wait one that a usage limit has ended",
	.details =
		"With --wait it waits until the usage limit has passed that ended the session's turn, and "
		"then "
		"runs `claude --resume SESSION -p PROMPT`, or COMMAND, with HOLDFAST_SESSION and "
		"HOLDFAST_PROMPT in its environment, as often as resume_after_limit in the loop's file says.",
	.args = "[COMMAND...]",
	.most_args = ARGS_ANY,
	.options = resume_options,
	.option_count = COUNT_OF(resume_options),
	.run = run,
};
