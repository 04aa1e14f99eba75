/* SPDX-License-Identifier: MIT */
/* An edit of settings in several steps that takes little memory. For settings_edit.c. */
#ifndef INSTALL_SETTINGS_WORK_H
#define INSTALL_SETTINGS_WORK_H

#include "doc/jsonedit.h"
#include "install/settings_edit.h"

/* An edit in progress. Each step makes a new text, and the one before it is freed. No tree is kept while a step is
 * made: that would be a second one, and settings may be large. */
struct work {
	struct arena *arena; /* for what outlives the edit */
	const struct hook_shape *shape;
	struct str text;
	struct undo_log *undo;
	struct arena own; /* has the text, once a step has been made */
};

struct work work_begin(const struct settings_edit *e);
/* Puts the text into the edit's arena. */
void work_finish(struct settings_edit *e, const struct work *w);
void work_free(struct work *w);

/* As those of jsonedit. */
int work_append(struct work *w, const struct jsonedit_step *path, size_t depth, const char *key,
		struct str value, struct err *err) MUST_CHECK;
int work_replace(struct work *w, const struct jsonedit_step *path, size_t depth, struct str value,
		 struct err *err) MUST_CHECK;
int work_remove(struct work *w, const struct jsonedit_step *path, size_t depth, struct err *err) MUST_CHECK;

/* Notes what the place contained before the edit; absent: nothing. */
void work_note_old(struct work *w, struct str place, struct str text);

#endif
