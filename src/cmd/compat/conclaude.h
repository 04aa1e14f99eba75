/* SPDX-License-Identifier: MIT */
/* Shared by the commands of conclaude: finding the configuration file, and reporting one that can't be used. */
#ifndef CMD_COMPAT_CONCLAUDE_H
#define CMD_COMPAT_CONCLAUDE_H

#include "base/buf.h"
#include "cmd/command.h"
#include "import/conclaude.h"
#include "project/project.h"

/* Loads the configuration: from `path`, a file or a directory to start from; where that is absent, the one that a stop
 * would find. Where there is none, or it is invalid, prints the error and advice on stderr. Returns 0, or the exit
 * code. */
int conclaude_open(struct arena *a, const struct invocation *inv, struct str path,
		   struct policies *ret) MUST_CHECK;

/* preToolUse.preventRootAdditions, which is true unless the file says otherwise. */
const char *conclaude_keeps_root(const struct node *rules);

/* The files that were searched for, and how to create one. */
void conclaude_add_places(struct buf *b, const struct project_dirs *u);

#endif
