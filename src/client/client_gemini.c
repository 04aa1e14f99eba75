/* SPDX-License-Identifier: MIT */
/* Gemini CLI: its stop is called AfterAgent, and it has no limit on blocks. Where stdout is empty it takes stderr for
 * the answer and shows it, so an answer always has an object on stdout. */
#include "client/client.h"

#include "doc/json.h"

static bool
is_event(const struct node *n)
{
	return str_is_word_of(node_get_str(n, "hook_event_name"), "AfterAgent BeforeAgent");
}

/* A line that replaces all messages ends the search, since those before it no longer count. */
static void
end_at_replacement(const struct node *line, const struct node *body, struct transcript_line *r)
{
	(void)body;
	if (node_get(node_get(line, "$set"), "messages"))
		r->kind = LINE_PROMPT;
}

/* A message is one line; a message that was changed is there twice, and the later line has all of it. */
static const struct transcript_form transcript = {
	.words = { "\"gemini\"", "\"user\"" },
	.role = "type",
	.prompts = "user",
	.answer = "gemini",
	.content = "content",
	.skips_thoughts = true,
	.calls = "toolCalls",
	.correct = end_at_replacement,
};

/* A decision is a member of the answer itself; it can't ask. Nothing but an object may be on stdout. */
static struct reply
event_reply(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool is_denied = e->is_blocked || e->decision == TOOL_DENY || e->decision == TOOL_ASK;
	struct str reason = e->decision == TOOL_ASK ? reply_unasked(a, e->reason) : e->reason;
	struct str name = e->row->id == EVENT_UserPromptSubmit ? STR("BeforeAgent") : e->row->name, out;

	if (is_denied)
		out = json_line(a, "decision", "deny", "reason", reason.s ? reason : STR(""));
	else if (e->context.s)
		out = json_line(a, "hookSpecificOutput",
				JSON(json_object(a, "hookEventName", name, "additionalContext", e->context)));
	else
		out = STR("");
	return reply_event_object(a, out, notes);
}

const struct client client_gemini = {
	.name = "gemini",
	.title = "Gemini CLI",
	.program = "gemini",
	.project_env = "GEMINI_PROJECT_DIR",
	.is_event = is_event,
	.agent_env = "GEMINI_CLI",
	.session_vars = NAMES("GEMINI_CLI", "GEMINI_CWD", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID"),
	.stop_names = "AfterAgent",
	.fields = { .last_message = "prompt_response" },
	.accumulates_messages = true,
	.transcript = &transcript,
	.reply = reply_object,
	.event_reply = event_reply,
	.timeout_s = 60,
	.deadline_s = 55,
	.settings =
		&(const struct client_settings){
			.project_file = ".gemini/settings.json",
			.home_dir = ".gemini",
			.user_file = "settings.json",
			.server_file = ".gemini/settings.json",
			.looks_only_here = true,
			.shape = SHAPE_WITH_GROUPS(1000),
			/* An exit code above 1 together with text blocks the agent, and even the user's prompt; also the
			 * shell's own exit code and message where holdfast cannot be started. So stderr of a stop is
			 * discarded, which the client would not show next to an answer anyway, and the other hooks end
			 * with success. */
			WANTED({ HOOK_STOP("AfterAgent", " --client gemini --deadline 590 2>/dev/null") },
			       { HOOK_EVENT("BeforeAgent", "UserPromptSubmit", " --client gemini"),
				 .always_succeeds = true },
			       { HOOK_EVENT("SessionEnd", "SessionEnd", " --client gemini"),
				 .always_succeeds = true }),
			EVENTS({ EVENT_PreToolUse, "BeforeTool" }, { EVENT_PostToolUse, "AfterTool" },
			       { EVENT_PreCompact, "PreCompress" }, SAME(Notification), SAME(SessionStart)),
			.next = "start a new session of Gemini CLI, in a folder that it trusts",
		},
};
