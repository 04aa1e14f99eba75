/* SPDX-License-Identifier: MIT */
/* Coding agents' clients: what each sends, what it understands, its limits, and where its hooks are registered. A
 * client is one file with one row; nothing else in the program knows a client by name, except that Claude Code's
 * events and settings are the ones that others imitate (client_default, settings.reads_claude_settings). */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include "client/reply.h"
#include "client/transcript.h"
#include "doc/node.h"
#include "model/event.h"

/* How a client's settings describe a hook: hooks.EVENT is a list of hooks, or of groups that each have a list `hooks`. */
struct hook_shape {
	const char *hooks_key; /* instead of `hooks`; NULL: `hooks` */
	bool has_groups;
	bool has_type; /* "type": "command" */
	const char *command_key, *timeout_key;
	int64_t timeout_units; /* per second: 1000 where the file has milliseconds */
	int version;           /* the "version" that the document must have; 0: none */
};

#define SHAPE_WITH_GROUPS(units)                                                                          \
	{                                                                                                 \
		.has_groups = true, .has_type = true, .command_key = "command", .timeout_key = "timeout", \
		.timeout_units = (units)                                                                  \
	}

/* A hook to register: PROGRAM WORDS, such as `holdfast hook SessionEnd`. */
struct hook_wanted {
	const char *event;
	const char *words;
	int64_t timeout_s;
	bool always_succeeds;       /* the client must not see the exit code */
	const char *more;           /* further members of the entry as JSON; NULL: none */
	const char *status_message; /* what the client shows while the hook runs; NULL: its own words */
	const char *matcher;        /* which of the events, such as those of certain tools; NULL: all */
	bool is_optional;           /* registered because the configuration uses the event */
};

/* What most clients have alike. `options` are those of our commands for the client: " --client codex". */
#define HOOK_STOP(event_, options) .event = event_, .words = "stop-hook" options, .timeout_s = 600
#define HOOK_EVENT(event_, name, options) .event = event_, .words = "hook " name options, .timeout_s = 30

/* An event that a client has in addition to those that are always registered, under its own name. */
struct hook_event {
	enum event_id id;
	const char *name;
};

/* A client's settings files. A later one overrides an earlier one. */
enum settings_scope { SCOPE_USER, SCOPE_PROJECT, SCOPE_LOCAL, SCOPE_COUNT };
#define ALL_SCOPES ((1U << SCOPE_COUNT) - 1)

/* Where a client's hooks are registered. Files are relative to the project, or to the client's own directory in the
 * home. */
struct client_settings {
	const char *project_file;
	const char *local_file;  /* the user's own for the project; NULL: it has none */
	const char *home_dir;    /* below the home: .codex */
	const char *home_env;    /* names that directory instead; NULL: nothing does */
	const char *user_file;   /* in it */
	const char *server_file; /* of the project, with mcpServers, or TOML; NULL: none that we can edit */
	const char *server_note; /* what the user must do about a server in it; NULL: nothing */
	/* All files in the directory of project_file and of user_file count, not that one alone. */
	bool has_many_files;
	/* It reads a project's files in the directory that it is started in, and in none above. */
	bool looks_only_here;
	/* It also runs the hooks in Claude Code's settings, so that one stop may reach us twice. */
	bool reads_claude_settings;
	/* So it may where the same command line stands in two of its files: it runs each of them. Then a stop of
	 * the user's own settings has the option --user, too. */
	bool runs_equal_lines;
	/* The scopes that the running client reads, as bits; NULL: all of them. */
	unsigned (*scopes_read)(struct arena *a);
	/* Members of the settings: enabled plugins, and the switch that disables all hooks; NULL: there is none. */
	const char *plugins_key, *disable_key;
	bool has_env;            /* "env" sets variables for the client, block_cap_env among them */
	bool has_status_message; /* a hook may say what is shown while it runs */
	struct hook_shape shape;
	const struct hook_wanted *wanted; /* the stop first */
	size_t wanted_count;
	const struct hook_event *events; /* registered where they are used; NULL: all, under our names */
	size_t event_count;
	bool has_matchers;       /* of tools, with Claude Code's names of them */
	const char *next;        /* what the user must do next */
	const char *doctor_note; /* what can't be seen from here; NULL: nothing */
};

struct client {
	const char *name;    /* --client NAME */
	const char *title;   /* as people call it */
	const char *program; /* in PATH; NULL: there is none */

	/* How its events are recognised: a text that only its events have, other fields, and the variable that gives its
	 * hooks the project's directory. NULL: it has no such mark. */
	const char *mark;
	bool (*is_event)(const struct node *event);
	const char *project_env;
	/* The variable that gives the session's id to commands of its agent and of subagents; NULL: there is none. */
	const char *session_env;
	/* Another variable that only commands of its agent have; NULL: there is none. */
	const char *agent_env;
	/* For a client whose hooks inherit that variable from its own session: was it started by another session of the
	 * same client? NULL: the variable shows it. */
	bool (*is_nested_in_own_kind)(struct arena *a);
	/* Every variable that marks a session of the client or a hook of it; NULL-terminated, NULL: it has none.
	 * Credentials and settings of the user are not among them. */
	const char *const *session_vars;

