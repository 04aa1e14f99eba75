/* SPDX-License-Identifier: MIT */
/* JSON-RPC 2.0: finds out what a line asks for, and writes answers. Knows the protocol's methods, and no tool. */
#include "cmd/mcp/mcp.h"

#include "cmd/version_text.h"
#include "os/fd.h"

#include <string.h>

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
	struct err ignored;

	buf_addc(b, '\n');
	s->is_broken |= fd_write_all(1, buf_str(b), &ignored) < 0;
}

static void
end_batch(struct server *s, struct batch *b)
{
	if (--b->pending > 0)
		return;
	if (b->answers.n > 0) {
		buf_addc(&b->answers, ']');
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

	if (asked->batch)
		buf_addc(b, b->n > 0 ? ',' : '[');
	buf_addf(b, "{\"jsonrpc\":\"2.0\",\"id\":" STR_FMT ",\"%s\":", STR_ARG(asked->id), key);
	buf_add(b, value);
	buf_addc(b, '}');
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
	struct buf b = BUF(&scratch, SIZE_MAX);

	buf_addf(&b, "{\"code\":%d", (int)code);
	json_add_member(&b, "message", message);
	buf_addc(&b, '}');
	send(s, asked, "error", buf_str(&b));
}

void
rpc_refuse(struct server *s, enum rpc_error code, const char *why)
{
	send_error(s, &(struct asked){ .id = null_id }, code, str_from(why));
}

void
rpc_notify(struct server *s, const char *method, struct str params)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf b = BUF(&scratch, SIZE_MAX);

	buf_addf(&b, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":" STR_FMT "}", method,
		 STR_ARG(params));
	send_line(s, &b);
}

/* ---- methods ---- */

/* A request or notification. */
struct request {
	struct server *server;
	struct arena *arena;
	struct asked asked;
	struct str method;
	const struct node *params; /* an object, or NULL */
};

static void
initialize(struct request *r)
{
	struct str wanted = node_get_str(r->params, "protocolVersion");
	struct buf b = BUF(r->arena, SIZE_MAX);

	if (!wanted.s) {
		send_error(r->server, &r->asked, RPC_BAD_PARAMS, STR("protocolVersion is missing"));
		return;
	}
	r->server->protocol = protocols[0];
	for (size_t i = 0; i < COUNT_OF(protocols); i++)
		if (str_is(wanted, protocols[i]))
			r->server->protocol = protocols[i];
	buf_addc(&b, '{');
	json_add_member(&b, "protocolVersion", str_from(r->server->protocol));
	buf_add(&b, STR(",\"capabilities\":{\"tools\":{\"listChanged\":false}},\"serverInfo\":{"
			"\"name\":\"holdfast\",\"title\":\"holdfast\",\"version\":\"" VERSION_TEXT "\"}"));
	json_add_member(&b, "instructions", STR(INSTRUCTIONS));
	buf_addc(&b, '}');
	rpc_answer(r->server, &r->asked, buf_str(&b));
}

static void
ping(struct request *r)
{
	rpc_answer(r->server, &r->asked, STR("{}"));
}

static void
list_tools(struct request *r)
{
	rpc_answer(r->server, &r->asked, tools_list(r->arena));
}

static bool
is_id(const struct node *n)
{
	/* An answer has the same id, and a NUL would be dropped from it. */
	return n && ((n->kind == NODE_STRING && !memchr(n->text.s, '\0', n->text.n)) || n->kind == NODE_INT ||
		     n->kind == NODE_FLOAT);
}

static void
call_tool(struct request *r)
{
	struct str name = node_get_str(r->params, "name");
	const struct node *arguments = node_get(r->params, "arguments");
	const struct node *token = node_get(node_get(r->params, "_meta"), "progressToken");
	struct call c = {
		.server = r->server,
		.arena = r->arena,
		.asked = r->asked,
		.arguments = arguments && arguments->kind == NODE_MAP ? arguments : NULL,
		.token = is_id(token) ? token : NULL,
	};

	if (!name.s)
		send_error(r->server, &r->asked, RPC_BAD_PARAMS, STR("the name of the tool is missing"));
	else if (arguments && arguments->kind != NODE_MAP && arguments->kind != NODE_NULL)
		send_error(r->server, &r->asked, RPC_BAD_PARAMS, STR("arguments: expected an object"));
	else if (!tools_call(&c, name))
		send_error(r->server, &r->asked, RPC_BAD_PARAMS,
			   str_fmt(r->arena, "unknown tool '" STR_FMT "'", STR_ARG(name)));
}

