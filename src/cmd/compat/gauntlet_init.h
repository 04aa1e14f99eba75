/* SPDX-License-Identifier: MIT */
/* The gates to start from that agent-gauntlet has: `agent-gauntlet init`, and a part of `holdfast init --gates`. */
#ifndef CMD_COMPAT_GAUNTLET_INIT_H
#define CMD_COMPAT_GAUNTLET_INIT_H

#include "base/base.h"

/* How often a question is repeated. */
#define TRIES_MAX 10

struct gauntlet_init_options {
	const char *program; /* that the agents' command runs */
	bool is_asking;      /* asks the questions, else uses the defaults */
	/* For `holdfast init`: writes the gates where no reviewer is installed, and into a .gauntlet without a configuration. */
	bool is_holdfast;
	struct str root; /* where .gauntlet goes; absent: the current directory */
	struct str_list
		declined; /* the names of clients that the user does not want: they do not review either */
};
/* All of `agent-gauntlet init`. Returns the exit code. */
int gauntlet_init(struct arena *a, const struct gauntlet_init_options *o);

#endif
