/* SPDX-License-Identifier: MIT */
/* The diff that a review is shown: the changes since the base, or since it last saw the tree; and where it failed, also
 * the files with findings. */
#ifndef REVIEW_REVIEW_DIFF_H
#define REVIEW_REVIEW_DIFF_H

#include "review/review.h"

/* git's answers in this run, so that reviews of one directory ask only once. Zeroed: none yet. */
struct diff_cache {
	struct diff_answer *answers;
};

struct review_diff_facts {
	const struct review_facts *run;
	struct diff_cache *cache;
	/* Of the job. */
	struct str part, path;
	const struct past_result *const *failed; /* its slots that have failed */
	size_t failed_count;
};

struct review_diff {
	struct str text;
	bool has_more; /* files are missing in the text, as they are too many */
	bool is_empty;
	bool is_tree_changed;       /* since it was seen; true if unknown */
	bool is_complete;           /* it shows everything that was not reviewed before */
	struct change_list changes; /* since it was seen */
	bool has_changes;           /* the changes are known */
	struct str since;           /* the tree that it was seen in; absent: the base */
	struct str fallback;        /* what is shown because that tree is gone; absent: it is not */
};

int review_diff(struct arena *a, const struct review_diff_facts *f, struct review_diff *ret,
		struct err *err) MUST_CHECK;

#endif
