/* SPDX-License-Identifier: MIT */
/* An index of our own, to work with as if it were the repository's. */
#ifndef GIT_OWN_INDEX_H
#define GIT_OWN_INDEX_H

#include "git/git_spawn.h"
#include "os/tempdir.h"

/* The question for where the repository's index is, and the path in git's answer to it. */
#define OWN_INDEX_ARGS "rev-parse", "--git-path", "index"
struct str own_index_path(struct arena *a, const struct repository *r, struct str answer);
/* A copy of it; dir->file is its path. A repository may have none yet: then there is no copy, and git makes it. */
int own_index_make(struct tempdir *dir, struct arena *a, struct str path, struct err *err) MUST_CHECK;

#endif
