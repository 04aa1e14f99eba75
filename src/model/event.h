/* SPDX-License-Identifier: MIT */
/* What a client tells a hook, whichever client it is. Absent strings were not sent. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "base/base.h"

struct client;

struct event {
	const struct client *client; /* whose it is; NULL: that is not known, and Claude Code's ways hold */
	struct str name; /* a stop is called Stop, all others as they were sent; absent means a stop */
	struct str session_id;
	struct str cwd;
	struct str transcript_path;
	struct str last_message; /* of the assistant; absent when the client does not send it */
	struct str prompt;       /* of the user, on UserPromptSubmit */
	struct str agent_id;
	bool is_stop_hook_active;
	bool is_subagent;
	bool is_given_up;        /* the user or an error ended the turn: there is nothing to hold back */
	uint64_t follow_ups;     /* stops that were turned back in this turn, where the client counts them */
	size_t background_tasks; /* that are still running */
};

/* The names of all events that clients send, for checking registrations. */
extern const struct str event_names[];
extern const size_t event_name_count;

/* A session id as part of a file name: the id itself if it is made of A-Z a-z 0-9 . _ - and is at most 128 bytes; else every other byte becomes %XX,
 * and what is longer than 180 bytes then is its first 160 bytes, '-' and the 64-bit FNV-1a of the id in hex. Two
 * ids never get the same name, but for a collision of that hash, and no name has a slash in it. */
struct str session_slug(struct arena *a, struct str id);

#endif
