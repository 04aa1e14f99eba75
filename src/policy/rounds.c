/* SPDX-License-Identifier: MIT */
/* Rounds: N rounds of work before the agent may stop; and infinite mode, which has no N. The count of rounds is written
 * before the block that it bounds; without a reliable count there is no block. */
#include "policy/policies.h"

#include "store/counter.h"

struct rounds_step
rounds_decide(uint64_t completed, uint64_t max)
{
	uint64_t round = completed < UINT64_MAX ? completed + 1 : completed;

	return (struct rounds_step){ .is_last = round >= max, .round = round };
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
	CLEANUP(counter_close) struct counter c = { .file = LOCKED_NONE };
	struct str path = counter_path(s->arena, session, COUNTER_ROUNDS);
	struct err err;

	if (counter_open(s->arena, path, !s->is_dry, stop_wait_ms(s, COUNTER_LOCK_MS), &c, &err) < 0) {
		*ret = unavailable(s, path, err.msg);
		return true;
	}
	struct rounds_step step = rounds_decide(c.value, max);

	if (c.is_corrupt || step.is_last) {
		*ret = c.is_corrupt ? unavailable(s, path, "invalid content") : finished(s, max);
		if (!s->is_dry && locked_remove(&c.file, &err) < 0)
			stop_warn(s, err.msg);
		return true;
	}
	if (!s->is_dry && counter_save(s->arena, &c, step.round, &err) < 0) {
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
