/* SPDX-License-Identifier: MIT */
/* The call of a stop, and its answer. */
#include "model.h"

#include "doc/json.h"

#include <string.h>
#include <sys/wait.h>

struct call
stop_call(const struct play *p, const struct event *e)
{
	static const char *const argvs[BY_COUNT][4] = {
		{ "holdfast", "stop-hook" },       { "holdfast", "hook", "Stop" },
		{ "agent-gauntlet", "stop-hook" }, { "holdfast", "ralph", "hook" },
		{ "conclaude", "Stop" },           { "holdfast", "stop-hook", "--client=codex" },
	};
	struct call c = { 0 };

	memcpy(c.argv, argvs[e->front_end], sizeof(argvs[0]));
	if (e->front_end == BY_STOP_HOOK && p->config.is_for_all && !p->config.is_registered)
		c.argv[2] = "--user";
	c.input = str_fmt(
		p->arena,
		"{\"session_id\":\"%s\",\"transcript_path\":\"/none\",\"cwd\":\"" STR_FMT
		"\",\"hook_event_name\":\"%s\",\"stop_hook_active\":%s,\"last_assistant_message\":\"%s\"}",
		session_ids[e->session], STR_ARG(p->world.project),
		e->kind == EV_SUBAGENT ? "SubagentStop" : "Stop", e->is_active ? "true" : "false",
		e->has_promise ? "At last. <promise>DONE</promise>" : "Not yet.");
	return c;
}

static bool
is_wrong(struct play *p, const struct call *c, const char *what)
{
	complain(p, "%s: exit status %#x, stdout '" STR_FMT "', stderr '" STR_FMT "'", what,
		 (unsigned)c->status, STR_ARG(c->out), STR_ARG(c->err));
	return false;
}

/* The status of a block, for front ends without statuses. */
static struct str
status_of(struct str reason)
{
	static const char *const reasons[][2] = {
		{ "message ", "follow_up" },           { "Round ", "round_completed" },
		{ "Unauthorized ", "root_additions" }, { "Command ", "command_failed" },
		{ "Go on", "loop_continues" },         { "never", "infinite" },
	};

	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		if (str_starts(reason, str_from(reasons[i][0])))
			return str_from(reasons[i][1]);
	return STR("failed");
}

/* conclaude prints lines of progress, and an object in the last line. */
static bool
read_conclaude(struct play *p, const struct call *c, struct answer *ret)
{
	struct str rest = c->out, line = STR(""), last = STR("");
	struct node object;
	struct err err;

	while (str_next(&rest, '\n', &line))
		last = line;
	if (WEXITSTATUS(c->status) == 1)
		return c->err.n > 0 || is_wrong(p, c, "an error without a message");
	if (json_parse(p->arena, last, &object, &err) < 0)
		return is_wrong(p, c, "the last line is no JSON");
	ret->is_block = node_get_bool(&object, "blocked");
	if (WEXITSTATUS(c->status) != (ret->is_block ? 2 : 0))
		return is_wrong(p, c, "a wrong exit code");
	ret->reason = node_get_str(&object, "message");
	ret->status = ret->is_block ? status_of(ret->reason) : STR("");
	return true;
}

bool
answer_read(struct play *p, const struct event *e, const struct call *c, struct answer *ret)
{
	struct node object;
	struct err err;

	*ret = (struct answer){ .status = STR(""), .told = c->err };
	if (!WIFEXITED(c->status))
		return is_wrong(p, c, "the hook did not exit");
	if (e->front_end == BY_CONCLAUDE)
		return read_conclaude(p, c, ret);
	if (WEXITSTATUS(c->status) != 0)
		return is_wrong(p, c, "a wrong exit code");
	if ((e->front_end == BY_RALPH || e->front_end == BY_CODEX) && c->out.n == 0)
		return true;
	if (str_find_char(c->out, '\n') != (ptrdiff_t)c->out.n - 1 ||
	    json_parse(p->arena, c->out, &object, &err) < 0 || object.kind != NODE_MAP)
		return is_wrong(p, c, "stdout is not one object on one line");
	struct str decision = node_get_str(&object, "decision");

	ret->is_block = str_is(decision, "block");
	ret->reason = node_get_str(&object, "reason");
	if (ret->is_block && str_trim(ret->reason).n == 0)
		return is_wrong(p, c, "a block without a reason");
	if (e->front_end == BY_RALPH || e->front_end == BY_CODEX) {
		ret->status = ret->is_block ? status_of(ret->reason) : STR("");
		return true;
	}
	ret->status = node_get_str(&object, "status");
	if (!ret->is_block && (!str_is(decision, "approve") || ret->reason.s))
		return is_wrong(p, c, "neither a block nor an approval");
	return ret->status.n > 0 || is_wrong(p, c, "no status");
}
