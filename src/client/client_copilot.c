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
pass_over_subagents(const struct node *line, const struct node *data, struct transcript_line *r)
{
	if (node_get_str(line, "agentId").n > 0 || node_get_str(data, "parentToolCallId").n > 0)
		*r = (struct transcript_line){ .kind = LINE_OTHER };
}

static const struct transcript_form transcript = {
	.words = { "\"assistant.message\"", "\"user.message\"" },
	.body = "data",
	.role = "type",
	.prompts = "user.message",
	.answer = "assistant.message",
	.content = "content",
	.calls = "toolRequests",
	.correct = pass_over_subagents,
};

/* Decisions are members of the answer itself. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool is_request = e->row->id == EVENT_PermissionRequest;
	struct str decision = str_from(tool_decision_name(e->decision));

	if (e->is_blocked)
		return reply_event_block(a, e);
	return reply_event_object(a,
				  json_line(a, is_request ? "behavior" : "permissionDecision", decision,
					    is_request ? "message" : "permissionDecisionReason",
					    decision.s ? e->reason : STR_NONE, "additionalContext",
					    e->context),
				  notes);
}

const struct client client_copilot = {
	.name = "copilot",
	.title = "Copilot CLI",
	.program = "copilot",
	.project_env = "COPILOT_PROJECT_DIR",
	.is_event = is_event,
	.agent_env = "COPILOT_AGENT_SESSION_ID",
	.session_vars = NAMES("COPILOT_AGENT_SESSION_ID", "COPILOT_PROJECT_DIR"),
	.stop_names = "agentStop Stop",
	.fields = { .session_id = "sessionId", .transcript_path = "transcriptPath", .agent_id = "agentId" },
	.transcript = &transcript,
	.marks_stops = true,
	.reply = reply_block_or_silence,
	.event_reply = event_reply,
	.timeout_s = 30,
	.deadline_s = 25,
	.block_cap = 8,
	.settings =
		&(const struct client_settings){
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
			WANTED({ HOOK_STOP("agentStop", " --client copilot --deadline 590") },
			       { HOOK_EVENT("userPromptSubmitted", "UserPromptSubmit", " --client copilot") },
			       { HOOK_EVENT("sessionEnd", "SessionEnd", " --client copilot") }),
			EVENTS({ EVENT_PreToolUse, "preToolUse" }, { EVENT_PostToolUse, "postToolUse" },
			       { EVENT_PermissionRequest, "permissionRequest" },
			       { EVENT_SessionStart, "sessionStart" }, { EVENT_SubagentStop, "subagentStop" },
			       { EVENT_PreCompact, "preCompact" }),
			.next = "start a new session of Copilot CLI, in a folder that it trusts",
		},
};
