/* SPDX-License-Identifier: MIT */
/* The parts of `holdfast mcp`: a server of the Model Context Protocol on stdin and stdout, for the agent itself. One message is
 * one line. What a tool runs is a process of this same program, so that it does and records what the command does. */
#ifndef CMD_MCP_MCP_H
#define CMD_MCP_MCP_H

#include "doc/json.h"

/* The requests of one line that is a list. Their answers are one line, too, when the last is known. */
struct batch {
	struct arena arena; /* for itself and the answers */
	struct buf answers;
	size_t pending;
};

/* To what an answer belongs. It outlives its message if the text does. */
struct asked {
	struct str id;       /* as JSON */
	struct batch *batch; /* NULL: the request was a line of its own */
};

struct gate_run;

struct server {
	const char *protocol; /* the version that was agreed on; NULL: none yet */
	struct gate_run *run; /* in progress; NULL: none */
	bool is_broken;       /* nobody reads our answers any more */
};

/* One request, or a call of a tool. Everything is in the arena, which ends with the message. */
struct call {
	struct server *server;
	struct arena *arena;
	struct asked asked;
	const struct node *params; /* an object; NULL: none */
	/* Of a tool. */
	const struct node *arguments; /* NULL: none */
	const struct node *token;     /* for notifications of progress; NULL: none are wanted */
};

/* ---- mcp.c ---- */

/* `result` is a JSON object. */
void rpc_answer(struct server *s, const struct asked *asked, struct str result);
/* The request gets no answer: it was cancelled. */
void rpc_drop(struct server *s, const struct asked *asked);
/* `params` is a JSON object. */
void rpc_notify(struct server *s, const char *method, struct str params);

/* ---- tools.c ---- */

/* Answers tools/list. */
void tools_list(struct call *c);
/* False: there is no such tool. */
bool tools_call(struct call *c, struct str name);
/* What a call comes to, as JSON: a text for people and models and, unless it is absent, an object with the same facts. */
struct str tool_result(struct arena *a, struct str text, struct str object, bool is_error);
#define tool_done(c, text, object) tool_result((c)->arena, (text), (object), false)
#define tool_fail(c, ...) tool_result((c)->arena, str_cat((c)->arena, __VA_ARGS__), STR_NONE, true)
/* The result; absent: the call is answered later. */
typedef struct str tool_fn(struct call *c);
tool_fn tool_read_log, tool_mark_finding; /* tool_results.c */

/* Waits for the run, or for input on `fd`; true: there is input. */
bool run_wait(struct server *s, int fd);
/* notifications/cancelled: ends the run if it is that request's, which gets no answer. */
void run_cancel(struct server *s, struct str id);
/* Ends the run and waits for that. */
void run_end(struct server *s);

#endif