static const struct {
	const char *name;
	void (*answer)(struct request *r);
} methods[] = {
	{ "initialize", initialize },
	{ "ping", ping },
	{ "tools/list", list_tools },
	{ "tools/call", call_tool },
};

static struct str
id_text(struct arena *a, const struct node *id)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_node(&b, id);
	return buf_str(&b);
}

static void
take_notification(struct request *r)
{
	const struct node *id = node_get(r->params, "requestId");

	if (str_is(r->method, "notifications/cancelled") && is_id(id))
		run_cancel(r->server, id_text(r->arena, id));
}

static void
take_request(struct request *r)
{
	for (size_t i = 0; i < COUNT_OF(methods); i++)
		if (str_is(r->method, methods[i].name)) {
			methods[i].answer(r);
			return;
		}
	send_error(r->server, &r->asked, RPC_NO_METHOD,
		   str_fmt(r->arena, "unknown method '" STR_FMT "'", STR_ARG(r->method)));
}

static void
take_message(struct server *s, struct arena *a, const struct node *n, struct batch *batch)
{
	const struct node *id = node_get(n, "id"), *params = node_get(n, "params");
	struct request r = {
		.server = s,
		.arena = a,
		.asked = { is_id(id) ? id_text(a, id) : null_id, batch },
		.method = node_get_str(n, "method"),
		.params = params && params->kind == NODE_MAP ? params : NULL,
	};
	bool is_answer = n->kind == NODE_MAP && !r.method.s &&
			 (node_get(n, "result") || node_get(n, "error"));

	if (is_answer) /* we ask nothing */
		rpc_drop(s, &r.asked);
	else if (!str_is(node_get_str(n, "jsonrpc"), "2.0") || !r.method.s || (id && !is_id(id)))
		send_error(s, &r.asked, RPC_NOT_A_REQUEST,
			   STR("expected an object with jsonrpc \"2.0\", a method and, for a request, an id "
			       "that is a "
			       "string or a number"));
	else if (params && params->kind != NODE_MAP && id)
		send_error(s, &r.asked, RPC_BAD_PARAMS, STR("params: expected an object"));
	else if (id)
		take_request(&r);
	else {
		take_notification(&r);
		rpc_drop(s, &r.asked);
	}
}

static void
take_batch(struct server *s, struct arena *a, const struct node *list)
{
	struct arena own = { 0 };
	struct batch *b = arena_new(&own, struct batch);

	b->arena = own;
	b->answers = BUF(&b->arena, SIZE_MAX);
	b->pending = list->count + 1; /* one for this loop, so that it does not end too early */
	for (size_t i = 0; i < list->count; i++)
		take_message(s, a, &list->items[i], b);
	end_batch(s, b);
}

void
rpc_take_line(struct server *s, struct str line)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;
	struct err err;

	if (json_parse(&scratch, line, &n, &err) < 0)
		rpc_refuse(s, RPC_NOT_JSON, str_fmt(&scratch, "the line is not JSON: %s", err.msg).s);
	else if (n.kind != NODE_LIST)
		take_message(s, &scratch, &n, NULL);
	else if (!s->protocol || !str_is(STR(PROTOCOL_WITH_BATCHES), s->protocol))
		rpc_refuse(s, RPC_NOT_A_REQUEST,
			   "a list of messages is only part of version " PROTOCOL_WITH_BATCHES);
	else if (n.count == 0)
		rpc_refuse(s, RPC_NOT_A_REQUEST, "the list of messages is empty");
	else
		take_batch(s, &scratch, &n);
}
