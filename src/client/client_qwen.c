/* SPDX-License-Identifier: MIT */
/* Qwen Code: Claude Code's events with Gemini CLI's settings. `continue: false` makes it go on, so it is never sent. */
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

static bool
is_text(const struct node *block)
{
	return !node_get_bool(block, "thought");
}

static struct transcript_line
transcript_line(struct arena *a, struct str text)
{
	return transcript_message(a, text, "type", "parts", is_text);
}

/* Always an object on stdout, so that stderr is not taken for the answer. */
static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	return (struct reply){ reply_object(a, v, reply_user_message(a, v, notes)), reply_stderr(a, v, notes),
			       0 };
}

/* Unknown: its hooks get the variable of the first session in its process, and an editor runs several sessions. */
static bool
is_nested_in_own_kind(struct arena *a)
{
	(void)a;
	return false;
}

static const struct hook_wanted wanted[] = {
	{ .event = "Stop", .words = "stop-hook --client qwen --deadline 590", .timeout_s = 600 },
	{ .event = "UserPromptSubmit", .words = "hook UserPromptSubmit --client qwen", .timeout_s = 30 },
	{ .event = "SessionEnd", .words = "hook SessionEnd --client qwen", .timeout_s = 30 },
};

static const struct hook_event events[] = {
	{ EVENT_PreToolUse, "PreToolUse" },
	{ EVENT_PostToolUse, "PostToolUse" },
	{ EVENT_PostToolUseFailure, "PostToolUseFailure" },
	{ EVENT_PermissionRequest, "PermissionRequest" },
	{ EVENT_Notification, "Notification" },
	{ EVENT_SessionStart, "SessionStart" },
	{ EVENT_SubagentStart, "SubagentStart" },
	{ EVENT_SubagentStop, "SubagentStop" },
	{ EVENT_PreCompact, "PreCompact" },
};

static const struct client_settings settings = {
	.project_file = ".qwen/settings.json",
	.home_dir = ".qwen",
	.user_file = "settings.json",
	.server_file = ".qwen/settings.json",
	.looks_only_here = true,
	.shape = { .has_groups = true,
		   .has_type = true,
		   .command_key = "command",
		   .timeout_key = "timeout",
		   .timeout_units = 1000 },
	.wanted = wanted,
	.wanted_count = COUNT_OF(wanted),
	.events = events,
	.event_count = COUNT_OF(events),
	.has_tool_patterns = true,
	.event_options = " --client qwen",
	.next = "start a new session of Qwen Code, in a folder that it trusts",
};

static const char *const session_vars[] = {
	"QWEN_CODE",
	"QWEN_CODE_SESSION_ID",
	"QWEN_PROJECT_DIR",
	NULL,
};

static const char *const stop_names[] = { "Stop", NULL };

const struct client client_qwen = {
	.name = "qwen",
	.title = "Qwen Code",
	.program = "qwen",
	.env_mark = "QWEN_PROJECT_DIR",
	.project_env = "QWEN_PROJECT_DIR",
	.is_event = is_event,
	.session_env = "QWEN_CODE_SESSION_ID",
	.is_nested_in_own_kind = is_nested_in_own_kind,
	.agent_env = "QWEN_CODE",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.subagent_stop_name = "SubagentStop",
	.read = read_fields,
	.transcript_line = transcript_line,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 60,
	.deadline_s = 55,
	.block_cap = 8,
	.block_cap_env = "QWEN_CODE_STOP_HOOK_BLOCK_CAP",
	.is_cap_exclusive = true,
	.settings = &settings,
};
