/* SPDX-License-Identifier: MIT */
/* The JSON text of new hooks, laid out as jsonedit_append() expects it. Pure. */
#ifndef INSTALL_HOOK_TEXT_H
#define INSTALL_HOOK_TEXT_H

#include "client/client.h"

/* Hooks to register for one program. */
struct hooks_request {
	struct str program;
	const struct hook_wanted *wanted;
	size_t count;
};

/* The command line of a wanted hook. */
struct str hook_command_line(struct arena *a, struct str program, const struct hook_wanted *w);
/* One hook, in a group of its own where the client has groups. */
struct str hook_text(struct arena *a, const struct hook_shape *shape, struct str program,
		     const struct hook_wanted *w);
/* The value of an event: a list with that hook. */
struct str hook_event_text(struct arena *a, const struct hook_shape *shape, struct str program,
			   const struct hook_wanted *w);
/* The value of "hooks": an object with all events. */
struct str hooks_text(struct arena *a, const struct hook_shape *shape, const struct hooks_request *r);
struct str json_string(struct arena *a, struct str x);

#endif
