/* SPDX-License-Identifier: MIT */
/* What a reviewer's answer means, given what was found before. Pure. */
#ifndef REVIEW_VERIFY_H
#define REVIEW_VERIFY_H

#include "review/answer.h"

struct verify_facts {
	const struct answer *answer;
	const struct diff_lines *lines; /* of the diff that the reviewer was shown */
	struct str root;                /* of the repository, for absolute paths; absent: unknown */
	struct finding_list open,
		skipped;      /* found before: new or fixed, and skipped by the agent with a reason */
	struct str threshold; /* least priority of a new finding; absent: any, as on a first run */
	/* Does the file exist, unchanged since this was found? NULL: unknown. */
	bool (*is_untouched)(const void *context, const struct finding *f);
	const void *context;
};

struct verified {
	bool is_pass;
	struct finding *findings; /* that make it fail */
	size_t count;
	size_t out_of_scope, below_threshold; /* findings that were dropped, for the log */
	size_t unaddressed; /* of the findings: found before, not marked, and in a file that was not touched */
	struct str message;
};

/* The reviewer's answer decides, with these exceptions. A finding that was skipped stays skipped. A finding from before
 * that is neither marked nor touched stays open. A new finding counts only on a line that the diff adds, and only from
 * `threshold` on; where the diff names no file, every line is in scope. A failure of which nothing is left that could
 * be read stays a failure. */
struct verified review_verify(struct arena *a, const struct verify_facts *f);

/* A file as a reviewer may name it, relative to the root: without ./ in front, without the root. */
struct str review_path(struct str root, struct str file);

#endif
