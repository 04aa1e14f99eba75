/* SPDX-License-Identifier: MIT */
/* The table of tools, and those that only ask another command of this program. */
#include "cmd/mcp/mcp.h"

#include "base/escapes.h"
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

void
tool_answer(const struct call *c, struct str text, struct str object)
{
	rpc_answer(c->server, &c->asked, tool_result(c->arena, text, object, false));
}

void
tool_fail_with(const struct call *c, struct str why)
{
	rpc_answer(c->server, &c->asked, tool_result(c->arena, why, STR_NONE, true));
}

/* An object whose text is the JSON itself. */
static void
answer_node(const struct call *c, const struct node *n)
{
	struct str text = json_of_node(c->arena, n);

	tool_answer(c, text, text);
}

/* ---- status, list_gates ---- */

static void
status(struct call *c)
{
	struct node status, stop, both;
	struct err no_status, no_stop;
	bool has_status = ask_self(c->arena, "status", &status, &no_status) == 0;
	bool has_stop = ask_self(c->arena, "explain", &stop, &no_stop) == 0;

	if (!has_status && !has_stop) {
		tool_fail(c, no_status.msg);
		return;
	}
	both = node_map(c->arena, (has_status ? status.count : 1) + 1);
	if (!has_status)
		node_add_text(&both, "problem", str_from(no_status.msg));
	for (size_t i = 0; has_status && i < status.count; i++)
		node_add(&both, status.entries[i].key, status.entries[i].value);
	if (has_stop)
		node_add(&both, STR("last_stop"), stop);
	answer_node(c, &both);
}

static void
list_gates(struct call *c)
{
	struct node list;
	struct err err;

	if (ask_self(c->arena, "list", &list, &err) < 0)
		tool_fail(c, err.msg);
	else
		answer_node(c, &list);
}

/* ---- the table ---- */

#define OBJECT(...) "{\"type\":\"object\",\"properties\":{" __VA_ARGS__ "},\"additionalProperties\":false}"
#define REQUIRING(names, ...)                                                        \
	"{\"type\":\"object\",\"properties\":{" __VA_ARGS__ "},\"required\":[" names \
	"],\"additionalProperties\":false}"
#define READS "{\"readOnlyHint\":true,\"openWorldHint\":false}"
#define CHANGES "{\"readOnlyHint\":false,\"destructiveHint\":false,\"openWorldHint\":false}"

static const struct tool {
	const char *name, *title, *description, *schema, *annotations;
	tool_fn *run;
} tools[] = {
	{ "status", "What holds me",
	  "What keeps you from stopping: the gates that have failed, the findings of reviews that are open, "
	  "the tries used, the gates that the next stop will run, and why the last stop was blocked or "
	  "allowed. Runs nothing.",
	  OBJECT(""), READS, status },
	{ "list_gates", "List the gates",
	  "The gates of this project: checks with their commands, reviews with their reviewers, and where "
	  "they apply.",
	  OBJECT(""), READS, list_gates },
	{ "run_gates", "Run the gates",
	  "Runs the gates for the current changes and those that have failed before, or the gates named, "
	  "exactly as 'holdfast run' does. Waits for the end and returns the lines that say what failed. The "
	  "results are recorded and count at the next stop.",
	  OBJECT("\"gates\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"names of "
		 "gates; without it, the gates for the current changes\"}"),
	  CHANGES, tool_run_gates },
	{ "cancel_run", "Cancel the run",
	  "Ends the run that run_gates started. What has failed stays failed.", OBJECT(""), CHANGES,
	  tool_cancel_run },
	{ "read_log", "Read a gate's log", "The log of a gate's newest result, page by page.",
	  REQUIRING("\"gate\"",
		    "\"gate\":{\"type\":\"string\",\"description\":\"the name of the "
		    "gate\"},\"in\":{\"type\":\"string\",\"description\":\"the directory, if the gate runs "
		    "in several\"},\"slot\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"the number "
		    "of the reviewer, if the review has "
		    "several\"},\"offset\":{\"type\":\"integer\",\"description\":\"the first byte; negative: "
		    "counted from the end; default "
		    "0\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":65536,\"description\":"
		    "\"the most bytes; default 16384\"}"),
	  READS, tool_read_log },
	{ "mark_finding", "Mark a finding",
	  "Records what you did about a finding of a review: 'fixed', or 'skipped' with a reason. A reviewer "
	  "still decides whether a fix is one.",
	  REQUIRING("\"gate\",\"finding\",\"status\"",
		    "\"gate\":{\"type\":\"string\",\"description\":\"the name of the "
		    "review\"},\"finding\":{\"type\":\"string\",\"description\":\"its id, from "
		    "status\"},\"status\":{\"type\":\"string\",\"enum\":[\"fixed\",\"skipped\"]},\"reason\":{"
		    "\"type\":\"string\",\"description\":\"why it is skipped, or what was done\"}"),
	  CHANGES, tool_mark_finding },
};

void
tools_list(struct call *c)
{
	struct buf b = BUF(c->arena, SIZE_MAX);

	json_open(&b, NULL, '{');
	json_open(&b, "tools", '[');
	for (size_t i = 0; i < COUNT_OF(tools); i++)
		json_add_object(&b, NULL, "name", tools[i].name, "title", tools[i].title, "description",
				tools[i].description, "inputSchema", JSON(str_from(tools[i].schema)),
				"annotations", JSON(str_from(tools[i].annotations)));
	json_close(&b, "]}");
	rpc_answer(c->server, &c->asked, buf_str(&b));
}

bool
tools_call(struct call *c, struct str name)
{
	for (size_t i = 0; i < COUNT_OF(tools); i++)
		if (str_is(name, tools[i].name)) {
			tools[i].run(c);
			return true;
		}
	return false;
}
