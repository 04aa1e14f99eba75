/* SPDX-License-Identifier: MIT */
/* Changes to a JSON text in place: every byte that is not part of the change stays, so that other people's keys,
 * their order, their white space and their comments survive. Works on text that json_parse() or, with // and
 * block comments and trailing commas, jsonedit_check() has accepted. */
#ifndef DOC_JSONEDIT_H
#define DOC_JSONEDIT_H

#include "doc/node.h"

/* Accepts JSON with comments and trailing commas; the error says LINE:COLUMN. The root must be an object. */
int jsonedit_check(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;

/* A place in the tree: object keys and array indexes, outermost first. */
struct jsonedit_step {
	const char *key; /* NULL: index counts */
	size_t index;
};

/* The bytes of the value at the path, or absent. */
struct str jsonedit_find(struct str text, const struct jsonedit_step *path, size_t depth);

/* Adds a member to the object at the path, or an element to the end of the array there, in the indentation and
 * line ending that the text uses around it; comments stay with what they stand behind, a trailing comma stays the
 * custom where it is one. `value` is JSON text, laid out with two spaces for a level and \n; it is indented to fit, or
 * put on one line where the text around it is. A key that is there already is an error. */
int jsonedit_append(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		    const char *key, struct str value, struct str *ret, struct err *err) MUST_CHECK;
/* Takes the member or element at the path out, with the comma and white space that came with it: an append and
 * a removal of the same thing give the original bytes back. */
int jsonedit_remove(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		    struct str *ret, struct err *err) MUST_CHECK;
/* Puts other JSON text in the place of the value, as it is. */
int jsonedit_replace(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		     struct str value, struct str *ret, struct err *err) MUST_CHECK;

#endif
