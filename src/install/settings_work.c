/* SPDX-License-Identifier: MIT */
/* The steps of an edit, each of which frees the text before it. */
#include "install/settings_work.h"

struct work
work_begin(const struct settings_edit *e)
{
	return (struct work){ .arena = e->arena, .shape = e->shape, .text = e->text, .undo = e->undo };
}

void
work_free(struct work *w)
{
	arena_free(&w->own);
}

void
work_finish(struct settings_edit *e, const struct work *w)
{
	if (w->text.s != e->text.s)
		e->text = w->text.s ? str_copy(e->arena, w->text) : STR_NONE;
}

/* Takes over the result of a step and its arena. */
static int
take_step(struct work *w, int result, struct arena *next, struct str text)
{
	if (result < 0) {
		arena_free(next);
		return result;
	}
	arena_free(&w->own);
	w->own = *next;
	w->text = text;
	return 0;
}

int
work_append(struct work *w, const struct jsonedit_step *path, size_t depth, const char *key, struct str value,
	    struct err *err)
{
	struct arena next = { 0 };
	struct str text = STR_NONE;
	int result = jsonedit_append(&next, w->text, path, depth, key, value, &text, err);

	return take_step(w, result, &next, text);
}

int
work_replace(struct work *w, const struct jsonedit_step *path, size_t depth, struct str value,
	     struct err *err)
{
	struct arena next = { 0 };
	struct str text = STR_NONE;
	int result = jsonedit_replace(&next, w->text, path, depth, value, &text, err);

	return take_step(w, result, &next, text);
}

int
work_remove(struct work *w, const struct jsonedit_step *path, size_t depth, struct err *err)
{
	struct arena next = { 0 };
	struct str text = STR_NONE;
	int result = jsonedit_remove(&next, w->text, path, depth, &text, err);

	return take_step(w, result, &next, text);
}

void
work_note_old(struct work *w, struct str place, struct str text)
{
	if (!undo_log_find(w->undo, place))
		undo_log_add(w->undo, place, text.s ? str_copy(w->arena, text) : STR_NONE);
}
