/* SPDX-License-Identifier: MIT */
/* Edits hooks and environment variables in the text of a client's settings. All other bytes stay as they are. Pure: the
 * caller reads and writes the file. */
#ifndef INSTALL_SETTINGS_EDIT_H
#define INSTALL_SETTINGS_EDIT_H

#include "client/registration.h"
#include "install/record.h"

/* A text under edit. A function that fails leaves the text unchanged; its message begins with LINE:COLUMN where the text
 * does not parse, or an object or list was expected and something else was found. */
struct settings_edit {
	struct arena *arena;
	const struct hook_shape *shape;
	struct str text; /* absent or blank: an empty document */
	/* What the text was before. Additions are noted here. A removal restores what is noted here; with NULL it
	 * removes every object and list that becomes empty. */
	struct undo_log *undo;
};

/* Hooks to register for one program. */
struct hooks_request {
	struct str program;
	const struct hook_wanted *wanted;
	size_t count;
	bool is_guarded; /* each begins with hook_guard(), and the call replaces the shell */
};

/* The member for hook_wanted.status_message, and how each of ours begins. */
#define STATUS_KEY "statusMessage"
#define STATUS_PREFIX "holdfast: "

enum change_kind { CHANGE_NONE, CHANGE_ADDED, CHANGE_UPDATED };
struct hook_change {
	const char *event;
	enum change_kind kind;
	struct str command; /* after the change */
	struct str old; /* what it was before, as in "timeout was 300"; absent: nothing that can be shown */
};

/* Registers the hooks. An existing hook of the same program for the event gets the wanted program, guard, timeout and
 * status message in place; further arguments are kept, as is a status message that somebody else wrote, and a hook with a
 * wrapper before it is left alone. `changes` has one element per wanted hook. */
int settings_edit_register(struct settings_edit *e, const struct hooks_request *r,
			   struct hook_change *changes, struct err *err) MUST_CHECK;
/* Gives every hook of holdfast for the event this status message, except where somebody else wrote one. */
int settings_edit_set_status(struct settings_edit *e, const char *event, const char *message,
			     struct err *err) MUST_CHECK;
/* The same as settings_edit_register(), but where the program's hooks for an event differ from the wanted one, they are removed, and the wanted one
 * is added after all others. A hook with a wrapper before it counts as the wanted one. */
int settings_edit_renew(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
			struct err *err) MUST_CHECK;

struct hook_filter {
	enum hook_kind kind;
	const struct name_set *events; /* NULL: all of them */
};
/* Removes those hooks and what has become empty. After a registration this restores the text from before it, which is
 * absent where there was none. */
int settings_edit_remove(struct settings_edit *e, const struct hook_filter *which, size_t *ret_removed,
			 struct err *err) MUST_CHECK;

/* Gives hooks that were there before a registration, and that it changed, their old program and timeout. What has been
 * changed since stays. */
int settings_edit_restore(struct settings_edit *e, size_t *ret_restored, struct err *err) MUST_CHECK;

/* Sets a variable in the settings' env, adding that object where it is missing. */
int settings_edit_set_env(struct settings_edit *e, const char *name, struct str value,
			  struct err *err) MUST_CHECK;
/* Removes the variable if it has that value. */
int settings_edit_unset_env(struct settings_edit *e, const char *name, struct str value, bool *ret_is_removed,
			    struct err *err) MUST_CHECK;
/* A variable's value in the settings' env; absent where there is none. Numbers come as written. */
struct str settings_env(const struct node *settings, const char *name);

/* ---- the server `holdfast mcp` ---- */

#define SERVERS_KEY "mcpServers"
#define SERVER_NAME "holdfast"

/* The server of that name; NULL where there is none. *ret_command is the program that it starts; absent where that is not
 * `holdfast mcp`. */
const struct node *settings_server(const struct node *settings, struct str *ret_command);
/* Adds it where there is none. */
int settings_edit_add_server(struct settings_edit *e, struct str command, struct err *err) MUST_CHECK;
/* Removes it if it starts `holdfast mcp`; with is_exact only if nothing differs from what settings_edit_add_server() writes, apart
 * from where the program is. */
int settings_edit_remove_server(struct settings_edit *e, bool is_exact, bool *ret_is_removed,
				struct err *err) MUST_CHECK;

#endif
