/* SPDX-License-Identifier: MIT */
/* What is configured in a project: loops, .conclaude.yaml, .gauntlet. Read without locks; nothing is changed. */
#ifndef INSTALL_PROJECT_FACTS_H
#define INSTALL_PROJECT_FACTS_H

#include "conf/policies.h"
#include "loop/loop.h"
#include "project/project.h"

struct project_facts {
	struct project_dirs where;
	struct str project; /* the repository's root, or the directory where there is none */
	struct loop_refs loops;
	struct str policies_path; /* or of holdfast.yml, which replaces it; absent: there is neither */
	struct policies policies;
	bool has_policies;     /* the file is there and was loaded */
	struct err why_bad;    /* of a file that is there and was not */
	struct str gates_root; /* the directory with holdfast.yml or .gauntlet/config.yml; absent: none */
};

/* Starts at the directory, as a stop would. */
void project_facts_load(struct arena *a, struct str dir, struct project_facts *ret);

/* How many stops in a row this configuration can block: the longest loop, all follow-ups and all rounds together;
 * BLOCKS_ENDLESS with an unlimited loop. Infinite mode is not counted, as only the client's limit ends it. */
uint64_t project_facts_blocks(const struct project_facts *f);

/* Relative to the directory where the path is below it, else unchanged. */
struct str shown_path(struct str path, struct str dir);

#endif
