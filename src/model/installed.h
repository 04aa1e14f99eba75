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

#define INSTALLED_EVENTS_MAX 16

struct installed {
	struct str settings; /* the file, absolute */
	struct str events[INSTALLED_EVENTS_MAX];
	size_t event_count;
	struct str conclaude_events[INSTALLED_EVENTS_MAX]; /* for which conclaude's hook was put in */
	size_t conclaude_event_count;
	struct str *agents; /* the agents' files, absolute, into which conclaude's hook was put */
	size_t agent_count, agent_capacity;
	struct str *dirs; /* the directories, absolute, that were made for the file */
	size_t dir_count, dir_capacity;
	struct settings_made made;
	struct str cap; /* the cap on blocks that was set; absent: none was */
};

/* Adds the event if it isn't there yet. */
void installed_add_event(struct installed *i, struct str event);
bool installed_has_event(const struct installed *i, struct str event);
/* The same for conclaude's hooks. */
void installed_add_conclaude_event(struct installed *i, struct str event);
bool installed_has_conclaude_event(const struct installed *i, struct str event);
/* Adds the file if it isn't there yet. */
void installed_add_agent(struct arena *a, struct installed *i, struct str file);
/* Adds the directory if it isn't there yet. */
void installed_add_dir(struct arena *a, struct installed *i, struct str dir);
/* Notes how a place looked; only the first time counts. */
void settings_made_note(struct settings_made *made, struct str place, struct str text);

#endif
