/* SPDX-License-Identifier: MIT */
/* Files whose difference from a commit the index can't tell. */
#ifndef GIT_RECHECK_H
#define GIT_RECHECK_H

#include "git/git_spawn.h"
#include "git/parse.h"

/* Adds to `changes` those of `open`, entries of a diff, whose files really differ from the old side. Takes three more
 * runs of git, none where open is empty. */
int recheck(struct arena *a, const struct repository *r, const struct change_set *open,
	    struct change_set *changes, struct err *err) MUST_CHECK;

/* A path that is in a snapshot but not in the index looks deleted although its file is there, untracked: moves those
 * from both sets, which get settled, to `ret_open`. */
void recheck_untracked(struct change_set *changes, struct change_set *untracked, struct change_set *ret_open);

#endif
