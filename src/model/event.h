/* SPDX-License-Identifier: MIT */
/* The event that a client sends to a hook, the same for every client. Absent strings were not sent. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "doc/node.h"

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
	struct str prompt_id;     /* the same for all stops until the next prompt */
	int64_t timestamp_ms;     /* by the client's clock; 0: not sent as a number */
	struct str agent_id;
	bool is_stop_hook_active;
	bool is_subagent;
	bool is_given_up;        /* the user or an error ended the turn: nothing to block */
	uint64_t follow_ups;     /* blocks in this turn, if the client counts them */
	size_t background_tasks; /* still running; shells do not count, they may never end */
	size_t wake_ups;         /* that the session has scheduled */
};

/* ---- the table of events, event.def ---- */

enum event_id {
#define EVENT(name, ...) EVENT_##name,
#include "model/event.def"
	EVENT_COUNT
};

/* What the commands of an event can do to it. */
enum event_effect { EVENT_OBSERVES, EVENT_BLOCKS, EVENT_DECIDES };

enum field_check { CHECK_ANY, CHECK_MISSING, CHECK_EMPTY };
struct event_field {
	const char *name; /* NULL: the end of the list */
	enum field_check check;
	const char *variable; /* of the environment of commands, without its prefix; NULL: none */
};
#define EVENT_FIELDS_MAX 6

struct event_row {
	enum event_id id;
	struct str name;     /* PreToolUse */
	const char *native;  /* pre_tool_use */
	const char *section; /* of .conclaude.yaml; NULL: it has none */
	const char *subject; /* the field that patterns are compared with; NULL: none */
	enum event_effect effect;
	struct event_field fields[EVENT_FIELDS_MAX];
};
extern const struct event_row event_rows[EVENT_COUNT];
/* NULL: there is no such event. */
const struct event_row *event_find(struct str name);

/* The names of all events, for checking registrations. */
extern const struct str event_names[];
extern const size_t event_name_count;

/* Checks the fields of a payload. A field that is missing, or of another type than text, is an error only where the row demands
 * the field: clients change theirs with every version. */
int event_check(const struct event_row *row, const struct node *payload, struct err *err) MUST_CHECK;
/* A field as text: a string as it is, other scalars as they are spelled, lists and objects as JSON; absent: there is none.
 * agent_type and subagent_type are the same field. */
struct str event_value(struct arena *a, const struct node *payload, const char *field);

/* ---- tools ---- */

enum tool_kind { TOOL_OTHER, TOOL_SHELL, TOOL_WRITE, TOOL_EDIT, TOOL_READ };
/* A tool that the agent wants to use, or has used, the same for every client. */
struct tool_call {
	struct str name; /* as the client calls it: Bash, run_shell_command */
	enum tool_kind kind;
	const struct node *input; /* its arguments; NULL: none */
	struct str command;       /* of a shell; absent: none */
	struct str_list paths;    /* of the files that it works on, as the client sends them */
};
enum tool_decision { TOOL_PASS, TOOL_ALLOW, TOOL_ASK, TOOL_DENY };

/* A session id as part of a file name: the id itself if it consists of A-Z a-z 0-9 . _ - and has at most 128 bytes. Else every
 * other byte becomes %XX, and if the result has more than 180 bytes, it is cut to 160, followed by '-' and the 64-bit FNV-1a of
 * the id in hex. Two ids have the same name only if that hash collides. No name contains a slash. */
struct str session_slug(struct arena *a, struct str id);

#endif
