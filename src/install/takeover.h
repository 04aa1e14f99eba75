/* SPDX-License-Identifier: MIT */
/* Takes over from conclaude, agent-gauntlet and the Ralph plugin: what 'holdfast init --replace' does before it registers. */
#ifndef INSTALL_TAKEOVER_H
#define INSTALL_TAKEOVER_H

#include "install/register.h"

/* In the client's settings of the scope (a project's, and the user's own for it, count as one): removes other programs'
 * hooks for the events that holdfast handles, and disables the Ralph plugin. Each file that changes is first copied to
 * the state directory. Adds to `out` what was done, where the copy is, and what stays; to *kinds, as bits, the kinds of
 * hooks that were removed. */
int takeover_settings(const struct register_request *r, unsigned *kinds, struct buf *out,
		      struct err *err) MUST_CHECK;

/* For each kind that has a program: makes a link of its name to this program, where this program is found, unless a program of
 * that name exists there or in PATH. Adds to `out` what was done, or why not. */
void takeover_names(const struct register_request *r, unsigned kinds, struct buf *out);

#endif
