/* SPDX-License-Identifier: MIT */
/* The prompt of a review. Pure. */
#ifndef REVIEW_PROMPT_H
#define REVIEW_PROMPT_H

#include "record/record.h"

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
