/* SPDX-License-Identifier: MIT */
/* What happens between two stops of a loop, noted in its file.
 *
 * After a usage limit no hook can go on with the turn; `holdfast ralph resume --wait` starts the client again when the limit has
 * passed. A prompt that a person types is answered by one turn, whose stop the loop lets through. */
#include "loop/loop.h"
#include "os/clock.h"

/* Where the message does not say when the limit passes. */
#define UNKNOWN_US INT64_C(900000000)

static bool
take_number(struct str *x, int least, int most, int *ret)
{
	size_t n = str_digits(str_sub(*x, 0, 12), 0);
	uint64_t value;

	if (!number_parse(str_sub(*x, 0, n), &value) || value > (uint64_t)most || (int)value < least)
		return false;
	*x = str_rest(*x, n);
	*ret = (int)value;
	return true;
}

/* "Nov 20, " or "Nov 20 at " */
static void
take_day(struct str *x, struct wall_time *w)
{
	static const struct str months[] = { STR("Jan"), STR("Feb"), STR("Mar"), STR("Apr"),
					     STR("May"), STR("Jun"), STR("Jul"), STR("Aug"),
					     STR("Sep"), STR("Oct"), STR("Nov"), STR("Dec") };

	for (size_t i = 0; i < COUNT_OF(months); i++) {
		struct str rest = str_rest(*x, 4);
		int day;

		if (!str_starts(*x, months[i]) || !take_number(&rest, 1, 31, &day))
			continue;
		w->month = (int)i + 1;
		w->day = day;
		while (rest.n > 0 && !is_digit(rest.s[0]))
			rest = str_rest(rest, 1);
		*x = rest;
		return;
	}
}

/* When the limit passes, by the client's message: "resets 3pm (Europe/Berlin)", "resets Nov 20, 10:10am"; "|1763650800". False:
 * that does not say. Asks only for the time zone. */
static bool
limit_time(struct str message, int64_t now_us, int64_t *ret_us)
{
	ptrdiff_t at = str_find(message, STR("resets ")), bar = str_find_char(message, '|');
	struct wall_time w = { 0 };
	uint64_t seconds;

	if (bar >= 0 && number_parse(str_trim(str_rest(message, (size_t)bar + 1)), &seconds) &&
	    seconds < UINT64_C(10000000000)) {
		*ret_us = (int64_t)seconds * 1000000;
		return true;
	}
	struct str x = at < 0 ? STR("") : str_rest(message, (size_t)at);

	(void)str_skip(&x, "resets ");
	(void)str_skip(&x, "at ");
	take_day(&x, &w);
	if (!take_number(&x, 0, 23, &w.hour) || (str_skip(&x, ":") && !take_number(&x, 0, 59, &w.minute)))
		return false;
	if (str_starts(x, STR("pm")) && w.hour < 12)
		w.hour += 12;
	else if (str_starts(x, STR("am")) && w.hour == 12)
		w.hour = 0;
	*ret_us = clock_next_wall(&w, now_us);
	return true;
}

/* Notes a usage limit with this message, or, where it is absent, a prompt, in the loop at the path, if the session owns it. If
 * another program has changed the loop meanwhile, there is no note. */
static int
note(struct arena *a, struct str path, struct str session, struct str message, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	const struct loop_state *s = &l.state;
	int64_t now_us = clock_real_us();
	struct str text;
	bool is_gone;

	if (loop_open(a, path, &l, err) < 0)
		return -1;
	if (l.file.fd < 0 || l.is_corrupt || !str_eq(s->session_id, session))
		return 0;
	if (message.s) {
		struct loop_limit limit = s->options.limit;

		if (s->options.resume_after_limit == 0)
			return 0;
		if (!limit_time(message, now_us, &limit.until_us))
			limit.until_us = now_us + UNKNOWN_US;
		text = frontmatter_set(a, &s->doc, "limit", loop_limit_text(a, &limit));
	} else {
		enum loop_prompted now = s->options.prompted == PROMPTED_OVER ? PROMPTED_NOT : PROMPTED_NOW;

		/* The prompt that the user starts the loop with belongs to its first iteration. */
		if (s->is_paused || s->iteration < 2 || s->options.prompted == now)
			return 0;
		text = frontmatter_set(a, &s->doc, "prompted", str_from(loop_prompted_names[now]));
	}
	return locked_change(a, &l.file, l.text, text, &is_gone, err);
}

int
loop_note(struct arena *a, const struct project_dirs *where, struct str session, struct str message,
	  struct err *err)
{
	for (size_t i = 0; session.n > 0 && i < where->count; i++)
		if (note(a, loop_path(a, where->dirs[i], session), session, message, err) < 0 ||
		    note(a, loop_path(a, where->dirs[i], STR("")), session, message, err) < 0)
			return -1;
	return 0;
}
