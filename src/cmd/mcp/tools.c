/* SPDX-License-Identifier: MIT */
/* The tools by name, and those that only ask another command of this program. What clients are told about them is in
 * share/templates/mcp/tools.json. */
#include "cmd/mcp/mcp.h"

#include "base/escapes.h"
#include "cmd/mcp_tools.h"
#include "os/proc.h"

/* For a question, which runs no gate. */
#define QUESTION_MS 60000
#define GRACE_MS 1000

/* Asks this program for one JSON object. -1: the error has the command's own words. */
static int
ask_self(struct arena *a, const char *command, struct node *ret, struct err *err)
{
	const char *const argv[] = { SELF, command, "--json", NULL };
	struct proc_spec spec = { .argv = argv, .timeout_ms = QUESTION_MS, .grace_ms = GRACE_MS };
	struct proc_result r;

	if (proc_run(a, &spec, &r, err) < 0)
		return -1;
	if (r.end != PROC_EXITED)
		return err_set(err, ERR_VALUE, "'holdfast %s' did not end by itself", command);
	if (r.code != 0) {
		struct str why = strip_escapes(a, str_trim(capture_text(&r.err, a, 0)));

		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(why));
	}
	if (capture_is_cut(&r.out))
		return err_set(err, ERR_LIMIT, "the answer of 'holdfast %s' is too long", command);
	return json_parse(a, capture_text(&r.out, a, 0), ret, err);
}

/* ---- answers ---- */

struct str
tool_result(struct arena *a, struct str text, struct str object, bool is_error)
{
	struct str content = str_cat(a, "[", json_object(a, "type", "text", "text", text), "]");

	return json_object(a, "content", JSON(content), "structuredContent", JSON(object), "isError",
			   is_error);
}

/* An object whose text is the JSON itself. */
static struct str
node_result(const struct call *c, const struct node *n)
{
	struct str text = json_of_node(c->arena, n);

	return tool_done(c, text, text);
}

/* ---- status, list_gates ---- */

static struct str
status(struct call *c)
{
	struct node status, stop, both;
	struct err no_status, no_stop;
	bool has_status = ask_self(c->arena, "status", &status, &no_status) == 0;
	bool has_stop = ask_self(c->arena, "explain", &stop, &no_stop) == 0;

	if (!has_status && !has_stop)
		return tool_fail(c, no_status.msg);
	both = node_map(c->arena, (has_status ? status.count : 1) + 1);
	if (!has_status)
		node_add_text(&both, "problem", str_from(no_status.msg));
	for (size_t i = 0; has_status && i < status.count; i++)
		node_add(&both, status.entries[i].key, status.entries[i].value);
	if (has_stop)
		node_add(&both, STR("last_stop"), stop);
	return node_result(c, &both);
}

static struct str
list_gates(struct call *c)
{
	struct node list;
	struct err err;

	return ask_self(c->arena, "list", &list, &err) < 0 ? tool_fail(c, err.msg) : node_result(c, &list);
}

/* ---- the table ---- */

static const struct {
	const char *name;
	tool_fn *run;
} tools[] = {
	{ "status", status },
	{ "list_gates", list_gates },
	{ "run_gates", tool_run_gates },
	{ "cancel_run", tool_cancel_run },
	{ "read_log", tool_read_log },
	{ "mark_finding", tool_mark_finding },
};

void
tools_list(struct call *c)
{
	struct node list;
	struct err err;

	/* As a tree, because a message is one line. */
	if (json_parse(c->arena, STR(MCP_TOOLS), &list, &err) == 0)
		rpc_answer(c->server, &c->asked,
			   json_object(c->arena, "tools", JSON(json_of_node(c->arena, &list))));
}

bool
tools_call(struct call *c, struct str name)
{
	for (size_t i = 0; i < COUNT_OF(tools); i++) {
		if (!str_is(name, tools[i].name))
			continue;
		struct str result = tools[i].run(c);

		if (result.s)
			rpc_answer(c->server, &c->asked, result);
		return true;
	}
	return false;
}
