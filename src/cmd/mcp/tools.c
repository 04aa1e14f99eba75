/* SPDX-License-Identifier: MIT */
/* The tools by name, and those that start this program: status and list_gates ask another command, run_gates and cancel_run have one
 * `holdfast run` at a time, whose output becomes notifications of progress while it runs, and then the answer. They decide nothing: what
 * passed and failed is what that process has recorded. What clients are told about tools is in share/templates/mcp/tools.json. */
#include "cmd/mcp/mcp.h"

#include "cmd/gates/gates.h"
#include "cmd/mcp_tools.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/proc.h"
#include "os/tempdir.h"
#include "project/trust.h"

/* The program that tools run: this one, even after its file was replaced. */
#define SELF "/proc/self/exe"
/* For a question, which runs no gate. */
#define QUESTION_MS 60000
#define QUESTION_GRACE_MS 1000

/* Asks this program for one JSON object. -1: the error has the command's own words. */
static int
ask_self(struct arena *a, const char *command, struct node *ret, struct err *err)
{
	const char *const argv[] = { SELF, command, "--json", NULL };
	struct proc_spec spec = { .argv = argv, .timeout_ms = QUESTION_MS, .grace_ms = QUESTION_GRACE_MS };
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
	struct err no_status;
	bool has_status = ask_self(c->arena, "status", &status, &no_status) == 0;
	bool has_stop = ask_self(c->arena, "explain", &stop, IGNORED) == 0;

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

#define NAMES_MAX 100
#define REPORT_LIMIT_BYTES MIB(64)
/* From TERM, after which the run ends its gates, to KILL. */
#define GRACE_MS 5000
/* A client that hears nothing may give up. */
#define HEARTBEAT_MS 10000

struct gate_run {
	struct server *server;
	struct arena arena; /* for itself and everything below */
	struct procset procs;
	struct tempdir dir; /* with the report */
	struct asked asked, canceller;
	bool is_cancelled, has_canceller, is_silent;
	struct str token; /* as JSON; absent: no progress is wanted */
	struct buf line;  /* of the output, not complete yet */
	int64_t started_ms, heartbeat_ms, steps;
};

/* ---- progress of a run ---- */

static void
send_progress(struct gate_run *r, struct str message)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };

	r->heartbeat_ms = clock_mono_ms() + HEARTBEAT_MS;
	if (!r->token.s || r->is_cancelled)
		return;
	rpc_notify(r->server, "notifications/progress",
		   json_object(&scratch, "progressToken", JSON(r->token), "progress", ++r->steps, "message",
			       strip_escapes_line(&scratch, message)));
}

static void
take_output(void *owner, int stream, struct str bytes)
{
	struct gate_run *r = owner;
	struct str piece;

	(void)stream;
	while (bytes.n > 0) {
		bool is_complete = str_find_char(bytes, '\n') >= 0;

		(void)str_next(&bytes, '\n', &piece);
		buf_add(&r->line, piece);
		if (!is_complete)
			continue;
		/* Lines with a blank at the start are details of the one before. */
		if (r->line.n > 0 && !str_is_blank(r->line.s[0]))
			send_progress(r, buf_str(&r->line));
		r->line.n = 0;
	}
}

/* ---- its answer ---- */

/* The gates of the report, without their output, which is in the text and in the logs. Absent: the run wrote no report. */
static struct str
object_of(struct gate_run *r, struct str text)
{
	static const char *const keys[] = { "working_directory", "slot", "reason", "outcome",
					    "message",           "log",  "review" };
	struct buf b = BUF(&r->arena, SIZE_MAX);
	struct node report;
	struct str file;

	if (fs_read(&r->arena, r->dir.file, REPORT_LIMIT_BYTES, &file, IGNORED) < 0 || !file.s ||
	    json_parse(&r->arena, file, &report, IGNORED) < 0)
		return STR_NONE;
	json_open(&b, NULL, '{');
	json_add(&b, "passed", node_get_bool(&report, "ok"), "status", node_get_str(&report, "status"),
		 "text", text);
	const struct node *jobs = node_get_list(&report, "jobs");

	json_open(&b, "gates", '[');
	for_each (job, jobs->items, jobs->count) {
		json_open(&b, NULL, '{');
		json_add(&b, "gate", node_get_str(job, "name"));
		for (size_t k = 0; k < COUNT_OF(keys); k++) {
			const struct node *value = node_get(job, keys[k]);

			if (value)
				json_add(&b, keys[k], JSON(json_of_node(&r->arena, value)));
		}
		json_close(&b, "}");
	}
	json_close(&b, "]}");
	return buf_str(&b);
}

/* ---- its life ---- */

static void
free_run(struct gate_run *r)
{
	struct arena own = r->arena;

	r->server->run = NULL;
	tempdir_clear(&r->dir);
	arena_free(&own);
}

static void
cancel(struct gate_run *r)
{
	r->is_cancelled = true;
	procset_stop(&r->procs, NULL, GRACE_MS);
}

