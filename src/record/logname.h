/* SPDX-License-Identifier: MIT */
/* The names of logs: check_src_lint.2.log, review_._quality_claude@1.2.json, console.2.log. Pure. */
#ifndef RECORD_LOGNAME_H
#define RECORD_LOGNAME_H

#include "base/base.h"

/* A number above this is no run's. */
#define LOG_RUN_MAX 1000000000

/* A job's part is cut to so many bytes: a reviewer's name, numbers and extension still go behind it in the 255 that a
 * file name may have. */
#define LOG_PART_MAX 180

struct log_name {
	struct str part;    /* of the job: check_src_lint, review_._quality */
	struct str adapter; /* of a slot: what is behind the last _ of the name; absent: not of a slot */
	int64_t slot;       /* from 1; 0: not of a slot */
	int64_t run;        /* -1: the name has none */
	bool is_json, is_console;
};

/* False: no log of a run. Such are names that begin with a dot or end neither in .log nor in .json. */
bool log_name_parse(struct str name, struct log_name *ret);

/* How many different numbers there are; they are sorted. */
size_t log_count_runs(int64_t *runs, size_t count);

#endif
