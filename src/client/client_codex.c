/* SPDX-License-Identifier: MIT */
/* Codex CLI. It validates answers against a strict schema and silently drops a block with an unknown field or decision,
 * so a block has two fields and, where the user is to see something, systemMessage, which alone is an answer, too; every
 * other answer is empty. It has no limit on blocks. */
#include "client/client.h"

static bool
is_event(const struct node *n)
{
	return node_get_str(n, "turn_id").s;
}

static bool
is_text(const struct node *block)
{
	struct str type = node_get_str(block, "type");

	return str_is(type, "output_text") || str_is(type, "input_text");
}

/* A hook's reason is recorded as a user's message, and begins a new turn as one does. */
static struct transcript_line
transcript_line(struct arena *a, struct str text)
{
	static const char *const words[] = { "\"assistant\"", "\"user\"" };
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;

	if (!transcript_parse(a, text, words, &r.kind, &line) ||
	    !str_is(node_get_str(&line, "type"), "response_item"))
		return r;
	const struct node *item = node_get(&line, "payload");
	struct str role = node_get_str(item, "role");

	if (!str_is(node_get_str(item, "type"), "message"))
		return r;
	r.id = node_get_str(item, "id");
	r.text = transcript_text(a, node_get(item, "content"), is_text);
	if (str_is(role, "user"))
		r.kind = LINE_PROMPT;
	else if (str_is(role, "assistant"))
		r.kind = LINE_ANSWER;
	return r;
}

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str shown = reply_user_message(a, v, notes);
	bool is_empty = !status_blocks(v->status) && !shown.s;

	return (struct reply){ is_empty ? STR("") : reply_object(a, v, shown), reply_stderr(a, v, notes), 0 };
}

static const struct hook_wanted wanted[] = {
	{ .event = "Stop",
	  .words = "stop-hook --client codex",
	  .user_words = "stop-hook --client codex --user",
	  .timeout_s = 600 },
	{ .event = "UserPromptSubmit", .words = "hook UserPromptSubmit --client codex", .timeout_s = 30 },
	/* It grants at most 3 seconds at the end of a session, and warns each time when asked for more. */
	{ .event = "SessionEnd", .words = "hook SessionEnd --client codex", .timeout_s = 3 },
};

static const struct hook_event events[] = {
	{ EVENT_PreToolUse, "PreToolUse" },       { EVENT_PermissionRequest, "PermissionRequest" },
	{ EVENT_PostToolUse, "PostToolUse" },     { EVENT_PreCompact, "PreCompact" },
	{ EVENT_PostCompact, "PostCompact" },     { EVENT_SessionStart, "SessionStart" },
	{ EVENT_SubagentStart, "SubagentStart" }, { EVENT_SubagentStop, "SubagentStop" },
};

static const struct client_settings settings = {
	.project_file = ".codex/hooks.json",
	.home_dir = ".codex",
	.home_env = "CODEX_HOME",
	.user_file = "hooks.json",
	.server_file = ".codex/config.toml",
	.server_note = "Codex starts it in a project that you have trusted",
	.runs_equal_lines = true,
	.shape = { .has_groups = true,
		   .has_type = true,
		   .command_key = "command",
		   .timeout_key = "timeout",
		   .timeout_units = 1 },
	.wanted = wanted,
	.wanted_count = COUNT_OF(wanted),
	.events = events,
	.event_count = COUNT_OF(events),
	.has_tool_patterns = true,
	.event_options = " --client codex",
	.next = "open /hooks in Codex and trust the three hooks; until then Codex skips them silently",
	.doctor_note =
		"it runs a hook only once you have trusted it in /hooks, and again after its entry has "
		"changed; a hook that is not trusted is skipped without a word",
};

static const char *const session_vars[] = {
	"CODEX_CI",         "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
	"CODEX_SESSION_ID", "CODEX_THREAD_ID",
	"PLUGIN_ROOT",      NULL,
};

static const char *const stop_names[] = { "Stop", NULL };

const struct client client_codex = {
	.name = "codex",
	.title = "Codex CLI",
	.program = "codex",
	.is_event = is_event,
	.session_env = "CODEX_SESSION_ID",
	.agent_env = "CODEX_THREAD_ID",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.subagent_stop_name = "SubagentStop",
	.transcript_line = transcript_line,
	.reply = reply,
	.event_reply = reply_event_without_ask,
	.timeout_s = 600,
	.deadline_s = 590,
	.reason_limit_bytes = 10000,
	.settings = &settings,
};
