/* SPDX-License-Identifier: MIT */
/* The assistant's final message, taken from a transcript: for clients that do not send it with the event. How a line is
 * to be read is the client's affair. */
#ifndef CLIENT_TRANSCRIPT_H
#define CLIENT_TRANSCRIPT_H

#include "doc/reverse_lines.h"
#include "doc/node.h"

enum line_kind {
	LINE_OTHER,  /* passed over */
	LINE_PROMPT, /* of the user, or of a hook: where this turn begins */
	LINE_ANSWER, /* of the assistant */
	LINE_LIMIT,  /* beyond the limits of JSON: it may be a prompt, so the search ends here */
};
struct transcript_line {
	enum line_kind kind;
	struct str id;   /* of an answer's message, which may go on in other lines; absent: it does not */
	struct str text; /* of an answer; absent: it has none */
	bool is_of_tool; /* it has a tool's call or result, so the assistant goes on after it */
};
/* How a client's lines are read. A line is a map; its body is a member of it, or the line itself. */
struct transcript_form {
	const char *words[2];         /* a line with none of them is not parsed: to search one is cheaper */
	const char *body;             /* the member that is the body; NULL: the line is */
	const char *role, *body_role; /* members of the line and of the body: who speaks; NULL: none */
	const char *prompts,
		*answer;         /* what they say of the user's lines, with blanks between, and of answers */
	const char *content;     /* of the body: a text, or a list of blocks with one */
	const char *block_types; /* of the blocks that are text, with blanks between; NULL: of all types */
	bool skips_thoughts;     /* blocks that are marked so are none */
	bool has_ids;            /* of messages, in the body */
	bool needs_text;         /* a prompt has one; else it is the result of a tool */
	const char *calls;       /* of the body: a list of calls of tools; NULL: they are known otherwise */
	/* Corrects what was read; NULL: nothing has to be. */
	void (*correct)(const struct node *line, const struct node *body, struct transcript_line *r);
};

struct transcript_reader {
	const struct transcript_form *form;
	struct str mark; /* in a line that the client writes after the answer; absent: it writes none */
};

/* Going back from the end, no further than the last prompt of the user: the newest message of the assistant that
 * has text, its pieces joined by newlines, wherever its lines are. Empty when there is none, or when the search hit its
 * limits. Clients may write the answer after they have started the hook: while the mark is not there or, where there is no mark,
 * the transcript ends with a prompt or with a tool's call or result, it is read again, for at most wait_ms. */
int transcript_last_message(struct arena *a, const char *path, const struct transcript_reader *reader,
			    int64_t wait_ms, struct str *ret, struct err *err) MUST_CHECK;

/* The same over lines that come from anywhere. *ret_is_pending: the answer is not there yet. */
int transcript_scan(struct arena *a, struct reverse_lines *lines, const struct transcript_reader *reader,
		    struct str *ret, bool *ret_is_pending, struct err *err) MUST_CHECK;

/* Is it certain that there is no tool's call or result after the last prompt? */
bool transcript_has_no_tool(const char *path, const struct transcript_form *form);

#endif
