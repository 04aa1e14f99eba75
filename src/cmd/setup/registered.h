/* SPDX-License-Identifier: MIT */
/* What is registered with the clients, as their settings files tell it, and what follows from it. Looks and changes nothing;
 * for init, doctor and the beginning of a loop. */
#ifndef CMD_SETUP_REGISTERED_H
#define CMD_SETUP_REGISTERED_H

#include "cmd/setup/setup.h"

/* A settings file of a client, as it is. */
struct registered_file {
	struct str path;
	enum settings_scope scope;
	struct node root; /* a null node where there is no file or none that can be read */
	struct hook_list hooks;
	bool is_bad; /* it is there and can't be read */
	struct err why_bad;
};

/* A client and its files, the later of which counts more. */
struct registered_client {
	const struct client *client;
	struct registered_file *files;
	size_t count;
	bool is_registered; /* a hook of ours is in one of them */
};

struct registered {
	struct registered_client clients[CLIENTS_MAX]; /* Claude Code first */
	size_t count;
	bool has_our_plugin; /* the plugin 'holdfast' registers the hooks with Claude Code */
};

void registered_look(struct arena *a, struct str project, struct registered *ret);

/* The client's own; one without files where it has no settings. */
const struct registered_client *registered_of(const struct registered *r, const struct client *c);

/* Is our hook for the stop in the client's files of that very directory, as a project? */
bool registered_in(struct arena *a, struct str dir, const struct client *c);

/* Is the plugin enabled in one of Claude Code's settings files? */
bool registered_has_plugin(const struct registered *r, const char *name);
/* The Ralph plugin that is enabled, which has a Stop hook of its own for the same loop file; NULL: none is. */
const char *registered_ralph_plugin(const struct registered *r);
/* The settings file of Claude Code's by which no hook runs at all; NULL: there is none. */
const struct registered_file *registered_off_switch(const struct registered *r);
/* Is holdfast registered with another client than that? */
bool registered_elsewhere(const struct registered *r, const struct registered_client *c);

/* Would anybody go on with a loop at a stop: holdfast, its hook for loops alone, or the Ralph plugin that has the same file? */
bool registered_has_loop_hook(const struct registered *r);
/* A hook for stops that is conclaude's or agent-gauntlet's, which know no loops. NULL: there is none. */
const struct hook_found *registered_other_stop(const struct registered *r);

/* Is there anything to say about the client's limit on blocks? Then *ret_text is what, and *ret_fix what is to be done. Claude
 * Code's limit counts where it is registered or nobody else is; another client's where it is registered. */
bool registered_cap(struct arena *a, const struct registered *r, size_t client, uint64_t blocks,
		    struct str cwd, struct str *ret_text, const char **ret_fix);
/* The same by the client's own number or the environment's alone, whether it is registered or not. */
bool client_cap(struct arena *a, const struct client *c, uint64_t blocks, struct str *ret_text,
		const char **ret_fix);

/* Claude Code's limit whether it is registered or not, by its settings, and the environment where none of them has a number. */
bool claude_cap(struct arena *a, const struct registered *r, uint64_t blocks, struct str cwd,
		struct str *ret_text, const char **ret_fix);
/* Is the number that holds for Claude Code one that init has not set? Not where there is none. */
bool claude_cap_is_users(struct arena *a, const struct registered *r);
/* Has init put that number into the settings file? Then init raises it, too. */
bool claude_cap_is_inits(struct arena *a, struct str path, struct str number);
/* From here on as if Claude Code's settings file at the path had this content. */
void registered_pretend(struct registered *r, struct str path, const struct node *root);

/* Another file than that at the path which has a line of ours for the event, and not this command: the client runs both. NULL:
 * there is none. */
const struct registered_file *registered_beside(const struct registered *r, const struct client *c,
						struct str path, const char *event, struct str command);
#define KEEP_ONE_LINE "keep one of them: 'holdfast uninstall' or --user, --local"

/* The command that registers holdfast with the client. */
const char *init_command_of(struct arena *a, const struct client *c);

#endif
