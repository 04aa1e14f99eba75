/* SPDX-License-Identifier: MIT */
/* Facts as words and figures for people. Pure. */
#include "base/buf.h"
#include "base/escapes.h"
#include "cmd/report/facts.h"
#include "loop/options.h"
#include "os/clock.h"

#define SECOND_MS 1000
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS (60 * MINUTE_MS)

struct str
words_span(struct arena *a, int64_t ms)
{
	if (ms < 0)
		return STR("-");
	if (ms < SECOND_MS)
		return str_fmt(a, "%lld ms", (long long)ms);
	if (ms < MINUTE_MS)
		return str_fmt(a, "%lld.%lld s", (long long)(ms / SECOND_MS),
			       (long long)(ms % SECOND_MS / 100));
	if (ms < HOUR_MS)
		return str_fmt(a, "%lld min %02lld s", (long long)(ms / MINUTE_MS),
			       (long long)(ms % MINUTE_MS / SECOND_MS));
	return str_fmt(a, "%lld h %02lld min", (long long)(ms / HOUR_MS),
		       (long long)(ms % HOUR_MS / MINUTE_MS));
}

struct str
words_tokens(struct arena *a, int64_t tokens)
{
	if (tokens < 1000)
		return str_fmt(a, "%lld", (long long)tokens);
	if (tokens < 1000000)
		return str_fmt(a, "%lld.%lldk", (long long)(tokens / 1000), (long long)(tokens % 1000 / 100));
	return str_fmt(a, "%lld.%lldM", (long long)(tokens / 1000000),
		       (long long)(tokens % 1000000 / 100000));
}

struct str
words_dollars(struct arena *a, int64_t billionths)
{
	return str_fmt(a, "$" STR_FMT, STR_ARG(loop_dollars(a, billionths)));
}

struct str
words_count(struct arena *a, size_t count, const char *one, const char *several)
{
	return str_fmt(a, "%zu %s", count, count == 1 ? one : several);
}

static const struct {
	const char *reason, *sentence;
	bool is_good;
} reasons[] = {
	{ "complete", "the agent made its promise", true },
	{ "unverified", "the promise was made, but could not be verified", false },
	{ "stopped", "the agent gave up with a promise that means so", false },
	{ "stuck", "it got nowhere, and a warning did not help", false },
	{ "max_iterations", "all iterations were used", false },
	{ "max_minutes", "its minutes were used up", false },
	{ "max_tokens", "its tokens were used up", false },
	{ "max_cost_usd", "its budget was used up", false },
	{ "cancelled", "it was cancelled by hand", false },
	{ "corrupt_state", "its state file could not be read", false },
	{ "running", "it has not ended", true },
	{ "paused", "it is paused", false },
};

struct str
words_reason(struct str reason)
{
	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		if (str_is(reason, reasons[i].reason))
			return str_from(reasons[i].sentence);
	return STR("");
}

bool
words_reason_is_good(struct str reason)
{
	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		if (str_is(reason, reasons[i].reason))
			return reasons[i].is_good;
	return false;
}

struct str
words_why(struct arena *a, const struct facts *f, const struct facts_iteration *i)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t k = 0; k < i->result_count; k++) {
		const struct facts_result *r = &i->results[k];

		if (r->outcome != OUTCOME_FAIL && r->outcome != OUTCOME_ERROR)
			continue;
		buf_addf(&b, "%s" STR_FMT "%s", b.n > 0 ? ", " : "",
			 STR_ARG(facts_gate_title(a, &f->gates[r->gate])),
			 r->outcome == OUTCOME_FAIL ? " failed" : " could not run");
	}
	if (b.n > 0)
		return buf_str(&b);
	/* A loop has said which iteration comes next; a round is counted when it ends. */
	bool is_loop = str_is(i->policy, "loop");

	if (i->is_block && i->number > 0 && i->of > 0)
		return str_fmt(a, "%s %lld of %lld", is_loop ? "iteration" : "round",
			       (long long)(i->number - is_loop), (long long)i->of);
	struct str text = strip_escapes_line(a, i->message.n > 0 ? i->message : i->status);

	return str_trim(text);
}

struct str
words_time(struct arena *a, const struct facts *f, int64_t time_us)
{
	struct str text = clock_format_seconds(a, time_us), day = clock_format_seconds(a, f->first_us);

	/* 2026-11-15T04:17:39Z */
	if (str_eq(str_sub(text, 0, 10), str_sub(day, 0, 10)))
		return str_sub(text, 11, 19);
	return str_fmt(a, STR_FMT " " STR_FMT, STR_ARG(str_sub(text, 5, 10)), STR_ARG(str_sub(text, 11, 19)));
}
