/* SPDX-License-Identifier: MIT */
/* Changes to a JSON text in place: every byte that is not part of the change stays, so that the user's keys, their
 * order, white space and comments survive. */
#ifndef DOC_JSONEDIT_H
#define DOC_JSONEDIT_H

#include "doc/edit.h"

/* Reads JSON with comments and trailing commas, whose root must be an object. The error starts with LINE:COLUMN. */
int jsonedit_check(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;

/* An edit of such a text. */
struct jsonedit {
	struct edit edit;
	struct node root;
};

/* The tree and the changes are in the arena. */
int jsonedit_open(struct arena *a, struct str text, struct jsonedit *ret, struct err *err) MUST_CHECK;

struct json_item {
	const char *key;  /* of a member of an object; NULL: an element of a list */
	struct str value; /* JSON text, laid out with two spaces for each level and \n */
};
/* Adds to the end of an object or list of the tree, at most once for each. The text adopts the indentation and the line
 * endings around it, or is put on one line where those around it are. Comments stay after what they belong to, and a list
 * with a trailing comma keeps one. */
void jsonedit_append(struct jsonedit *j, const struct node *list, const struct json_item *items,
		     size_t count);
/* Removes the marked members or elements with their commas and white space, at most once for each object or list.
 * Removing what was appended restores the original bytes. */
void jsonedit_remove(struct jsonedit *j, const struct node *list, const bool *is_removed);
/* Replaces a value by other JSON text as it is. */
void jsonedit_replace(struct jsonedit *j, const struct node *value, struct str text);

#endif
