/* SPDX-License-Identifier: MIT */
/* Time, in UTC. */
#include "os/clock.h"

#include <errno.h>
#include <time.h>

#define US_PER_SECOND 1000000

static int64_t
now_ms(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t); /* can't fail on Linux */
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t
clock_boot_ms(void)
{
	return now_ms(CLOCK_BOOTTIME);
}

int64_t
clock_mono_ms(void)
{
	return now_ms(CLOCK_MONOTONIC);
}

int64_t
clock_real_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * US_PER_SECOND + t.tv_nsec / 1000;
}

int64_t
clock_file_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void
clock_sleep_ms(int64_t ms)
{
	struct timespec left = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static void
put_digits(char *to, int count, int64_t value)
{
	for (; count-- > 0; value /= 10)
		to[count] = (char)('0' + value % 10);
}

/* By hand: every decision has a time, and printf is slow. `digits` of the fraction are kept. */
static struct str
format_time(struct arena *a, int64_t real_us, size_t digits, struct str zone)
{
	time_t seconds = (time_t)(real_us / US_PER_SECOND - (real_us % US_PER_SECOND < 0));
	struct tm t;
	char text[] = "YYYY-mm-ddTHH:MM:SS.uuuuuu+00:00";
	size_t n = digits > 0 ? 20 + digits : 19;

	(void)gmtime_r(&seconds, &t);
	put_digits(text, 4, t.tm_year + INT64_C(1900));
	put_digits(text + 5, 2, t.tm_mon + 1);
	put_digits(text + 8, 2, t.tm_mday);
	put_digits(text + 11, 2, t.tm_hour);
	put_digits(text + 14, 2, t.tm_min);
	put_digits(text + 17, 2, t.tm_sec);
	put_digits(text + 20, 6, real_us - (int64_t)seconds * US_PER_SECOND);
	memcpy(text + n, zone.s, zone.n);
	return str_copy(a, (struct str){ text, n + zone.n });
}

struct str
clock_format_seconds(struct arena *a, int64_t real_us)
{
	return format_time(a, real_us, 0, STR("Z"));
}

struct str
clock_format_millis(struct arena *a, int64_t real_us)
{
	return format_time(a, real_us, 3, STR("Z"));
}

struct str
clock_format_known(struct arena *a, int64_t real_us)
{
	return real_us > 0 ? clock_format_millis(a, real_us) : STR_NONE;
}

struct str
clock_format_micros(struct arena *a, int64_t real_us)
{
	return format_time(a, real_us, 6, STR("+00:00"));
}

static int
digits_at(struct str x, size_t at, size_t n)
{
	int value = 0;

	for (size_t i = at; i < at + n; i++)
		value = value * 10 + (x.s[i] - '0');
	return value;
}

bool
clock_parse(struct str x, int64_t *ret_real_us)
{
	static const struct str form = STR("0000-00-00T00:00:00");

	if (x.n < form.n)
		return false;
	for (size_t i = 0; i < form.n; i++)
		if (form.s[i] == '0' ? !is_digit(x.s[i]) : x.s[i] != form.s[i])
			return false;
	struct tm t = { .tm_year = digits_at(x, 0, 4) - 1900,
			.tm_mon = digits_at(x, 5, 2) - 1,
			.tm_mday = digits_at(x, 8, 2),
			.tm_hour = digits_at(x, 11, 2),
			.tm_min = digits_at(x, 14, 2),
			.tm_sec = digits_at(x, 17, 2) };
	struct str rest = str_rest(x, form.n);
	int64_t us = 0, unit = US_PER_SECOND / 10;
	int month = t.tm_mon;

	if (month < 0 || month > 11 || t.tm_mday < 1 || t.tm_hour > 23 || t.tm_min > 59 || t.tm_sec > 59)
		return false;
	int64_t seconds = timegm(&t);

	/* A day that the month does not have turns into one of the next month. */
	if (t.tm_mon != month)
		return false;
	if (str_skip(&rest, ".")) {
		size_t n = str_digits(rest, 0);

		if (n == 0 || n > 9)
			return false;
		/* what is below a microsecond is dropped */
		for (size_t i = 0; i < n; i++, unit /= 10)
			us += (rest.s[i] - '0') * unit;
		rest = str_rest(rest, n);
	}
	if (!str_is(rest, "Z") && !str_is(rest, "+00:00"))
		return false;
	*ret_real_us = seconds * US_PER_SECOND + us;
	return true;
}

int64_t
clock_next_wall(const struct wall_time *w, int64_t after_us)
{
	time_t after = (time_t)(after_us / 1000000), t = after;
	struct tm tm;

	for (int step = 0; t <= after && step < 2; step++) {
		(void)localtime_r(&after, &tm);
		tm.tm_hour = w->hour;
		tm.tm_min = w->minute;
		tm.tm_sec = 0;
		tm.tm_isdst = -1;
		if (w->month > 0) {
			tm.tm_mon = w->month - 1;
			tm.tm_mday = w->day;
			tm.tm_year += step;
		} else {
			tm.tm_mday += step;
		}
		t = mktime(&tm);
	}
	return (int64_t)t * 1000000;
}
