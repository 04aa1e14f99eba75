/* SPDX-License-Identifier: MIT */
/* holdfast ralph resume --wait: goes on with the session of a loop when a usage limit has passed. For a terminal of its own, since no
 * client lets a hook go on with a turn that a limit has ended. Every start is counted in the loop's file before it. */
#include "base/path.h"
#include "client/client.h"
#include "cmd/command.h"
#include "cmd/loop/loop.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/proc.h"
#include "ui/print.h"

#include <inttypes.h>
#include <stdio.h>

#define POLL_MS 1000

/* The state of the loop; false: it has ended, or can't be read, which is reported. */
static bool
read_loop(struct arena *a, const struct invocation *inv, struct str path, struct loop *l, int *ret_code)
{
	struct err err;

	if (loop_open(a, path, l, &err) < 0) {
		*ret_code = command_fail(inv, "%s", err.msg);
		return false;
	}
	if (l->file.fd < 0) {
		print_outf("The Ralph loop has ended; 'holdfast ralph history' says why.\n");
		*ret_code = 0;
		return false;
	}
	if (l->is_corrupt) {
		*ret_code = command_fail(inv, STR_FMT, STR_ARG(loop_problem(a, path, &l->why_corrupt)));
		return false;
	}
	return true;
}

static int
set_limit(struct arena *a, struct loop *l, struct str path, struct loop_limit limit, struct err *err)
{
	struct loop_edits edits = { .items = { { "limit", loop_limit_text(a, &limit) } }, .count = 1 };

	return ralph_write(a, l, path, loop_state_with(a, &l->state, &edits), err);
}

static void
forward(void *owner, int stream, struct str bytes)
{
	(void)owner;
	(void)fwrite(bytes.s, 1, bytes.n, stream == 1 ? stdout : stderr);
	(void)fflush(stream == 1 ? stdout : stderr);
}

/* Runs the client, or the command that was given, to its end. */
static int
resume(struct arena *a, const struct invocation *inv, struct str path, const struct loop_state *s,
       struct err *err)
{
	struct str prompt = loop_instruction(a, s, STR_NONE, STR_NONE);
	const char **argv = arena_array(a, inv->arg_count + 6, const char *);
	const char *const env[] = { str_fmt(a, "HOLDFAST_SESSION=" STR_FMT, STR_ARG(s->session_id)).s,
				    str_fmt(a, "HOLDFAST_PROMPT=" STR_FMT, STR_ARG(prompt)).s, NULL };
	struct proc_spec spec = { .argv = argv,
				  .dir = str_copy(a, path_parent(path_parent(path))).s,
				  .env = env,
				  .unset = client_session_vars(a),
				  .output = forward,
				  .forgets_output = true };
	struct proc_result r;

	for (size_t i = 0; i < inv->arg_count; i++)
		argv[i] = str_copy(a, inv->args[i]).s;
	if (inv->arg_count == 0) {
		const char *const usual[] = { "claude", "--resume", str_copy(a, s->session_id).s, "-p",
					      str_copy(a, prompt).s };

		for (size_t i = 0; i < COUNT_OF(usual); i++)
			argv[i] = usual[i];
	}
	return proc_run(a, &spec, &r, err);
}

/* Until the limit has passed; false: the loop has ended or changed meanwhile. */
static bool
wait_for(struct arena *a, struct str path, int64_t until_us)
{
	while (clock_real_us() < until_us) {
		CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
		int64_t left_ms = (until_us - clock_real_us()) / 1000 + 1;
		struct err ignored;

		clock_sleep_ms(left_ms < POLL_MS ? left_ms : POLL_MS);
		if (loop_open(a, path, &l, &ignored) == 0 &&
		    (l.file.fd < 0 || l.is_corrupt || l.state.options.limit.until_us != until_us))
			return false;
	}
	return true;
}

/* One wait and one start. True: it is to be called again. */
static bool
go_on(struct arena *a, const struct invocation *inv, struct str path, bool is_first, int *ret_code)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct err err;

	if (!read_loop(a, inv, path, &l, ret_code))
		return false;
	const struct loop_options *o = &l.state.options;
	struct loop_limit limit = o->limit;

	*ret_code = 1;
	if (o->resume_after_limit == 0)
		(void)command_fail(inv, STR_FMT ": 'resume_after_limit' is not set", STR_ARG(path));
	else if (l.state.session_id.n == 0)
		(void)command_fail(inv, STR_FMT ": the loop has no session yet", STR_ARG(path));
	else if (limit.until_us == 0 && is_first)
		(void)command_fail(inv, "the loop waits for no usage limit");
	else if (limit.until_us == 0)
		(void)command_fail(inv,
				   "the client has ended, the loop has not, and no usage limit is noted");
	else if (limit.resumes >= o->resume_after_limit)
		(void)command_fail(inv,
				   "the session was resumed %" PRIu64
				   " times, and 'resume_after_limit' allows no more",
				   limit.resumes);
	else
		*ret_code = 0;
	if (*ret_code != 0)
		return false;
	loop_close(&l);
	print_outf("Waiting for the usage limit, until " STR_FMT ".\n",
		   STR_ARG(clock_format_seconds(a, limit.until_us)));
	(void)fflush(stdout);
	if (!wait_for(a, path, limit.until_us))
		return true;
	if (!read_loop(a, inv, path, &l, ret_code))
		return false;
	limit.until_us = 0;
	limit.resumes++;
	if (set_limit(a, &l, path, limit, &err) < 0) {
		*ret_code = command_fail(inv, "the start can't be counted: %s", err.msg);
		return false;
	}
	struct loop_state state = l.state;

	loop_close(&l); /* the client's stops need it */
	print_outf("Resuming session " STR_FMT " (%" PRIu64 " of %" PRIu64 ").\n", STR_ARG(state.session_id),
		   limit.resumes, state.options.resume_after_limit);
	(void)fflush(stdout);
	if (resume(a, inv, path, &state, &err) < 0) {
		*ret_code = command_fail(inv, "%s", err.msg);
		return false;
	}
	return true;
}

int
ralph_wait(struct arena *a, const struct invocation *inv)
{
	struct str session = ralph_session(inv), path = STR_NONE;
	struct project_dirs where;
	struct loop_refs refs;
	int code = 0;

	ralph_where(a, &where);
	loops_find(a, &where, &refs);
	for (size_t i = 0; i < refs.count; i++) {
		bool is_it = session.n == 0 || str_eq(refs.items[i].state.session_id, session);

		if (is_it && path.s)
			return command_fail(inv, "there are several loops; --session selects one");
		if (is_it)
			path = refs.items[i].path;
	}
	if (!path.s) {
		ralph_print(a, inv, TEXT_NONE, STR_NONE);
		return 1;
	}
	for (bool is_first = true; go_on(a, inv, path, is_first, &code);)
		is_first = false;
	return code;
}
