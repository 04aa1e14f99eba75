/* SPDX-License-Identifier: MIT */
/* Durations with units. Pure. */
#include "base/duration.h"

#include <inttypes.h>

#define LONGEST_MS (INT32_MAX * INT64_C(1000))

/* The longest name first, as one begins with another. */
static const struct {
	const char *name;
	int64_t ms;
} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60 * 1000 }, { "h", 3600 * 1000 } };

bool
duration_parse(struct str text, int64_t *ret_ms)
{
	struct str rest = str_trim(text);
	int64_t sum = 0;
	uint64_t value;

	do {
		size_t digits = str_digits(rest, 0), i = 0;

		if (!number_parse(str_sub(rest, 0, digits), &value) || sum > LONGEST_MS)
			return false;
		rest = str_rest(rest, digits);
		while (i < COUNT_OF(units) && !str_skip(&rest, units[i].name))
			i++;
		if (i == COUNT_OF(units) || value > (uint64_t)(LONGEST_MS / units[i].ms))
			return false;
		sum += (int64_t)value * units[i].ms;
	} while (rest.n > 0);
	*ret_ms = sum;
	return true;
}

struct str
duration_text(struct arena *a, int64_t ms)
{
	size_t unit = COUNT_OF(units) - 1;

	while (unit > 0 && ms % units[unit].ms != 0)
		unit--;
	return str_cat(a, ms / units[unit].ms, units[unit].name);
}

struct str
duration_age(struct arena *a, int64_t us)
{
	static const struct {
		int64_t most, unit;
		const char *name;
	} rows[] = {
		{ 120, 1, "s" }, { 7200, 60, "min" }, { 172800, 3600, "h" }, { INT64_MAX, 86400, "days" }
	};
	int64_t seconds = us > 0 ? us / 1000000 : 0;
	size_t i = 0;

	while (seconds >= rows[i].most)
		i++;
	return str_cat(a, seconds / rows[i].unit, " ", rows[i].name);
}

struct str
duration_span(struct arena *a, int64_t ms)
{
	int64_t s = ms / 1000;

	if (ms < 1000)
		return str_cat(a, ms, " ms");
	if (s < 60)
		return str_cat(a, s, ".", ms % 1000 / 100, " s");
	if (s < 3600)
		return str_fmt(a, "%" PRId64 " min %02" PRId64 " s", s / 60, s % 60);
	return str_fmt(a, "%" PRId64 " h %02" PRId64 " min", s / 3600, s % 3600 / 60);
}
