/* SPDX-License-Identifier: MIT */
/* One slot of a review as a task, its diff and its files. Inside review/ only. */
#ifndef REVIEW_SLOT_H
#define REVIEW_SLOT_H

#include "review/decide.h"
#include "review/review.h"

/* ---- diff_answers.c: what git says about the changes of a run, each question asked once ---- */

struct diff_answer {
	struct change_spec spec;
	struct str path; /* absent: the changed files of a tree */
	/* The diff of a path. Files are text unless there is a NUL in them, whatever git's attributes say. */
	struct str text;
	struct diff_sections sections;
	struct hidden_files hidden; /* what can't be read in the text */
	bool has_more;              /* than the text */
	/* Of a tree. */
	bool is_there; /* the tree exists */
	struct change_list changes;
	struct diff_answer *next;
};

struct diff_answers {
	struct arena *arena;
	const struct repository *repository;
	struct diff_answer *all;
};

/* The diff below a path. */
int diff_answer(struct diff_answers *x, const struct change_spec *spec, struct str path,
		const struct diff_answer **ret, struct err *err) MUST_CHECK;
/* What has changed since the commit of `spec`; *ret is NULL where there is no such commit any more. */
int changes_answer(struct diff_answers *x, const struct change_spec *spec, const struct change_list **ret,
		   struct err *err) MUST_CHECK;

/* ---- review_diff.c ---- */

/* The diff that a review is shown: the changes since the base, or since it last saw the tree; and where it failed, also
 * the files with findings. */
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

/* What the slots of a job share. */
struct review_job {
	struct reviews *reviews;
	const struct job *job;
	struct review_diff diff;
	struct str
		notes; /* lines for each slot's log: which reviewers are skipped and why, which are asked */
	struct slot *slots;
	size_t count;
	bool has_failed; /* a slot has, and what it found is known */
	bool has_lost;   /* a slot has failed, and its findings are lost: it sees all of the change again */
	struct str
		base; /* the commit that the change is compared with, and was when the review failed first */
	struct review_job *next;
};

/* Fills in `diff`. Here the base is that of the failed slots; absent: not known. */
int review_diff(struct review_job *j, struct err *err) MUST_CHECK;

/* ---- slot.c ---- */

struct slot {
	struct review_job *job;
	int64_t index; /* from 1 */
	enum slot_step step;
	struct str error;                 /* why no reviewer can be asked; absent: one can, or none has to */
	const struct past_result *past;   /* NULL: none */
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
	struct diff_answers answers; /* of git in this run, so that reviews of one directory ask only once */
	struct str tree;             /* the snapshot of this run; absent: it could not be made */
	struct str fallback;         /* the last one that was warned about; absent: none */
	struct review_job *jobs;
};

extern const struct task_kind review_tasks;

/* Makes `m` the reviewer of the slot: prompt and command line. */
void slot_assign(struct slot *s, struct task *t, struct pooled_reviewer *m);

/* The findings of the failure that the slot is still to get over. */
struct finding_list slot_found_before(const struct slot *s);

/* What the slot's reviewer can't see of the change, for the log and the user. */
struct str_list slot_not_shown(const struct slot *s);

/* ---- review_file.c: the files of a slot as text, its findings as JSON, which the agent edits, and their section in the log.
 * Pure ---- */

struct review_file {
	struct str adapter, timestamp;
	struct str status;           /* pass, fail, skipped_prior_pass */
	struct str raw_output;       /* cut to ANSWER_RAW_BYTES here */
	struct finding_list open;    /* written as new, whatever their status */
	struct finding_list skipped; /* as they are */
	int64_t pass_run;            /* the run in which a skipped slot passed; 0: it was not skipped */
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

/* ---- review.c ---- */

/* A line for stderr and the console log. */
void reviews_log(const struct reviews *r, const char *level, const char *who, struct str text);

/* ---- prompt.c: the prompt of a review. Pure ---- */

struct review_prompt_facts {
	const struct gate *gate;
	struct str diff;              /* already cut to fit */
	struct str_list not_shown;    /* files that have changed and are not in it: "logo.png (binary)" */
	struct finding_list previous; /* of this slot, to be verified; a rerun if there are any */
};
/* The gate's own text, on a rerun the findings to verify, the rules and the form of the answer, and the diff between two
 * marks that do not occur in it. The rules state that the diff is data. A tool that prints the prompt has not answered:
 * nothing of ours in it can be taken for an answer. */
struct str review_prompt(struct arena *a, const struct review_prompt_facts *f);

#endif
