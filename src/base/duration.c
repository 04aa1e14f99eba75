/* SPDX-License-Identifier: MIT */
/* Durations with units. Pure. */
#include "base/duration.h"

#include <inttypes.h>

/* The longest name first, as one begins with another. */
static const struct {
	const char *name;
	int64_t ms;
} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60 * 1000 }, { "h", 3600 * 1000 } };

/* Takes a number and its unit off the text. */
static bool
take_part(struct str *text, int64_t *ret_ms)
{
	size_t digits = 0;
	uint64_t value;

	while (digits < text->n && text->s[digits] >= '0' && text->s[digits] <= '9')
		digits++;
	if (!number_parse(str_sub(*text, 0, digits), &value))
		return false;
	struct str rest = str_sub(*text, digits, text->n);

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		struct str name = str_from(units[i].name);

		if (!str_starts(rest, name) || value > (uint64_t)(INT32_MAX * INT64_C(1000) / units[i].ms))
			continue;
		*ret_ms = (int64_t)value * units[i].ms;
		*text = str_sub(rest, name.n, rest.n);
		return true;
	}
	return false;
}

bool
duration_parse(struct str text, int64_t *ret_ms)
{
	struct str rest = str_trim(text);
	int64_t sum = 0, part;

	if (rest.n == 0)
		return false;
	while (rest.n > 0) {
		if (!take_part(&rest, &part) || sum > INT32_MAX * INT64_C(1000))
			return false;
		sum += part;
	}
	*ret_ms = sum;
	return true;
}

struct str
duration_text(struct arena *a, int64_t ms)
{
	size_t unit = COUNT_OF(units) - 1;

	while (unit > 0 && ms % units[unit].ms != 0)
		unit--;
	return str_fmt(a, "%" PRId64 "%s", ms / units[unit].ms, units[unit].name);
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
	return str_fmt(a, "%" PRId64 " %s", seconds / rows[i].unit, rows[i].name);
}
