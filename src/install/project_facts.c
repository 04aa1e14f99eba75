/* SPDX-License-Identifier: MIT */
/* Collects the facts. */
#include "install/registry.h"

#include "base/path.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "import/conclaude.h"
#include "model/block_cap.h"

void
project_facts_load(struct arena *a, struct str dir, struct project_facts *f)
{
	*f = (struct project_facts){ 0 };
	project_find(&f->where, dir, WITHIN_REPOSITORY);
	f->project = f->where.repository.s ? f->where.repository : dir;
	loops_find(a, &f->where, &f->loops);
	f->policies_path = conclaude_find(a, f->where.dirs, f->where.count);
	if (f->policies_path.s && gates_replace(f->where.dirs, f->where.count, f->policies_path))
		f->policies_path = STR_NONE;
	if (f->policies_path.s)
		f->has_policies = conclaude_load(a, f->policies_path, STR_NONE, &f->policies, NULL,
						 &f->why_bad) == 0;
	f->gates_root = gates_find(a, f->where.dirs, f->where.count);
	/* What is wrong with it, the gates' own check tells. */
	if (!f->policies_path.s && f->gates_root.s && gates_dialect(f->gates_root)->configures_alone &&
	    holdfast_load_policies(a, holdfast_read(a, f->gates_root), f->gates_root, &f->policies,
				   IGNORED) == 0) {
		f->has_policies = true;
		f->policies_path = f->policies.path;
	}
}

uint64_t
project_facts_blocks(const struct project_facts *f)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < f->loops.count; i++) {
		uint64_t iterations = f->loops.items[i].state.max_iterations;

		if (f->loops.items[i].is_corrupt)
			continue;
		if (iterations == 0)
			return BLOCKS_ENDLESS;
		if (iterations - 1 > blocks)
			blocks = iterations - 1; /* the last one may stop */
	}
	int64_t rounds = f->policies.rounds;

	return blocks + policies_follow_ups(&f->policies) + (rounds > 0 ? (uint64_t)rounds - 1 : 0);
}
