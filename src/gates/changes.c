/* SPDX-License-Identifier: MIT */
/* From what was asked for to what git is asked. */
#include "gates/changes.h"

#include "base/path.h"
#include "conf/gauntlet.h"
#include "os/env.h"
#include "os/fs.h"

struct change_spec
change_spec_for(const struct gauntlet_config *c, const struct change_wish *w)
{
	struct change_spec spec = { .log_dir = c->log_dir };

	if (w->commit.s) {
		spec.mode = CHANGES_COMMIT;
		spec.commit = w->commit;
	} else if (w->is_uncommitted) {
		spec.mode = CHANGES_UNCOMMITTED;
	} else {
		spec.mode = gauntlet_is_ci() && !w->is_at_stop ? CHANGES_CI : CHANGES_LOCAL;
		spec.base = gauntlet_base_branch(c, w->base_branch);
		if (spec.mode == CHANGES_CI && env_has("GITHUB_SHA"))
			spec.head = env_get("GITHUB_SHA");
	}
	return spec;
}

static bool
is_directory(const void *context, struct str path)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct gauntlet_config *c = context;

	return fs_kind(path_join(&scratch, c->root, path).s) == FS_DIR;
}

struct plan_facts
plan_facts_for(const struct gauntlet_config *c, const struct change_list *changes)
{
	return (struct plan_facts){
		.config = c,
		.changes = changes->items,
		.change_count = changes->count,
		.is_ci = gauntlet_is_ci(),
		.has_checks = true,
		.has_reviews = true,
		.is_directory = is_directory,
		.context = c,
	};
}
