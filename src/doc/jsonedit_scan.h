/* SPDX-License-Identifier: MIT */
/* Where things are in a JSON text with comments and trailing commas. Inside doc/ only. Any bytes are survived; what is
 * not well formed ends the search. */
#ifndef DOC_JSONEDIT_SCAN_H
#define DOC_JSONEDIT_SCAN_H

#include "doc/node.h"

#define NOWHERE SIZE_MAX

struct jsonedit_step;

/* A member or element: the whole of it, its value, and the commas around it (NOWHERE where there is none). */
struct item {
	size_t begin, end; /* of key and value */
	struct str key;    /* between its quotes, as written; absent in a list */
	size_t value;
	size_t comma_before, comma_after;
};

/* Behind the comment that begins here; `at` itself when none does; NOWHERE when it never ends. */
size_t scan_comment(struct str text, size_t at);
/* Behind blanks and comments; where the last line comment among them ends, if there is one. */
size_t scan_space(struct str text, size_t at, size_t *ret_comment_end);
/* The document's value. */
struct span scan_root(struct str text);

/* The items of the object or list at `container`, one after the other. */
struct scan {
	struct str text;
	bool is_map;
	size_t at, comma;
};
struct scan scan_begin(struct str text, struct span container);
bool scan_next(struct scan *s, struct item *ret);

/* The last member with the key, or the element with the index. */
bool scan_find(struct str text, struct span container, const struct jsonedit_step *step, struct item *ret);
/* The value at the path. */
bool scan_path(struct str text, const struct jsonedit_step *path, size_t depth, struct span *ret);

#endif
