/* SPDX-License-Identifier: MIT */
/* The clocks, and time as text. */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

#include "base/base.h"

int64_t clock_mono_ms(void);
/* Since boot, including suspend. The kernel gives the start times of processes on this clock. */
int64_t clock_boot_ms(void);
/* Microseconds since 1970, UTC. */
int64_t clock_real_us(void);
/* The time that a file gets that is written now: it moves in the kernel's ticks. */
int64_t clock_file_ns(void);
void clock_sleep_ms(int64_t ms);

/* The next time after `after_us` at which a clock on the wall, in the time zone of this system, shows this; on that day of
 * the year where month, from 1, is not 0. */
struct wall_time {
	int month, day, hour, minute;
};
int64_t clock_next_wall(const struct wall_time *w, int64_t after_us);

/* 2026-11-15T04:17:39Z */
struct str clock_format_seconds(struct arena *a, int64_t real_us);
/* 2026-11-15T04:17:39.123Z; the rest is dropped */
struct str clock_format_millis(struct arena *a, int64_t real_us);
/* The same; absent for a time that is not known, which is 0. */
struct str clock_format_known(struct arena *a, int64_t real_us);
/* 2026-11-15T04:17:39.123456+00:00 */
struct str clock_format_micros(struct arena *a, int64_t real_us);
/* Reads all three formats, with either ending and a fraction of up to nine digits, of which six count. False: not a time. */
bool clock_parse(struct str x, int64_t *ret_real_us);

#endif
