/* SPDX-License-Identifier: MIT */
/* The record of an installation as a value. */
#include "model/installed.h"

static bool
is_listed(const struct str *items, size_t count, struct str x)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(items[i], x))
			return true;
	return false;
}

bool
installed_has_event(const struct installed *i, struct str event)
{
	return is_listed(i->events, i->event_count, event);
}

void
installed_add_event(struct installed *i, struct str event)
{
	if (!installed_has_event(i, event) && i->event_count < INSTALLED_EVENTS_MAX)
		i->events[i->event_count++] = event;
}

bool
installed_has_conclaude_event(const struct installed *i, struct str event)
{
	return is_listed(i->conclaude_events, i->conclaude_event_count, event);
}

void
installed_add_conclaude_event(struct installed *i, struct str event)
{
	if (!installed_has_conclaude_event(i, event) && i->conclaude_event_count < INSTALLED_EVENTS_MAX)
		i->conclaude_events[i->conclaude_event_count++] = event;
}

static void
add_path(struct arena *a, struct str **items, size_t *count, size_t *capacity, struct str path)
{
	if (is_listed(*items, *count, path))
		return;
	arena_make_room(a, *items, *count, capacity);
	(*items)[(*count)++] = path;
}

void
installed_add_agent(struct arena *a, struct installed *i, struct str file)
{
	add_path(a, &i->agents, &i->agent_count, &i->agent_capacity, file);
}

void
installed_add_dir(struct arena *a, struct installed *i, struct str dir)
{
	add_path(a, &i->dirs, &i->dir_count, &i->dir_capacity, dir);
}

void
settings_made_note(struct settings_made *made, struct str place, struct str text)
{
	for (size_t i = 0; i < made->count; i++)
		if (str_eq(made->items[i].place, place))
			return;
	if (made->count < SETTINGS_WAS_MAX)
		made->items[made->count++] = (struct settings_was){ place, text };
}
