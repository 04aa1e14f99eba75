/* SPDX-License-Identifier: MIT */
/* One slot of a review as a task. Inside review/ only. */
#ifndef REVIEW_REVIEW_SLOT_H
#define REVIEW_REVIEW_SLOT_H

#include "review/review.h"
#include "review/reviewer_pool.h"
#include "review/review_diff.h"
#include "review/review_file.h"
#include "review/decide.h"

/* What the slots of a job share. */
struct review_job {
	struct reviews *reviews;
	const struct job *job;
	struct review_diff diff;
	struct str notes; /* lines for each slot's log: who is skipped and why, who is asked */
	struct slot *slots;
	size_t count;
	struct review_job *next;
};

struct slot {
	struct review_job *job;
	int64_t index; /* from 1 */
	enum slot_step step;
	struct str cannot; /* why nobody is asked though somebody should be; absent: that is not so */
	const struct past_result *past; /* NULL: none */
	struct pooled_reviewer *member; /* who is asked; NULL: nobody */
	struct str adapter;             /* its name, or that of whom it had */
	struct str prompt;
	bool is_diff_cut;
	struct str handed_on; /* notes of those who could not; absent: none */

	/* While it runs, and afterwards. */
	const struct logdir *logs;
	int64_t run;
	struct capture out, err;
	bool is_answered;
	enum gate_outcome outcome;
};

struct reviews {
	struct arena *arena;
	struct review_facts facts;
	struct reviewer_pool pool;
	struct diff_cache diffs;
	struct str tree;      /* as it is in this run; absent: it could not be kept */
	struct str warned_of; /* what stands in for a tree that is gone; absent: nothing yet */
	struct review_job *jobs;
};

extern const struct task_kind review_tasks;

/* Puts the question to `m`: prompt, label and command line. */
void slot_address(struct slot *s, struct task *t, struct pooled_reviewer *m);

/* How it ends. */
void slot_end(struct task *t, enum gate_outcome outcome, struct str message);
/* What is written of it, with what was skipped before; the findings are the caller's to add. */
struct review_file slot_file(const struct task *t, const char *status);
/* The findings, beside the log. Without them the slot could not be worked on: that is an error. */
void slot_write_findings(struct task *t, const struct review_file *f);
void slot_close_log(struct task *t, const struct review_file *f);
/* Of a slot that nobody is asked about, all of that. */
void slot_judge_skip(struct task *t);
void slot_judge_keep(struct task *t);
void slot_judge_accept(struct task *t);

void reviews_say(const struct reviews *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
