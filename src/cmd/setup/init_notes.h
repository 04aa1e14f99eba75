/* SPDX-License-Identifier: MIT */
/* What init tells of the settings beside the file that it registers in. */
#ifndef CMD_SETUP_INIT_NOTES_H
#define CMD_SETUP_INIT_NOTES_H

#include "base/buf.h"
#include "cmd/setup/registered.h"

struct init_place {
	struct arena *arena;
	const struct registered *registered; /* as it was before */
	const struct client *client;
	struct str path, cwd;
	const struct hook_change *changes; /* as many as the client's wanted hooks */
};

/* A line: two blanks, what it is, and the text. */
void init_tell(struct arena *a, struct buf *out, const char *what, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Each thing that keeps the hooks from working as they should: a line of ours or a rival in another of the client's files, a
 * plugin that does the same, hooks that are switched off. */
void init_note_settings(const struct init_place *p, struct buf *out);

#endif
