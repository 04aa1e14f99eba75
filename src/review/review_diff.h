/* SPDX-License-Identifier: MIT */
/* What a review has to look at: the changes since the base, or since it last saw the tree, and where it has failed
 * also the files of what it found. */
#ifndef REVIEW_REVIEW_DIFF_H
#define REVIEW_REVIEW_DIFF_H

#include "record/record.h"
#include "git/git.h"

/* What git was asked in this run, so that reviews of one place ask it once. Zeroed: nothing yet. */
struct diff_cache {
	struct diff_answer *answers;
};

struct review_diff_facts {
	struct repository repository;
	struct diff_cache *cache;
	struct change_spec wished; /* what this run is about */
	struct change_spec whole;  /* everything since the base */
	bool is_whole;             /* the run is about everything */
	const struct execution_state *state;
	/* Of the job. */
	struct str part, path;
	const struct past_result *const *failed; /* its slots that have failed */
	size_t failed_count;
};

struct review_diff {
	struct str text;
	bool has_more; /* than the text: files that it lacks, as they are too many */
	bool is_empty;
	bool is_tree_changed;       /* since it was seen; true where nobody can tell */
	bool is_whole;              /* nothing that was not reviewed before is missing in it */
	struct change_list changes; /* since it was seen */
	bool has_changes;           /* they are known */
	struct str since;           /* the tree that it was seen in; absent: the base */
	struct str instead;         /* what is shown where that tree is gone; absent: it is there */
};

int review_diff(struct arena *a, const struct review_diff_facts *f, struct review_diff *ret,
		struct err *err) MUST_CHECK;

#endif
