/* SPDX-License-Identifier: MIT */
/* What each slot of a review does in a run. Pure. */
#ifndef REVIEW_REVIEW_PLAN_H
#define REVIEW_REVIEW_PLAN_H

#include "base/base.h"

/* What is known of a slot from earlier runs. */
enum slot_past {
	SLOT_UNKNOWN, /* nothing: never run, or it could not be */
	SLOT_PASSED,
	SLOT_FAILED,
	SLOT_BROKEN, /* it failed, and the file with its findings can't be read any more */
};

struct slot_facts {
	enum slot_past past;
	size_t open; /* findings that nobody has skipped */
};

enum slot_step {
	SLOT_ASK,     /* a reviewer is asked */
	SLOT_NOTHING, /* there is nothing to review: it passes, and leaves no files */
	SLOT_SKIP,    /* it has passed, and that counts on */
	SLOT_KEEP,    /* it has failed, and nothing that could change that has happened */
	SLOT_ACCEPT,  /* all that it found was skipped with a reason, and nothing else has happened */
};

struct review_situation {
	bool is_tree_changed; /* since the review has seen it */
	bool is_diff_empty;   /* nothing that a reviewer could be shown */
};

/* A slot counts by its index, whichever reviewer it had. Slots that have passed are left alone while another has not;
 * where all have, and there is something to review, the first is asked again: *ret_is_latched. A review with one slot
 * is never skipped. */
void review_plan(const struct slot_facts *slots, size_t count, const struct review_situation *now,
		 enum slot_step *ret_steps, bool *ret_is_latched);

#endif
