/* SPDX-License-Identifier: MIT */
/* holdfast mcp: reads lines from stdin until its end, finds out by JSON-RPC 2.0 what each asks for, and answers it on stdout. Nothing else
 * may ever be written to stdout. Knows the protocol's methods, and no tool. */
#include "cmd/mcp/mcp.h"

#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/version_text.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/exit_reply.h"
#include "os/fd.h"

#include <poll.h>

/* JSON-RPC's numbers of errors. */
enum rpc_error {
	RPC_NOT_JSON = -32700,
	RPC_NOT_A_REQUEST = -32600,
	RPC_NO_METHOD = -32601,
	RPC_BAD_PARAMS = -32602,
};

/* The newest first: a client that asks for another one gets that. */
static const char *const protocols[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };
#define PROTOCOL_WITH_BATCHES "2025-03-26"

#define INSTRUCTIONS                                                                                        \
	"holdfast decides whether you may stop: the gates of this project must pass first. Call 'status' "  \
	"to "                                                                                               \
	"see what holds you, 'run_gates' to check your work before you stop, and 'read_log' for the whole " \
	"output of a gate. These tools never replace a gate: a failure stays until the gate has passed."

static const struct str null_id = { "null", 4 };

/* ---- answers ---- */

static void
send_line(struct server *s, struct buf *b)
{
	buf_addc(b, '\n');
	s->is_broken |= fd_write_all(1, buf_str(b), IGNORED) < 0;
}

static void
end_batch(struct server *s, struct batch *b)
{
	if (--b->pending > 0)
		return;
	if (b->answers.n > 0) {
		json_close(&b->answers, "]");
		send_line(s, &b->answers);
	}
	struct arena own = b->arena; /* it is itself in there */

	arena_free(&own);
}

/* `key` is result or error. */
static void
send(struct server *s, const struct asked *asked, const char *key, struct str value)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf alone = BUF(&scratch, SIZE_MAX), *b = asked->batch ? &asked->batch->answers : &alone;

	if (asked->batch && b->n == 0)
		json_open(b, NULL, '[');
	json_add_object(b, NULL, "jsonrpc", "2.0", "id", JSON(asked->id), key, JSON(value));
	if (asked->batch)
		end_batch(s, asked->batch);
	else
		send_line(s, b);
}

void
rpc_answer(struct server *s, const struct asked *asked, struct str result)
{
	send(s, asked, "result", result);
}

void
rpc_drop(struct server *s, const struct asked *asked)
{
	if (asked->batch)
		end_batch(s, asked->batch);
}

static void
send_error(struct server *s, const struct asked *asked, enum rpc_error code, struct str message)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };

	send(s, asked, "error", json_object(&scratch, "code", (int)code, "message", message));
}

/* For a line that has no request. */
static void
refuse(struct server *s, enum rpc_error code, const char *why)
{
	send_error(s, &(struct asked){ .id = null_id }, code, str_from(why));
}

void
rpc_notify(struct server *s, const char *method, struct str params)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf b = BUF(&scratch, SIZE_MAX);

	json_add_object(&b, NULL, "jsonrpc", "2.0", "method", method, "params", JSON(params));
	send_line(s, &b);
}

/* ---- methods ---- */

static void
initialize(struct call *c)
{
	struct str wanted = node_get_str(c->params, "protocolVersion");
	struct str info;

	if (!wanted.s) {
		send_error(c->server, &c->asked, RPC_BAD_PARAMS, STR("protocolVersion is missing"));
		return;
	}
	c->server->protocol = protocols[0];
	for (size_t i = 0; i < COUNT_OF(protocols); i++)
		if (str_is(wanted, protocols[i]))
			c->server->protocol = protocols[i];
	info = json_object(c->arena, "name", "holdfast", "title", "holdfast", "version", VERSION_TEXT);
	rpc_answer(c->server, &c->asked,
		   json_object(c->arena, "protocolVersion", c->server->protocol, "capabilities",
			       JSON(STR("{\"tools\":{\"listChanged\":false}}")), "serverInfo", JSON(info),
			       "instructions", INSTRUCTIONS));
}

static void
ping(struct call *c)
{
	rpc_answer(c->server, &c->asked, STR("{}"));
}

static bool
is_id(const struct node *n)
{
	/* An answer has the same id, and a NUL would be dropped from it. */
	return n && ((n->kind == NODE_STRING && !memchr(n->text.s, '\0', n->text.n)) || n->kind == NODE_INT ||
		     n->kind == NODE_FLOAT);
}

