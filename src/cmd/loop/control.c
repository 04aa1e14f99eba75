/* SPDX-License-Identifier: MIT */
/* holdfast ralph pause, resume, cancel, steer, extend and adopt. Each holds the loop's lock, so a stop that is being decided comes either
 * before or after the change. */
#include "cmd/loop/loop.h"

#include "cmd/commands.h"
#include "doc/yaml_out.h"

#include <errno.h>

/* A text that the agent reads in addition to its prompt. */
#define STEER_LIMIT_BYTES KIB(64)

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

/* What a command does to a loop, which is open. */
typedef int change_fn(struct arena *a, const struct invocation *inv, struct loop *l, struct str path,
		      struct err *err);

static int
cancel(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	uint64_t at = l->state.iteration, completed = at > 0 ? at - 1 : 0;
	uint64_t max = l->state.max_iterations;
	struct str elapsed = ralph_elapsed(a, &l->state);

	if (loop_end(a, l, path, completed, LOOP_CANCELLED, err) < 0)
		return -1;
	if (l->is_corrupt) {
		ralph_print(a, inv, TEXT_CORRUPT, loop_problem(a, path, &l->why_corrupt));
		ralph_print(a, inv, TEXT_CANCELLED_CORRUPT);
		return 0;
	}
	ralph_print(a, inv, TEXT_CANCELLED, at);
	ralph_print(a, inv, TEXT_COMPLETED,
		    str_cat(a, completed, max > 0 ? str_cat(a, " / ", max) : STR(""), elapsed.s ? ", " : "",
			    elapsed));
	return 0;
}

static int
pause_or_resume(struct arena *a, const struct invocation *inv, struct loop *l, struct str path,
		struct err *err)
{
	bool is_active = inv->command == &ralph_resume_command;

	if (is_active && !l->state.is_paused) {
		ralph_print(a, inv, TEXT_NOT_PAUSED, l->state.iteration);
		return 0;
	}
	if (ralph_write(a, l, path, loop_state_with_active(a, &l->state, is_active), err) < 0)
		return -1;
	ralph_print(a, inv, is_active ? TEXT_RESUMED : TEXT_PAUSED, l->state.iteration);
	return 0;
}

/* With --all every loop is selected, within a session those of that session, and outside any session the only loop. A loop
 * without an owner belongs to the caller, unless --session names another. */
static bool
is_selected(struct arena *a, const struct invocation *inv, const struct loop_ref *ref, struct str session)
{
	if (option_has(inv, "all") || session.n == 0)
		return true;
	/* Nothing but its name shows the owner of a corrupt file. */
	if (ref->is_corrupt || ref->state.session_id.n == 0)
		return option_str(inv, "session").n == 0 ||
		       (ref->is_corrupt &&
			str_eq(loop_path(a, path_parent(path_parent(ref->path)), session), ref->path));
	return str_eq(ref->state.session_id, session);
}

static int
change_at(struct arena *a, const struct invocation *inv, struct str path, change_fn *change)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct err err;

	if (loop_open(a, path, &l, &err) < 0)
		return command_error(inv, err.msg);
	if (l.file.fd < 0) {
		ralph_print(a, inv, TEXT_NONE);
		return 0;
	}
	if (l.is_corrupt && change != cancel)
		return command_error(inv, loop_problem(a, path, &l.why_corrupt));
	return change(a, inv, &l, path, &err) < 0 ? command_error(inv, err.msg) : 0;
}

/* Selects loops by --session and --all, as every command does that changes one, and changes each. A corrupt one is an error,
 * except for `cancel`. The exit code. */
static int
change_selected(struct arena *a, const struct invocation *inv, change_fn *change)
{
	struct str session = ralph_session(inv);
	struct loop_refs refs = ralph_loops(a);
	size_t selected = 0;
	int result = 0;

	for (size_t i = 0; i < refs.count; i++)
		selected += is_selected(a, inv, &refs.items[i], session);
	if (selected == 0)
		ralph_print(a, inv, TEXT_NONE);
	if (selected > 1 && session.n == 0 && !option_has(inv, "all")) {
		print_err_cat(ralph_text(a, inv, TEXT_AMBIGUOUS, selected), "\n");
		return 1;
	}
	for_each (ref, refs.items, refs.count) {
		struct str owner = ref->is_corrupt ? STR_NONE : ref->state.session_id;

		if (is_selected(a, inv, ref, session))
			result |= change_at(a, inv, ref->path, change);
		else
			print_err_cat(ralph_text(a, inv, owner.n == 0 ? TEXT_OWNERLESS : TEXT_FOREIGN,
						 ref->path, owner),
				      "\n");
	}
	return result;
}

