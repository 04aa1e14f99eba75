/* SPDX-License-Identifier: MIT */
/* Git's names for the content of files. Those that git was asked for are kept in a file outside the project, so that a file
 * that stays as it is need not be read again. Inside git/ only. */
#ifndef GIT_BLOBS_H
#define GIT_BLOBS_H

#include "git/git_spawn.h"
#include "os/fs.h"

struct blob {
	struct str path; /* relative to the root */
	struct fs_facts facts;
	struct str id;
};

/* Sets the ids of regular files, sorted by path. Nothing is stored in the repository. */
int blob_ids(struct arena *a, const struct repository *r, struct blob *items, size_t count,
	     struct err *err) MUST_CHECK;

#endif
