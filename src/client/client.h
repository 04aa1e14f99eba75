/* SPDX-License-Identifier: MIT */
/* Coding agents' clients: what each sends, what it understands, where it stops listening, and where its hooks are
 * registered. A client is one file with one row; nothing about a client is written down anywhere else. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "client/hook_settings.h"
#include "client/reply.h"
#include "client/transcript.h"
#include "doc/node.h"
#include "model/event.h"

/* Where a client's hooks are registered. Files are relative to the project, or to the client's own directory in the
 * home. */
struct client_settings {
	const char *project_file;
	const char *local_file; /* the user's own for the project; NULL: it has none */
	const char *home_dir;   /* below the home: .codex */
	const char *home_env;   /* names that directory instead; NULL: nothing does */
	const char *user_file;  /* in it */
	/* All files in the directory of project_file and of user_file count, not that one alone. */
	bool has_many_files;
	/* It reads a project's files in the directory that it is started in, and in none above. */
	bool looks_only_here;
	/* It also runs the hooks in Claude Code's settings, so that one stop may reach us twice. */
	bool reads_claude_settings;
	/* So it may where the same command line stands in two of its files: it runs each of them. */
	bool runs_equal_lines;
	struct hook_shape shape;
	const struct hook_wanted *wanted; /* the stop first */
	size_t wanted_count;
	const char *next;        /* what is left for the user to do */
	const char *doctor_note; /* what can't be seen from here; NULL: nothing */
};

struct client {
	const char *name;    /* --client NAME */
	const char *title;   /* as people call it */
	const char *program; /* looked for in PATH; NULL: there is none */

	/* How its events are told from others: a variable that only its hooks have, and fields that only it sends.
	 * NULL: there is no such mark. */
	const char *env_mark;
	bool (*is_event)(const struct node *event);
	/* The variable by which a command that its agent, or a subagent, runs knows the session; NULL: nothing tells. */
	const char *session_env;
	/* Its hooks have that variable too, so that another client of the same kind, which has started this one, is to be
	 * told by other means, if at all; NULL: the variable tells. */
	bool (*is_within_its_kind)(struct arena *a);

	/* What its stops are called; NULL-terminated. An event without a name is a stop. */
	const char *const *stop_names;
	/* Puts right what differs from Claude Code's field names, by which `e` has been filled; NULL: nothing. */
	void (*read)(const struct node *event, struct event *e);
	/* The message in the event is that of all answers since the user's prompt, not of the last one. */
	bool accumulates_messages;
	transcript_line_fn *transcript_line; /* NULL: it has no transcript that is understood */

	reply_fn *reply;

	int64_t timeout_s;           /* when it ends a hook that names no time of its own */
	int64_t deadline_s;          /* by when we answer there: below that */
	uint64_t block_cap;          /* stops in a row that it lets us turn back; 0: any number */
	const char *block_cap_env;   /* a variable that changes it; NULL: nothing does */
	bool is_cap_exclusive;       /* the block that reaches the number is overridden already */
	bool is_cap_reset_by_a_tool; /* a tool call between two stops begins the count anew */
	size_t reason_limit_bytes;   /* more is not shown to the model as it is; 0: no limit */

	const struct client_settings *settings; /* NULL: nothing can be registered */
};

#define CLIENT(name) extern const struct client client_##name;
#include "client/client.def"
#undef CLIENT

extern const struct client *const clients[];
extern const size_t client_count;
#define CLIENTS_MAX 16
/* Their names, NULL-terminated, and those of the clients in which something can be registered. */
extern const char *const client_names[];
extern const char *const client_settings_names[];

/* NULL where there is none of that name. */
const struct client *client_find(struct str name);

/* Is that one of its names for a stop? */
bool client_is_stop_name(const struct client *c, struct str name);

/* Whose event it is: first by its own fields, then by the environment, else Claude Code's. Without an event (NULL) the
 * environment alone tells. Pure: has_env says whether a variable is set. */
const struct client *client_recognise(const struct node *event, bool (*has_env)(const char *name));

/* The session within which a command runs, by the clients' variables; absent where none is set, or several are: then one
 * client was started by another, and which is which can't be told. Pure: get_env gives a variable. */
struct str client_session(struct str (*get_env)(const char *name));

/* Was the client that sends the event started by an agent of another session, of whatever client? */
bool client_is_within_another(struct arena *a, const struct event *e,
			      struct str (*get_env)(const char *name));

/* The event, in the words of struct event: the client's name for a stop becomes Stop. Anything of another type than
 * expected counts as not sent; only stop_hook_active counts as set, unless it is null, 0 or empty. Pure. */
struct event client_event(const struct client *c, const struct node *event);

/* The assistant's final message: the event's own, else the transcript's; empty where neither has one. Of answers that
 * the client sends in one piece, the last one as the transcript has it, if it is the end of that piece. */
struct str client_final_message(struct arena *a, const struct event *e);

#endif
