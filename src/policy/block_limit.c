/* SPDX-License-Identifier: MIT */
/* Bounds on blocks: the tries of a session, and the blocks in a row. Both are counted on disk before a block is sent.
 *
 * Gates, stop commands and guards may fail forever, and whatever counts them in the project can be deleted there. So their blocks
 * are counted once more, for each session, outside of the project. The count is written before the block that it
 * bounds. */
#include "policy/policies.h"

#include <inttypes.h>

/* The gates are asked after every other policy whose blocks are counted. */
static struct verdict
give_up(struct stop_context *s, const struct verdict *v, struct str why)
{
	struct str message = verdict_message(v);
	bool has_unasked_gates = s->gates.count > 0 && v->status != STATUS_FAILED;

	if (str_ends(message, STR(".")))
		message.n--;
	return verdict_of(STATUS_BLOCK_LIMIT_REACHED,
			  str_cat(s->arena, message, "; allowing the stop: ", why,
				  has_unasked_gates ? ", and the gates have not run" : ""));
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
	struct str root = s->where.count > 0 ? s->where.dirs[0] : STR("/");
	bool is_block = is_counted(v.status), is_other = status_blocks(v.status) && !is_block;
	struct err err;

	if (stop_session(s, root, is_block, &session, &err) < 0)
		return is_block ? give_up(s, &v, str_cat(s->arena, "the blocks can't be counted: ", err.msg))
				: v;
	if (session.file.fd < 0 || (!is_block && session.blocks == 0 && session.tries_count == 0))
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
			return give_up(s, &v, str_cat(s->arena, "the blocks can't be counted: ", err.msg));
		stop_warn(s, err.msg);
	}
	return is_too_many ? give_up(s, &v, str_cat(s->arena, BLOCKS_MAX, " stops in a row were blocked"))
			   : v;
}

bool
prompt_is_users(struct arena *a, const struct event *e, struct str last_reason)
{
	if (e->prompt_source.n > 0)
		return str_is(e->prompt_source, "user") || str_is(e->prompt_source, "sdk");
	struct str text = str_trim(e->prompt);

	return !(e->prompt.s && text.n == 0) && !str_starts(text, STR("<task-notification")) &&
	       !str_eq(last_reason, reason_hash(a, e->prompt));
}

bool
block_limit_prompt(struct stop_context *s)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct str id = s->event->session_id;
	struct err err;

	if (id.n > 0 && session_open(s->arena, id, false, SESSION_LOCK_MS, &session, &err) < 0) {
		stop_warn(s, err.msg);
		return true;
	}
	if (id.n > 0 && !prompt_is_users(s->arena, s->event, session.reason))
		return false;
	if (session.file.fd < 0 || (session.tries_count == 0 && session.blocks == 0))
		return true;
	session.tries_count = 0;
	session.blocks = 0;
	if (session_save(s->arena, &session, &err) < 0)
		stop_warn(s, err.msg);
	return true;
}

/* ---- tries ---- */

bool
tries_count(struct stop_context *s, struct tries *t, struct str reason, enum block_sent sent,
	    struct str *ret_why)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err err;

	if (t->is_counted)
		return true;
	if (stop_session(s, s->gates_source->root, true, &session, &err) < 0)
		goto failed;
	int64_t *tries = session_tries(&session, s->gates_source->root);

	s->max_tries = t->max;
	s->tries = *tries;
	if (*tries >= t->max) {
		*ret_why = str_cat(s->arena, "tries used: ", *tries, " of ", t->max);
		return false;
	}
	if (s->is_dry)
		return true;
	if (sent == SENT_BY_SIGNAL && !s->is_block_counted) {
		if (session.blocks >= BLOCKS_MAX)
			return false;
		session.blocks++;
	}
	s->tries = ++*tries;
	session.reason = reason_hash(s->arena, reason);
	if (session_save(s->arena, &session, &err) < 0)
		goto failed;
	t->is_counted = true;
	s->is_block_counted |= sent == SENT_BY_SIGNAL;
	return true;
failed:
	*ret_why = str_cat(s->arena, "the try can't be counted: ", err.msg);
	return false;
}

void
tries_give_back(struct stop_context *s, const struct tries *t, bool has_passed)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err err;

	if (!has_passed && !t->is_counted)
		return;
	s->tries = s->max_tries = 0;
	if (stop_session(s, s->gates_source->root, false, &session, &err) < 0) {
		stop_warn(s, err.msg);
		return;
	}
	int64_t *tries = session_tries(&session, s->gates_source->root);

	if (session.file.fd < 0 || *tries == 0)
		return;
	*tries = has_passed ? 0 : *tries - 1;
	if (session_save(s->arena, &session, &err) < 0)
		stop_warn(s, err.msg);
}

bool
tries_are_used_up(struct stop_context *s, const struct tries *t)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };

	return !t->is_counted && stop_session(s, s->gates_source->root, false, &session, IGNORED) == 0 &&
	       *session_tries(&session, s->gates_source->root) >= t->max;
}
