/* SPDX-License-Identifier: MIT */
/* What the text of a slot's log says. Pure. */
#ifndef RECORD_SLOTLOG_H
#define RECORD_SLOTLOG_H

#include "record/history_read.h"

#define SLOTLOG_OUTPUT "--- Review Output"

/* The last `Review result (adapter@k): ...` of the log. */
enum log_outcome slotlog_outcome(struct str log);
/* What stands behind the last heading of a result; absent: there is none. */
struct str slotlog_section(struct str text);
/* The word behind `Status: ` on a line of its own, with a time before it or not; absent: there is none. */
struct str slotlog_status(struct str text);
/* The run in which a slot that was skipped had passed; 0: it does not say. */
int64_t slotlog_pass_run(struct str text);

/* What stands behind `3. `; absent: the line is no such. */
struct str slotlog_numbered(struct str line);
/* `3. file:line - issue`; false: the line is no such. */
bool slotlog_finding(struct arena *a, struct str line, struct finding *ret);
/* Is what stands behind the number about this one? Of a text of several lines, the log may have the first alone. */
bool slotlog_is_about(struct arena *a, struct str line, const struct finding *v);

#endif
