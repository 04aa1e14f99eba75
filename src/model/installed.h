/* SPDX-License-Identifier: MIT */
/* What was put into a settings file, so that exactly that can be taken out again. */
#ifndef MODEL_INSTALLED_H
#define MODEL_INSTALLED_H

#include "base/base.h"

/* How an object or list that was not there, or was empty, looked before something was put into it: what the
 * removal needs to give the same bytes back. Places are "" (the whole document), "hooks", "hooks.EVENT", "env". */
struct settings_was {
	struct str place;
	struct str text; /* absent: it was not there */
};
#define SETTINGS_WAS_MAX 16
struct settings_made {
	struct settings_was items[SETTINGS_WAS_MAX];
	size_t count;
};

/* Texts, each of them once. */
struct str_set {
	struct str *items;
	size_t count, capacity;
};

void str_set_add(struct arena *a, struct str_set *set, struct str x);
bool str_set_has(const struct str_set *set, struct str x);

struct installed {
	struct str settings; /* the file, absolute */
	struct str_set events;
	struct str_set conclaude_events; /* for which conclaude's hook was put in */
	struct str_set agents; /* the agents' files, absolute, into which conclaude's hook was put */
	struct str_set dirs;   /* the directories, absolute, that were made for the file */
	struct settings_made made;
	struct str cap; /* the cap on blocks that was set; absent: none was */
};

/* Notes how a place looked; only the first time counts. */
void settings_made_note(struct settings_made *made, struct str place, struct str text);

#endif
