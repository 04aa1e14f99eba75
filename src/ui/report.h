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

/* By the extension, .json or .xml, upper or lower case; any other is ERR_USAGE. */
int report_format(struct str path, enum report_format *ret, struct err *err) MUST_CHECK;

/* The report as text: valid JSON, or well-formed XML 1.0, for any bytes. Characters that XML can't hold become U+FFFD,
 * and terminal escape sequences are removed. Where the run failed but no gate did, the XML has a test case for the run,
 * so that readers don't take it for a success. Pure. */
struct str report_json(struct arena *a, const struct report *r);
struct str report_junit(struct arena *a, const struct report *r);

/* Writes the file in the format of its extension, and creates its directory if necessary. */
int report_write(struct arena *a, const struct report *r, struct str path, struct err *err) MUST_CHECK;

#endif
