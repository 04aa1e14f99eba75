/* SPDX-License-Identifier: MIT */
/* Any other client: the answer that blocked a stop in every client that was tried. The reason is in a JSON object on
 * stdout and by itself on stderr, with exit code 2; an empty answer and 0 let the agent stop. */
#include "client/client.h"

static void
read_fields(const struct node *n, struct event *e)
{
	if (!e->session_id.s)
		e->session_id = node_get_str(n, "sessionId");
	if (!e->transcript_path.s)
		e->transcript_path = node_get_str(n, "transcriptPath");
	if (!e->last_message.s)
		e->last_message = node_get_str(n, "prompt_response");
}

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

static const char *const stop_names[] = { "Stop", "AfterAgent", "agentStop", "stop", NULL };

const struct client client_generic = {
	.name = "generic",
	.title = "another client",
	.stop_names = stop_names,
	.read = read_fields,
	.transcript_line = claude_transcript_line,
	.reply = reply,
	.event_reply = reply_event_claude,
	.timeout_s = 30,
	.deadline_s = 25,
};
