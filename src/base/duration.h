/* SPDX-License-Identifier: MIT */
/* Spans of time in text: whole numbers, each with its unit, ms, s, m or h: 90s, 5m, 1h30m. */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include "base/base.h"

/* In milliseconds. False: it is anything else, or it has no unit, or does not fit. */
bool duration_parse(struct str text, int64_t *ret_ms);
/* The shortest text with one unit: 90s, 5m. */
struct str duration_text(struct arena *a, int64_t ms);
/* How long ago, for people: 40 s, 12 min, 3 h, 2 days. */
struct str duration_age(struct arena *a, int64_t us);
/* For people: 850 ms, 12.3 s, 4 min 05 s, 2 h 07 min. */
struct str duration_span(struct arena *a, int64_t ms);

#endif
