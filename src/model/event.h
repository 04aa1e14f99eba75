/* SPDX-License-Identifier: MIT */
/* The event that a client sends to a hook, the same for every client. Absent strings were not sent. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "base/base.h"

struct client;

struct event {
	const struct client *client; /* the sender; NULL: unknown, treated as Claude Code */
	struct str name;             /* Stop for a stop of any client, others as sent; absent means Stop */
	struct str session_id;
	struct str cwd;
	struct str transcript_path;
	struct str last_message;  /* of the assistant */
	struct str prompt;        /* of the user, on UserPromptSubmit */
	struct str prompt_source; /* who wrote it: user, sdk, or something of the client's */
	int64_t timestamp_ms;     /* by the client's clock; 0: not sent as a number */
	struct str agent_id;
	bool is_stop_hook_active;
	bool is_subagent;
	bool is_given_up;        /* the user or an error ended the turn: nothing to block */
	uint64_t follow_ups;     /* blocks in this turn, if the client counts them */
	size_t background_tasks; /* still running; shells do not count, they may never end */
};

/* The names of all events that clients send, for checking registrations. */
extern const struct str event_names[];
extern const size_t event_name_count;

/* A session id as part of a file name: the id itself if it consists of A-Z a-z 0-9 . _ - and has at most 128 bytes. Else every
 * other byte becomes %XX, and if the result has more than 180 bytes, it is cut to 160, followed by '-' and the 64-bit FNV-1a of
 * the id in hex. Two ids have the same name only if that hash collides. No name contains a slash. */
struct str session_slug(struct arena *a, struct str id);

#endif
