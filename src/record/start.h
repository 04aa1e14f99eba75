/* SPDX-License-Identifier: MIT */
/* Where work on a branch, or in a session, started, or where all gates had passed last: what is committed on the base branch
 * itself, or has come into it since, is compared with that. One small file per project, beside its journal. */
#ifndef RECORD_START_H
#define RECORD_START_H

#include "base/base.h"

/* What stands for a session in place of a branch; absent without a session. No branch has such a name. */
struct str start_key_of_session(struct arena *a, struct str session);
/* The commit that is noted for the branch; absent: none. */
struct str start_of(struct arena *a, struct str root, struct str branch);
/* Notes a commit. One that is noted already stays, unless `replaces`. */
int start_note(struct arena *a, struct str root, struct str branch, struct str commit, bool replaces,
	       struct err *err) MUST_CHECK;

#endif
