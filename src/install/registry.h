/* SPDX-License-Identifier: MIT */
/* What is registered in the clients' settings files, each of which is read once, and whether the clients' limits on blocks are
 * high enough. */
#ifndef INSTALL_REGISTRY_H
#define INSTALL_REGISTRY_H

#include "conf/policies.h"
#include "install/settings.h"
#include "loop/loop.h"
#include "project/project.h"

/* ---- wanted.c: what is configured in a project: loops, .conclaude.yaml, .gauntlet. Read without locks ---- */

struct project_facts {
	struct project_dirs where;
	struct str project; /* the repository's root, or the directory where there is none */
	struct loop_refs loops;
	struct str policies_path; /* or of holdfast.yml, which replaces it; absent: there is neither */
	struct policies policies;
	bool has_policies;     /* the file is there and was loaded */
	struct err why_bad;    /* of a file that is there and was not */
	struct str gates_root; /* the directory with holdfast.yml or .gauntlet/config.yml; absent: none */
	bool gets_guards;      /* 'holdfast init' is about to write them */
};

/* Starts at the directory, as a stop would. */
void project_facts_load(struct arena *a, struct str dir, struct project_facts *ret);

/* How many stops in a row this configuration can block: the longest loop, all follow-ups and all rounds together;
 * BLOCKS_ENDLESS with an unlimited loop. Infinite mode is not counted, as only the client's limit ends it. */
uint64_t project_facts_blocks(const struct project_facts *f);

/* ---- registry.c ---- */

/* A client and its files; a later file overrides an earlier one. */
struct registry_client {
	const struct client *client;
	struct settings_file *files;
	size_t count;
	bool is_registered; /* holdfast has a hook in one of the files */
	bool has_plugin;    /* the plugin 'holdfast' is enabled, which registers the hooks by itself */
};

/* Every client that has settings. */
struct registry {
	struct install_records records;
	struct registry_client clients[CLIENTS_MAX];
	size_t count;
};

void registry_load(struct arena *a, struct str project, struct registry *ret);

/* The client's row; one without files where it has no settings. */
const struct registry_client *registry_find(const struct registry *r, const struct client *c);
/* The client's file at that path, among those that were read; NULL: none. */
struct settings_file *registry_file(const struct registry *r, const struct client *c, struct str path);
/* The client's file of that scope in which holdfast registers; NULL: it has none there, or there is no home. */
struct settings_file *registry_own_file(const struct registry *r, const struct client *c,
					enum settings_scope scope);
/* The project's file for servers of the client, which may be the one that has the hooks; NULL: the client has none. */
struct settings_file *registry_server_file(struct arena *a, struct registry *r, const struct client *c,
					   struct str project);
/* Is holdfast registered with a client other than that? */
bool registry_has_other_client(const struct registry *r, const struct client *c);
/* Is holdfast registered for stops, in the settings for all projects or in the project's own? NULL: with any client. */
bool registry_has_stop(const struct registry *r, const struct client *c, bool is_for_all);

/* The enabled plugin that brings a Stop hook for the same loop file; absent: none. */
struct str registry_ralph_plugin(const struct registry *r);
/* The settings file that disables all hooks of its client; NULL: none. */
const struct settings_file *registry_disabled_by(const struct registry *r);

/* Does a registered hook continue a loop: holdfast's, its hook for loops alone, or the Ralph plugin's? */
bool registry_has_loop_hook(const struct registry *r);
/* A stop hook of conclaude or agent-gauntlet, which ignore loops; NULL: none. */
const struct hook_entry *registry_foreign_stop(const struct registry *r);
/* The hook that is always registered for the event; NULL: none is. */
const struct hook_wanted *always_wanted(const struct client *c, struct str event);
/* Another program's hook for an event that holdfast handles: both would act on the same stop. NULL: none. */
const struct hook_entry *find_rival(const struct client *c, const struct hook_list *list);

/* What to do where two of a client's files register holdfast for the same event. */
#define KEEP_ONE_LINE "keep one: 'holdfast uninstall' with --project, --local or --user removes the other"

/* ---- wanted.c, too: which hooks a client needs for what a project configures: the stop always, other events where they are used ---- */

#define HOOKS_WANTED_MAX (EVENT_COUNT + 8)

struct hooks_wanted {
	struct hook_wanted items[HOOKS_WANTED_MAX];
	size_t count;
};
/* `facts` is NULL where no certain project counts, as in the user's own settings: then what is always registered, and the hooks
 * that the guards of any project need. */
void hooks_wanted(struct arena *a, const struct client *c, const struct project_facts *facts,
		  struct hooks_wanted *ret);
/* Is the event one of those that holdfast can be registered for? */
bool hook_is_known(const struct client *c, struct str event);

/* The events that the configuration uses and the client does not have, as in `TaskCompleted, Setup`; empty: none. */
struct str hooks_missing(struct arena *a, const struct client *c, const struct project_facts *facts);

/* What the client shows while the stop hook runs: the gates, as far as they fit. NULL: there are none. */
const char *gates_message(struct arena *a, const struct project_facts *facts);

/* What the rules for tools are: `destructive, secrets`. */
struct str guards_text(struct arena *a, const struct guards_config *g);
/* hook_guards_off() of each client, a line each, where the project has guards; empty: there are none, or they hold. */
struct str guards_off_lines(struct arena *a, const struct project_facts *facts);

/* ---- the client's limit on blocks ---- */

struct cap_warning {
	struct str text;
	const char *fix;
	bool is_users; /* the user set the limit that is in force, rather than 'holdfast init' */
};
/* Does the client end the turn before that many stops in a row were blocked? */
bool registry_cap_is_low(struct arena *a, const struct registry *r, const struct client *c, uint64_t blocks,
			 struct str cwd, struct cap_warning *ret);
/* Does the client's limit matter here? It does where holdfast is registered with the client; Claude Code's also where
 * holdfast is registered with no client. */
bool registry_cap_matters(const struct registry *r, const struct client *c);
/* Did 'holdfast init' put the file's limit there? Then it may raise it, too. */
bool settings_has_our_cap(const struct settings_file *f);

#endif
