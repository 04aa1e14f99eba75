/* SPDX-License-Identifier: MIT */
/* The assistant's final message, taken from a transcript: for clients that do not send it with the event. */
#ifndef AGENT_TRANSCRIPT_H
#define AGENT_TRANSCRIPT_H

#include "doc/lines_back.h"

/* Going back from the end, no further than the last prompt of the user: the newest message of the assistant that
 * has text, its text blocks joined by newlines, wherever its lines are. Subagents' lines, errors of the API and
 * what does not parse are passed over. Empty when there is none, or when the search hit its limits. */
int transcript_last_message(struct arena *a, const char *path, struct str *ret, struct err *err) MUST_CHECK;

/* The same over lines that come from anywhere. */
int transcript_scan(struct arena *a, struct lines_back *lines, struct str *ret, struct err *err) MUST_CHECK;

#endif
