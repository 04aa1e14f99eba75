/* SPDX-License-Identifier: MIT */
/* Codex CLI. It validates answers against a strict schema and silently drops a block with an unknown field or decision,
 * so a block has two fields and, where the user is to see something, systemMessage, which alone is an answer, too; every
 * other answer is empty. It has no limit on blocks. */
#include "client/client.h"

static void
pass_over_others(const struct node *line, const struct node *item, struct transcript_line *r)
{
	if (!str_is(node_get_str(line, "type"), "response_item") ||
	    !str_is(node_get_str(item, "type"), "message"))
		r->kind = LINE_OTHER;
}

/* A hook's reason is recorded as a user's message, and begins a new turn as one does. */
static const struct transcript_form transcript = {
	.words = { "\"assistant\"", "\"user\"" },
	.body = "payload",
	.body_role = "role",
	.prompts = "user",
	.answer = "assistant",
	.content = "content",
	.block_types = "output_text input_text",
	.has_ids = true,
	.correct = pass_over_others,
};

const struct client client_codex = {
	.name = "codex",
	.title = "Codex CLI",
	.program = "codex",
	.mark = "turn_id",
	.session_env = "CODEX_SESSION_ID",
	.agent_env = "CODEX_THREAD_ID",
	.session_vars = NAMES("CODEX_CI", "CODEX_INTERNAL_ORIGINATOR_OVERRIDE", "CODEX_SESSION_ID",
			      "CODEX_THREAD_ID", "PLUGIN_ROOT"),
	.stop_names = "Stop",
	.transcript = &transcript,
	.reply = reply_object_or_silence,
	.event_reply = reply_event_without_ask,
	.timeout_s = 600,
	.deadline_s = 590,
	.reason_limit_bytes = 10000,
	.settings =
		&(const struct client_settings){
			.project_file = ".codex/hooks.json",
			.home_dir = ".codex",
			.home_env = "CODEX_HOME",
			.user_file = "hooks.json",
			.server_file = ".codex/config.toml",
			.server_note = "Codex starts it in a project that you have trusted",
			.runs_equal_lines = true,
			.shape = SHAPE_WITH_GROUPS(1),
			WANTED({ HOOK_STOP("Stop", " --client codex") },
			       { HOOK_EVENT("UserPromptSubmit", "UserPromptSubmit", " --client codex") },
			       /* It grants at most 3 seconds at the end of a session, and warns each time when asked for more. */
			       { .event = "SessionEnd",
				 .words = "hook SessionEnd --client codex",
				 .timeout_s = 3 }),
			EVENTS(SAME(PreToolUse), SAME(PermissionRequest), SAME(PostToolUse), SAME(PreCompact),
			       SAME(PostCompact), SAME(SessionStart), SAME(SubagentStart),
			       SAME(SubagentStop)),
			.next = "open /hooks in Codex and trust the hooks; until then Codex skips them "
				"silently",
			.doctor_note = "it runs a hook only once you have trusted it in /hooks, and again "
				       "after its entry has changed; a hook that is not trusted is skipped "
				       "without a word",
		},
};
