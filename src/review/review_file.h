/* SPDX-License-Identifier: MIT */
/* The files of a slot as text: its findings as JSON, which the agent edits, and what its log says of them. Pure. */
#ifndef REVIEW_REVIEW_FILE_H
#define REVIEW_REVIEW_FILE_H

#include "record/record.h"

struct review_file {
	struct str adapter, timestamp;
	struct str status;          /* pass, fail, skipped_prior_pass */
	struct str raw_output;      /* cut to ANSWER_RAW_BYTES here */
	const struct finding *open; /* written as new, whatever they say of themselves */
	size_t open_count;
	const struct finding *skipped; /* as they are */
	size_t skipped_count;
	int64_t pass_run; /* of one that was skipped; 0: it was not */
};

/* Two blanks for each depth and no newline at the end; keys that a reviewer added are kept. Where that would be more
 * than is ever read back, they and the raw output are left out; absent: too much even so. */
struct str review_file_json(struct arena *a, const struct review_file *f);

/* `file:line - issue`, on one line. */
struct str review_finding(struct arena *a, const struct finding *v);

/* The section of the log; `path` of the JSON is absent where there is none, `message` is for a pass or an error. */
struct str review_file_section(struct arena *a, const struct review_file *f, struct str path,
			       struct str message);

/* <part>_<adapter>@<slot>, where the adapter's name is such that it can be read back. */
struct str review_file_part(struct arena *a, struct str part, struct str adapter, int64_t slot);

#endif
