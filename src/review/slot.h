/* SPDX-License-Identifier: MIT */
/* One slot of a review as a task. Inside review/ only. */
#ifndef REVIEW_SLOT_H
#define REVIEW_SLOT_H

#include "review/review.h"
#include "review/reviewer_pool.h"
#include "review/review_file.h"
#include "review/decide.h"

/* The diff that a review is shown: the changes since the base, or since it last saw the tree; and where it failed, also
 * the files with findings. */
struct review_diff_facts {
	const struct review_facts *run;
	struct diff_answer **answers; /* of git in this run, so that reviews of one directory ask only once */
	/* Of the job. */
	struct str part, path;
	const struct str_list *files;            /* patterns of the files that it is for; empty: all */
	const struct past_result *const *failed; /* its slots that have failed */
	size_t failed_count;
	bool has_lost;   /* a slot has failed, and its findings are lost: it sees all of the change again */
	struct str base; /* the commit that the failed slots were compared with; absent: not known */
};

struct review_diff {
	struct str text;
	bool has_more;              /* files are missing in the text, as they are too many */
	struct hidden_files hidden; /* files that can't be read in the text */
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

/* What the slots of a job share. */
struct review_job {
	struct reviews *reviews;
	const struct job *job;
	struct review_diff diff;
	struct str
		notes; /* lines for each slot's log: which reviewers are skipped and why, which are asked */
	struct slot *slots;
	size_t count;
	struct str
		base; /* the commit that the change is compared with, and was when the review failed first */
	struct review_job *next;
};

struct slot {
	struct review_job *job;
	int64_t index; /* from 1 */
	enum slot_step step;
	struct str error;                 /* why no reviewer can be asked; absent: one can, or none has to */
	const struct past_result *past;   /* NULL: none */
	bool is_lost;                     /* it failed, and its findings are lost */
	struct pooled_reviewer *reviewer; /* that is asked; NULL: none */
	struct str adapter;               /* its name, or that of the reviewer of an earlier run */
	struct str prompt;
	struct str_list
		left_out; /* files that are not, or not completely, in the diff of the prompt, as it is too long */
	bool is_diff_cut;
	struct str refusals; /* by the reviewer that had the slot before, for the log; absent: none */

	/* From its start on. */
	const struct logdir *logs;
	int64_t run;
	struct capture out, err;
	bool is_answered;
	enum gate_outcome outcome;
};

struct reviews {
	struct arena *arena;
	struct review_facts run;
	struct reviewer_pool pool;
	struct diff_answer *diff_answers;
	struct str tree;     /* the snapshot of this run; absent: it could not be made */
	struct str fallback; /* the last one that was warned about; absent: none */
	struct review_job *jobs;
};

extern const struct task_kind review_tasks;

/* Makes `m` the reviewer of the slot: prompt and command line. */
void slot_assign(struct slot *s, struct task *t, struct pooled_reviewer *m);

/* What the slot's reviewer can't see of the change, for the log and the user. */
struct str_list slot_not_shown(const struct slot *s);

/* A line for stderr and the console log. */
void reviews_log(const struct reviews *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
