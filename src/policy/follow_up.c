/* SPDX-License-Identifier: MIT */
/* Follow-up messages for a session whose first prompt matches a pattern. The place in the queue is on disk before a
 * message is sent, so that no message goes out twice by accident. */
#include "policy/policies.h"

#include "base/glob.h"

static void
go_to_next(struct queue_row *row, const struct follow_ups *c)
{
	row->position++;
	row->remaining = row->position < (int64_t)c->messages.count ? c->messages.items[row->position].times
								    : 0;
}

const struct follow_up *
follow_up_take(struct queue_row *row, const struct follow_ups *c)
{
	const struct follow_up *due;
	int64_t count = (int64_t)c->messages.count;

	if (row->position < 0)
		row->position = 0;
	if (row->position < count && row->remaining > c->messages.items[row->position].times)
		row->remaining = c->messages.items[row->position].times;
	while (row->position < count && row->remaining <= 0)
		go_to_next(row, c);
	if (row->position >= count)
		return NULL;
	due = &c->messages.items[row->position];
	if (--row->remaining == 0)
		go_to_next(row, c);
	return due;
}

/* False: there is no verdict. */
static bool
unavailable(struct stop_context *s, struct str why, const char *hint)
{
	stop_warn(s, "prompt prefix state unavailable: ", why, "; continuing without it", hint);
	return false;
}

static bool
matches_prompt(struct stop_context *s, const struct follow_ups *config, struct str prompt)
{
	const struct str *prefixes = config->prefixes.items;

	for (size_t i = 0; i < config->prefixes.count; i++) {
		struct err err;

		if (glob_check(prefixes[i], &err) < 0)
			stop_warn(s, "stop.promptPrefixBlocking.prefixes[", i, "]: ", err.msg,
				  "; the pattern is ignored");
		else if (glob_match(prefixes[i], prompt))
			return true;
	}
	return false;
}

bool
follow_ups_policy(struct stop_context *s, struct verdict *ret)
{
	struct str session = s->event->session_id;

	if (!s->policies || policies_follow_ups(s->policies) == 0 || !s->is_main || session.n == 0)
		return false;
	const struct follow_ups *config = s->policies->follow_ups;
	struct str path = queue_path(s->arena, s->policies->database_path, s->policies->dir);
	CLEANUP(queue_close) struct queue *queue = NULL;
	struct queue_key key = { path, session, stop_wait_ms(s, QUEUE_STOP_MOST_MS) };
	struct queue_row row;
	struct err err;

	if (!path.s)
		return unavailable(s, STR("no home directory"), "");
	if (queue_open(s->arena, &key, &queue, &row, &err) < 0)
		return unavailable(s, str_cat(s->arena, path, ": ", err.msg),
				   err.code == ERR_BUSY ? ""
							: " (a damaged file must be moved away by hand)");
	if (!queue || !matches_prompt(s, config, row.prompt))
		return false;
	const struct follow_up *due = follow_up_take(&row, config);

	if (!due)
		return false;
	if (!s->is_dry && queue_advance(queue, &row, &err) < 0)
		return unavailable(s, str_cat(s->arena, path, ": ", err.msg), "");
	*ret = (struct verdict){
		.status = STATUS_FOLLOW_UP,
		.message = str_cat(s->arena, "follow-up message ", due - config->messages.items + 1, " of ",
				   config->messages.count),
		.reason = due->text,
	};
	return true;
}

void
follow_up_store_prompt(struct stop_context *s)
{
	const struct event *e = s->event;
	struct err err;

	if (!s->policies)
		return;
	if (s->policies->lacks_database)
		stop_warn(s, "promptPrefixBlocking is configured but database.enabled is false - prompt "
			     "prefix blocking will not work");
	if (policies_follow_ups(s->policies) == 0 || !s->is_main || e->prompt.n == 0 || e->session_id.n == 0)
		return;
	struct str path = queue_path(s->arena, s->policies->database_path, s->policies->dir);
	struct queue_row row = {
		.prompt = utf8_prefix(e->prompt, PROMPT_CHARS),
		.position = 0,
		.remaining = s->policies->follow_ups->messages.items[0].times,
	};

	if (!path.s)
		stop_warn(s, "Failed to store initial prompt: no home directory");
	else if (queue_add(s->arena, path, e->session_id, &row, &err) < 0)
		stop_warn(s, "Failed to store initial prompt: ", path, ": ", err.msg);
}