static int
start(struct gate_run *r, const struct node *names, struct err *err)
{
	if (tempdir_make(&r->dir, &r->arena, "report.json", err) < 0)
		return -1;
	const char *argv[NAMES_MAX + 6] = { SELF, "run", "--report", r->dir.file, "--" };
	struct proc_spec spec = { .argv = argv, .grace_ms = GRACE_MS, .output = take_output, .owner = r };

	for (size_t i = 0; names && i < names->count; i++)
		if (str_cz(&r->arena, names->items[i].text, &argv[5 + i], err) < 0)
			return -1;
	procset_init(&r->procs, &r->arena, 1);
	return procset_start(&r->procs, &spec, err);
}

static bool
is_list_of_names(const struct node *n)
{
	if (!n || n->kind == NODE_NULL)
		return true;
	if (n->kind != NODE_LIST || n->count > NAMES_MAX)
		return false;
	for (size_t i = 0; i < n->count; i++)
		if (n->items[i].kind != NODE_STRING || n->items[i].text.n == 0)
			return false;
	return true;
}

/* The server may be registered for all projects, and then a clone would run what it defines as soon as the agent asks. */
static bool
is_trusted(struct arena *a, struct str *ret_root)
{
	struct source source;
	bool has_gates;

	*ret_root = find_gates_root(a, &has_gates);
	if (!has_gates)
		return true;
	source_find(a, *ret_root, &source);
	return source.is_trusted;
}

static struct str
run_gates(struct call *c)
{
	const struct node *names = node_get(c->arguments, "gates");
	struct arena own = { 0 };
	struct str root;
	struct gate_run *r;
	struct err err;

	if (!is_list_of_names(names))
		return tool_fail(c, "gates: expected a list of at most ", NAMES_MAX, " names");
	if (!is_trusted(c->arena, &root))
		return tool_fail(
			c, root,
			" is not trusted, so nothing that it defines was run; the user can allow it with "
			"'holdfast trust ",
			root, "'");
	if (c->server->run)
		return tool_fail(c, "a run is in progress; wait for its end, or end it with cancel_run");
	r = arena_new(&own, struct gate_run);
	*r = (struct gate_run){ .server = c->server, .arena = own, .started_ms = clock_mono_ms() };
	r->line = BUF(&r->arena, KIB(4));
	r->asked = (struct asked){ str_copy(&r->arena, c->asked.id), c->asked.batch };
	r->heartbeat_ms = r->started_ms + HEARTBEAT_MS;
	if (c->token)
		r->token = json_of_node(&r->arena, c->token);
	if (start(r, names && names->kind == NODE_LIST ? names : NULL, &err) < 0) {
		free_run(r);
		return tool_fail(c, err.msg);
	}
	c->server->run = r;
	return STR_NONE;
}

static struct str
cancel_run(struct call *c)
{
	struct gate_run *r = c->server->run;

	if (!r)
		return tool_fail(c, "no run is in progress that run_gates started");
	if (r->has_canceller)
		return tool_fail(c, "the run is being ended already");
	r->canceller = (struct asked){ str_copy(&r->arena, c->asked.id), c->asked.batch };
	r->has_canceller = true;
	cancel(r);
	return STR_NONE;
}

void
run_cancel(struct server *s, struct str id)
{
	if (!s->run || !str_eq(s->run->asked.id, id))
		return;
	s->run->is_silent = true;
	cancel(s->run);
}

bool
run_wait(struct server *s, int fd)
{
	struct gate_run *r = s->run;
	struct proc_result result;

	r->procs.also = fd;
	procset_wait(&r->procs, r->heartbeat_ms);
	bool is_ready = r->procs.is_also_ready;

	if (procset_take(&r->procs, &result)) {
		struct str text = excerpt(
			&r->arena,
			strip_escapes(&r->arena, str_trim(capture_text(&result.err, &r->arena, 0))),
			RUN_TEXT_BYTES);
		struct str object = r->is_cancelled ? STR_NONE : object_of(r, text);

		if (r->is_cancelled)
			text = STR("the run was cancelled; what has failed stays failed until it passes");
		else if (!object.s && text.n == 0)
			text = STR("the run did not end by itself");
		if (r->is_silent)
			rpc_drop(r->server, &r->asked);
		else
			rpc_answer(r->server, &r->asked, tool_result(&r->arena, text, object, !object.s));
		if (r->has_canceller)
			rpc_answer(r->server, &r->canceller,
				   tool_result(&r->arena, STR("the run was ended"),
					       STR("{\"cancelled\":true}"), false));
		free_run(r);
	} else if (clock_mono_ms() >= r->heartbeat_ms) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		int64_t seconds = (clock_mono_ms() - r->started_ms) / 1000;

		send_progress(r, str_cat(&scratch, "running for ", seconds, " s"));
	}
	return is_ready;
}

void
run_end(struct server *s)
{
	if (s->run) {
		s->run->is_silent = true;
		cancel(s->run);
	}
	while (s->run)
		(void)run_wait(s, -1);
}

/* ---- the table ---- */

static const struct {
	const char *name;
	tool_fn *run;
} tools[] = {
	{ "status", status },         { "list_gates", list_gates },  { "run_gates", run_gates },
	{ "cancel_run", cancel_run }, { "read_log", tool_read_log }, { "mark_finding", tool_mark_finding },
};

void
tools_list(struct call *c)
{
	struct node list;

	/* As a tree, because a message is one line. */
	if (json_parse(c->arena, STR(MCP_TOOLS), &list, IGNORED) == 0)
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
