/* SPDX-License-Identifier: MIT */
/* Which changes a command is about, by its options, the configuration and the CI system around it, and what a plan for
 * them rests on. */
#ifndef GATES_CHANGES_H
#define GATES_CHANGES_H

#include "gates/plan.h"
#include "git/git.h"

struct change_wish {
	struct str base_branch, commit; /* as given on the command line; absent: not given */
	bool is_uncommitted;
	bool is_at_stop; /* in CI too the agent has files that are in no commit, and commits of its own */
};

/* A commit counts more than what is uncommitted, and either more than the base branch. In CI, GITHUB_SHA is what is
 * compared with the base, but for a stop. */
struct change_spec change_spec_for(const struct gauntlet_config *c, const struct change_wish *w);
/* What the plan of all gates for the changes rests on; both must stay. */
struct plan_facts plan_facts_for(const struct gauntlet_config *c, const struct change_list *changes);

#endif
