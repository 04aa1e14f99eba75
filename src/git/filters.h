/* SPDX-License-Identifier: MIT */
/* The filters through which git reads files, such as that of git-lfs. Inside git/ only. */
#ifndef GIT_FILTERS_H
#define GIT_FILTERS_H

#include "git/git_spawn.h"

/* Settings for a job by which none must be there: what one that is missing should read is taken as it is. */
int git_filters_optional(struct arena *a, const struct repository *r, struct str_list *ret,
			 struct err *err) MUST_CHECK;

#endif
