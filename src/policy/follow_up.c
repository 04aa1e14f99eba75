/* SPDX-License-Identifier: MIT */
/* Follow-up messages for a session whose first prompt matches a pattern. The place in the queue is on disk before a
 * message is sent, so that no message goes out twice by accident. */
#include "policy/policies.h"

#include "base/glob.h"
#include "base/utf8.h"
#include "store/queue.h"

static int64_t
times_at(const int64_t *times, size_t count, int64_t position)
{
	return position < (int64_t)count ? times[position] : 0;
}

struct follow_up_step
follow_up_decide(struct follow_up_place at, const int64_t *times, size_t count)
{
	if (at.position < 0)
		at.position = 0;
	if (at.position < (int64_t)count && at.remaining > times[at.position])
		at.remaining = times[at.position];
	while (at.position < (int64_t)count && at.remaining <= 0) {
		at.position++;
		at.remaining = times_at(times, count, at.position);
	}
	if (at.position >= (int64_t)count)
		return (struct follow_up_step){ .is_due = false };
	struct follow_up_step step = { .is_due = true, .message = (size_t)at.position };

	at.remaining--;
	if (at.remaining == 0) {
		at.position++;
		at.remaining = times_at(times, count, at.position);
	}
	step.next = at;
	return step;
}

static bool
matches_prompt(struct stop_context *s, const struct conclaude_prefix_blocking *config, struct str prompt)
{
	const struct str *prefixes = config->prefixes.items;

	for (size_t i = 0; i < config->prefixes.count; i++) {
		struct err err;

		if (glob_check(prefixes[i], &err) < 0)
			stop_warn(s, "stop.promptPrefixBlocking.prefixes[%zu]: %s; the pattern is ignored", i,
				  err.msg);
		else if (glob_match(prefixes[i], prompt))
			return true;
	}
	return false;
}

static const int64_t *
times_of(struct arena *a, const struct conclaude_prefix_blocking *config)
{
	const struct conclaude_message *messages = config->messages.items;
	int64_t *times = arena_array(a, config->messages.count, int64_t);

	for (size_t i = 0; i < config->messages.count; i++)
		times[i] = messages[i].times;
	return times;
}

bool
follow_up_policy(struct stop_context *s, struct verdict *ret)
{
	struct str session = s->event->session_id;

	if (!s->conclaude || conclaude_follow_ups(s->conclaude) == 0 || !s->is_main || session.n == 0)
		return false;
	const struct conclaude_prefix_blocking *config = s->conclaude->stop.prefix_blocking;
	struct str path = queue_path(s->arena, s->conclaude->database.path, s->conclaude->dir);
	CLEANUP(queue_close) struct queue *queue = NULL;
	struct queue_key key = { path, session, stop_wait_ms(s, QUEUE_STOP_MOST_MS) };
	struct queue_row row;
	struct err err;

	if (!path.s) {
		stop_warn(s, "prompt prefix state unavailable: no home directory; continuing without it");
		return false;
	}
	if (queue_open(s->arena, &key, &queue, &row, &err) < 0) {
		stop_warn(s, "prompt prefix state unavailable: " STR_FMT ": %s; continuing without it%s",
			  STR_ARG(path), err.msg,
			  err.code == ERR_BUSY ? "" : " (a damaged file must be moved away by hand)");
		return false;
	}
	if (!queue || !matches_prompt(s, config, row.prompt))
		return false;
	struct follow_up_step step = follow_up_decide((struct follow_up_place){ row.position, row.remaining },
						      times_of(s->arena, config), config->messages.count);

	if (!step.is_due)
		return false;
	row.position = step.next.position;
	row.remaining = step.next.remaining;
	if (!s->is_dry && queue_advance(queue, &row, &err) < 0) {
		stop_warn(s, "prompt prefix state unavailable: " STR_FMT ": %s; continuing without it",
			  STR_ARG(path), err.msg);
		return false;
	}
	const struct conclaude_message *messages = config->messages.items;

	*ret = (struct verdict){
		.status = STATUS_FOLLOW_UP,
		.message = str_fmt(s->arena, "follow-up message %zu of %zu", step.message + 1,
				   config->messages.count),
		.reason = messages[step.message].text,
	};
	return true;
}

void
follow_up_store_prompt(struct stop_context *s)
{
	const struct conclaude_prefix_blocking *config = s->conclaude ? s->conclaude->stop.prefix_blocking
								      : NULL;
	const struct event *e = s->event;
	struct err err;

	if (config && config->prefixes.count > 0 && !s->conclaude->database.is_enabled)
		stop_warn(s,
			  "promptPrefixBlocking is configured but database.enabled is false - prompt prefix "
			  "blocking will not work");
	if (!config || conclaude_follow_ups(s->conclaude) == 0 || !s->is_main || e->prompt.n == 0 ||
	    e->session_id.n == 0)
		return;
	const struct conclaude_message *messages = config->messages.items;
	struct str path = queue_path(s->arena, s->conclaude->database.path, s->conclaude->dir);
	struct queue_row row = {
		.prompt = utf8_prefix(e->prompt, CONCLAUDE_PROMPT_CHARS),
		.position = 0,
		.remaining = messages[0].times,
	};

	if (!path.s)
		stop_warn(s, "Failed to store initial prompt: no home directory");
	else if (queue_add(s->arena, path, e->session_id, &row, &err) < 0)
		stop_warn(s, "Failed to store initial prompt: " STR_FMT ": %s", STR_ARG(path), err.msg);
}
