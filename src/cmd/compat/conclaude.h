/* SPDX-License-Identifier: MIT */
/* Shared by the commands of conclaude: finding the configuration file, and reporting one that can't be used. */
#ifndef CMD_COMPAT_CONCLAUDE_H
#define CMD_COMPAT_CONCLAUDE_H

#include "base/buf.h"
#include "cmd/command.h"
#include "conf/conclaude.h"
#include "project/project.h"

/* The directories that a stop would search: upwards from `dir`; for holdfast, but not for conclaude, up to the root of
 * the repository. */
void conclaude_places(struct project_dirs *u, const struct invocation *inv, struct str dir);

/* Loads the configuration: from `path`, a file or a directory to start from; where that is absent, the one that a stop
 * would find. Where there is none, or it is invalid, prints the error and advice on stderr. Returns 0, or the exit
 * code. */
int conclaude_open(struct arena *a, const struct invocation *inv, struct str path,
		   struct conclaude_config *ret) MUST_CHECK;

/* The files that were searched for, and how to create one. */
void conclaude_add_places(struct buf *b, const struct project_dirs *u);

#endif
