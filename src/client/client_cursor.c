/* SPDX-License-Identifier: MIT */
/* Cursor, by its documented protocol: a block is a follow-up message, which it counts itself, and the event has a status for how
 * the turn ended. It can be configured to run the hooks in Claude Code's settings, too. */
#include "client/client.h"
#include "doc/json.h"

/* Follow-ups in a turn; the hook is registered with the same limit. */
#define FOLLOW_UPS_MAX 10
#define LOOP_LIMIT "\"loop_limit\": 10"

static void
read_fields(const struct node *n, struct event *e)
{
	e->follow_ups = (uint64_t)node_get_count(n, "loop_count", INT64_MAX);
	e->is_given_up = str_is_word_of(node_get_str(n, "status"), "aborted error");
}

/* Not documented; by observation, role and content as in Claude Code, without ids. */
static const struct transcript_form transcript = {
	.words = { "\"assistant\"", "\"user\"" },
	.body = "message",
	.role = "role",
	.prompts = "user",
	.answer = "assistant",
	.content = "content",
	.block_types = "text",
	.needs_text = true,
};

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str reason = status_blocks(v->status) ? v->reason : STR_NONE;

	return reply_with(a, v, notes, json_line(a, "followup_message", reason));
}

/* By its documentation: `permission` decides on a tool, `continue` on a prompt. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool is_prompt = e->row->id == EVENT_UserPromptSubmit;

	if (e->is_blocked && !is_prompt)
		return reply_event_block(a, e);
	return reply_event_object(a,
				  json_line(a, "continue", JSON_IF(e->is_blocked, !e->is_blocked),
					    "permission", tool_decision_name(e->decision), "user_message",
					    e->reason, "agent_message", is_prompt ? STR_NONE : e->reason,
					    "additional_context", e->context),
				  notes);
}

const struct client client_cursor = {
	.name = "cursor",
	.title = "Cursor",
	.program = "cursor-agent",
	.mark = "cursor_version",
	.agent_env = "CURSOR_AGENT",
	.session_vars = NAMES("CURSOR_AGENT", "CURSOR_PROJECT_DIR", "CURSOR_TRACE_ID", "CURSOR_VERSION"),
	.stop_names = "stop Stop",
	.fields = { .session_id = "conversation_id", .directories = "workspace_roots" },
	.read = read_fields,
	.transcript = &transcript,
	.reply = reply,
	.event_reply = event_reply,
	.timeout_s = 60,
	.deadline_s = 55,
	.block_cap = FOLLOW_UPS_MAX,
	.settings =
		&(const struct client_settings){
			.project_file = ".cursor/hooks.json",
			.home_dir = ".cursor",
			.user_file = "hooks.json",
			.server_file = ".cursor/mcp.json",
			.server_note = "enable it in Cursor's settings, under MCP",
			.reads_claude_settings = true,
			.runs_equal_lines = true,
			.shape = { .command_key = "command",
				   .timeout_key = "timeout",
				   .timeout_units = 1,
				   .version = 1 },
			WANTED({ HOOK_STOP("stop", " --client cursor --deadline 590"), .more = LOOP_LIMIT },
			       { HOOK_EVENT("beforeSubmitPrompt", "UserPromptSubmit", " --client cursor") },
			       { HOOK_EVENT("sessionEnd", "SessionEnd", " --client cursor") }),
			EVENTS({ EVENT_PreToolUse, "preToolUse" }, { EVENT_PostToolUse, "postToolUse" },
			       { EVENT_PostToolUseFailure, "postToolUseFailure" },
			       { EVENT_SessionStart, "sessionStart" },
			       { EVENT_SubagentStart, "subagentStart" },
			       { EVENT_SubagentStop, "subagentStop" }, { EVENT_PreCompact, "preCompact" }),
			.next = "check the list of hooks in Cursor's settings",
		},
};
