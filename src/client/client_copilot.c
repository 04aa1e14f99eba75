/* SPDX-License-Identifier: MIT */
/* GitHub Copilot CLI: its own event agentStop has other field names and no event name; a hook registered as Stop gets
 * nearly what Claude Code sends. It sends no last message and writes the answer to its transcript some 100 ms after it has
 * started the hook, followed by the start of the hook with the event's timestamp; it also runs the hooks in Claude Code's settings, and
 * subagents send the same stop event as the agent. */
#include "client/client.h"

#include "doc/json.h"

static bool
is_event(const struct node *n)
{
	return node_get_str(n, "sessionId").s || (node_get(n, "timestamp") && node_get(n, "stop_reason"));
}

static void
read_fields(const struct node *n, struct event *e)
{
	if (!e->session_id.s)
		e->session_id = node_get_str(n, "sessionId");
	if (!e->transcript_path.s)
		e->transcript_path = node_get_str(n, "transcriptPath");
	if (!e->agent_id.s)
		e->agent_id = node_get_str(n, "agentId");
	const struct node *timestamp = node_get(n, "timestamp");

	if (timestamp && timestamp->kind == NODE_INT)
		e->timestamp_ms = timestamp->integer;
}

static bool
is_text(const struct node *block)
{
	(void)block;
	return true;
}

static bool
is_of_subagent(const struct node *line, const struct node *data)
{
	return node_get_str(line, "agentId").n > 0 || node_get_str(data, "parentToolCallId").n > 0;
}

static struct transcript_line
transcript_line(struct arena *a, struct str text)
{
	static const char *const words[] = { "\"assistant.message\"", "\"user.message\"" };
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;

	if (!transcript_parse(a, text, words, &r.kind, &line))
		return r;
	const struct node *data = node_get(&line, "data");
	struct str type = node_get_str(&line, "type");

	if (is_of_subagent(&line, data))
		return r;
	r.text = transcript_text(a, node_get(data, "content"), is_text);
	if (r.text.n == 0)
		r.text = STR_NONE; /* a tool call */
	const struct node *calls = node_get(data, "toolRequests");

	r.is_of_tool = calls && calls->kind == NODE_LIST && calls->count > 0;
	if (str_is(type, "user.message"))
		r.kind = LINE_PROMPT;
	else if (str_is(type, "assistant.message"))
		r.kind = LINE_ANSWER;
	return r;
}

/* Decisions are members of the answer itself. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool is_request = e->row->id == EVENT_PermissionRequest;
	struct buf out = BUF(a, SIZE_MAX);

	if (e->is_blocked)
		return reply_event_block(a, e, notes);
	buf_addc(&out, '{');
	if (e->decision != TOOL_PASS)
		json_add_member(&out, is_request ? "behavior" : "permissionDecision",
				str_from(tool_decision_name(e->decision)));
	if (e->decision != TOOL_PASS && e->reason.s)
		json_add_member(&out, is_request ? "message" : "permissionDecisionReason", e->reason);
	if (e->context.s)
		json_add_member(&out, "additionalContext", e->context);
	buf_add(&out, STR("}\n"));
	return (struct reply){ out.n > 3 ? buf_str(&out) : STR(""), reply_event_stderr(a, notes), 0 };
}

static const struct hook_wanted wanted[] = {
	{ .event = "agentStop",
	  .words = "stop-hook --client copilot --deadline 590",
	  .user_words = "stop-hook --client copilot --deadline 590 --user",
	  .timeout_s = 600 },
	{ .event = "userPromptSubmitted",
	  .words = "hook UserPromptSubmit --client copilot",
	  .timeout_s = 30 },
	{ .event = "sessionEnd", .words = "hook SessionEnd --client copilot", .timeout_s = 30 },
};

static const struct hook_event events[] = {
	{ EVENT_PreToolUse, "preToolUse" },
	{ EVENT_PostToolUse, "postToolUse" },
	{ EVENT_PermissionRequest, "permissionRequest" },
	{ EVENT_SessionStart, "sessionStart" },
	{ EVENT_SubagentStop, "subagentStop" },
	{ EVENT_PreCompact, "preCompact" },
};

static const struct client_settings settings = {
	.project_file = ".github/hooks/holdfast.json",
	.home_dir = ".copilot",
	.home_env = "COPILOT_HOME",
	.user_file = "hooks/holdfast.json",
	.server_file = ".github/mcp.json",
	.has_many_files = true,
	.reads_claude_settings = true,
	.runs_equal_lines = true,
	.shape = { .has_type = true,
		   .command_key = "bash",
		   .timeout_key = "timeoutSec",
		   .timeout_units = 1,
		   .version = 1 },
	.wanted = wanted,
	.wanted_count = COUNT_OF(wanted),
	.events = events,
	.event_count = COUNT_OF(events),
	.event_options = " --client copilot",
	.next = "start a new session of Copilot CLI, in a folder that it trusts",
};

static const char *const session_vars[] = {
	"COPILOT_AGENT_SESSION_ID",
	"COPILOT_PROJECT_DIR",
	NULL,
};

static const char *const stop_names[] = { "agentStop", "Stop", NULL };

const struct client client_copilot = {
	.name = "copilot",
	.title = "Copilot CLI",
	.program = "copilot",
	.env_mark = "COPILOT_PROJECT_DIR",
	.project_env = "COPILOT_PROJECT_DIR",
	.is_event = is_event,
	.agent_env = "COPILOT_AGENT_SESSION_ID",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.subagent_stop_name = "subagentStop",
	.read = read_fields,
	.transcript_line = transcript_line,
	.marks_stops = true,
	.reply = reply_block_or_silence,
	.event_reply = event_reply,
	.timeout_s = 30,
	.deadline_s = 25,
	.block_cap = 8,
	.settings = &settings,
};
