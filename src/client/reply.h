/* SPDX-License-Identifier: MIT */
/* Turns a verdict into stdout, stderr and an exit code. Each client's dialect is in its own file; here is what the
 * dialects share, and the answers under the names ralph and conclaude. Pure. */
#ifndef CLIENT_REPLY_H
#define CLIENT_REPLY_H

#include "model/event.h"
#include "model/status.h"

struct reply {
	struct str out, err;
	int exit_code;
};

/* Texts that go with the verdict; lines that end in a newline. */
struct reply_notes {
	struct str progress, details, warnings;
	struct str terminal_sequence; /* that the client writes to its terminal; absent: none */
	const char *speaker;          /* who speaks to the user; NULL: the original, which does not say */
};

typedef struct reply reply_fn(struct arena *a, const struct verdict *v, const struct reply_notes *notes);

/* The message followed by every warning. */
struct str reply_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* The text for the user; absent: none. What is wrong with a file, FILE:LINE:COLUMN, comes first; then what happened. */
struct str reply_user_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes);
/* The answer with this on stdout, warnings and the message on stderr, and exit code 0. */
struct reply reply_with(struct arena *a, const struct verdict *v, const struct reply_notes *notes,
			struct str out);

/* A JSON object on one line: decision and reason of a block, systemMessage where there is a text for the user. */
reply_fn reply_object;
/* The same, or nothing where it has no members. */
reply_fn reply_object_or_silence;
/* A block is exactly decision and reason; an empty answer lets the agent stop. */
reply_fn reply_block_or_silence;

/* The dialect of the ralph hook: decision, reason and systemMessage of a block; systemMessage alone, or nothing, where
 * the agent may stop. */
reply_fn reply_ralph;

/* The dialect of conclaude: its lines of text and a line of JSON on stdout; a block is its message on stderr and exit code 2. */
reply_fn reply_conclaude;

/* ---- events other than a stop ---- */

struct event_answer {
	const struct event_row *row;
	enum tool_decision decision; /* on the use of a tool */
	bool is_blocked;             /* any other event */
	struct str reason;           /* of a block, a denial or a question */
	struct str context;          /* for the model; absent: none */
	struct str output;           /* printed as it is, the path of a worktree; absent: none */
};
typedef struct reply event_reply_fn(struct arena *a, const struct event_answer *e,
				    const struct reply_notes *notes);

/* Claude Code's: decisions and context in hookSpecificOutput; a block is exit code 2 with the reason on stderr. */
event_reply_fn reply_event_claude;
/* The same for a client that can't ask its user: a question is a denial that says so. */
event_reply_fn reply_event_without_ask;
/* A block that every client honours: decision and reason on stdout, the reason on stderr, exit code 2. */
struct reply reply_event_block(struct arena *a, const struct event_answer *e);
/* An answer of this object, or an empty one where it has no members. */
struct reply reply_event_object(struct arena *a, struct str object, const struct reply_notes *notes);
/* What the agent is told if its client can't ask. */
struct str reply_unasked(struct arena *a, struct str reason);
/* NULL: there is no decision. */
const char *tool_decision_name(enum tool_decision d);
/* The dialect of conclaude. */
event_reply_fn reply_event_conclaude;

#endif
