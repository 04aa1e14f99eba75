/* SPDX-License-Identifier: MIT */
/* What single logs say, and the logs of a directory in order. */
#ifndef RECORD_HISTORY_READ_H
#define RECORD_HISTORY_READ_H

#include "record/history.h"
#include "record/logname.h"

/* The logs of one gate, or slot, in one run. */
struct log_set {
	struct str part;
	int64_t slot, run;
	struct str adapter;   /* as the name has it */
	struct str log, json; /* names; absent: there is none */
};
struct log_sets {
	struct log_set *items; /* sorted by part, slot and run */
	size_t count;
	size_t runs; /* different numbers, console logs included */
};
/* `gate` as in history_latest(). */
void log_sets_list(struct arena *a, const struct logdir *d, struct str gate, struct log_sets *ret);
/* Are both of one gate, or slot? */
bool log_sets_meet(const struct log_set *x, const struct log_set *y);

enum log_outcome {
	LOG_NOTHING, /* not finished, or no log of a gate */
	LOG_PASS,
	LOG_FAIL,
	LOG_ERROR, /* it could not be run */
};
struct log_result {
	enum log_outcome outcome;
	bool is_unreadable;  /* a failure, because nobody can tell; what its log told before that is there */
	bool is_unconfirmed; /* a failure by its file of findings alone: there may have been more in it */
	struct str trouble;  /* with its file, of what is unreadable; absent: nothing is */
	struct str path;     /* of what was read */
	struct str adapter;
	int64_t pass_run;
	/* Of a failure, all of them, each status new, fixed or skipped; of a pass, those that were skipped. */
	struct finding *violations;
	size_t violation_count;
	struct str_list warnings;
};
void log_read(struct arena *a, const struct logdir *d, const struct log_set *s, struct log_result *ret);

/* The outcome of the gate that the end of a log names. */
enum log_outcome log_read_outcome(struct arena *a, const char *path);

/* The gate and the place that the beginning of a log names; absent: it does not. */
void log_read_origin(struct arena *a, const char *path, struct str *ret_name, struct str *ret_place);

#endif
