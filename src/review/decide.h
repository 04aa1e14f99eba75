/* SPDX-License-Identifier: MIT */
/* The decisions about reviews: what each slot does in a run, and what a reviewer's answer means. Pure. */
#ifndef REVIEW_DECIDE_H
#define REVIEW_DECIDE_H

#include "review/answer.h"
#include "review/diff.h"

/* What earlier runs know of a slot. */
enum slot_past {
	SLOT_UNKNOWN, /* nothing: it never ran, or could not */
	SLOT_PASSED,
	SLOT_FAILED,
	SLOT_BROKEN, /* it failed, and the file with its findings can no longer be read */
};

struct slot_facts {
	enum slot_past past;
	size_t open; /* findings that were not skipped */
};

enum slot_step {
	SLOT_ASK,     /* a reviewer is asked */
	SLOT_NOTHING, /* there is nothing to review: it passes, and writes no files */
	SLOT_SKIP,    /* it passed before, and that still counts */
	SLOT_KEEP,    /* it failed before, and nothing happened that could change that */
	SLOT_ACCEPT,  /* all its findings were skipped with a reason, and nothing else happened */
};

struct review_situation {
	bool is_tree_changed; /* since the review has seen it */
	bool is_diff_empty;   /* there is nothing to show to a reviewer */
};

/* A slot counts by its index, whichever reviewer it had. Slots that passed are skipped while another has not; where all
 * have passed and there is something to review, the first one is asked again: *ret_is_latched. A review with one slot is
 * never skipped. */
void review_plan(const struct slot_facts *slots, size_t count, const struct review_situation *now,
		 enum slot_step *ret_steps, bool *ret_is_latched);

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
	size_t out_of_scope, below_threshold; /* findings that do not count */
	struct finding *asides;               /* those that are out of scope: the user is told of them */
	size_t unaddressed; /* of the findings: found before, not marked, and in a file that was not touched */
	struct str message;
};

/* The reviewer's answer decides, with these exceptions. A finding that was skipped stays skipped. A finding from before
 * that is neither marked nor touched stays open. A new finding counts only on a line that the diff adds, else it is an aside;
 * and only from `threshold` on; where the diff names no file, every line is in scope. A failure none of whose findings can
 * be read stays a failure. */
struct verified review_verify(struct arena *a, const struct verify_facts *f);

/* A file as a reviewer may name it, relative to the root: without ./ in front, without the root. */
struct str review_path(struct str root, struct str file);

#endif
