/* SPDX-License-Identifier: MIT */
/* Durations with units. */
#include "test.h"

#include "base/duration.h"

TEST(a_duration_has_a_unit)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: it is none */
		const char *shown;
	} rows[] = {
		{ "90s", 90000, "90s" },
		{ "5m", 300000, "5m" },
		{ "60s", 60000, "1m" },
		{ "1h30m", 5400000, "90m" },
		{ "1m30s", 90000, "90s" },
		{ "250ms", 250, "250ms" },
		{ "2h", 7200000, "2h" },
		{ " 2h ", 7200000, "2h" },
		{ "0s", 0, "0h" },
		{ "90", -1, NULL },
		{ "1.5m", -1, NULL },
		{ "-5m", -1, NULL },
		{ "5 m", -1, NULL },
		{ "5d", -1, NULL },
		{ "5M", -1, NULL },
		{ "m", -1, NULL },
		{ "5m3", -1, NULL },
		{ "", -1, NULL },
		{ "99999999999999999999s", -1, NULL },
		{ "9999999999999h", -1, NULL },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int64_t ms = -1;

		CHECK_ROW(rows[i].text, duration_parse(str_from(rows[i].text), &ms) == (rows[i].ms >= 0));
		CHECK_ROW(rows[i].text, ms == rows[i].ms);
		CHECK_ROW(rows[i].text, ms < 0 || str_is(duration_text(&a, ms), rows[i].shown));
	}
}
