/* SPDX-License-Identifier: MIT */
/* holdfast ralph resume --wait: goes on with the session of a loop when a usage limit has passed. For a terminal of its own, since no
 * client lets a hook go on with a turn that a limit has ended. Every start is counted in the loop's file before it. */
#include "client/client.h"
#include "cmd/command.h"
#include "cmd/loop/loop.h"
#include "os/clock.h"
#include "os/proc.h"
#include "ui/print.h"

#define POLL_MS 1000

/* The loop as it is now. 0: it has ended. */
static int
read_loop(struct arena *a, struct str path, struct loop *l, struct err *err)
{
	if (loop_open(a, path, l, err) < 0)
		return -1;
	if (l->is_corrupt)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(loop_problem(a, path, &l->why_corrupt)));
	if (l->file.fd < 0)
		print_cat("The Ralph loop has ended; 'holdfast ralph history' says why.\n");
	return l->file.fd >= 0;
}

static void
forward(void *owner, int stream, struct str bytes)
{
	(void)owner;
	(void)!print_to(stream, bytes, IGNORED);
}

/* Runs the client, or the command that was given, to its end. */
static int
resume(struct arena *a, const struct invocation *inv, struct str path, const struct loop_state *s,
       struct err *err)
{
	struct str prompt = loop_instruction(a, s, STR_NONE, STR_NONE);
	const char *const usual[] = {
		"claude", "--resume", str_copy(a, s->session_id).s, "-p", str_copy(a, prompt).s, NULL
	};
	const char **given = arena_array(a, inv->arg_count + 1, const char *);
	const char *const env[] = { str_cat(a, "HOLDFAST_SESSION=", s->session_id).s,
				    str_cat(a, "HOLDFAST_PROMPT=", prompt).s, NULL };
	struct proc_spec spec = { .argv = inv->arg_count > 0 ? given : usual,
				  .dir = str_copy(a, path_parent(path_parent(path))).s,
				  .env = env,
				  .unset = client_session_vars(a),
				  .output = forward,
				  .forgets_output = true };
	struct proc_result r;

	for (size_t i = 0; i < inv->arg_count; i++)
		given[i] = str_copy(a, inv->args[i]).s;
	return proc_run(a, &spec, &r, err);
}

/* Until the limit has passed; false: the loop has ended or changed meanwhile. */
static bool
wait_for(struct arena *a, struct str path, int64_t until_us)
{
	while (clock_real_us() < until_us) {
		CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
		int64_t left_ms = (until_us - clock_real_us()) / 1000 + 1;

		clock_sleep_ms(left_ms < POLL_MS ? left_ms : POLL_MS);
		if (loop_open(a, path, &l, IGNORED) == 0 &&
		    (l.file.fd < 0 || l.is_corrupt || l.state.options.limit.until_us != until_us))
			return false;
	}
	return true;
}

/* Why the loop is not one to wait for; NULL: it is. */
static const char *
refusal(struct arena *a, const struct loop_state *s, struct str path, bool is_first)
{
	const struct loop_limit *limit = &s->options.limit;

	if (s->options.resume_after_limit == 0)
		return str_cat(a, path, ": 'resume_after_limit' is not set").s;
	if (s->session_id.n == 0)
		return str_cat(a, path, ": the loop has no session yet").s;
	if (limit->until_us == 0)
		return is_first ? "the loop waits for no usage limit"
				: "the client has ended, the loop has not, and no usage limit is noted";
	if (limit->resumes >= s->options.resume_after_limit)
		return str_cat(a, "the session was resumed ", limit->resumes,
			       " times, and 'resume_after_limit' allows no more")
			.s;
	return NULL;
}

/* One wait and one start. 1: it is to be called again. */
static int
go_on(struct arena *a, struct str path, const struct invocation *inv, bool is_first, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	int result = read_loop(a, path, &l, err);

	if (result <= 0)
		return result;
	struct loop_limit limit = l.state.options.limit;
	const char *why = refusal(a, &l.state, path, is_first);

	if (why)
		return err_set(err, ERR_VALUE, "%s", why);
	loop_close(&l);
	print_cat("Waiting for the usage limit, until ", clock_format_seconds(a, limit.until_us), ".\n");
	if (!wait_for(a, path, limit.until_us))
		return 1;
	result = read_loop(a, path, &l, err);
	if (result <= 0)
		return result;
	limit.until_us = 0;
	limit.resumes++;
	if (ralph_write(a, &l, path, frontmatter_set(a, &l.state.doc, "limit", loop_limit_text(a, &limit)),
			err) < 0)
		return err_wrap(err, "the start can't be counted");
	struct loop_state state = l.state;

	loop_close(&l); /* the client's stops need it */
	print_cat("Resuming session ", state.session_id, " (", limit.resumes, " of ",
		  state.options.resume_after_limit, ").\n");
	return resume(a, inv, path, &state, err) < 0 ? -1 : 1;
}

int
ralph_wait(struct arena *a, const struct invocation *inv)
{
	struct str session = ralph_session(inv), path = STR_NONE;
	struct loop_refs refs = ralph_loops(a);
	int result = 1;
	struct err err;

	for (size_t i = 0; i < refs.count; i++) {
		bool is_it = session.n == 0 || str_eq(refs.items[i].state.session_id, session);

		if (is_it && path.s)
			return command_error(inv, "there are several loops; --session selects one");
		if (is_it)
			path = refs.items[i].path;
	}
	if (!path.s) {
		ralph_print(a, inv, TEXT_NONE);
		return 1;
	}
	for (bool is_first = true; result > 0; is_first = false)
		result = go_on(a, path, inv, is_first, &err);
	return result < 0 ? command_error(inv, err.msg) : 0;
}
