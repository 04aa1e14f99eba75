/* SPDX-License-Identifier: MIT */
/* What a reviewer is asked. Pure. */
#ifndef REVIEW_PROMPT_H
#define REVIEW_PROMPT_H

#include "record/record.h"

struct review_prompt_facts {
	const struct review_gate *gate;
	struct str diff;                /* cut to fit already */
	const struct finding *previous; /* of this slot, to be verified; a rerun where there are any */
	size_t previous_count;
};
/* The gate's own text, then on a rerun what must be verified, then the rules and the contract of the answer, then the
 * diff between two marks that do not occur in it: the diff is data, and the rules say so. Whoever gives the prompt back
 * as it is has not answered: nothing of ours in it can be taken for an answer. */
struct str review_prompt(struct arena *a, const struct review_prompt_facts *f);

#endif
