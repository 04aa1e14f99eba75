/* SPDX-License-Identifier: MIT */
/* The whole of an output of which an answer can only hold an excerpt: one file a session, replaced each time, under
 * the XDG state directory. It has no name until it is kept, so that nothing is left of it when we are killed. */
#ifndef STORE_OUTPUT_H
#define STORE_OUTPUT_H

#include "base/base.h"

struct output {
	int fd;
	struct str path; /* where it will be kept */
	uint64_t written;
	bool is_cut; /* by OUTPUT_LIMIT_BYTES, or by a full disk: only its beginning is there */
};

#define OUTPUT_NONE ((struct output){ .fd = -1 })

int output_begin(struct arena *a, struct str session, struct output *ret, struct err *err) MUST_CHECK;
void output_add(struct output *o, struct str bytes);
int output_keep(struct arena *a, const struct output *o, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void output_close(struct output *o);

/* At the end of a session. */
int output_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

#endif