	/* Its names for a stop, with blanks between. An event without a name is a stop. */
	const char *stop_names;
	/* Its names of fields that count where Claude Code's name is missing, and that of a list of directories, the
	 * first of which counts instead of cwd; NULL: none. */
	struct {
		const char *session_id, *transcript_path, *agent_id, *last_message, *directories;
	} fields;
	/* Corrects what differs otherwise from Claude Code's fields, which `e` was filled by; NULL: nothing differs. */
	void (*read)(const struct node *event, struct event *e);
	/* The event's message joins all answers since the user's prompt, also those before a tool call. */
	bool accumulates_messages;
	const struct transcript_form *transcript; /* NULL: it cannot be read */
	/* It writes a stop's timestamp to the transcript after the answer. */
	bool marks_stops;

	reply_fn *reply;
	event_reply_fn *event_reply; /* to events other than a stop */

	int64_t timeout_s;           /* after which it kills a hook that was registered without a timeout */
	int64_t deadline_s;          /* by when we answer such a hook: less than that */
	uint64_t block_cap;          /* blocks in a row that it accepts; 0: any number */
	const char *block_cap_env;   /* a variable that changes the number; NULL: none does */
	bool is_cap_exclusive;       /* the block that reaches the number is overridden already */
	bool is_cap_reset_by_a_tool; /* a tool call between two stops resets the count */
	size_t reason_limit_bytes;   /* a longer reason is not shown to the model in full; 0: no limit */

	const struct client_settings *settings; /* NULL: nothing can be registered */
};

/* Lists in a row: NULL-terminated names, and members of client_settings. */
#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define WANTED(...)                                            \
	.wanted = (const struct hook_wanted[]){ __VA_ARGS__ }, \
	.wanted_count = COUNT_OF(((const struct hook_wanted[]){ __VA_ARGS__ }))
#define EVENTS(...)                                           \
	.events = (const struct hook_event[]){ __VA_ARGS__ }, \
	.event_count = COUNT_OF(((const struct hook_event[]){ __VA_ARGS__ }))
#define SAME(name)                  \
	{                           \
		EVENT_##name, #name \
	}

#define CLIENT(name) extern const struct client client_##name;
#include "client/client.def"

/* Claude Code's transcripts, which other clients write, too. */
extern const struct transcript_form claude_transcript;

extern const struct client *const clients[];
extern const size_t client_count;
#define CLIENTS_MAX 16
/* Claude Code: an event without another client's marks is taken for one of its own. */
extern const struct client *const client_default;
/* Their names, NULL-terminated, and the names of the clients in which hooks can be registered. */
extern const char *const client_names[];
extern const char *const client_settings_names[];

/* NULL: no client has that name. */
const struct client *client_find(struct str name);

/* The message about empty input. */
#define EVENT_EMPTY "the input is empty"
/* Reads an event from fd: one JSON value. Returns as soon as the value is complete, without waiting for EOF or a newline.
 * Fails on empty input, on invalid JSON, beyond the limits, and after wait_ms. */
int event_read_json(struct arena *a, int fd, int64_t wait_ms, struct node *ret, struct err *err) MUST_CHECK;

/* The client that sent the event: by fields that only one client sends, the default's last since others imitate it, then
 * by the environment, else the default. Without an event (NULL) the environment alone decides. Pure: has_env returns
 * whether a variable is set. */
const struct client *client_recognise(const struct node *event, bool (*has_env)(const char *name));

/* The session that a command runs in, by the clients' variables; absent where none is set, or several are: then one
 * client started another, and it is unknown which is the inner one. Pure: get_env returns a variable. */
struct str client_session(struct str (*get_env)(const char *name));

/* Was the client that sent the event started by the agent of another session, of any client? */
bool client_is_nested(struct arena *a, const struct event *e, struct str (*get_env)(const char *name));

/* Does an agent run this command, rather than a person? Pure: has_env tells whether a variable is set. */
bool client_agent_runs_us(bool (*has_env)(const char *name));

/* The session_vars of all clients, NULL-terminated. */
const char *const *client_session_vars(struct arena *a);

/* The event as a struct event: the client's name for a stop becomes Stop. A field of an unexpected type counts as
 * absent; only stop_hook_active counts as set, unless it is null, 0 or empty. Pure. */
struct event client_event(const struct client *c, const struct node *event);

/* The assistant's final message: the event's own, else the transcript's; empty where neither has one. Where the event
 * joins several answers, the last of them as the transcript has it, if the joined text ends with it. An answer that is not
 * in the transcript yet is waited for, at most wait_ms. */
struct str client_final_message(struct arena *a, const struct event *e, int64_t wait_ms);

/* Is it certain, by the transcript, that the assistant has called no tool since the last prompt of the user or of a hook? */
bool client_called_no_tool(struct arena *a, const struct event *e);

#endif
