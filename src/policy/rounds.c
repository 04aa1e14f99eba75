/* SPDX-License-Identifier: MIT */
/* Rounds: N rounds of work before the agent may stop; and infinite mode, which has no N. The count of rounds is written
 * before the block that it bounds; without a reliable count there is no block. */
#include "policy/policies.h"

#include "store/counter.h"

#include <inttypes.h>

struct rounds_step
rounds_decide(uint64_t completed, uint64_t max)
{
	uint64_t round = completed < UINT64_MAX ? completed + 1 : completed;

	return (struct rounds_step){ .is_last = round >= max, .round = round };
}

static struct verdict
unavailable(struct stop_context *s, struct str path, const char *why)
{
	/* Most errors name the path themselves. */
	if (str_starts(str_from(why), path))
		stop_warn(s, "rounds state unavailable: %s; allowing stop", why);
	else
		stop_warn(s, "rounds state unavailable: " STR_FMT ": %s; allowing stop", STR_ARG(path), why);
	return (struct verdict){ .status = STATUS_ROUNDS_FINISHED,
				 .message = STR("the rounds can't be counted, so they count as finished") };
}

static struct verdict
finished(struct stop_context *s, uint64_t max)
{
	return (struct verdict){ .status = STATUS_ROUNDS_FINISHED,
				 .message = str_fmt(s->arena, "all %" PRIu64 " rounds are finished", max),
				 .number = max,
				 .of = max };
}

/* The configured message with its numbers. */
static struct str
round_text(struct stop_context *s, uint64_t round, uint64_t max)
{
	static const struct str names[] = { STR("{round}"), STR("{rounds}") };
	const uint64_t values[] = { round, max };
	struct str rest = s->conclaude->stop.rounds_message;
	struct buf b = BUF(s->arena, SIZE_MAX);

	if (!rest.s)
		return str_fmt(s->arena, "Round %" PRIu64 "/%" PRIu64 " completed, continuing...", round,
			       max);
	while (rest.n > 0) {
		size_t i = 0, n = 1;

		while (i < COUNT_OF(names) && !str_starts(rest, names[i]))
			i++;
		if (i < COUNT_OF(names)) {
			n = names[i].n;
			buf_addf(&b, "%" PRIu64, values[i]);
		} else {
			buf_addc(&b, rest.s[0]);
		}
		rest = str_sub(rest, n, rest.n);
	}
	return buf_str(&b);
}

bool
rounds_policy(struct stop_context *s, struct verdict *ret)
{
	struct str session = s->event->session_id;

	if (!s->conclaude || s->conclaude->stop.rounds == 0 || !s->is_main || session.n == 0)
		return false;
	uint64_t max = (uint64_t)s->conclaude->stop.rounds;

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
		if (!s->is_dry && counter_clear(&c, &err) < 0)
			stop_warn(s, "%s", err.msg);
		return true;
	}
	if (!s->is_dry && counter_save(s->arena, &c, step.round, &err) < 0) {
		*ret = unavailable(s, path, err.msg);
		return true;
	}
	struct str text = round_text(s, step.round, max);

	buf_addf(&s->progress, STR_FMT "\n", STR_ARG(text));
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
	if (!s->conclaude || !s->conclaude->stop.is_infinite)
		return false;
	struct str message = s->conclaude->stop.infinite_message;

	buf_addf(&s->progress, "Infinite mode enabled, sending continuation message: " STR_FMT "\n",
		 STR_ARG(message));
	*ret = (struct verdict){ .status = STATUS_INFINITE, .reason = message };
	return true;
}
