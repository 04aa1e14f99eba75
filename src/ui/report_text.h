/* SPDX-License-Identifier: MIT */
/* Shared by the two formats of a report. */
#ifndef UI_REPORT_TEXT_H
#define UI_REPORT_TEXT_H

#include "ui/report.h"

/* More than any run can produce: a truncated report would be useless. */
#define REPORT_LIMIT_BYTES MIB(2048)

struct buf;

/* 1.234 */
void report_add_seconds(struct buf *b, int64_t ms);
/* The end of a gate's output as it is shown; absent where it passed or never started. */
struct str report_output(struct arena *a, const struct gate_result *r);

#endif
