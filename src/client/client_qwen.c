/* SPDX-License-Identifier: MIT */
/* Qwen Code: Claude Code's events with Gemini CLI's settings. `continue: false` makes it go on, so it is never sent. It, too, takes
 * stderr for the answer where stdout is empty. */
#include "client/client.h"

static bool
is_event(const struct node *n)
{
	return node_get(n, "context_limit") || node_get(n, "crons");
}

/* For a slash command, `prompt` is its expansion. */
static void
read_fields(const struct node *n, struct event *e)
{
	struct str typed = node_get_str(n, "submitted_prompt");

	if (typed.n > 0)
		e->prompt = typed;
}

static const struct transcript_form transcript = {
	.words = { "\"assistant\"", "\"user\"" },
	.body = "message",
	.role = "type",
	.prompts = "user",
	.answer = "assistant",
	.content = "parts",
	.skips_thoughts = true,
	.needs_text = true,
};

/* After a tool it passes nothing on to the agent but additional context. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	struct event_answer told = *e;

	if (e->row->id == EVENT_PostToolUse && e->is_blocked) {
		told.is_blocked = false;
		told.context = e->context.s ? str_cat(a, e->reason, "\n\n", e->context) : e->reason;
	}
	return reply_event_claude(a, &told, notes);
}

/* Unknown: its hooks get the variable of the first session in its process, and an editor runs several sessions. */
static bool
is_nested_in_own_kind(struct arena *a)
{
	(void)a;
	return false;
}

const struct client client_qwen = {
	.name = "qwen",
	.title = "Qwen Code",
	.program = "qwen",
	.project_env = "QWEN_PROJECT_DIR",
	.is_event = is_event,
	.session_env = "QWEN_CODE_SESSION_ID",
	.is_nested_in_own_kind = is_nested_in_own_kind,
	.agent_env = "QWEN_CODE",
	.session_vars = NAMES("QWEN_CODE", "QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR"),
	.stop_names = "Stop",
	.read = read_fields,
	.transcript = &transcript,
	.reply = reply_object,
	.event_reply = event_reply,
	.timeout_s = 60,
	.deadline_s = 55,
	.block_cap = 8,
	.block_cap_env = "QWEN_CODE_STOP_HOOK_BLOCK_CAP",
	.is_cap_exclusive = true,
	.settings =
		&(const struct client_settings){
			.project_file = ".qwen/settings.json",
			.home_dir = ".qwen",
			.user_file = "settings.json",
			.server_file = ".qwen/settings.json",
			.looks_only_here = true,
			.shape = SHAPE_WITH_GROUPS(1000),
			WANTED({ HOOK_STOP("Stop", " --client qwen --deadline 590") },
			       { HOOK_EVENT("UserPromptSubmit", "UserPromptSubmit", " --client qwen") },
			       { HOOK_EVENT("SessionEnd", "SessionEnd", " --client qwen") }),
			EVENTS(SAME(PreToolUse), SAME(PostToolUse), SAME(PostToolUseFailure),
			       SAME(PermissionRequest), SAME(Notification), SAME(SessionStart),
			       SAME(SubagentStart), SAME(SubagentStop), SAME(PreCompact)),
			.next = "start a new session of Qwen Code, in a folder that it trusts",
		},
};
