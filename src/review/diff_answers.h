/* SPDX-License-Identifier: MIT */
/* What git says about the changes of a run, each question asked once. Inside review/ only. */
#ifndef REVIEW_DIFF_ANSWERS_H
#define REVIEW_DIFF_ANSWERS_H

#include "git/git.h"
#include "review/diff.h"

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

/* The diff below a path. */
int diff_answer(struct arena *a, const struct repository *r, struct diff_answer **all,
		const struct change_spec *spec, struct str path, const struct diff_answer **ret,
		struct err *err) MUST_CHECK;
/* Asks for two diffs of everything at once, if neither is known. That fails silently: each is then asked for by itself. */
void diff_answers_prepare(struct arena *a, const struct repository *r, struct diff_answer **all,
			  const struct change_spec specs[2]);
/* What has changed since the commit of `spec`; *ret is NULL where there is no such commit any more. */
int changes_answer(struct arena *a, const struct repository *r, struct diff_answer **all,
		   const struct change_spec *spec, const struct change_list **ret,
		   struct err *err) MUST_CHECK;

#endif
