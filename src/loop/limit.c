/* SPDX-License-Identifier: MIT */
/* A usage limit that has ended a turn. No hook can go on with the turn: the loop's file keeps when the limit passes, and
 * `holdfast ralph resume --wait` starts the client again then. */
#include "loop/loop.h"
#include "os/clock.h"

/* Where the message does not say when the limit passes. */
#define UNKNOWN_US INT64_C(900000000)

static bool
take_number(struct str *x, int least, int most, int *ret)
{
	size_t n = 0;
	uint64_t value;

	while (n < x->n && n < 12 && x->s[n] >= '0' && x->s[n] <= '9')
		n++;
	if (!number_parse(str_sub(*x, 0, n), &value) || value > (uint64_t)most || (int)value < least)
		return false;
	*x = str_sub(*x, n, x->n);
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
		struct str rest = str_sub(*x, 4, x->n);
		int day;

		if (!str_starts(*x, months[i]) || !take_number(&rest, 1, 31, &day))
			continue;
		w->month = (int)i + 1;
		w->day = day;
		while (rest.n > 0 && (rest.s[0] < '0' || rest.s[0] > '9'))
			rest = str_sub(rest, 1, rest.n);
		*x = rest;
		return;
	}
}

/* "resets 3pm (Europe/Berlin)", "resets Nov 20, 10:10am"; "|1763650800" */
bool
loop_limit_time(struct str message, int64_t now_us, int64_t *ret_us)
{
	static const struct str words = STR("resets ");
	ptrdiff_t at = str_find(message, words), bar = str_find_char(message, '|');
	struct wall_time w = { 0 };
	uint64_t seconds;

	if (bar >= 0 && number_parse(str_trim(str_sub(message, (size_t)bar + 1, message.n)), &seconds) &&
	    seconds < UINT64_C(10000000000)) {
		*ret_us = (int64_t)seconds * 1000000;
		return true;
	}
	struct str x = at < 0 ? STR("") : str_sub(message, (size_t)at + words.n, message.n);

	if (str_starts(x, STR("at ")))
		x = str_sub(x, 3, x.n);
	take_day(&x, &w);
	if (!take_number(&x, 0, 23, &w.hour))
		return false;
	if (str_starts(x, STR(":"))) {
		x = str_sub(x, 1, x.n);
		if (!take_number(&x, 0, 59, &w.minute))
			return false;
	}
	if (str_starts(x, STR("pm")) && w.hour < 12)
		w.hour += 12;
	else if (str_starts(x, STR("am")) && w.hour == 12)
		w.hour = 0;
	*ret_us = clock_next_wall(&w, now_us);
	return true;
}

static int
note_limit(struct arena *a, struct str path, struct str session, struct str message, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct loop_edits edits = { .count = 1 };
	int64_t now_us = clock_real_us();
	bool is_gone;

	if (loop_open(a, path, &l, err) < 0)
		return -1;
	struct loop_limit limit = l.state.options.limit;

	if (l.file.fd < 0 || l.is_corrupt || l.state.options.resume_after_limit == 0 ||
	    !str_eq(l.state.session_id, session))
		return 0;
	if (!loop_limit_time(message, now_us, &limit.until_us))
		limit.until_us = now_us + UNKNOWN_US;
	edits.items[0] = (struct loop_edit){ "limit", loop_limit_text(a, &limit) };
	return locked_change(a, &l.file, l.text, loop_state_with(a, &l.state, &edits), &is_gone, err);
}

int
loop_note_limit(struct arena *a, const struct project_dirs *where, struct str session, struct str message,
		struct err *err)
{
	for (size_t i = 0; session.n > 0 && i < where->count; i++)
		if (note_limit(a, loop_session_path(a, where->dirs[i], session), session, message, err) < 0 ||
		    note_limit(a, loop_path(a, where->dirs[i]), session, message, err) < 0)
			return -1;
	return 0;
}
