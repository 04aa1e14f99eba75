/* SPDX-License-Identifier: MIT */
/* Registers holdfast's hooks in one settings file of one client: what 'holdfast init' does. */
#ifndef INSTALL_REGISTER_H
#define INSTALL_REGISTER_H

#include "base/buf.h"
#include "install/project_facts.h"
#include "install/registry.h"

struct register_request {
	struct arena *arena;
	const struct client *client;
	enum settings_scope scope;
	const struct project_facts *facts;
	struct registry *registry; /* of all clients, before the registration */
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

/* After the gates of the project have changed: gives the stop hooks that 'holdfast init' registered in its settings the
 * message that names them. */
void register_renew_status(struct arena *a, struct str cwd);

#endif
