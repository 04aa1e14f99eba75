/* SPDX-License-Identifier: MIT */
/* Antigravity, Google's successor to Gemini CLI, by its documentation and by what users have recorded: an event has no name, a
 * block is `continue`, and hooks.json has named hooks, each with its own events. Its event before a tool is not used: it has no
 * answer that leaves the decision to the user's own settings. */
#include "client/client.h"
#include "doc/json.h"

static void
read_fields(const struct node *n, struct event *e)
{
	static const char *const reasons[] = { "ERROR", "HALTED_STEP", "USER_CANCELED" };
	struct str reason = node_get_str(n, "terminationReason");
	const struct node *idle = node_get(n, "fullyIdle");

	/* Did something other than the model end the turn? Then there is nothing to go on with. */
	e->is_given_up = str_starts(reason, STR("MAX_")) || node_get_str(n, "error").n > 0;
	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		e->is_given_up |= str_is_word(reason, reasons[i]);
	/* It says whether something runs in the background, and not how much. */
	if (idle && idle->kind == NODE_BOOL && !idle->boolean)
		e->background_tasks = 1;
}

/* A prompt, or what a hook or a task has to say, begins a turn. The model's lines are its answers, with the calls of tools, and the
 * results of those, each of a type of its own. */
static void
find_results(const struct node *line, const struct node *body, struct transcript_line *r)
{
	(void)body;
	if (r->kind == LINE_OTHER)
		r->is_of_tool = str_is(node_get_str(line, "source"), "MODEL");
}

static const struct transcript_form transcript = {
	.words = { "\"type\"", "\"type\"" },
	.role = "type",
	.prompts = "USER_INPUT SYSTEM_MESSAGE",
	.answer = "PLANNER_RESPONSE",
	.content = "content",
	.calls = "tool_calls",
	.correct = find_results,
};

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	if (!status_blocks(v->status))
		return reply_with(a, v, notes, STR("{}\n"));
	return reply_with(a, v, notes, json_line(a, "decision", "continue", "reason", v->reason));
}

const struct client client_antigravity = {
	.name = "antigravity",
	.title = "Antigravity",
	.program = "agy",
	.mark = "conversationId",
	.session_env = "ANTIGRAVITY_CONVERSATION_ID",
	.session_vars = NAMES("ANTIGRAVITY_AGENT", "ANTIGRAVITY_CONVERSATION_ID",
			      "ANTIGRAVITY_TRAJECTORY_ID"),
	.stop_names = "Stop",
	/* Without a directory, the hook is started in that of hooks.json, which is in the project. */
	.fields = { .session_id = "conversationId",
		    .transcript_path = "transcriptPath",
		    .directories = "workspacePaths" },
	.read = read_fields,
	.transcript = &transcript,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 30,
	.deadline_s = 25,
	.settings =
		&(const struct client_settings){
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
			WANTED({ HOOK_STOP("Stop", " --client antigravity --deadline 590") }),
			/* None but those that are always registered. */
			.events = (const struct hook_event[1]){ { 0 } },
			.next = "start a new session of Antigravity and look at the list that /hooks shows",
			.doctor_note = "it drops the whole file without a word if it finds an error in it; "
				       "/hooks shows what it has loaded",
		},
};
