/* SPDX-License-Identifier: MIT */
/* Which clients init is about. */
#ifndef CMD_SETUP_INIT_CLIENTS_H
#define CMD_SETUP_INIT_CLIENTS_H

#include "base/buf.h"
#include "cmd/command.h"
#include "cmd/setup/setup.h"

/* Those that --client names; else, on a terminal, each that is on this machine and is answered with yes; else Claude Code.
 * Returns an exit code: 1, with the reason said, where there is nothing to do or what is asked for does not exist. */
int init_pick_clients(struct arena *a, const struct invocation *inv, enum settings_scope scope,
		      const struct client *ret[CLIENTS_MAX], size_t *ret_count);
/* Says which other clients are here, where nobody could be asked. */
void init_note_others(struct arena *a, const struct invocation *inv, struct buf *out);

#endif