static void
call_tool(struct call *c)
{
	struct str name = node_get_str(c->params, "name");
	const struct node *arguments = node_get(c->params, "arguments");
	const struct node *token = node_get(node_get(c->params, "_meta"), "progressToken");

	c->arguments = arguments && arguments->kind == NODE_MAP ? arguments : NULL;
	c->token = is_id(token) ? token : NULL;
	if (!name.s)
		send_error(c->server, &c->asked, RPC_BAD_PARAMS, STR("the name of the tool is missing"));
	else if (arguments && arguments->kind != NODE_MAP && arguments->kind != NODE_NULL)
		send_error(c->server, &c->asked, RPC_BAD_PARAMS, STR("arguments: expected an object"));
	else if (!tools_call(c, name))
		send_error(c->server, &c->asked, RPC_BAD_PARAMS,
			   str_cat(c->arena, "unknown tool '", name, "'"));
}

static const struct {
	const char *name;
	void (*answer)(struct call *c);
} methods[] = {
	{ "initialize", initialize },
	{ "ping", ping },
	{ "tools/list", tools_list },
	{ "tools/call", call_tool },
};

static void
take_message(struct server *s, struct arena *a, const struct node *n, struct batch *batch)
{
	const struct node *id = node_get(n, "id"), *params = node_get(n, "params"),
			  *cancelled = node_get(params, "requestId");
	struct str method = node_get_str(n, "method");
	struct call c = {
		.server = s,
		.arena = a,
		.asked = { is_id(id) ? json_of_node(a, id) : null_id, batch },
		.params = params && params->kind == NODE_MAP ? params : NULL,
	};
	bool is_answer = n->kind == NODE_MAP && !method.s && (node_get(n, "result") || node_get(n, "error"));
	size_t i = 0;

	while (i < COUNT_OF(methods) && !str_is(method, methods[i].name))
		i++;
	if (is_answer) /* we ask nothing */
		rpc_drop(s, &c.asked);
	else if (!str_is(node_get_str(n, "jsonrpc"), "2.0") || !method.s || (id && !is_id(id)))
		send_error(s, &c.asked, RPC_NOT_A_REQUEST,
			   STR("expected an object with jsonrpc \"2.0\", a method and, for a request, an id "
			       "that is a string or a number"));
	else if (params && params->kind != NODE_MAP && id)
		send_error(s, &c.asked, RPC_BAD_PARAMS, STR("params: expected an object"));
	else if (id && i == COUNT_OF(methods))
		send_error(s, &c.asked, RPC_NO_METHOD, str_cat(a, "unknown method '", method, "'"));
	else if (id)
		methods[i].answer(&c);
	else {
		if (str_is(method, "notifications/cancelled") && is_id(cancelled))
			run_cancel(s, json_of_node(a, cancelled));
		rpc_drop(s, &c.asked);
	}
}

/* Answers the message, or the messages, of one line. */
static void
take_line(struct server *s, struct str line)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;
	struct err err;

	if (json_parse(&scratch, line, &n, &err) < 0)
		refuse(s, RPC_NOT_JSON, str_cat(&scratch, "the line is not JSON: ", err.msg).s);
	else if (n.kind != NODE_LIST)
		take_message(s, &scratch, &n, NULL);
	else if (!s->protocol || !str_is(STR(PROTOCOL_WITH_BATCHES), s->protocol))
		refuse(s, RPC_NOT_A_REQUEST,
		       "a list of messages is only part of version " PROTOCOL_WITH_BATCHES);
	else if (n.count == 0)
		refuse(s, RPC_NOT_A_REQUEST, "the list of messages is empty");
	else {
		struct arena own = { 0 };
		struct batch *b = arena_new(&own, struct batch);

		b->arena = own;
		b->answers = BUF(&b->arena, SIZE_MAX);
		b->pending = n.count + 1; /* one for this loop, so that it does not end too early */
		for (size_t i = 0; i < n.count; i++)
			take_message(s, &scratch, &n.items[i], b);
		end_batch(s, b);
	}
}

/* ---- lines ---- */

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
		refuse(s, RPC_NOT_A_REQUEST, "the message is longer than 4 MiB");
	}
	if (!in->is_skipping)
		buf_add(&in->line, piece);
	if (!is_line_end)
		return;
	if (!in->is_skipping && str_trim(buf_str(&in->line)).n > 0)
		take_line(s, buf_str(&in->line));
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
	size_t n;

	if (fd_read_until(0, bytes, sizeof(bytes), clock_mono_ms(), &n, &state, IGNORED) < 0)
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
	.details = HELP_MCP,
	.run = run,
};
