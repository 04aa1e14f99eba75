/* SPDX-License-Identifier: MIT */
/* What a set of changes is taken between. */
#ifndef GIT_COMPARISON_H
#define GIT_COMPARISON_H

#include "git/git_spawn.h"

struct comparison {
	const char *args[3]; /* for git: options, and after the mark the commits */
	size_t count;
	bool is_of_commit; /* for diff-tree; else for diff */
	bool has_files;    /* one side is the working tree: what is untracked belongs to it */
	struct str base_used, warning;
};

/* The usual one, without having asked git anything. Fails for names that no commit can have. */
int comparison_make(struct arena *a, const struct change_spec *spec, struct comparison *ret,
		    struct err *err) MUST_CHECK;
/* Another one, when git refused to work with the first in the way that `job` shows: without commits, without the
 * base, without a common commit. Fails where there is none. */
int comparison_fallback(struct arena *a, const struct repository *r, const struct change_spec *spec,
			const struct git_job *job, struct comparison *ret, struct err *err) MUST_CHECK;

/* Adds the comparison's words to those of a diff, up to and with the mark behind which paths may follow. */
void comparison_args(struct git_job *job, const struct comparison *c);

#endif
