/* SPDX-License-Identifier: MIT */
/* An index of our own, outside the project: a copy of the repository's index in which git keeps what is untracked in each
 * directory, so that it need not read the directories that stay as they are. Inside git/ only. */
#ifndef GIT_OWN_INDEX_H
#define GIT_OWN_INDEX_H

#include "git/git_spawn.h"
#include "os/fs.h"

/* Zeroed: not used yet. */
struct own_index {
	struct str path;       /* absent: the question is about the repository's own index */
	struct fs_facts facts; /* of the file at the path */
	struct fs_facts from;  /* of the repository's index */
	struct tempdir dir;    /* where git completes a copy, which will be at the path */
	int64_t asked_ns;
	bool is_refused; /* it was of no use */
};
/* Lets `job`, a status of all files, use the index that is kept, or make it. */
void own_index_use(struct arena *a, const struct repository *r, struct own_index *own, struct git_job *job);
/* After the job has ended. False: the answer does not count, and the question is to be asked again, of the repository's
 * index. */
bool own_index_settle(struct arena *a, const struct repository *r, struct own_index *own,
		      const struct git_job *job);
void own_index_clear(struct own_index *own);

#endif
