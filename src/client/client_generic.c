/* SPDX-License-Identifier: MIT */
/* Any other client: the answer that blocked a stop in every client that was tried. The reason is in a JSON object on
 * stdout and by itself on stderr, with exit code 2; an empty answer and 0 let the agent stop. */
#include "client/client.h"

static struct reply
reply(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct reply r = reply_block_or_silence(a, v, notes);

	if (status_blocks(v->status)) {
		r.err = v->reason;
		r.exit_code = 2;
	}
	return r;
}

const struct client client_generic = {
	.name = "generic",
	.title = "another client",
	.stop_names = "Stop AfterAgent agentStop stop",
	.fields = { .session_id = "sessionId",
		    .transcript_path = "transcriptPath",
		    .last_message = "prompt_response" },
	.transcript = &claude_transcript,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 30,
	.deadline_s = 25,
};
