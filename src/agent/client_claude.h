/* SPDX-License-Identifier: MIT */
/* What of Claude Code's ways others have a use for beside its row. */
#ifndef AGENT_CLIENT_CLAUDE_H
#define AGENT_CLIENT_CLAUDE_H

#include "agent/client.h"

/* One JSON line with decision, status, message, reason (of a block only), stopReason and, where the user is to see it,
 * systemMessage. Exit code 0 always. */
struct reply reply_decision(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

transcript_line_fn claude_transcript_line;

#endif
