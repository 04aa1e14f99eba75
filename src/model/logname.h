/* SPDX-License-Identifier: MIT */
/* The names of logs: check_src_lint.2.log, review_._quality_claude@1.2.json, console.2.log. Pure. */
#ifndef MODEL_LOGNAME_H
#define MODEL_LOGNAME_H

#include "base/base.h"

/* The highest number of a run. */
#define LOG_RUN_MAX 1000000000

/* A job's part is cut to so many bytes, so that a reviewer's name, numbers and extension fit into the 255 bytes of a
 * file name. */
#define LOG_PART_MAX 180

struct log_name {
	struct str part;    /* of the job: check_src_lint, review_._quality */
	struct str adapter; /* of a slot: what follows the last _ of the name; absent: not of a slot */
	int64_t slot;       /* from 1; 0: not of a slot */
	int64_t run;        /* from 0 */
	bool is_json, is_console;
};

/* False: not a log of a run. These are console.N.log, check_*.N.log, review_*@K.N.log and review_*@K.N.json; every other
 * file belongs to somebody else. */
bool log_name_parse(struct str name, struct log_name *ret);

/* Counts the different numbers. Sorts them. */
size_t log_count_runs(int64_t *runs, size_t count);

#endif