/* ---- steer ---- */

static int
steer(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	const struct str_list words = { inv->args, inv->arg_count };
	struct str before = l->state.options.steer;
	/* What was said before and not sent yet comes first. */
	struct str text = str_cat(a, before, before.s ? "\n\n" : "", str_list_join(a, &words, " "));

	if (text.n > STEER_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "the text is longer than %zu KiB", STEER_LIMIT_BYTES / 1024);
	if (ralph_write(a, l, path, frontmatter_set(a, &l->state.doc, "steer", yaml_quote(a, text)), err) < 0)
		return -1;
	ralph_print(a, inv, TEXT_STEERED, l->state.iteration);
	return 0;
}

static int
run_steer(struct arena *a, const struct invocation *inv)
{
	bool is_blank = true;

	for (size_t i = 0; i < inv->arg_count; i++) {
		if (!utf8_is_valid(inv->args[i]))
			return usage_error(inv, "the text is not valid UTF-8");
		is_blank = is_blank && str_trim(inv->args[i]).n == 0;
	}
	return is_blank ? usage_error(inv, "the text is empty") : change_selected(a, inv, steer);
}

/* ---- extend ---- */

/* The new value of a limit: N, or +N more than now. */
static int
new_limit(const struct invocation *inv, const char *option, bool is_dollars, uint64_t now, uint64_t *ret,
	  struct err *err)
{
	struct str text = option_str(inv, option), digits = text;
	bool is_more = text.s && str_skip(&digits, "+");
	int64_t dollars = 0;
	uint64_t number = 0;

	*ret = now;
	if (!text.s)
		return 0;
	if (is_dollars && !loop_dollars_parse(digits, &dollars))
		return err_set(err, ERR_USAGE,
			       "--%s: expected a number of US dollars such as 2.50, or + and a number, not "
			       "'" STR_FMT "'",
			       option, STR_ARG(text));
	if (!is_dollars && (!number_parse(digits, &number) || number > LOOP_NUMBER_MAX))
		return err_set(err, ERR_USAGE,
			       "--%s: expected a number from 0 to %d, or + and a number, not '" STR_FMT "'",
			       option, LOOP_NUMBER_MAX, STR_ARG(text));
	if (is_more && now == 0)
		return err_set(err, ERR_USAGE,
			       "--%s: the loop has no such limit, so nothing can be added to it", option);
	*ret = (is_more ? now : 0) + number + (uint64_t)dollars;
	return 0;
}

