/* SPDX-License-Identifier: MIT */
/* One value of a front matter block, and the bytes that it was read from. Inside doc/ only. */
#ifndef DOC_FRONTMATTER_SCALAR_H
#define DOC_FRONTMATTER_SCALAR_H

#include "base/base.h"

struct scalar {
	struct str value;
	bool is_null;
	const char *problem;         /* NULL when the value can be read */
	size_t begin, end;           /* its bytes in the block, without blanks and comment around it */
	size_t more_begin, more_end; /* further lines that belong to it, after the line of `end` */
};

/* `at` is the offset after the key's colon. */
struct scalar scalar_at(struct arena *a, struct str block, size_t at);

#endif
