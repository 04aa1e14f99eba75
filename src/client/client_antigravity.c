/* SPDX-License-Identifier: MIT */
/* Antigravity, Google's successor to Gemini CLI, by its documentation and by what users have recorded: an event has no name, a
 * block is `continue`, and hooks.json has named hooks, each with its own events. Its event before a tool is not used: it has no
 * answer that leaves the decision to the user's own settings. */
#include "client/client.h"
#include "doc/json.h"

static bool
is_event(const struct node *n)
{
	return node_get_str(n, "conversationId").s;
}

/* Did something other than the model end the turn? Then there is nothing to go on with. */
static bool
is_given_up(const struct node *n)
{
	static const char *const reasons[] = { "ERROR", "HALTED_STEP", "USER_CANCELED" };
	struct str reason = node_get_str(n, "terminationReason");

	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		if (str_is_word(reason, reasons[i]))
			return true;
	return str_starts(reason, STR("MAX_")) || node_get_str(n, "error").n > 0;
}

static void
read_fields(const struct node *n, struct event *e)
{
	const struct node *paths = node_get(n, "workspacePaths"), *idle = node_get(n, "fullyIdle");

	if (!e->session_id.s)
		e->session_id = node_get_str(n, "conversationId");
	if (!e->transcript_path.s)
		e->transcript_path = node_get_str(n, "transcriptPath");
	/* Without one, the hook is started in the directory of hooks.json, which is in the project. */
	if (!e->cwd.s && paths && paths->kind == NODE_LIST && paths->count > 0 &&
	    paths->items[0].kind == NODE_STRING)
		e->cwd = paths->items[0].text;
	e->is_given_up = is_given_up(n);
	/* It says whether something runs in the background, and not how much. */
	if (idle && idle->kind == NODE_BOOL && !idle->boolean)
		e->background_tasks = 1;
}

static bool
is_text(const struct node *block)
{
	(void)block;
	return true;
}

/* A prompt, or what a hook or a task has to say, begins a turn. The model's lines are its answers, with the calls of tools, and the
 * results of those, each of a type of its own. */
static struct transcript_line
transcript_line(struct arena *a, struct str text)
{
	static const char *const words[] = { "\"type\"", "\"type\"" };
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;

	if (!transcript_parse(a, text, words, &r.kind, &line))
		return r;
	struct str type = node_get_str(&line, "type");
	const struct node *calls = node_get(&line, "tool_calls");

	if (str_is(type, "USER_INPUT") || str_is(type, "SYSTEM_MESSAGE")) {
		r.kind = LINE_PROMPT;
	} else if (str_is(type, "PLANNER_RESPONSE")) {
		r.kind = LINE_ANSWER;
		r.text = transcript_text(a, node_get(&line, "content"), is_text);
		if (r.text.n == 0)
			r.text = STR_NONE; /* a tool call */
		r.is_of_tool = calls && calls->kind == NODE_LIST && calls->count > 0;
	} else {
		r.is_of_tool = str_is(node_get_str(&line, "source"), "MODEL");
	}
	return r;
}

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct buf out = BUF(a, SIZE_MAX);

	buf_addc(&out, '{');
	if (status_blocks(v->status)) {
		json_add_member(&out, "decision", STR("continue"));
		json_add_member(&out, "reason", v->reason);
	}
	buf_add(&out, STR("}\n"));
	return (struct reply){ buf_str(&out), reply_stderr(a, v, notes), 0 };
}

static const struct hook_wanted wanted[] = {
	{ .event = "Stop",
	  .words = "stop-hook --client antigravity --deadline 590",
	  .user_words = "stop-hook --client antigravity --deadline 590 --user",
	  .timeout_s = 600 },
};

/* None but those that are always registered. */
static const struct hook_event events[1];

static const struct client_settings settings = {
	.project_file = ".agents/hooks.json",
	.home_dir = ".gemini/config",
	.user_file = "hooks.json",
	.server_file = ".agents/mcp_config.json",
	.runs_equal_lines = true,
	.shape = { .hooks_key = "holdfast",
		   .has_type = true,
		   .command_key = "command",
		   .timeout_key = "timeout",
		   .timeout_units = 1 },
	.wanted = wanted,
	.wanted_count = COUNT_OF(wanted),
	.events = events,
	.event_options = " --client antigravity",
	.next = "start a new session of Antigravity and look at the list that /hooks shows",
	.doctor_note = "it drops the whole file without a word if it finds an error in it; /hooks shows what "
		       "it has loaded",
};

static const char *const session_vars[] = {
	"ANTIGRAVITY_AGENT",
	"ANTIGRAVITY_CONVERSATION_ID",
	"ANTIGRAVITY_TRAJECTORY_ID",
	NULL,
};

static const char *const stop_names[] = { "Stop", NULL };

const struct client client_antigravity = {
	.name = "antigravity",
	.title = "Antigravity",
	.program = "agy",
	.is_event = is_event,
	.session_env = "ANTIGRAVITY_CONVERSATION_ID",
	.session_vars = session_vars,
	.stop_names = stop_names,
	.read = read_fields,
	.transcript_line = transcript_line,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 30,
	.deadline_s = 25,
	.settings = &settings,
};
