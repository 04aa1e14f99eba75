/* SPDX-License-Identifier: MIT */
/* One settings file of a client: what it has, what the record says was put into it, and the text that is to replace it.
 * Entries that are wanted are compared with those that are there, and only the difference is edited: all other bytes stay
 * as they are. */
#ifndef INSTALL_SETTINGS_H
#define INSTALL_SETTINGS_H

#include "client/registration.h"
#include "doc/jsonedit.h"

/* ---- record.c: what was put into each settings file, so that exactly that can be removed again ---- */

/* What a place contained before it was changed. The removal needs it to restore the same bytes. For an object or list that
 * was empty or missing, places are "" (the document), "hooks", "hooks.EVENT", "env", "mcpServers" and "version". For the command and the
 * timeout of a hook that was there, they are "EVENT.KEY". */
struct undo_entry {
	struct str place;
	struct str text; /* absent: there was no such member */
	struct str now;  /* of a hook's member: what it was changed to, as JSON. Another text is the user's */
};
#define UNDO_ENTRIES_MAX 32
struct undo_log {
	struct undo_entry items[UNDO_ENTRIES_MAX];
	size_t count;
};
/* Of the entries for a place, the first text and the last `now` count. */
void undo_log_add(struct undo_log *log, struct undo_entry entry);
/* NULL where the log has none. */
const struct undo_entry *undo_log_find(const struct undo_log *log, struct str place);

/* All paths are absolute. */
struct install_record {
	struct str_list events;
	struct str_list conclaude_events; /* for which conclaude's hook was registered */
	struct str_list agents;           /* agents' files in which conclaude's hook was registered */
	struct str_list dirs;             /* directories that were made for the settings file */
	struct undo_log undo;
	struct str cap;  /* the limit on blocks that was set; absent: none was */
	bool has_server; /* `holdfast mcp` was added */
};

/* The file, read once; a change to it reads it again, under its lock. */
struct install_records {
	struct arena *arena;
	struct node *items; /* lines that are JSON */
	size_t count;
	bool is_bad; /* the file is there and can't be read */
	struct err why_bad;
};
void install_records_load(struct arena *a, struct install_records *ret);

/* False where that settings file has no record. */
bool install_record_find(const struct install_records *all, struct str settings, struct install_record *ret);
/* Was the directory made for another settings file, which still exists? */
bool install_records_have_dir(const struct install_records *all, struct str dir, struct str other_than);
/* Replaces the record of the settings file; NULL: by none. */
int install_record_save(struct install_records *all, struct str settings, const struct install_record *record,
			struct err *err) MUST_CHECK;
int install_record_delete(struct install_records *all, struct str settings, struct err *err) MUST_CHECK;

/* ---- the file ---- */

/* The member for hook_wanted.status_message, and how each of ours begins. */
#define STATUS_KEY "statusMessage"
#define STATUS_PREFIX "holdfast: "
#define SERVERS_KEY "mcpServers"
#define SERVER_NAME "holdfast"

/* A plugin of which a member of a client's plugins says that it is enabled, without its marketplace; absent: it is not. */
struct str plugin_enabled(const struct node_entry *entry);
/* Those that bring a Stop hook for the same loop file. */
#define RALPH_PLUGINS "ralph-wiggum ralph-loop"

/* What a settings file says about the server 'holdfast'. */
enum server_state {
	SERVER_MISSING,
	SERVER_OURS,  /* it starts `holdfast mcp`; in TOML, the table is as toml_server_add() writes it */
	SERVER_OTHER, /* another one of that name, or servers in a form to which none can be added */
};

/* A file of TOML has nothing but the server. */
struct settings_file {
	struct arena *arena;
	struct install_records *records;
	const struct client *client;
	enum settings_scope scope;
	struct str path;
	struct str text;     /* absent: there is no file */
	struct str new_text; /* absent: the file is to be removed */
	struct install_record record;
	bool has_record;
	struct str recorded_cap; /* as the record has it, also if that is stale */
	bool is_bad;             /* it exists and can't be read */
	struct err why_bad;

	/* ---- what new_text has: settings_edit() keeps it so ---- */
	struct hook_list hooks; /* those of a known kind, and others that name holdfast */
	struct str cap;    /* the client's variable for its limit on blocks; absent where it is not set */
	bool has_cap;      /* it is there, if only as something that is no value */
	bool is_disabling; /* it disables all hooks of its client */
	struct str_list plugins; /* that are enabled */
	enum server_state server;
	struct str server_command;
	bool is_server_exact; /* the server is as we write it, apart from where the program is */
};

/* Reads the file and looks at it. */
void settings_open(struct arena *a, struct install_records *records, const struct client *c, struct str path,
		   struct settings_file *ret);
