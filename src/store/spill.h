/* SPDX-License-Identifier: MIT */
/* The whole of an output of which an answer can only hold an excerpt: one file a session, replaced each time, under
 * the XDG state directory. It has no name until it is kept, so that nothing is left of it when we are killed. */
#ifndef STORE_SPILL_H
#define STORE_SPILL_H

#include "base/base.h"

struct spill {
	int fd;
	struct str path; /* where it will be kept */
	uint64_t written;
	bool is_cut; /* by SPILL_LIMIT_BYTES, or by a full disk: only its beginning is there */
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
