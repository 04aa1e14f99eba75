/* SPDX-License-Identifier: MIT */
/* Verdicts out: what goes to stdout, to stderr and into the exit code. What a client wants to hear is in its own file;
 * here is what their dialects are made of, and the answers of the other front ends. Pure. */
#ifndef CLIENT_REPLY_H
#define CLIENT_REPLY_H

#include "base/buf.h"
#include "model/verdict.h"

struct reply {
	struct str out, err;
	int exit_code;
};

/* What was said beside the verdict; lines that end in a newline. */
struct reply_notes {
	struct str progress, details, warnings;
};

typedef struct reply reply_fn(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* The message, and behind it every warning: any doubt is part of the answer. */
struct str reply_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* What the user is to see; absent where there is nothing. */
struct str reply_told(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* Lines for people who read stderr. */
struct str reply_log(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* A JSON object on one line: decision and reason of a block, systemMessage where `told` is there. */
struct str reply_object(struct arena *a, const struct verdict *v, struct str told);

/* Exit code 0. A block is exactly decision and reason; silence lets the agent stop. */
struct reply reply_block_or_silence(struct arena *a, const struct verdict *v,
				    const struct reply_notes *notes);

/* The Ralph loop's own dialect: decision, reason and systemMessage of a block; systemMessage alone, or nothing,
 * where the agent may stop. */
struct reply reply_ralph(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* conclaude's: its lines of text and a line of JSON on stdout; a block is its message on stderr and exit code 2. */
struct reply reply_conclaude(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

#endif
