/* SPDX-License-Identifier: MIT */
/* The complete output of a command, if it is too long for an answer: one file per session, replaced each time, under the XDG
 * state directory. It has no name until spill_keep(), so that nothing remains if we are killed. */
#ifndef STORE_SPILL_H
#define STORE_SPILL_H

#include "base/base.h"

struct spill {
	int fd;
	struct str path; /* its name after spill_keep() */
	uint64_t written;
	bool is_cut; /* by SPILL_LIMIT_BYTES or a full disk: only the start was written */
};

#define SPILL_NONE ((struct spill){ .fd = -1 })

int spill_begin(struct arena *a, struct str session, struct spill *ret, struct err *err) MUST_CHECK;
void spill_add(struct spill *o, struct str bytes);
int spill_keep(struct arena *a, const struct spill *o, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void spill_close(struct spill *o);

/* At the end of a session. */
int spill_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

#endif
