/* SPDX-License-Identifier: MIT */
/* Reads the files of a slot in the log directory: its review file, which the agent edits, and its log. */
#ifndef RECORD_REVIEW_READ_H
#define RECORD_REVIEW_READ_H

#include "base/buf.h"
#include "record/gatelog.h"
#include "record/record.h"

struct slot_read {
	enum gate_outcome end; /* OUTCOME_WAITING: not known */
	int64_t pass_run;   /* of a slot that was skipped because it had passed in that run; 0: it was not */
	struct str adapter; /* absent: the file does not name it */
	/* Of a failure all of them, of a pass those that were skipped. */
	struct finding *findings;
	size_t count;
	bool is_incomplete;    /* a failure: there may have been more findings than these */
	struct str file_error; /* why the review file can't be used; absent: it can, or there is none */
	struct str_list warnings;
};

/* What can't be read counts as failed, never as passed: a file that the agent breaks or deletes loses nothing as long as
 * the log is there, and what is missing then is known to be missing. Of a slot that the journal knows to have failed, `p` has
 * the ids of what it found; where it has none, the files that it names are all that is known. `buffer` has room for a
 * file; the next call may use it again. */
#define SLOT_BUFFER(arena_) BUF(arena_, REVIEW_LIMIT_BYTES + 1)
void slot_read(struct arena *a, struct buf *buffer, const struct logdir *logs, const struct past_result *p,
	       struct slot_read *ret);

#endif
