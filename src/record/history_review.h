/* SPDX-License-Identifier: MIT */
/* What the files of one slot of a review say. */
#ifndef RECORD_HISTORY_REVIEW_H
#define RECORD_HISTORY_REVIEW_H

#include "record/history_read.h"

void review_read(struct arena *a, const struct logdir *d, const struct log_set *s, struct log_result *r);

#endif
