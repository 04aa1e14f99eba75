/* SPDX-License-Identifier: MIT */
/* holdfast mcp: reads lines from stdin until its end, and answers each on stdout. Nothing else may ever be written to stdout. */
#include "cmd/commands.h"
#include "cmd/mcp/mcp.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/exit_reply.h"
#include "os/fd.h"

#include <poll.h>
#include <string.h>

/* Bytes that have arrived and are not a complete line yet. */
struct input {
	struct arena arena;
	struct buf line;
	bool is_skipping; /* the rest of a line that is too long */
};

static void
take_piece(struct server *s, struct input *in, struct str piece, bool is_line_end)
{
	if (!in->is_skipping && in->line.n + piece.n > MESSAGE_LIMIT_BYTES) {
		in->is_skipping = true;
		rpc_refuse(s, RPC_NOT_A_REQUEST, "the message is longer than 4 MiB");
	}
	if (!in->is_skipping)
		buf_add(&in->line, piece);
	if (!is_line_end)
		return;
	if (!in->is_skipping && str_trim(buf_str(&in->line)).n > 0)
		rpc_take_line(s, buf_str(&in->line));
	in->is_skipping = false;
	arena_free(&in->arena);
	in->line = BUF(&in->arena, MESSAGE_LIMIT_BYTES);
}

/* Answers the lines that are complete. False: the input has ended. */
static bool
read_input(struct server *s, struct input *in)
{
	char bytes[KIB(64)];
	enum input_state state;
	struct err ignored;
	size_t n;

	if (fd_read_until(0, bytes, sizeof(bytes), clock_mono_ms(), &n, &state, &ignored) < 0)
		return false;
	if (state != INPUT_BYTES)
		return state == INPUT_TIMEOUT;
	for (struct str rest = { bytes, n }; rest.n > 0;) {
		ptrdiff_t end = str_find_char(rest, '\n');
		size_t length = end < 0 ? rest.n : (size_t)end;

		take_piece(s, in, str_sub(rest, 0, length), end >= 0);
		rest = str_sub(rest, length + (end >= 0), rest.n);
	}
	return true;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct server s = { 0 };
	struct input in = { 0 };
	struct pollfd poll_input = { .fd = 0, .events = POLLIN };

	(void)a;
	if (tty_is(0))
		return command_error(inv, "this is a server for an agent's client, which writes to its "
					  "standard input; 'holdfast init' registers it");
	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	in.line = BUF(&in.arena, MESSAGE_LIMIT_BYTES);
	do {
		bool is_ready = false;

		while (s.run && !s.is_broken && !is_ready)
			is_ready = run_wait(&s, 0);
		if (!is_ready && !s.is_broken)
			(void)poll(&poll_input, 1, -1);
	} while (!s.is_broken && read_input(&s, &in));
	if (!s.is_broken)
		take_piece(&s, &in, STR(""), true); /* a last line without its end */
	run_end(&s);
	arena_free(&in.arena);
	return 0;
}

const struct command mcp_command = {
	.name = "mcp",
	.summary = "answer an agent's questions about its gates (a server for clients)",
	.details = "A server of the Model Context Protocol on standard input and output. An agent's client "
		   "starts it, and the agent can then ask what keeps it from stopping, list the gates, run "
		   "and cancel them, read their logs page by page, and mark findings of reviews as fixed or "
		   "skipped. 'holdfast init' registers it in the project's file for such servers, such as "
		   ".mcp.json.\n\n"
		   "It is no way around a gate: a run is that of 'holdfast run', it is recorded like any "
		   "other, and a stop decides as if the agent had run the command itself. Of a project that "
		   "is not trusted it runs nothing. When its input ends, it ends what it runs.",
	.run = run,
};
