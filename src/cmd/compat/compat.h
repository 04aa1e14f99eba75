/* SPDX-License-Identifier: MIT */
/* What commands of conclaude share, which find and report the configuration file, and the gates to start from that agent-gauntlet has. */
#ifndef CMD_COMPAT_COMPAT_H
#define CMD_COMPAT_COMPAT_H

#include "cmd/command.h"
#include "import/conclaude.h"
#include "project/project.h"

/* Loads the configuration: from `path`, a file or a directory to start from; where that is absent, the one that a stop
 * would find. Where there is none, or it is invalid, prints the error and advice on stderr. Returns 0, or the exit
 * code. */
int conclaude_open(struct arena *a, const struct invocation *inv, struct str path,
		   struct policies *ret) MUST_CHECK;

/* The files that were searched for, and how to create one. */
void conclaude_add_places(struct buf *b, const struct project_dirs *u);
/* ---- gauntlet_init.c ---- */

/* How often a question is repeated. */
#define TRIES_MAX 10

struct gauntlet_init_options {
	const struct invocation *inv; /* of the program that the agents' command runs */
	bool is_asking;               /* asks the questions, else uses the defaults */
	/* For `holdfast init`: writes the gates where no reviewer is installed, and into a .gauntlet without a configuration. */
	bool is_holdfast;
	struct str root; /* where .gauntlet goes; absent: the current directory */
	struct str_list
		declined; /* the names of clients that the user does not want: they do not review either */
};
/* All of `agent-gauntlet init`. Returns the exit code. */
int gauntlet_init(struct arena *a, const struct gauntlet_init_options *o);

#endif
