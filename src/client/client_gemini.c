/* SPDX-License-Identifier: MIT */
/* Gemini CLI: its stop is called AfterAgent, and it has no limit on blocks. Where stdout is empty it takes stderr for
 * the answer and shows it, so an answer always has an object on stdout. */
#include "client/client.h"

#include "doc/json.h"

static bool
is_event(const struct node *n)
{
	struct str name = node_get_str(n, "hook_event_name");

	return str_is(name, "AfterAgent") || str_is(name, "BeforeAgent");
}

static void
read_fields(const struct node *n, struct event *e)
{
	e->last_message = node_get_str(n, "prompt_response");
}

static bool
is_text(const struct node *block)
{
	return !node_get_bool(block, "thought");
}

/* A message is one line; a message that was changed is there twice, and the later line has all of it. A line that
 * replaces all messages ends the search, since those before it no longer count. */
static struct transcript_line
transcript_line(struct arena *a, struct str text)
{
	static const char *const words[] = { "\"gemini\"", "\"user\"" };
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;

	if (!transcript_parse(a, text, words, &r.kind, &line))
		return r;
	struct str type = node_get_str(&line, "type");

	if (str_is(type, "user") || node_get(node_get(&line, "$set"), "messages"))
		r.kind = LINE_PROMPT;
	else if (str_is(type, "gemini"))
		r.kind = LINE_ANSWER;
	r.text = transcript_text(a, node_get(&line, "content"), is_text);
	if (r.text.n == 0)
		r.text = STR_NONE; /* a tool call */
	const struct node *calls = node_get(&line, "toolCalls");

	r.is_of_tool = calls && calls->kind == NODE_LIST && calls->count > 0;
	return r;
}

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str out = reply_object(a, v, reply_user_message(a, v, notes));

	return (struct reply){ out, reply_stderr(a, v, notes), 0 };
}

/* A decision is a member of the answer itself; it can't ask. Nothing but an object may be on stdout. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool is_denied = e->is_blocked || e->decision == TOOL_DENY || e->decision == TOOL_ASK;
	struct str reason = e->decision == TOOL_ASK ? reply_unasked(a, e->reason) : e->reason;
	struct buf out = BUF(a, SIZE_MAX);

	buf_addc(&out, '{');
	if (is_denied) {
		json_add_member(&out, "decision", STR("deny"));
		json_add_member(&out, "reason", reason);
	}
	if (e->context.s && !is_denied) {
		json_add_key(&out, "hookSpecificOutput");
		buf_addc(&out, '{');
		json_add_member(&out, "hookEventName",
				e->row->id == EVENT_UserPromptSubmit ? STR("BeforeAgent") : e->row->name);
		json_add_member(&out, "additionalContext", e->context);
		buf_addc(&out, '}');
	}
	buf_add(&out, STR("}\n"));
	return (struct reply){ out.n > 3 ? buf_str(&out) : STR(""), reply_event_stderr(a, notes), 0 };
}

/* An exit code above 1 together with text blocks the agent, and even the user's prompt; also the shell's own exit code
 * and message where holdfast cannot be started. So stderr of a stop is discarded, which the client would not show next to
 * an answer anyway, and the other hooks end with success. */
static const struct hook_wanted wanted[] = {
	{ .event = "AfterAgent",
	  .words = "stop-hook --client gemini --deadline 590 2>/dev/null",
	  .timeout_s = 600 },
	{ .event = "BeforeAgent",
	  .words = "hook UserPromptSubmit --client gemini",
	  .timeout_s = 30,
	  .always_succeeds = true },
	{ .event = "SessionEnd",
	  .words = "hook SessionEnd --client gemini",
	  .timeout_s = 30,
	  .always_succeeds = true },
};

static const struct hook_event events[] = {
	{ EVENT_PreToolUse, "BeforeTool" },     { EVENT_PostToolUse, "AfterTool" },
	{ EVENT_PreCompact, "PreCompress" },    { EVENT_Notification, "Notification" },
	{ EVENT_SessionStart, "SessionStart" },
};

static const struct client_settings settings = {
	.project_file = ".gemini/settings.json",
	.home_dir = ".gemini",
	.user_file = "settings.json",
	.server_file = ".gemini/settings.json",
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
	.event_options = " --client gemini",
	.next = "start a new session of Gemini CLI, in a folder that it trusts",
};

static const char *const session_vars[] = {
	"GEMINI_CLI", "GEMINI_CWD", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID", NULL,
};

static const char *const stop_names[] = { "AfterAgent", NULL };

const struct client client_gemini = {
	.name = "gemini",
	.title = "Gemini CLI",
	.program = "gemini",
	.env_mark = "GEMINI_PROJECT_DIR",
	.project_env = "GEMINI_PROJECT_DIR",
	.is_event = is_event,
	.agent_env = "GEMINI_CLI",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.read = read_fields,
	.accumulates_messages = true,
	.transcript_line = transcript_line,
	.reply = reply,
	.event_reply = event_reply,
	.timeout_s = 60,
	.deadline_s = 55,
	.settings = &settings,
};
