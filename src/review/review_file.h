/* SPDX-License-Identifier: MIT */
/* The files of a slot as text: its findings as JSON, which the agent edits, and their section in the log. Pure. */
#ifndef REVIEW_REVIEW_FILE_H
#define REVIEW_REVIEW_FILE_H

#include "record/record.h"

struct review_file {
	struct str adapter, timestamp;
	struct str status;          /* pass, fail, skipped_prior_pass */
	struct str raw_output;      /* cut to ANSWER_RAW_BYTES here */
	const struct finding *open; /* written as new, whatever their status */
	size_t open_count;
	const struct finding *skipped; /* as they are */
	size_t skipped_count;
	int64_t pass_run; /* the run in which a skipped slot passed; 0: it was not skipped */
};

/* Indented by two blanks, without a newline at the end. Where the text would be longer than the limit for reading it
 * back, the raw output and the keys that the reviewer added are dropped; absent: too long even so. */
struct str review_file_json(struct arena *a, const struct review_file *f);

/* `file:line - issue`, on one line. */
struct str review_finding(struct arena *a, const struct finding *v);

/* The section of the log. `path` of the JSON file may be absent; `message` is for a pass or an error. */
struct str review_file_section(struct arena *a, const struct review_file *f, struct str path,
			       struct str message);

/* <part>_<adapter>@<slot>, with the adapter's name in letters, digits and dots so that it can be parsed. */
struct str review_file_part(struct arena *a, struct str part, struct str adapter, int64_t slot);

#endif
