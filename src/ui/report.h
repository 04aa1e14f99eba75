/* SPDX-License-Identifier: MIT */
/* A run as a file that other programs read: JSON for scripts, JUnit XML for CI systems. */
#ifndef UI_REPORT_H
#define UI_REPORT_H

#include "model/gate_result.h"
#include "model/status.h"

struct report {
	enum status status;
	bool is_ok; /* the run's exit code is 0 */
	struct str message;
	int64_t run_number;    /* 0: no run was made */
	struct str started_at; /* 2026-11-15T01:26:52.653Z; absent: not known */
	int64_t elapsed_ms;
	struct str console_log_path;
	const struct gate_result *results; /* in the order of the plan */
	size_t count;
};

enum report_format { REPORT_JSON, REPORT_JUNIT };

/* By the extension, .json or .xml in any case; any other is ERR_USAGE. */
int report_format(struct str path, enum report_format *ret, struct err *err) MUST_CHECK;

/* The whole text. Valid JSON, and well-formed XML 1.0, whatever the bytes in the report: what XML has no way to say is
 * U+FFFD, and terminals' escape sequences are taken out of messages and outputs. A run that failed by no job of its
 * own is a test case of its own in the XML, so that it is not taken for a good one. Pure. */
struct str report_json(struct arena *a, const struct report *r);
struct str report_junit(struct arena *a, const struct report *r);

/* Writes the one or the other to the file, whose directory is made if it is missing. */
int report_write(struct arena *a, const struct report *r, struct str path, struct err *err) MUST_CHECK;

#endif
