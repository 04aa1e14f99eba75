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
	struct str
		id; /* of an answer's message, which may go on in other lines; absent: this line is all of it */
	struct str text; /* of an answer; absent: it has none */
	bool is_of_tool; /* it has a tool's call or result, so the assistant goes on after it */
};
/* What the line is. It is not known to be JSON, and may be huge. */
typedef struct transcript_line transcript_line_fn(struct arena *a, struct str line);
struct transcript_reader {
	transcript_line_fn *line;
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
bool transcript_has_no_tool(const char *path, transcript_line_fn *line);

/* For the clients' line readers: the texts of a list of blocks for which `is_text` holds, joined by newlines, or a string
 * as it is; absent when there is none. */
struct str transcript_text(struct arena *a, const struct node *content,
			   bool (*is_text)(const struct node *block));
/* Parses a line that contains one of the words; false for any other, and for one that is not JSON. Most lines are
 * neither prompt nor answer, and to search one is cheaper than to parse it. Sets the kind of a line that is beyond the
 * limits. */
bool transcript_parse(struct arena *a, struct str line, const char *const words[2], enum line_kind *kind,
		      struct node *ret);
/* A line of the form {ROLE: "user" or "assistant", "message": {CONTENT: blocks}}. */
struct transcript_line transcript_message(struct arena *a, struct str line, const char *role_key,
					  const char *content_key, bool (*is_text)(const struct node *block));

#endif
