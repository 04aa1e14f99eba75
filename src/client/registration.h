/* SPDX-License-Identifier: MIT */
/* Where a client's settings files are, and which command lines they register as hooks. Reads, and changes nothing: the
 * stop hook uses it. */
#ifndef CLIENT_REGISTRATION_H
#define CLIENT_REGISTRATION_H

#include "client/client.h"
#include "client/shell_words.h"

extern const char *const settings_scope_names[SCOPE_COUNT]; /* user, project, local */

/* The file of that scope in which holdfast is registered. Absent where there is no home, or the client has no such file. */
struct str settings_path(struct arena *a, struct str project, const struct client *c,
			 enum settings_scope scope);
/* Every file of that scope from which the client reads hooks, settings_path() first; at most SETTINGS_FILES_MAX. */
#define SETTINGS_FILES_MAX 32
struct str_list settings_files(struct arena *a, struct str project, const struct client *c,
			       enum settings_scope scope);
/* Reads a settings file; a null node where there is none. False: it can't be read. */
bool settings_read(struct arena *a, struct str path, struct node *ret);

/* Is the client on this machine: its program in PATH, or its directory in the home? */
bool client_is_installed(struct arena *a, const struct client *c);

/* The client's name for the event; NULL: it has none. */
const char *hook_event_name(const struct client *c, enum event_id id);
/* The command that registers holdfast with the client, in the settings of that scope. */
const char *init_command_of(struct arena *a, const struct client *c, enum settings_scope scope);
/* Holdfast is registered for the client's stops and not for its tools, so that the guards are `off in Claude Code, whose hook ...`, with
 * the command that registers it. Absent: it is registered for both, or for neither, or that is not certain. */
struct str hook_guards_off(struct arena *a, struct str project, const struct client *c);

/* What a hook's command runs. */
enum hook_kind {
	HOOK_OTHER,
	HOOK_HOLDFAST,     /* holdfast stop-hook, holdfast hook EVENT */
	HOOK_LOOP_ALONE,   /* holdfast ralph hook, or the shim that calls it */
	HOOK_CONCLAUDE,    /* conclaude EVENT, conclaude Hooks EVENT */
	HOOK_GAUNTLET,     /* agent-gauntlet stop-hook */
	HOOK_RALPH_SCRIPT, /* the script of the Ralph plugin */
};
const char *hook_kind_name(enum hook_kind kind);

/* One hook of the settings, at hooks.EVENT[group].hooks[index]. */
struct hook_entry {
	struct str event;
	size_t nth, group, index; /* the nth event, its group, and the hook in that */
	enum hook_kind kind;
	struct str command; /* without args */
	int64_t timeout_s;  /* 0: not given */
	bool is_plain;      /* the whole command line is a call of that program, with options */
	bool is_disabled;   /* the entry itself says so */
	bool is_unwanted;   /* for settings_edit(), by its callers */
};
struct hook_list {
	struct hook_entry *items;
	size_t count;
};

/* Does the file switch hooks off, all of them or by a list of names? */
bool settings_disable_hooks(const struct node *settings);

/* The member of the settings that has the events. */
const char *hooks_key(const struct hook_shape *shape);
/* Every hook that runs a command, in the order of the document. Entries of another shape are skipped. Where an event
 * appears twice, only the hooks of a known kind under the last one are listed. */
struct hook_list hooks_list(struct arena *a, const struct hook_shape *shape, const struct node *settings);

/* Searches the command and `args` (NULL: none) for the name of a known program followed by the subcommand that makes
 * it a hook. A wrapper such as `timeout 60` may precede it. */
enum hook_kind hook_kind_of(struct arena *a, struct str command, const struct node *args);
/* Is holdfast the command's first word, after a guard and `exec` if they are there? Then *ret is that word. */
bool hook_runs_holdfast_first(struct arena *a, struct str command, const struct node *args,
			      struct shell_word *ret);

/* A hook that 'holdfast init' registers begins with a guard: for somebody who has the project's settings and not the
 * program, it does nothing, without a word. Every shell that a client starts hooks with reads it: sh, bash, zsh, fish. */
struct str hook_guard(struct arena *a, struct str program_word);
/* How many bytes the guard at the beginning of the command has; 0: there is none. */
size_t hook_guard_length(struct arena *a, struct str command);
/* The command without guard and `exec`, for people. */
struct str hook_shown(struct arena *a, struct str command);

#endif
