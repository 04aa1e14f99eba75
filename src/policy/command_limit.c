/* SPDX-License-Identifier: MIT */
/* A stop command may fail forever. Most clients give up after a number of blocked stops; for those that do not, the
 * blocks are counted here. The count is written before the block that it bounds. */
#include "policy/commands.h"

#include "client/client.h"
#include "store/counter.h"

static struct verdict
give_up(struct stop_context *s, const struct verdict *v, struct str why)
{
	struct str message = v->message.s ? v->message : status_message(v->status);

	return (struct verdict){
		.status = STATUS_COMMAND_LIMIT_REACHED,
		.message = str_fmt(s->arena, STR_FMT "; allowing the stop: " STR_FMT, STR_ARG(message),
				   STR_ARG(why)),
	};
}

static struct verdict
count_block(struct stop_context *s, const struct verdict *v, struct str path)
{
	CLEANUP(counter_close) struct counter c = { .file = LOCKED_NONE };
	struct err err;

	if (counter_open(s->arena, path, stop_wait_ms(s, COUNTER_LOCK_MS), &c, &err) < 0)
		return give_up(s, v, str_fmt(s->arena, "the failures can't be counted: %s", err.msg));
	if (c.is_corrupt || c.value >= COMMAND_BLOCKS_MAX) {
		if (counter_clear(&c, &err) < 0)
			stop_warn(s, "%s", err.msg);
		return give_up(s, v,
			       c.is_corrupt ? str_fmt(s->arena, STR_FMT " has no number in it", STR_ARG(path))
					    : str_fmt(s->arena, "%d stops in a row were blocked",
						      COMMAND_BLOCKS_MAX));
	}
	if (counter_save(s->arena, &c, c.value + 1, &err) < 0)
		return give_up(s, v, str_fmt(s->arena, "the failures can't be counted: %s", err.msg));
	return *v;
}

struct verdict
command_limit(struct stop_context *s, struct verdict v)
{
	struct err err;

	if (s->event->client->block_cap > 0)
		return v;
	/* Without a session the project has the count, so that no other project shares it. */
	struct str session = s->event->session_id, owner = session.n > 0 ? session : s->conclaude->dir;
	struct str path = counter_path(s->arena, owner, COUNTER_FAILURES);

	if (status_blocks(v.status))
		return count_block(s, &v, path);
	if (v.status == STATUS_COMMANDS_PASSED && counter_forget(path, &err) < 0)
		stop_warn(s, "%s", err.msg);
	return v;
}
