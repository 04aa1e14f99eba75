/* SPDX-License-Identifier: MIT */
/* Rounds: N rounds of work before the agent may stop; and infinite mode, which has no N. The count of rounds is written
 * before the block that it bounds; without a reliable count there is no block. */
#include "policy/policies.h"

#include "os/locked.h"

#define NAME "rounds"
#define CONTENT_BYTES 32

struct rounds_step
rounds_decide(uint64_t completed, uint64_t max)
{
	uint64_t round = completed < UINT64_MAX ? completed + 1 : completed;

	return (struct rounds_step){ .is_last = round >= max, .round = round };
}

/* Opens, locks and, but in a dry run, creates the file; no file and an empty file are 0. No fsync: a count lost to a power cut is
 * acceptable. */
static int
read_count(struct stop_context *s, struct str path, struct locked_file *file, uint64_t *ret, struct err *err)
{
	struct locked_how how = { .creates = !s->is_dry,
				  .is_in_shared = true,
				  .timeout_ms = (int)stop_wait_ms(s, SESSION_LOCK_MS) };
	struct str text = STR("");

	if (locked_open(path.s, &how, file, err) < 0)
		return -1;
	if (file->fd >= 0 && locked_read(s->arena, file, CONTENT_BYTES, &text, err) < 0) {
		if (err->code != ERR_LIMIT)
			return -1;
		text = STR("too long");
	}
	text = str_trim(text);
	return text.n == 0 || number_parse(text, ret) ? 0 : err_set(err, ERR_LIMIT, "invalid content");
}

int
rounds_forget(struct arena *a, struct str session, struct err *err)
{
	static const struct locked_how how = { .is_in_shared = true, .timeout_ms = SESSION_LOCK_MS };
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	return locked_open(session_shared_path(a, session, NAME).s, &how, &file, err) < 0
		       ? -1
		       : locked_remove(&file, err);
}

static struct verdict
unavailable(struct stop_context *s, struct str path, const char *why)
{
	bool is_named = str_starts(str_from(why), path); /* as most errors do */

	stop_warn(s, "rounds state unavailable: ", is_named ? STR("") : path, is_named ? "" : ": ", why,
		  "; allowing stop");
	return verdict_of(STATUS_ROUNDS_FINISHED,
			  STR("the rounds can't be counted, so they count as finished"));
}

static struct verdict
finished(struct stop_context *s, uint64_t max)
{
	return (struct verdict){ .status = STATUS_ROUNDS_FINISHED,
				 .message = str_cat(s->arena, "all ", max, " rounds are finished"),
				 .number = max,
				 .of = max };
}

bool
rounds_policy(struct stop_context *s, struct verdict *ret)
{
	struct str session = s->event->session_id;

	if (!s->policies || s->policies->rounds == 0 || !s->is_main || session.n == 0)
		return false;
	uint64_t max = (uint64_t)s->policies->rounds;

	if (max == 1) {
		*ret = finished(s, max);
		return true;
	}
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;
	struct str path = session_shared_path(s->arena, session, NAME);
	uint64_t completed = 0;
	struct err err;
	bool is_known = read_count(s, path, &file, &completed, &err) == 0;
	struct rounds_step step = rounds_decide(completed, max);

	if (!is_known || step.is_last) {
		*ret = is_known ? finished(s, max) : unavailable(s, path, err.msg);
		/* What is no number is in the way of the next count. */
		if (!s->is_dry && (is_known || err.code == ERR_LIMIT) && locked_remove(&file, &err) < 0)
			stop_warn(s, err.msg);
		return true;
	}
	if (!s->is_dry && locked_overwrite(&file, str_cat(s->arena, step.round, "\n"), &err) < 0) {
		*ret = unavailable(s, path, err.msg);
		return true;
	}
	struct str text = s->policies->rounds_message;

	if (!text.s)
		text = STR("Round {round}/{rounds} completed, continuing...");
	text = str_replace(s->arena, text, STR("{round}"), str_cat(s->arena, step.round));
	text = str_replace(s->arena, text, STR("{rounds}"), str_cat(s->arena, max));
	buf_cat(&s->progress, text, "\n");
	*ret = (struct verdict){ .status = STATUS_ROUND_COMPLETED,
				 .message = text,
				 .reason = text,
				 .number = step.round,
				 .of = max };
	return true;
}

/* Blocks every stop that no other policy has decided. Only the client's own limit ends it. */
bool
infinite_policy(struct stop_context *s, struct verdict *ret)
{
	if (!s->policies || !s->policies->is_infinite)
		return false;
	struct str message = s->policies->infinite_message;

	buf_cat(&s->progress, "Infinite mode enabled, sending continuation message: ", message, "\n");
	*ret = (struct verdict){ .status = STATUS_INFINITE, .reason = message };
	return true;
}
