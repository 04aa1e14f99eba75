/* SPDX-License-Identifier: MIT */
/* Parses the names of logs. Pure. */
#include "model/logname.h"

/* Takes `_adapter@K` off the end. False: there is none. */
static bool
take_slot(struct log_name *l)
{
	ptrdiff_t at = str_find_last(l->part, '@');
	uint64_t slot;

	if (at <= 0 || !number_parse(str_rest(l->part, (size_t)at + 1), &slot) || slot == 0 ||
	    slot > LOG_RUN_MAX)
		return false;
	struct str before = str_sub(l->part, 0, (size_t)at);
	ptrdiff_t line = str_find_last(before, '_');
	struct str adapter = str_rest(before, (size_t)(line + 1));

	if (line <= 0 || adapter.n == 0 || str_find_char(adapter, '@') >= 0)
		return false;
	l->part = str_sub(before, 0, (size_t)line);
	l->adapter = adapter;
	l->slot = (int64_t)slot;
	return true;
}

bool
log_name_parse(struct str name, struct log_name *ret)
{
	struct log_name l = { .is_json = str_ends(name, STR(".json")) };

	if (!l.is_json && !str_ends(name, STR(".log")))
		return false;
	name.n -= l.is_json ? 5 : 4;
	ptrdiff_t dot = str_find_last(name, '.');
	uint64_t run;

	if (dot <= 0 || !number_parse(str_rest(name, (size_t)dot + 1), &run) || run > LOG_RUN_MAX)
		return false;
	l.run = (int64_t)run;
	l.part = str_sub(name, 0, (size_t)dot);
	l.is_console = str_is(l.part, "console");
	bool is_check = str_starts(l.part, STR("check_")), is_review = str_starts(l.part, STR("review_"));

	if (is_review ? !take_slot(&l) : l.is_json || !(is_check || l.is_console))
		return false;
	*ret = l;
	return true;
}

static int
compare_runs(const void *left, const void *right)
{
	int64_t x = *(const int64_t *)left, y = *(const int64_t *)right;

	return (x > y) - (x < y);
}

size_t
log_count_runs(int64_t *runs, size_t count)
{
	size_t different = 0;

	sort(runs, count, compare_runs);
	for (size_t i = 0; i < count; i++)
		different += i == 0 || runs[i] != runs[i - 1];
	return different;
}
