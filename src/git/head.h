/* SPDX-License-Identifier: MIT */
/* Questions about commits, to be asked beside others. Inside git/ only. */
#ifndef GIT_HEAD_H
#define GIT_HEAD_H

#include "git/git_spawn.h"

void head_ask(struct git_job *job);
/* Asks further where that did not tell: HEAD is a branch without commits. */
int head_read(struct arena *a, const struct repository *r, struct git_job *job, struct git_head *ret,
	      struct err *err) MUST_CHECK;

/* Prepares the question whether `commit` is an ancestor of `of`. False: neither can be the name of a commit, and the answer
 * is no. */
bool ancestor_ask(struct arena *a, struct git_job *job, struct str commit, struct str of);
/* Reads the answer of a job that has run. May ask git again. */
enum git_answer ancestor_read(struct arena *a, const struct repository *r, const struct git_job *job,
			      struct err *err) MUST_CHECK;

#endif
