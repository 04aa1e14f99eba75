/* SPDX-License-Identifier: MIT */
/* What the commands of conclaude have in common: finding the configuration file, and what is said about one that
 * cannot be used. */
#ifndef CMD_COMPAT_CONCLAUDE_H
#define CMD_COMPAT_CONCLAUDE_H

#include "base/buf.h"
#include "cmd/command.h"
#include "conf/conclaude.h"
#include "project/project.h"

/* Where a stop would look: for conclaude upwards from the directory, whatever repositories there are; for holdfast
 * not beyond the repository. */
void conclaude_places(struct project_dirs *u, const struct invocation *inv, struct str dir);

/* The configuration: that of `path`, which is a file or a directory to start from, or, where it is absent, the one
 * that a stop would find. Where there is none, or it is not right, that is said on stderr: the error with its place
 * first, then what may help. Returns 0, or the exit code. */
int conclaude_open(struct arena *a, const struct invocation *inv, struct str path,
		   struct conclaude_config *ret) MUST_CHECK;

/* The files that were looked for, and how to make one. */
void conclaude_add_places(struct buf *b, const struct project_dirs *u);

/* Advice on a problem: its kind in conclaude's own words, common causes, and the names or the range that are valid. */
void conclaude_advise(struct buf *b, const struct config_problem *p);

#endif
