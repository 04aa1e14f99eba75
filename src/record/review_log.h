/* SPDX-License-Identifier: MIT */
/* What the log of a review says: how it ended, and what was found. Pure. Inside record/ only. */
#ifndef RECORD_REVIEW_LOG_H
#define RECORD_REVIEW_LOG_H

#include "model/finding.h"
#include "model/logname.h"
#include "record/gatelog.h"

/* The text after the last `needle`; absent: it is not there. */
struct str log_after_last(struct str text, struct str needle);
/* The word after `Status: ` on a line of its own, with a time before it or not; absent: there is none. */
struct str log_status(struct str text);
/* How a slot ended: the last `Review result (adapter@k): fail - ...`. */
enum log_end log_review_end(struct str log);
/* The text after `3. ` on a line; absent: the line is not numbered. */
struct str log_numbered(struct str line);
/* `file:line - issue` */
bool log_finding(struct arena *a, struct str text, struct finding *ret);
/* Is a line of the log about this finding? Of an issue of several lines the log may have the first alone. */
bool log_is_about(struct arena *a, struct str line, const struct finding *f);

#endif
