/* SPDX-License-Identifier: MIT */
/* Reports what is registered in the clients' settings files, and whether the clients' limits on blocks are high enough.
 * Changes nothing. */
#ifndef INSTALL_REGISTRY_H
#define INSTALL_REGISTRY_H

#include "client/registration.h"

/* The plugins that matter to us. */
enum plugin { PLUGIN_HOLDFAST, PLUGIN_RALPH_WIGGUM, PLUGIN_RALPH_LOOP, PLUGIN_COUNT };

/* What is kept of a settings file: a little, since the file may be large. */
struct registry_file {
	struct str path;
	enum settings_scope scope;
	struct hook_list hooks; /* those of a known kind, and others that name holdfast */
	struct str cap;    /* the client's variable for its limit on blocks; absent where it is not set */
	bool is_disabling; /* it disables all hooks of its client */
	bool has_plugin[PLUGIN_COUNT];
	bool is_bad; /* it exists and can't be read */
	struct err why_bad;
};

/* A client and its files; a later file overrides an earlier one. */
struct registry_client {
	const struct client *client;
	struct registry_file *files;
	size_t count;
	bool is_registered; /* holdfast has a hook in one of the files */
	bool has_plugin;    /* the plugin 'holdfast' is enabled, which registers the hooks by itself */
};

/* Every client that has settings. */
struct registry {
	struct registry_client clients[CLIENTS_MAX];
	size_t count;
};

void registry_load(struct arena *a, struct str project, struct registry *ret);
/* From here on as if the client's settings file at that path set this limit on blocks. */
void registry_override_cap(struct registry *r, const struct client *c, struct str path, struct str cap);

/* The client's row; one without files where it has no settings. */
const struct registry_client *registry_find(const struct registry *r, const struct client *c);
/* Is holdfast registered with a client other than that? */
bool registry_has_other_client(const struct registry *r, const struct client *c);
/* Do the client's project files in that very directory register holdfast for stops? */
bool registry_has_stop_in(struct arena *a, struct str dir, const struct client *c);

/* The enabled plugin that brings a Stop hook for the same loop file; NULL: none. */
const char *registry_ralph_plugin(const struct registry *r);
/* The settings file that disables all hooks of its client; NULL: none. */
const struct registry_file *registry_disabled_by(const struct registry *r);

/* Does a registered hook continue a loop: holdfast's, its hook for loops alone, or the Ralph plugin's? */
bool registry_has_loop_hook(const struct registry *r);
/* A stop hook of conclaude or agent-gauntlet, which ignore loops; NULL: none. */
const struct hook_entry *registry_foreign_stop(const struct registry *r);
/* Another program's hook for an event that holdfast handles: both would act on the same stop. NULL: none. */
const struct hook_entry *find_rival(const struct client *c, const struct hook_list *list);

/* Another of the client's files that registers holdfast for the event with a different command line, so that the client runs
 * both; NULL: none. */
const struct registry_file *registry_duplicate(const struct registry *r, const struct client *c,
					       struct str path, const char *event, struct str command);
#define KEEP_ONE_LINE "keep one: 'holdfast uninstall' with --project, --local or --user removes the other"

/* The command that registers holdfast with the client. */
const char *init_command_of(struct arena *a, const struct client *c);

/* ---- the client's limit on blocks ---- */

struct cap_warning {
	struct str text;
	const char *fix;
};
/* Does the client end the turn before that many stops in a row were blocked? */
bool registry_cap_is_low(struct arena *a, const struct registry *r, const struct client *c, uint64_t blocks,
			 struct str cwd, struct cap_warning *ret);
/* Does the client's limit matter here? It does where holdfast is registered with the client; Claude Code's also where
 * holdfast is registered with no client. */
bool registry_cap_matters(const struct registry *r, const struct client *c);
/* Did the user set the limit that is in force, rather than 'holdfast init'? */
bool registry_cap_is_users(struct arena *a, const struct registry *r, const struct client *c);
/* Did 'holdfast init' put that number into the settings file? Then it may raise it, too. */
bool install_record_has_cap(struct arena *a, struct str path, struct str number);

#endif
