/* SPDX-License-Identifier: MIT */
/* Turns a verdict into stdout, stderr and an exit code. Each client's dialect is in its own file; here is what the
 * dialects share, and the answers under the names ralph and conclaude. Pure. */
#ifndef CLIENT_REPLY_H
#define CLIENT_REPLY_H

#include "base/buf.h"
#include "model/status.h"

struct reply {
	struct str out, err;
	int exit_code;
};

/* Texts that go with the verdict; lines that end in a newline. */
struct reply_notes {
	struct str progress, details, warnings;
	const char *speaker; /* who speaks to the user; NULL: the original, which does not say */
};

typedef struct reply reply_fn(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* The message followed by every warning. */
struct str reply_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* The text for the user; absent: none. What is wrong with a file, FILE:LINE:COLUMN, comes first; then what happened. */
struct str reply_user_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* The lines for stderr. */
struct str reply_stderr(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* A JSON object on one line: decision and reason of a block, systemMessage where `user_message` is present. */
struct str reply_object(struct arena *a, const struct verdict *v, struct str user_message);

/* Exit code 0. A block is exactly decision and reason; an empty answer lets the agent stop. */
struct reply reply_block_or_silence(struct arena *a, const struct verdict *v,
				    const struct reply_notes *notes);

/* The dialect of the ralph hook: decision, reason and systemMessage of a block; systemMessage alone, or nothing, where
 * the agent may stop. */
struct reply reply_ralph(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* The dialect of conclaude: its lines of text and a line of JSON on stdout; a block is its message on stderr and exit code 2. */
struct reply reply_conclaude(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

#endif
