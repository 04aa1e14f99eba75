/* SPDX-License-Identifier: MIT */
/* One value of a front matter block: what it says and which bytes it is made of. Inside doc/ only. */
#ifndef DOC_FRONTMATTER_SCALAR_H
#define DOC_FRONTMATTER_SCALAR_H

#include "base/base.h"

struct scalar {
	struct str value;
	bool is_null;
	const char *problem;         /* NULL when the value can be read */
	size_t begin, end;           /* its bytes in the block, without blanks and comment around it */
	size_t more_begin, more_end; /* whole lines that belong to it behind the line where `end` is */
};

/* `at` is the offset behind the key's colon. */
struct scalar scalar_at(struct arena *a, struct str block, size_t at);

#endif
