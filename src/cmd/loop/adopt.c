/* SPDX-License-Identifier: MIT */
/* holdfast ralph adopt: hands a loop to another session, which after /clear or in a new client has another id. */
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"
#include "ui/print.h"
#include "loop/adopt.h"

#include <errno.h>
#include <stdio.h>

/* Where the hook of the new owner looks. */
static struct str
path_for(struct arena *a, struct str path, struct str session)
{
	struct str dir = str_copy(a, path_parent(path_parent(path)));

	if (str_eq(path, loop_path(a, dir)) || session.n == 0)
		return loop_path(a, dir);
	return loop_session_path(a, dir, session);
}

static int
move(struct arena *a, struct str path, struct str to, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };

	if (str_eq(path, to))
		return 0;
	if (loop_open(a, path, &l, err) < 0)
		return -1;
	if (l.file.fd < 0 || l.link.s)
		return err_set(err, ERR_VALUE, STR_FMT ": %s", STR_ARG(path),
			       l.link.s ? "is a symbolic link; write session_id into it by hand"
					: "the loop has ended");
	if (locked_rename(&l.file, to.s, err) == 0)
		return 0;
	return err->sys == EEXIST
		       ? err_set(err, ERR_VALUE,
				 STR_FMT ": another loop is there; name the new owner with --session ID",
				 STR_ARG(to))
		       : -1;
}

/* Moves the file before it changes the owner: a loop that is only moved is still found by this command. */
static int
hand_over(struct arena *a, const struct invocation *inv, const struct loop_ref *ref, struct str session,
	  struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct str to = path_for(a, ref->path, session);
	bool is_gone;

	if (session.n == 0) {
		struct str problem = loop_adoption_problem(a, ref->path);

		if (problem.s)
			return err_set(err, ERR_VALUE,
				       STR_FMT ": no session would adopt it: " STR_FMT
					       "; name the new owner with --session ID",
				       STR_ARG(ref->path), STR_ARG(problem));
	}
	if (move(a, ref->path, to, err) < 0 || loop_open(a, to, &l, err) < 0)
		return -1;
	if (l.file.fd < 0 || l.is_corrupt)
		return err_set(err, ERR_BUSY, STR_FMT ": another program changed it just now", STR_ARG(to));
	if (locked_change(a, &l.file, l.text, loop_state_with_owner(a, &l.state, session), &is_gone, err) < 0)
		return -1;
	if (is_gone)
		return err_set(err, ERR_BUSY, STR_FMT ": another program changed it just now; try again",
			       STR_ARG(to));
	struct str progress = loop_progress(a, l.state.iteration, l.state.max_iterations);
	enum ralph_text text = session.n > 0 ? TEXT_ADOPTED : TEXT_ADOPTED_BY_NEXT;

	print_outf(STR_FMT "\n", STR_ARG(ralph_text(a, inv, text, progress, session)));
	return 0;
}

static bool
is_owned_by(const struct loop_ref *ref, struct str session)
{
	return !ref->is_corrupt && str_eq(ref->state.session_id, session);
}

/* The loops that may be meant: those of --from, else those that the new owner does not have. */
static bool
is_candidate(const struct invocation *inv, const struct loop_ref *ref, struct str session)
{
	struct str from = option_str(inv, "from");

	if (from.s)
		return is_owned_by(ref, from);
	return !ref->is_corrupt && !str_eq(ref->state.session_id, session);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct str session = ralph_session(inv);
	const struct loop_ref *chosen = NULL, *owned = NULL;
	size_t candidates = 0;
	struct project_dirs where;
	struct loop_refs refs;
	struct err err;

	ralph_where(a, &where);
	loops_find(a, &where, &refs);
	for (size_t i = 0; i < refs.count; i++) {
		if (is_owned_by(&refs.items[i], session))
			owned = &refs.items[i];
		if (is_candidate(inv, &refs.items[i], session)) {
			chosen = &refs.items[i];
			candidates++;
		}
	}
	if (candidates > 1) {
		struct str text = ralph_text(a, inv, TEXT_AMBIGUOUS_OWNER, ralph_number(a, candidates),
					     STR_NONE);

		(void)fprintf(stderr, STR_FMT "\n", STR_ARG(text));
		return 1;
	}
	if (!chosen || chosen == owned) {
		struct str next = ralph_text(a, inv, TEXT_OWNER_FIRST, STR_NONE, STR_NONE);

		ralph_print(a, inv, owned ? TEXT_ALREADY_OWNED : TEXT_NONE, session.n > 0 ? session : next);
		return 0;
	}
	if (owned && session.n > 0)
		return command_fail(inv, "session " STR_FMT " already has a loop: " STR_FMT, STR_ARG(session),
				    STR_ARG(owned->path));
	return hand_over(a, inv, chosen, session, &err) < 0 ? command_fail(inv, "%s", err.msg) : 0;
}

static const struct option_row options[] = {
	{ .name = "session",
	  .arg_name = "ID",
	  .help = "the new owner (default: the session that runs the command; outside a session, the next "
		  "one "
		  "that stops here)" },
	{ .name = "from",
	  .arg_name = "ID",
	  .help = "the loop of this session, where there are several loops" },
	LANG_OPTION,
};

const struct command ralph_adopt_command = {
	.name = "adopt",
	.summary = "hand a loop to another session",
	.details = "A loop holds only the session that owns it. After /clear, or in a new client, the "
		   "session has "
		   "another id; this command makes it the owner. Examples:\n\n"
		   "    holdfast ralph adopt\n"
		   "    holdfast ralph adopt --session 4f0c1a2b",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