/* Fails if the file or the records could not be read: then nothing may be changed. */
int settings_check(const struct settings_file *f, struct err *err) MUST_CHECK;
/* Sets what new_text has. */
void settings_look(struct settings_file *f);
bool settings_is_toml(const struct settings_file *f);
/* Does the record say that the hook was added? */
bool settings_added(const struct settings_file *f, const struct hook_entry *h);
/* A record none of whose hooks are left in the file, because somebody removed them by hand, would undo the wrong things: it
 * is emptied. For those who register. */
void settings_drop_stale_record(struct settings_file *f);
bool settings_is_changed(const struct settings_file *f);

/* Makes the directories, saves the record and writes new_text. Where the record can't be saved, *ret_note says why (absent
 * otherwise), and the file is written all the same. An error, and nothing is written, where the file is read-only or was
 * changed by another program since it was read. */
int settings_save(struct settings_file *f, struct str *ret_note, struct err *err) MUST_CHECK;
/* Writes new_text alone, with the same errors. */
int settings_write(struct settings_file *f, struct err *err) MUST_CHECK;

/* ---- changes of new_text ---- */

/* What a file should have, and what it should not have any more. */
struct settings_goal {
	/* ---- that is added, or updated where it is there ---- */
	struct str program; /* of the hooks */
	/* Hooks of this kind that are there count as the program's, whatever its name is. */
	enum hook_kind kind;
	const struct hook_wanted *hooks;
	size_t count;
	bool is_guarded; /* each hook begins with hook_guard(), and the call replaces the shell */
	/* Where the program's hooks for an event differ from the wanted one, they are removed, and the wanted one is added
	 * after all others. Otherwise the first of them is changed in place. */
	bool replaces_older;
	/* That of every hook of holdfast for stops, except where somebody else wrote one; NULL: as it is. */
	const char *status;
	struct str cap;    /* the limit on blocks; absent: as it is */
	struct str server; /* the program of `PROGRAM mcp`; absent: as it is */

	/* ---- that goes, as do the hooks that are unwanted; only where nothing is added. Hooks that were there before a registration,
	 * and that it changed, get their old program and timeout; what has been changed since stays ---- */
	struct str old_cap;  /* the limit, if it has that value; absent: none */
	bool removes_server; /* if it is ours */
	bool disables_ralph; /* the Ralph plugins */
	/* Removes every object and list that becomes empty. Otherwise what the record has noted is restored: after a
	 * registration the text from before it, which is absent where there was none. */
	bool forgets;
};

enum change_kind { CHANGE_NONE, CHANGE_ADDED, CHANGE_UPDATED };
struct hook_change {
	const char *event;
	enum change_kind kind;
	struct str command; /* after the change */
	struct str old; /* what it was before, as in "timeout was 300"; absent: nothing that can be shown */
};
struct settings_done {
	struct hook_change *changes; /* one for each hook that is wanted */
	size_t hooks, restored;
	bool has_cap, has_server; /* they were removed */
	struct str_list plugins;  /* that were disabled, as NAME@MARKETPLACE */
};

/* Compares the goal with what is there, and edits the difference. An existing hook of the same program for the event gets the
 * wanted program, guard, timeout and status message; further arguments are kept, as is a status message that somebody else
 * wrote, and a hook with a wrapper before it is left alone. Of a server that is there, only the program changes. What was
 * there before, and what is added, is noted in the record.
 *
 * A failure leaves new_text unchanged; its message begins with LINE:COLUMN where an object or list was expected and something
 * else was found. */
int settings_edit(struct settings_file *f, const struct settings_goal *g, struct settings_done *ret,
		  struct err *err) MUST_CHECK;

/* ---- entry_text.c: `holdfast mcp` in the text of a TOML file... ---- */

/* *ret_command is the program of ours; absent otherwise. */
enum server_state toml_server_find(struct arena *a, struct str text, struct str *ret_command);

/* The text with the table, which must be missing; the text may be absent. */
struct str toml_server_add(struct arena *a, struct str text, struct str command);
/* The text without the table, which must be ours: the same bytes as before it was added. */
struct str toml_server_remove(struct arena *a, struct str text);

/* ---- ...and the text of entries of JSON, laid out as jsonedit_append() expects it ---- */

struct str entry_string(struct arena *a, struct str x);
/* The value for a place that is one level deeper. */
struct str entry_indented(struct arena *a, struct str value);
struct str entry_object(struct arena *a, const struct json_item *items, size_t count);

/* The element of an event's list: a group with the hook, or the hook where the shape has no groups. */
struct str entry_of_hook(struct arena *a, const struct hook_shape *shape, struct str command,
			 const struct hook_wanted *w);

/* The command line of a hook that is wanted; with the guard, the call replaces the shell. */
struct str command_line(struct arena *a, struct str program, bool is_guarded, const struct hook_wanted *w);
/* The command of a hook that is there, with the program as its first word, and with the guard if wanted; unchanged where it
 * runs something else first. */
struct str command_renewed(struct arena *a, const struct hook_entry *found, const struct node *args,
			   struct str program, bool is_guarded);

#endif