static int
extend(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	const struct loop_options *o = &l->state.options;
	uint64_t iterations, minutes, tokens, cost, cost_before = (uint64_t)o->max_cost;
	struct loop_edits edits = { 0 };

	if (new_limit(inv, "max-cost-usd", true, cost_before, &cost, err) < 0 ||
	    new_limit(inv, "max-iterations", false, l->state.max_iterations, &iterations, err) < 0 ||
	    new_limit(inv, "max-minutes", false, o->max_minutes, &minutes, err) < 0 ||
	    new_limit(inv, "max-tokens", false, o->max_tokens, &tokens, err) < 0)
		return -1;
	const struct {
		struct loop_edit edit;
		bool is_new;
	} rows[] = {
		{ { "max_iterations", str_cat(a, iterations) }, iterations != l->state.max_iterations },
		{ { "max_minutes", str_cat(a, minutes) }, minutes != o->max_minutes },
		{ { "max_tokens", str_cat(a, tokens) }, tokens != o->max_tokens },
		{ { "max_cost_usd", loop_dollars_exact(a, (int64_t)cost) }, cost != cost_before },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (rows[i].is_new)
			edits.items[edits.count++] = rows[i].edit;
	if (edits.count > 0 && ralph_write(a, l, path, loop_text_with(a, l->state.doc.text, &edits), err) < 0)
		return -1;
	struct str limits = ralph_limits(a, iterations, minutes, tokens, (int64_t)cost);

	ralph_print(a, inv, TEXT_EXTENDED, l->state.iteration, limits.n > 0 ? limits : STR("-"));
	return 0;
}

static int
run_extend(struct arena *a, const struct invocation *inv)
{
	if (!option_has(inv, "max-iterations") && !option_has(inv, "max-minutes") &&
	    !option_has(inv, "max-tokens") && !option_has(inv, "max-cost-usd"))
		return usage_error(inv, "give a new limit, such as --max-iterations +10");
	return change_selected(a, inv, extend);
}

/* ---- the commands ---- */

static int
run(struct arena *a, const struct invocation *inv)
{
	if (inv->command == &ralph_resume_command && option_has(inv, "wait"))
		return ralph_wait(a, inv);
	if (inv->arg_count > 0)
		return usage_error(inv, "a command is only run with --wait");
	return change_selected(a, inv, inv->command == &ralph_cancel_command ? cancel : pause_or_resume);
}

#define CHANGE_OPTIONS                                                                      \
	VALUE("session", "ID",                                                              \
	      "only the loop of this session (default: the session that runs the command; " \
	      "outside a session, the only loop)"),                                         \
		FLAG("all", "all loops of this project")

const struct command ralph_cancel_command = {
	.name = "cancel",
	.summary = "end a loop now",
	TAKES(CHANGE_OPTIONS, LANG_OPTION),
	.run = run,
};

const struct command ralph_pause_command = {
	.name = "pause",
	.summary = "pause a loop: let the agent stop, and keep the loop",
	TAKES(CHANGE_OPTIONS, LANG_OPTION),
	.run = run,
};

const struct command ralph_resume_command = {
	.name = "resume",
	.summary = "continue a paused loop, or with --wait one that a usage limit has ended",
	.details =
		"With --wait it waits until the usage limit has passed that ended the session's turn, and "
		"then runs `claude --resume SESSION -p PROMPT`, or COMMAND, with HOLDFAST_SESSION and "
		"HOLDFAST_PROMPT in its environment, as often as resume_after_limit in the loop's file says.",
	.args = "[COMMAND...]",
	.most_args = ARGS_ANY,
	TAKES(CHANGE_OPTIONS, FLAG("wait", "wait for a usage limit to pass, then go on with the session"),
	      LANG_OPTION),
	.run = run,
};

const struct command ralph_steer_command = {
	.name = "steer",
	.summary = "say something to the agent before the loop's next prompt, once",
	.details = "The text is all arguments, joined by spaces. A second text before the next stop is added "
		   "to the first. Example:\n\n"
		   "    holdfast ralph steer \"Leave the parser alone, start with the tests\"",
	.args = "TEXT...",
	.least_args = 1,
	.most_args = ARGS_ANY,
	TAKES(CHANGE_OPTIONS, LANG_OPTION),
	.run = run_steer,
};

const struct command ralph_extend_command = {
	.name = "extend",
	.summary = "change the limits of a running loop",
	.details = "Examples:\n\n"
		   "    holdfast ralph extend --max-iterations +10\n"
		   "    holdfast ralph extend --max-minutes 480",
	TAKES(VALUE("max-iterations", "N", "iterations in all; +N: so many more; 0: no limit"),
	      VALUE("max-minutes", "N", "minutes since the start; +N: so many more; 0: no limit"),
	      VALUE("max-tokens", "N", "tokens since the start; +N: so many more; 0: no limit"),
	      VALUE("max-cost-usd", "N", "US dollars since the start; +N: so many more; 0: no limit"),
	      CHANGE_OPTIONS, LANG_OPTION),
	.run = run_extend,
};

/* ---- adopt: another session, since after /clear or in a new client it has another id ---- */

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

	if (ralph_write(a, &l, to, frontmatter_set(a, &l.state.doc, "session_id", owner), err) < 0)
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
run_adopt(struct arena *a, const struct invocation *inv)
{
	struct str session = ralph_session(inv), from = option_str(inv, "from");
	const struct loop_ref *chosen = NULL, *owned = NULL;
	struct loop_refs refs = ralph_loops(a);
	size_t candidates = 0;
	struct err err;

	/* The loops that may be meant: those of --from, else those that the new owner does not have. */
	for_each (ref, refs.items, refs.count) {
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
	.run = run_adopt,
};
