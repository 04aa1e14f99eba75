/* SPDX-License-Identifier: MIT */
/* YAML without the text of its comments. libyaml takes 75 instructions for each of their bytes, and the files that programs write
 * as a start are mostly comments. */
#ifndef DOC_YAML_COMMENTS_H
#define DOC_YAML_COMMENTS_H

#include "base/base.h"

/* What was cut out of a text. */
struct yaml_cut {
	size_t at;    /* where, in the shorter text */
	size_t total; /* bytes up to here */
};
struct yaml_short {
	struct str text;
	struct yaml_cut *cuts; /* in their order */
	size_t count;
};

/* Of each line that is a comment, the '#' stays. The shorter text means the same and has the same errors in the same lines and
 * columns. Where it takes more than a look at a line to tell whether it is a comment or a part of a string, the rest stays as it
 * is. */
void yaml_shorten(struct arena *a, struct str text, struct yaml_short *ret);

#endif
