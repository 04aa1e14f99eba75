/* SPDX-License-Identifier: MIT */
/* Registers holdfast's hooks and its server with a client, and takes over from other programs: what 'holdfast init' does. Removes
 * them again: what 'holdfast uninstall' does. */
#ifndef INSTALL_REGISTER_H
#define INSTALL_REGISTER_H

#include "install/registry.h"

struct register_request {
	struct arena *arena;
	const struct client *client;
	enum settings_scope scope;
	const struct project_facts *facts;
	struct registry *registry; /* of all clients */
	const char *message;       /* gates_message() of the facts */
	struct str cwd;
	bool is_dry, is_forced;
};

/* Adds to `out` what was done, and what keeps the hooks from working: a duplicate or a rival in another file, a plugin that
 * does the same, hooks that are disabled. On failure nothing is added. Without is_forced, another program's hook in the same
 * file is a failure with *ret_rival set and nothing in `err`. */
int register_hooks(const struct register_request *r, struct buf *out, const struct hook_entry **ret_rival,
		   struct err *err) MUST_CHECK;

/* Registers `holdfast mcp` where the client has a file for servers in the project; otherwise, and for other scopes, does
 * nothing. Adds to `out` what was done, or a warning. */
void register_server(const struct register_request *r, struct buf *out);

/* Gives the stop hooks that 'holdfast init' registered in the project's settings the message that names the gates. NULL: there
 * are none, and nothing changes. */
void register_renew_status(struct registry *r, const char *message);
/* The same after the gates of the project have changed. */
void register_new_gates(struct arena *a, struct str cwd);

/* ---- what --replace does before that ---- */

/* In the client's settings of the scope (a project's, and the user's own for it, count as one): removes other programs'
 * hooks for the events that holdfast handles, and disables the Ralph plugin. Each file that changes is first copied to
 * the state directory. Adds to `out` what was done, where the copy is, and what stays; to *kinds, as bits, the kinds of
 * hooks that were removed. */
int takeover_settings(const struct register_request *r, unsigned *kinds, struct buf *out,
		      struct err *err) MUST_CHECK;

/* For each kind that has a program: makes a link of its name to this program, where this program is found, unless a program of
 * that name exists there or in PATH. Adds to `out` what was done, or why not. */
void takeover_names(const struct register_request *r, unsigned kinds, struct buf *out);

/* ---- remove.c: takes out what 'holdfast init' and 'conclaude init' put into settings files and agents' files ---- */

/* One removal from any number of settings files. */
struct removal {
	struct arena *arena;
	struct str cwd;
	bool is_dry;
	bool removes_all; /* holdfast's hooks that are in no record, too */
	struct buf *out;  /* the report */
	bool has_found;   /* there was something to report */
	/* Directories that were made for the settings files, and paths that have been removed. The directories go last, as
	 * two clients' files may share one. */
	struct str_list dirs, gone;
};

/* One client's settings file, and the agents' files in its record. Nothing is reported about a file without our hooks. */
int remove_from_file(struct removal *r, struct settings_file *f, struct err *err) MUST_CHECK;
/* Removes the directories that were made for the files and are empty now. */
void remove_empty_dirs(struct removal *r);

#endif
