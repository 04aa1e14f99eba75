/* SPDX-License-Identifier: MIT */
/* The tries of a session, in its file. Counted on disk before a block is sent. */
#include "policy/tries.h"

#include "policy/block_limit.h"
#include "store/session.h"

#include <inttypes.h>

bool
tries_count(struct stop_context *s, struct tries *t, struct str reason, enum block_sent sent,
	    struct str *ret_why)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err err;

	if (t->is_counted)
		return true;
	if (session_open(s->arena, stop_owner(s, t->root), !s->is_dry, stop_wait_ms(s, SESSION_LOCK_MS),
			 &session, &err) < 0)
		goto failed;
	s->max_tries = t->max;
	s->tries = session.tries;
	if (session.tries >= t->max) {
		*ret_why = str_fmt(s->arena, "tries used: %" PRId64 " of %" PRId64, session.tries, t->max);
		return false;
	}
	if (s->is_dry)
		return true;
	if (sent == SENT_BY_SIGNAL && !s->is_block_counted) {
		if (session.blocks >= BLOCKS_MAX)
			return false;
		session.blocks++;
	}
	s->tries = ++session.tries;
	session.root = t->root;
	session.reason = reason_hash(s->arena, reason);
	if (session_save(s->arena, &session, &err) < 0)
		goto failed;
	t->is_counted = true;
	s->is_block_counted |= sent == SENT_BY_SIGNAL;
	return true;
failed:
	*ret_why = str_fmt(s->arena, "the try can't be counted: %s", err.msg);
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
	if (session_open(s->arena, stop_owner(s, t->root), false, stop_wait_ms(s, SESSION_LOCK_MS), &session,
			 &err) < 0) {
		stop_warn(s, "%s", err.msg);
		return;
	}
	bool is_others = session.root.s && !str_eq(session.root, t->root);

	if (session.file.fd < 0 || session.tries == 0 || (is_others && !t->is_counted))
		return;
	session.tries = has_passed && !is_others ? 0 : session.tries - 1;
	if (session_save(s->arena, &session, &err) < 0)
		stop_warn(s, "%s", err.msg);
}

bool
tries_are_used_up(struct stop_context *s, const struct tries *t)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct err ignored;

	return !t->is_counted &&
	       session_open(s->arena, stop_owner(s, t->root), false, stop_wait_ms(s, SESSION_LOCK_MS),
			    &session, &ignored) == 0 &&
	       session.tries >= t->max;
}
