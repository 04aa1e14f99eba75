/* SPDX-License-Identifier: MIT */
/* Verdicts out: what goes to stdout, to stderr and into the exit code, in each dialect. Pure. */
#ifndef AGENT_REPLY_H
#define AGENT_REPLY_H

#include "model/verdict.h"

struct reply {
	struct str out, err;
	int exit_code;
};

/* What was said beside the verdict; lines that end in a newline. */
struct reply_notes {
	struct str progress, details, warnings;
};

/* Claude Code, for `stop-hook`: one JSON line with decision, status, message, reason (of a block only),
 * stopReason and, where the user is to see it, systemMessage. Exit code 0 always. */
struct reply reply_decision(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* The same for an answer that must be ready before anything is decided. */
struct reply reply_status(struct arena *a, enum status status, struct str message);

/* The Ralph loop's own dialect: decision, reason and systemMessage of a block; systemMessage alone, or nothing,
 * where the agent may stop. */
struct reply reply_ralph(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* conclaude's: its lines of text and a line of JSON on stdout; a block is its message on stderr and exit code 2. */
struct reply reply_conclaude(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

#endif
