/* SPDX-License-Identifier: MIT */
/* What a project's definitions were at an earlier moment, to say later which of them have changed: when a session began,
 * and when a gate failed. Texts in holdfast/definitions/ under the state directory. */
#ifndef STORE_BASELINE_H
#define STORE_BASELINE_H

#include "base/base.h"

/* When the session began: where nothing is kept yet, that is now, and *ret is `now`. Where that is absent, nothing is
 * written. */
int baseline_of_session(struct arena *a, struct str session, struct str root, struct str now, struct str *ret,
			struct err *err) MUST_CHECK;
/* When that was, as the time of a file; 0: nothing is kept. */
int64_t baseline_session_ns(struct arena *a, struct str session, struct str root);
/* At the end of a session. */
int baseline_forget_session(struct arena *a, struct str session, struct err *err) MUST_CHECK;

/* When the oldest failure of the project that is outstanding happened; absent: none is kept. */
struct str baseline_of_failure(struct arena *a, struct str root);
/* Keeps what the definitions are now, unless a failure before this one is outstanding... */
int baseline_keep_failure(struct arena *a, struct str root, struct str now, struct err *err) MUST_CHECK;
/* ...and forgets that when none is any more. */
int baseline_forget_failure(struct arena *a, struct str root, struct err *err) MUST_CHECK;

/* The user has accepted the definitions as they are now: from here on, changes are counted from these. */
void baseline_accept(struct arena *a, struct str root, struct str now);

#endif
