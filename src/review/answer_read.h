/* SPDX-License-Identifier: MIT */
/* An answer's JSON, read. Inside review/ only. */
#ifndef REVIEW_ANSWER_READ_H
#define REVIEW_ANSWER_READ_H

#include "doc/node.h"
#include "review/answer.h"

/* The document stays in use: violations point into it. -1 for a status that is neither pass nor fail, and for a pass
 * with violations. */
int answer_read(struct arena *a, const struct node *document, struct answer *ret, struct err *err) MUST_CHECK;
/* The same for one whose end was cut off behind a violation: a failure, unless it says pass. */
int answer_read_cut_off(struct arena *a, const struct node *document, struct answer *ret,
			struct err *err) MUST_CHECK;

#endif
