/* SPDX-License-Identifier: MIT */
/* The two sides between which changes are found. */
#ifndef GIT_COMPARISON_H
#define GIT_COMPARISON_H

#include "git/git_spawn.h"

struct comparison {
	const char *args[4]; /* for git: options, then --end-of-options and the commits; ends in NULL */
	bool is_of_commit;   /* for diff-tree; else for diff */
	bool has_files;      /* one side is the working tree, untracked files included */
	struct str base_used, warning;
	struct str commit; /* that is compared with; absent: git works it out */
};

/* The usual comparison; asks git nothing. Fails for names that no commit can have. */
int comparison_make(struct arena *a, const struct change_spec *spec, struct comparison *ret,
		    struct err *err) MUST_CHECK;
/* Another comparison after git failed with the first, as `job` shows: the repository has no commits, or no base, or no common
 * commit. Fails if there is none. */
int comparison_fallback(struct arena *a, const struct repository *r, const struct change_spec *spec,
			const struct git_job *job, struct comparison *ret, struct err *err) MUST_CHECK;

/* The name of the tree without files, in a repository that has an object of this name. */
const char *empty_tree_beside(struct str object);

/* Adds the comparison's arguments to those of a diff, and the "--" after which paths may follow. */
void comparison_args(struct git_job *job, const struct comparison *c);

#endif
