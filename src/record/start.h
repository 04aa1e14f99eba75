/* SPDX-License-Identifier: MIT */
/* Where work on a branch started, or where all gates had passed last: what is committed on the base branch itself is
 * compared with that. One small file per project, beside its journal. */
#ifndef RECORD_START_H
#define RECORD_START_H

#include "base/base.h"

/* The commit that is noted for the branch; absent: none. */
struct str start_of(struct arena *a, struct str root, struct str branch);
/* Notes a commit. One that is noted already stays, unless `replaces`. */
int start_note(struct arena *a, struct str root, struct str branch, struct str commit, bool replaces,
	       struct err *err) MUST_CHECK;

#endif
