/* SPDX-License-Identifier: MIT */
/* The record of an installation as a value. */
#include "model/installed.h"

bool
installed_has_event(const struct installed *i, struct str event)
{
	for (size_t k = 0; k < i->event_count; k++)
		if (str_eq(i->events[k], event))
			return true;
	return false;
}

void
installed_add_event(struct installed *i, struct str event)
{
	if (!installed_has_event(i, event) && i->event_count < INSTALLED_EVENTS_MAX)
		i->events[i->event_count++] = event;
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
