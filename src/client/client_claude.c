/* SPDX-License-Identifier: MIT */
/* Claude Code. */
#include "client/client.h"

#include "client/registration.h"
#include "doc/json.h"
#include "model/block_cap.h"
#include "os/env.h"
#include "os/fs.h"

#include <inttypes.h>

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
	struct err ignored;

	if (!number_parse(env_get("CLAUDE_PID"), &pid) ||
	    fs_read(a, str_fmt(a, "/proc/%" PRIu64 "/%s", pid, name).s, MIB(4), &text, &ignored) < 0)
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

static bool
is_listed(struct str list, const char *word)
{
	struct str item;

	while (str_next(&list, ',', &item))
		if (str_is(str_trim(item), word))
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
			list = str_sub(word, option.n + 1, word.n);
	}
	for (int i = 0; i < SCOPE_COUNT; i++)
		if (!list.s || is_listed(list, settings_scope_names[i]))
			scopes |= 1U << i;
	return scopes;
}

static bool
is_text(const struct node *block)
{
	return str_is(node_get_str(block, "type"), "text");
}

static bool
has_tool(const struct node *content)
{
	for (size_t i = 0; content && content->kind == NODE_LIST && i < content->count; i++) {
		struct str type = node_get_str(&content->items[i], "type");

		if (str_is(type, "tool_use") || str_is(type, "tool_result"))
			return true;
	}
	return false;
}

static bool
is_prompt(const struct node *line, struct str text)
{
	return text.s && (!node_get_bool(line, "isMeta") || str_starts(text, FEEDBACK));
}

/* Ignores lines of subagents, API errors and lines that do not parse. */
struct transcript_line
claude_transcript_line(struct arena *a, struct str text)
{
	static const char *const words[] = { "\"assistant\"", "\"user\"" };
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;

	if (!transcript_parse(a, text, words, &r.kind, &line) || node_get_bool(&line, "isSidechain"))
		return r;
	const struct node *message = node_get(&line, "message");
	struct str type = node_get_str(&line, "type");

	if (!type.s)
		type = node_get_str(message, "role");
	r.text = transcript_text(a, node_get(message, "content"), is_text);
	r.is_of_tool = has_tool(node_get(message, "content"));
	r.id = node_get_str(message, "id");
	if (str_is(type, "user") && is_prompt(&line, r.text))
		r.kind = LINE_PROMPT;
	else if (str_is(type, "assistant") && !node_get_bool(&line, "isApiErrorMessage"))
		r.kind = LINE_ANSWER;
	return r;
}

/* One JSON line with decision, status, message, reason (of a block only), stopReason and, where the user is to see it,
 * systemMessage; terminalSequence is known since 2.1.141. */
static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	bool blocks = status_blocks(v->status);
	struct str message = reply_message(a, v, notes), shown = reply_user_message(a, v, notes);
	struct buf out = BUF(a, SIZE_MAX);

	buf_addc(&out, '{');
	json_add_member(&out, "decision", blocks ? STR("block") : STR("approve"));
	json_add_member(&out, "status", status_name(v->status));
	json_add_member(&out, "message", message);
	if (blocks)
		json_add_member(&out, "reason", v->reason);
	json_add_member(&out, "stopReason", blocks ? v->reason : message);
	if (shown.s)
		json_add_member(&out, "systemMessage", shown);
	if (notes->terminal_sequence.s)
		json_add_member(&out, "terminalSequence", notes->terminal_sequence);
	buf_add(&out, STR("}\n"));
	return (struct reply){ buf_str(&out), reply_stderr(a, v, notes), 0 };
}

static const struct hook_wanted wanted[] = {
	{ .event = "Stop", .words = "stop-hook", .timeout_s = 600 },
	{ .event = "UserPromptSubmit", .words = "hook UserPromptSubmit", .timeout_s = 30 },
	{ .event = "SessionEnd", .words = "hook SessionEnd", .timeout_s = 30 },
};

static const struct client_settings settings = {
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
	.shape = { .has_groups = true,
		   .has_type = true,
		   .command_key = "command",
		   .timeout_key = "timeout",
		   .timeout_units = 1 },
	.wanted = wanted,
	.wanted_count = COUNT_OF(wanted),
	.has_matchers = true,
	.next = "start a new Claude Code session (in a running one, check /hooks)",
};

static const char *const session_vars[] = {
	"CLAUDECODE",
	"CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_SESSION_ATTENDED",
	SESSION_ENV,
	"CLAUDE_CODE_SSE_PORT",
	CLAUDE_BLOCK_CAP_NAME,
	"CLAUDE_EFFORT",
	"CLAUDE_ENV_FILE",
	"CLAUDE_PID",
	"CLAUDE_PLUGIN_DATA",
	"CLAUDE_PLUGIN_ROOT",
	"CLAUDE_PROJECT_DIR",
	"AI_AGENT",
	NULL,
};

static const char *const stop_names[] = { "Stop", NULL };

const struct client client_claude = {
	.name = "claude",
	.title = "Claude Code",
	.program = "claude",
	.is_event = is_event,
	.project_env = "CLAUDE_PROJECT_DIR",
	.session_env = SESSION_ENV,
	.is_nested_in_own_kind = is_nested_in_own_kind,
	.agent_env = "CLAUDECODE",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.subagent_stop_name = "SubagentStop",
	.transcript_line = claude_transcript_line,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 600,
	.deadline_s = 590,
	.block_cap = CLAUDE_BLOCK_CAP,
	.block_cap_env = CLAUDE_BLOCK_CAP_NAME,
	.is_cap_reset_by_a_tool = true,
	.settings = &settings,
};
