/* SPDX-License-Identifier: MIT */
/* holdfast ralph adopt: hands a loop to another session, which after /clear or in a new client has another id. */
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"
#include "doc/yaml_out.h"

#include <errno.h>

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
	/* Where the hook of the new owner looks. */
	struct str dir = str_copy(a, path_parent(path_parent(ref->path))), usual = loop_path(a, dir, STR(""));
	struct str to = str_eq(ref->path, usual) || session.n == 0 ? usual : loop_path(a, dir, session);
	struct str problem = session.n == 0 ? loop_adoption_problem(a, ref->path) : STR_NONE;

	if (problem.s)
		return err_set(err, ERR_VALUE,
			       STR_FMT ": no session would adopt it: " STR_FMT
				       "; name the new owner with --session ID",
			       STR_ARG(ref->path), STR_ARG(problem));
	if (move(a, ref->path, to, err) < 0 || loop_open(a, to, &l, err) < 0)
		return -1;
	if (l.file.fd < 0 || l.is_corrupt)
		return err_set(err, ERR_BUSY, STR_FMT ": another program changed it just now", STR_ARG(to));
	struct str owner = session.n > 0 ? yaml_quote(a, session) : STR("null");

	if (ralph_write(a, &l, to, loop_state_set(a, &l.state, "session_id", owner), err) < 0)
		return -1;
	ralph_print(a, inv, session.n > 0 ? TEXT_ADOPTED : TEXT_ADOPTED_BY_NEXT,
		    loop_progress(a, l.state.iteration, l.state.max_iterations), session);
	return 0;
}

static bool
is_owned_by(const struct loop_ref *ref, struct str session)
{
	return !ref->is_corrupt && str_eq(ref->state.session_id, session);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct str session = ralph_session(inv), from = option_str(inv, "from");
	const struct loop_ref *chosen = NULL, *owned = NULL;
	struct loop_refs refs = ralph_loops(a);
	size_t candidates = 0;
	struct err err;

	/* The loops that may be meant: those of --from, else those that the new owner does not have. */
	for (size_t i = 0; i < refs.count; i++) {
		const struct loop_ref *ref = &refs.items[i];
		bool is_owned = is_owned_by(ref, session);

		if (is_owned)
			owned = ref;
		if (from.s ? is_owned_by(ref, from) : !ref->is_corrupt && !is_owned) {
			chosen = ref;
			candidates++;
		}
	}
	if (candidates > 1) {
		print_err_cat(ralph_text(a, inv, TEXT_AMBIGUOUS_OWNER, candidates), "\n");
		return 1;
	}
	if (!chosen || chosen == owned) {
		ralph_print(a, inv, owned ? TEXT_ALREADY_OWNED : TEXT_NONE,
			    session.n > 0 ? session : ralph_text(a, inv, TEXT_OWNER_FIRST));
		return 0;
	}
	if (owned && session.n > 0)
		return command_error(inv, "session ", session, " already has a loop: ", owned->path);
	return hand_over(a, inv, chosen, session, &err) < 0 ? command_error(inv, err.msg) : 0;
}

const struct command ralph_adopt_command = {
	.name = "adopt",
	.summary = "hand a loop to another session",
	.details = "A loop holds only the session that owns it. After /clear, or in a new client, the "
		   "session has another id; this command makes it the owner. Examples:\n\n"
		   "    holdfast ralph adopt\n"
		   "    holdfast ralph adopt --session 4f0c1a2b",
	TAKES(VALUE("session", "ID",
		    "the new owner (default: the session that runs the command; outside a session, the next "
		    "one that stops here)"),
	      VALUE("from", "ID", "the loop of this session, where there are several loops"), LANG_OPTION),
	.run = run,
};
