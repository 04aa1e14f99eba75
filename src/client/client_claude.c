/* SPDX-License-Identifier: MIT */
/* Claude Code. */
#include "client/client.h"

#include "client/registration.h"
#include "doc/json.h"
#include "model/block_cap.h"
#include "os/env.h"
#include "os/fs.h"

#define SESSION_ENV "CLAUDE_CODE_SESSION_ID"

/* The feedback of a Stop hook that blocked begins a new turn, as a user's prompt does. */
#define FEEDBACK STR("Stop hook feedback:")

/* Only newer versions send these; older events have no mark at all. */
static bool
is_event(const struct node *n)
{
	return node_get(n, "session_crons") || node_get(n, "effort");
}

/* A file in /proc of the process that runs the hook; absent where that is not known, or the process is gone. */
static struct str
process_file(struct arena *a, const char *name)
{
	struct str text;
	uint64_t pid;

	if (!number_parse(env_get("CLAUDE_PID"), &pid) ||
	    fs_read(a, str_cat(a, "/proc/", pid, "/", name).s, MIB(4), &text, IGNORED) < 0)
		return STR_NONE;
	return text;
}

/* Its hooks get the variable of its own session; what it was started with is in the process's own environment. */
static bool
is_nested_in_own_kind(struct arena *a)
{
	struct str variables = process_file(a, "environ"), one;

	while (variables.s && str_next(&variables, '\0', &one))
		if (str_starts(one, STR(SESSION_ENV "=")) && one.n > sizeof(SESSION_ENV "=") - 1)
			return true;
	return false;
}

/* --setting-sources limits which settings are read, as SDKs do. Only the command line of the process that runs the hook
 * shows that. */
static unsigned
scopes_read(struct arena *a)
{
	struct str words = process_file(a, "cmdline"), word, list = STR_NONE;
	struct str option = STR("--setting-sources");
	unsigned scopes = 0;

	while (words.s && str_next(&words, '\0', &word)) {
		if (str_eq(word, option) && !str_next(&words, '\0', &list))
			return ALL_SCOPES;
		if (str_starts(word, option) && word.n > option.n && word.s[option.n] == '=')
			list = str_rest(word, option.n + 1);
	}
	if (!list.s)
		return ALL_SCOPES;
	while (str_next(&list, ',', &word))
		for (int i = 0; i < SCOPE_COUNT; i++)
			if (str_is(str_trim(word), settings_scope_names[i]))
				scopes |= 1U << i;
	return scopes;
}

/* Lines of subagents and errors of the API are no part of the conversation. */
static void
correct(const struct node *line, const struct node *message, struct transcript_line *r)
{
	const struct node *content = node_get_list(message, "content");

	for (size_t i = 0; i < content->count && !r->is_of_tool; i++)
		r->is_of_tool = str_is_word_of(node_get_str(&content->items[i], "type"),
					       "tool_use tool_result");
	if ((r->kind == LINE_PROMPT && node_get_bool(line, "isMeta") && !str_starts(r->text, FEEDBACK)) ||
	    (r->kind == LINE_ANSWER && node_get_bool(line, "isApiErrorMessage")))
		r->kind = LINE_OTHER;
	if (node_get_bool(line, "isSidechain"))
		*r = (struct transcript_line){ .kind = LINE_OTHER };
}

const struct transcript_form claude_transcript = {
	.words = { "\"assistant\"", "\"user\"" },
	.body = "message",
	.role = "type",
	.body_role = "role",
	.prompts = "user",
	.answer = "assistant",
	.content = "content",
	.block_types = "text",
	.has_ids = true,
	.needs_text = true,
	.correct = correct,
};

/* One JSON line with decision, status, message, reason (of a block only), stopReason and, where the user is to see it,
 * systemMessage; terminalSequence is known since 2.1.141. */
static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	bool blocks = status_blocks(v->status);
	struct str message = reply_message(a, v, notes), shown = reply_user_message(a, v, notes);

	return reply_with(a, v, notes,
			  json_line(a, "decision", blocks ? "block" : "approve", "status",
				    status_rows[v->status].name, "message", message, "reason",
				    blocks ? v->reason : STR_NONE, "stopReason", blocks ? v->reason : message,
				    "systemMessage", shown, "terminalSequence", notes->terminal_sequence));
}

const struct client client_claude = {
	.name = "claude",
	.title = "Claude Code",
	.program = "claude",
	.is_event = is_event,
	.project_env = "CLAUDE_PROJECT_DIR",
	.session_env = SESSION_ENV,
	.is_nested_in_own_kind = is_nested_in_own_kind,
	.agent_env = "CLAUDECODE",
	.session_vars = NAMES("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT",
			      "CLAUDE_CODE_SESSION_ATTENDED", SESSION_ENV, "CLAUDE_CODE_SSE_PORT",
			      CLAUDE_BLOCK_CAP_NAME, "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "CLAUDE_PID",
			      "CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR", "AI_AGENT"),
	.stop_names = "Stop",
	.transcript = &claude_transcript,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 600,
	.deadline_s = 590,
	.block_cap = CLAUDE_BLOCK_CAP,
	.block_cap_env = CLAUDE_BLOCK_CAP_NAME,
	.is_cap_reset_by_a_tool = true,
	.settings =
		&(const struct client_settings){
			.project_file = ".claude/settings.json",
			.local_file = ".claude/settings.local.json",
			.home_dir = ".claude",
			.home_env = "CLAUDE_CONFIG_DIR",
			.user_file = "settings.json",
			.server_file = ".mcp.json",
			.server_note = "Claude Code asks you once whether it may start this server",
			.looks_only_here = true,
			.plugins_key = "enabledPlugins",
			.disable_key = "disableAllHooks",
			.has_env = true,
			.has_status_message = true,
			.scopes_read = scopes_read,
			.shape = SHAPE_WITH_GROUPS(1),
			WANTED({ HOOK_STOP("Stop", "") },
			       { HOOK_EVENT("UserPromptSubmit", "UserPromptSubmit", "") },
			       { HOOK_EVENT("SessionEnd", "SessionEnd", "") }),
			.has_matchers = true,
			.next = "start a new Claude Code session (in a running one, check /hooks)",
		},
};
