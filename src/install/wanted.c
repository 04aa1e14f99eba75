/* SPDX-License-Identifier: MIT */
/* Chooses hooks by the configuration, so that no process starts for nothing. */
#include "install/wanted.h"

#include "base/buf.h"
#include "client/tool.h"

#define TIMEOUT_S 600

static bool
is_listed(const struct hooks_wanted *list, const char *event)
{
	for (size_t i = 0; i < list->count; i++)
		if (str_is(str_from(list->items[i].event), event))
			return true;
	return false;
}

/* The client's name for the event; NULL: it has none. */
static const char *
name_of(const struct client_settings *s, const struct event_row *row)
{
	if (!s->events)
		return row->name.s;
	for (size_t i = 0; i < s->event_count; i++)
		if (s->events[i].id == row->id)
			return s->events[i].name;
	return NULL;
}

static bool
is_used(const struct project_facts *f, enum event_id id)
{
	return f && f->has_conclaude && conclaude_uses(&f->conclaude, id);
}

/* Which of the events the client sends; absent: all. For clients with other names of tools only after a tool, for commands that name
 * theirs: before one, rules about files hold for tools that nobody knows by name. */
static struct str
matcher_for(struct arena *a, const struct client_settings *s, const struct conclaude_config *c,
	    enum event_id event)
{
	struct str names = conclaude_matcher(a, c, event), name, all = STR_NONE;

	if (s->has_matchers)
		return names;
	while (s->has_tool_patterns && event == EVENT_PostToolUse && str_next(&names, '|', &name))
		all = str_fmt(a, STR_FMT "%s" STR_FMT, STR_ARG(all), all.s ? "|" : "",
			      STR_ARG(tool_pattern(a, name)));
	return all;
}

void
hooks_wanted(struct arena *a, const struct client *c, const struct project_facts *facts,
	     struct hooks_wanted *ret)
{
	const struct client_settings *s = c->settings;

	*ret = (struct hooks_wanted){ 0 };
	for (size_t i = 0; i < s->wanted_count; i++)
		ret->items[ret->count++] = s->wanted[i];
	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct event_row *row = &event_rows[i];
		const char *name = name_of(s, row);

		if (!name || !is_used(facts, row->id) || is_listed(ret, name) || row->id == EVENT_Stop ||
		    row->id == EVENT_UserPromptSubmit || row->id == EVENT_SessionEnd)
			continue;
		struct str matcher = matcher_for(a, s, &facts->conclaude, row->id);

		ret->items[ret->count++] = (struct hook_wanted){
			.event = name,
			.words = str_fmt(a, "hook " STR_FMT "%s", STR_ARG(row->name),
					 s->event_options ? s->event_options : "")
					 .s,
			.timeout_s = TIMEOUT_S,
			.always_succeeds = c->settings->wanted[1].always_succeeds,
			.matcher = matcher.s,
			.is_optional = true,
			.more = s->has_matchers && conclaude_is_background(&facts->conclaude, row->id)
					? "\"async\": true"
					: NULL,
		};
	}
}

bool
hook_is_known(const struct client *c, struct str event)
{
	const struct client_settings *s = c->settings;

	for (size_t i = 0; i < s->wanted_count; i++)
		if (str_is(event, s->wanted[i].event))
			return true;
	for (size_t i = 0; s->events && i < s->event_count; i++)
		if (str_is(event, s->events[i].name))
			return true;
	return !s->events && event_find(event);
}

struct str
hooks_missing(struct arena *a, const struct client *c, const struct project_facts *facts)
{
	struct buf b = BUF(a, KIB(4));

	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct event_row *row = &event_rows[i];
		bool is_always = row->id == EVENT_Stop || row->id == EVENT_UserPromptSubmit ||
				 row->id == EVENT_SessionEnd;

		if (!is_always && is_used(facts, row->id) && !name_of(c->settings, row))
			buf_addf(&b, "%s" STR_FMT, b.n > 0 ? ", " : "", STR_ARG(row->name));
	}
	return buf_str(&b);
}
