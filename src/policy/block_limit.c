/* SPDX-License-Identifier: MIT */
/* Gates, stop commands and guards may fail forever, and whatever counts them in the project can be deleted there. So their blocks
 * are counted once more, for each session, outside of the project. The count is written before the block that it
 * bounds. */
#include "policy/block_limit.h"

#include "store/session.h"

#include <inttypes.h>

/* The gates are asked after every other policy whose blocks are counted. */
static struct verdict
give_up(struct stop_context *s, const struct verdict *v, struct str why)
{
	struct str message = v->message.s ? v->message : status_message(v->status);
	bool has_unasked_gates = s->gates_count > 0 && v->status != STATUS_FAILED;

	if (str_ends(message, STR(".")))
		message.n--;
	return (struct verdict){
		.status = STATUS_BLOCK_LIMIT_REACHED,
		.message = str_fmt(s->arena, STR_FMT "; allowing the stop: " STR_FMT "%s", STR_ARG(message),
				   STR_ARG(why), has_unasked_gates ? ", and the gates have not run" : ""),
	};
}

/* A user chooses how long loops, follow-ups, rounds and infinite mode go on. */
static bool
is_counted(enum status status)
{
	return status == STATUS_FAILED || status == STATUS_COMMAND_FAILED ||
	       status == STATUS_ROOT_ADDITIONS || status == STATUS_PROTECTED_CHANGED ||
	       status == STATUS_TESTS_WEAKENED || status == STATUS_TODOS_OPEN;
}

struct str
reason_hash(struct arena *a, struct str text)
{
	return str_fmt(a, "%016" PRIx64, str_hash(STR_HASH_START, str_trim(text)));
}

struct verdict
block_limit(struct stop_context *s, struct verdict v)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct str owner = stop_owner(s, s->where.count > 0 ? s->where.dirs[0] : STR("/"));
	bool is_block = is_counted(v.status), is_other = status_blocks(v.status) && !is_block;
	struct err err;

	if (session_open(s->arena, owner, is_block && !s->is_dry, stop_wait_ms(s, SESSION_LOCK_MS), &session,
			 &err) < 0)
		return is_block
			       ? give_up(s, &v, str_fmt(s->arena, "the blocks can't be counted: %s", err.msg))
			       : v;
	if (session.file.fd < 0 || (!is_block && session.blocks == 0 && session.tries == 0))
		return v;
	if (s->is_block_counted && session.blocks > 0)
		session.blocks--;
	bool is_too_many = is_block && session.blocks >= BLOCKS_MAX;

	if (!is_other)
		session.blocks = is_block && !is_too_many ? session.blocks + 1 : 0;
	/* The client may send it back as a prompt, which is not the user's. */
	if (status_blocks(v.status))
		session.reason = reason_hash(s->arena, v.reason);
	if (!s->is_dry && session_save(s->arena, &session, &err) < 0) {
		if (is_block)
			return give_up(s, &v, str_fmt(s->arena, "the blocks can't be counted: %s", err.msg));
		stop_warn(s, "%s", err.msg);
	}
	return is_too_many ? give_up(s, &v, str_fmt(s->arena, "%d stops in a row were blocked", BLOCKS_MAX))
			   : v;
}

bool
prompt_is_users(struct arena *a, const struct event *e, struct str last_reason)
{
	if (e->prompt_source.n > 0)
		return str_is(e->prompt_source, "user") || str_is(e->prompt_source, "sdk");
	return !str_starts(str_trim(e->prompt), STR("<task-notification")) &&
	       !str_eq(last_reason, reason_hash(a, e->prompt));
}

void
block_limit_prompt(struct stop_context *s)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err err;

	if (s->event->session_id.n == 0)
		return;
	if (session_open(s->arena, s->event->session_id, false, SESSION_LOCK_MS, &session, &err) < 0) {
		stop_warn(s, "%s", err.msg);
		return;
	}
	if (session.file.fd < 0 || (session.tries == 0 && session.blocks == 0) ||
	    !prompt_is_users(s->arena, s->event, session.reason))
		return;
	session.tries = session.blocks = 0;
	if (session_save(s->arena, &session, &err) < 0)
		stop_warn(s, "%s", err.msg);
}
