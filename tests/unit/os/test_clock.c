/* SPDX-License-Identifier: MIT */
/* Time as text, and back. */
#include "test.h"

#include "os/clock.h"

#include <string.h>
#include <time.h>

#define S INT64_C(1000000)

TEST(times_are_written_in_utc)
{
	static const struct {
		int64_t us;
		const char *seconds, *micros;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000+00:00" },
		{ 1, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000001+00:00" },
		{ -1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999+00:00" },
		{ 951782399 * S, "2000-02-28T23:59:59Z", "2000-02-28T23:59:59.000000+00:00" },
		{ 951782400 * S, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000+00:00" },
		{ 951868800 * S, "2000-03-01T00:00:00Z", "2000-03-01T00:00:00.000000+00:00" },
		{ 4107542400 * S, "2100-03-01T00:00:00Z", "2100-03-01T00:00:00.000000+00:00" },
		{ 1794716259 * S + 123456, "2026-11-15T04:17:39Z", "2026-11-15T04:17:39.123456+00:00" },
		{ 253402300799 * S + 999999, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999+00:00" },
		{ -62167219200 * S, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000+00:00" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int64_t back = 0;

		CHECK_STR(clock_format_seconds(&a, rows[i].us), rows[i].seconds);
		CHECK_STR(clock_format_micros(&a, rows[i].us), rows[i].micros);
		CHECK_STR(clock_format_millis(&a, rows[i].us), str_fmt(&a, "%.23sZ", rows[i].micros).s);
		CHECK_ROW(rows[i].micros, clock_parse(str_from(rows[i].micros), &back) && back == rows[i].us);
	}
}

TEST(every_day_of_three_centuries_has_the_calendars_date)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (int64_t day = -40000; day < 80000; day++) {
		struct arena_mark mark = arena_mark(&a);
		time_t seconds = (time_t)(day * 86400 + 43200);
		struct tm tm;
		char expected[64];
		int64_t back = 0;
		struct str text = clock_format_seconds(&a, seconds * S);

		(void)gmtime_r(&seconds, &tm);
		(void)strftime(expected, sizeof(expected), "%Y-%m-%dT%H:%M:%SZ", &tm);
		if (!str_is(text, expected) || !clock_parse(text, &back) || back != seconds * S)
			fail_msg("day %lld: %s is not %s", (long long)day, text.s, expected);
		arena_reset(&a, mark);
	}
}

TEST(only_the_two_forms_are_read)
{
	static const struct {
		const char *text;
		bool is_read;
		int64_t us;
	} rows[] = {
		{ "1970-01-01T00:00:01Z", true, S },
		{ "1970-01-01T00:00:01+00:00", true, S },
		{ "1970-01-01T00:00:01.5Z", true, S + 500000 },
		{ "1970-01-01T00:00:01.123Z", true, S + 123000 },
		{ "1970-01-01T00:00:01.123456789Z", true, S + 123456 },
		{ "1970-01-01T00:00:01.1234567890Z", false, 0 },
		{ "1970-01-01T00:00:01.Z", false, 0 },
		{ "1970-01-01T00:00:01", false, 0 },
		{ "1970-01-01T00:00:01z", false, 0 },
		{ "1970-01-01T00:00:01+01:00", false, 0 },
		{ "1970-01-01T00:00:01-00:00", false, 0 },
		{ "1970-01-01T00:00:01Z ", false, 0 },
		{ " 1970-01-01T00:00:01Z", false, 0 },
		{ "1970-01-01 00:00:01Z", false, 0 },
		{ "1970-1-01T00:00:01Z", false, 0 },
		{ "1970-00-01T00:00:00Z", false, 0 },
		{ "1970-13-01T00:00:00Z", false, 0 },
		{ "1970-01-00T00:00:00Z", false, 0 },
		{ "1970-01-31T00:00:00Z", true, 30 * 86400 * S },
		{ "1970-01-32T00:00:00Z", false, 0 },
		{ "1970-04-31T00:00:00Z", false, 0 },
		{ "1970-12-31T00:00:00Z", true, 364 * 86400 * S },
		{ "1970-12-32T00:00:00Z", false, 0 },
		{ "2000-02-29T00:00:00Z", true, 951782400 * S },
		{ "2001-02-29T00:00:00Z", false, 0 },
		{ "1900-02-29T00:00:00Z", false, 0 },
		{ "1970-01-01T23:59:59Z", true, 86399 * S },
		{ "1970-01-01T24:00:00Z", false, 0 },
		{ "1970-01-01T00:60:00Z", false, 0 },
		{ "1970-01-01T00:00:60Z", false, 0 },
		{ "", false, 0 },
		{ "null", false, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int64_t us = -7;

		CHECK_ROW(rows[i].text, clock_parse(str_from(rows[i].text), &us) == rows[i].is_read);
		CHECK_ROW(rows[i].text, us == (rows[i].is_read ? rows[i].us : -7));
	}
}

TEST(the_clocks_go_forward)
{
	int64_t mono = clock_mono_ms(), real = clock_real_us();

	CHECK(clock_mono_ms() >= mono);
	CHECK(real > 1700000000 * S && real / S - time(NULL) <= 1);
}
