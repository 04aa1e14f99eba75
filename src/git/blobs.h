/* SPDX-License-Identifier: MIT */
/* Git's names for the content of files, and files about which git has not said whether their content differs from the old side.
 * Inside git/ only. */
#ifndef GIT_BLOBS_H
#define GIT_BLOBS_H

#include "git/git_spawn.h"
#include "git/parse.h"

/* Adds to `changes` those entries of `open`, which is sorted, whose files differ from the old side. */
int open_compare(struct arena *a, const struct repository *r, const struct change_set *open,
		 struct change_set *changes, struct err *err) MUST_CHECK;

/* Compares the files with a small index that holds only these old sides: git knows about modes, links and filters. `options`
 * are those of diff, NULL-terminated. */
int open_diff(struct arena *a, const struct repository *r, const struct change_set *open,
	      const char *const *options, struct str *ret, struct err *err) MUST_CHECK;

#endif
