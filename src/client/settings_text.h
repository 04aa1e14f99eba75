/* SPDX-License-Identifier: MIT */
/* For changes to the text of a settings file: what is empty is noted before something is put in, and gets its old look
 * back when that has been taken out. */
#ifndef CLIENT_SETTINGS_TEXT_H
#define CLIENT_SETTINGS_TEXT_H

#include "doc/jsonedit.h"
#include "model/installed.h"

#define STEP(name)            \
	{                     \
		.key = (name) \
	}
#define AT(i)                \
	{                    \
		.index = (i) \
	}

/* An object or list with nothing in it; false for NULL. */
bool settings_is_empty(const struct node *n);
struct str settings_json_string(struct arena *a, struct str x);

/* The document to begin with (`{}` for a blank or absent text) and its tree. */
int settings_open(struct arena *a, struct str text, struct str *ret_text, struct node *ret_root,
		  struct err *err) MUST_CHECK;
/* Notes how the whole document looked if there is nothing in it. */
void settings_note_document(struct settings_made *made, struct str text, const struct node *root);

/* The member at the path has become empty: it goes, or gets the look it had. Without `made` it goes. */
int settings_tidy_member(struct arena *a, struct str *text, const struct jsonedit_step *path, size_t depth,
			 struct str place, const struct settings_made *made, struct err *err) MUST_CHECK;
/* The document as it was if there is nothing left in it. */
struct str settings_tidy_document(struct str text, const struct node *root, const struct settings_made *made);
/* Was it noted that the place had nothing in it; that it was not there? */
bool settings_was_noted(const struct settings_made *made, struct str place);
bool settings_was_absent(const struct settings_made *made, struct str place);

#endif
