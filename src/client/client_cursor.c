/* SPDX-License-Identifier: MIT */
/* Cursor, by its documented protocol: a block is a follow-up message, which it counts itself, and the event has a status for how
 * the turn ended. It can be configured to run the hooks in Claude Code's settings, too. */
#include "client/client.h"
#include "doc/json.h"

/* Follow-ups in a turn; the hook is registered with the same limit. */
#define FOLLOW_UPS_MAX 10
#define LOOP_LIMIT "\"loop_limit\": 10"

static bool
is_event(const struct node *n)
{
	return node_get_str(n, "cursor_version").s;
}

static void
read_fields(const struct node *n, struct event *e)
{
	const struct node *roots = node_get(n, "workspace_roots"), *count = node_get(n, "loop_count");
	struct str status = node_get_str(n, "status");

	if (!e->session_id.s)
		e->session_id = node_get_str(n, "conversation_id");
	if (!e->cwd.s && roots && roots->kind == NODE_LIST && roots->count > 0 &&
	    roots->items[0].kind == NODE_STRING)
		e->cwd = roots->items[0].text;
	if (count && count->kind == NODE_INT && count->integer > 0)
		e->follow_ups = (uint64_t)count->integer;
	e->is_given_up = str_is(status, "aborted") || str_is(status, "error");
}

static bool
is_text(const struct node *block)
{
	return str_is(node_get_str(block, "type"), "text");
}

/* Not documented; by observation, role and content as in Claude Code, without ids. */
static struct transcript_line
transcript_line(struct arena *a, struct str text)
{
	return transcript_message(a, text, "role", "content", is_text);
}

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct buf out = BUF(a, SIZE_MAX);

	buf_addc(&out, '{');
	if (status_blocks(v->status))
		json_add_member(&out, "followup_message", v->reason);
	buf_add(&out, STR("}\n"));
	return (struct reply){ buf_str(&out), reply_stderr(a, v, notes), 0 };
}

/* By its documentation: `permission` decides on a tool, `continue` on a prompt. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool is_prompt = e->row->id == EVENT_UserPromptSubmit;
	struct buf out = BUF(a, SIZE_MAX);

	if (e->is_blocked && !is_prompt)
		return reply_event_block(a, e, notes);
	buf_addc(&out, '{');
	if (e->is_blocked)
		json_add_member_bool(&out, "continue", false);
	if (e->decision != TOOL_PASS)
		json_add_member(&out, "permission", str_from(tool_decision_name(e->decision)));
	if (e->reason.s)
		json_add_member(&out, "user_message", e->reason);
	if (e->reason.s && !is_prompt)
		json_add_member(&out, "agent_message", e->reason);
	if (e->context.s)
		json_add_member(&out, "additional_context", e->context);
	buf_add(&out, STR("}\n"));
	return (struct reply){ out.n > 3 ? buf_str(&out) : STR(""), reply_event_stderr(a, notes), 0 };
}

static const struct hook_wanted wanted[] = {
	{ .event = "stop",
	  .words = "stop-hook --client cursor --deadline 590",
	  .user_words = "stop-hook --client cursor --deadline 590 --user",
	  .timeout_s = 600,
	  .more = LOOP_LIMIT },
	{ .event = "beforeSubmitPrompt", .words = "hook UserPromptSubmit --client cursor", .timeout_s = 30 },
	{ .event = "sessionEnd", .words = "hook SessionEnd --client cursor", .timeout_s = 30 },
};

static const struct hook_event events[] = {
	{ EVENT_PreToolUse, "preToolUse" },
	{ EVENT_PostToolUse, "postToolUse" },
	{ EVENT_PostToolUseFailure, "postToolUseFailure" },
	{ EVENT_SessionStart, "sessionStart" },
	{ EVENT_SubagentStart, "subagentStart" },
	{ EVENT_SubagentStop, "subagentStop" },
	{ EVENT_PreCompact, "preCompact" },
};

static const struct client_settings settings = {
	.project_file = ".cursor/hooks.json",
	.home_dir = ".cursor",
	.user_file = "hooks.json",
	.server_file = ".cursor/mcp.json",
	.server_note = "enable it in Cursor's settings, under MCP",
	.reads_claude_settings = true,
	.runs_equal_lines = true,
	.shape = { .command_key = "command", .timeout_key = "timeout", .timeout_units = 1, .version = 1 },
	.wanted = wanted,
	.wanted_count = COUNT_OF(wanted),
	.events = events,
	.event_count = COUNT_OF(events),
	.event_options = " --client cursor",
	.next = "check the list of hooks in Cursor's settings",
};

static const char *const session_vars[] = {
	"CURSOR_AGENT", "CURSOR_PROJECT_DIR", "CURSOR_TRACE_ID", "CURSOR_VERSION", NULL,
};

static const char *const stop_names[] = { "stop", "Stop", NULL };

const struct client client_cursor = {
	.name = "cursor",
	.title = "Cursor",
	.program = "cursor-agent",
	.is_event = is_event,
	.agent_env = "CURSOR_AGENT",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.subagent_stop_name = "subagentStop",
	.read = read_fields,
	.transcript_line = transcript_line,
	.reply = reply,
	.event_reply = event_reply,
	.timeout_s = 60,
	.deadline_s = 55,
	.block_cap = FOLLOW_UPS_MAX,
	.settings = &settings,
};
