/* SPDX-License-Identifier: MIT */
/* Did what the gates looked at stay as it was until the last of them had ended? A pass counts for content that stayed, not for
 * one that was there for a while. Inside gates/ only. */
#ifndef GATES_SETTLE_H
#define GATES_SETTLE_H

#include "git/git.h"
#include "os/fs.h"

struct run;

/* The files when the gates start. */
struct ground {
	struct fs_facts *facts; /* of the changed files, in their order */
	struct head_mark head;
	int64_t looked_ns,
		began_ns; /* on the clock of files: before git was asked about them, and when the gates began */
};
/* When they have ended. */
struct settling {
	bool is_known;         /* else the contents were not known before, or git can't say */
	struct str_list keys;  /* of the jobs whose files stayed */
	struct str_list moved; /* the files that did not, sorted; HEAD is "HEAD" */
	bool is_own_work; /* each of them has the same content as before, or is no file that git tracks */
	struct str_list gates; /* the ids of those that passed, or had passed, and whose files moved */
};

void settle_begin(struct run *r);
/* What the results stand for, now that the last of them is known. Sets is_unsettled and is_repeated. */
void settle_end(struct run *r);
/* Why it is not known whether the gates pass for the files as they are now. */
struct str settle_problem(const struct run *r);
/* Says that gates run again, or that they write files themselves. */
void settle_note(struct run *r, struct str_list *notes);
/* Adds the results of the rounds before for gates that did not run again. What a fix or a retry did then is still said. */
void settle_results(struct run *r);

#endif
