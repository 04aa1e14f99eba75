/* SPDX-License-Identifier: MIT */
/* Changes to a JSON text in place: every byte that is not part of the change stays, so that the user's keys, their
 * order, white space and comments survive. */
#ifndef DOC_JSONEDIT_H
#define DOC_JSONEDIT_H

#include "doc/node.h"

/* Reads JSON with comments and trailing commas, whose root must be an object. The error starts with LINE:COLUMN. */
int jsonedit_check(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;

/* A path in the tree: object keys and array indexes, outermost first. */
struct jsonedit_step {
	const char *key; /* NULL: the index */
	size_t index;
};

/* The bytes of the value at the path, or absent. */
struct str jsonedit_find(struct str text, const struct jsonedit_step *path, size_t depth);

/* Adds a member to the object at the path, or an element to the end of the array there, with the indentation and line
 * ending of the text around it. Comments stay after what they belong to, and a list with a trailing comma keeps one.
 * `value` is JSON text, laid out with two spaces for each level and \n; it is indented to fit, or put on one line where
 * the text around it is. A key that exists is an error. */
int jsonedit_append(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		    const char *key, struct str value, struct str *ret, struct err *err) MUST_CHECK;
/* Removes the member or element at the path with its comma and white space: removing what was appended restores the
 * original bytes. */
int jsonedit_remove(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		    struct str *ret, struct err *err) MUST_CHECK;
/* Replaces the value by other JSON text as it is. */
int jsonedit_replace(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		     struct str value, struct str *ret, struct err *err) MUST_CHECK;

#endif
