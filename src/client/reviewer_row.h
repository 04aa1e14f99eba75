/* SPDX-License-Identifier: MIT */
/* The rows of model/reviewer.def. Inside agent/ only. */
#ifndef CLIENT_REVIEWER_ROW_H
#define CLIENT_REVIEWER_ROW_H

#include "client/reviewer.h"

enum thinking_way {
	THINKING_UNTOLD, /* it has no way to be told */
	THINKING_TOKENS, /* MAX_THINKING_TOKENS=N */
	THINKING_EFFORT, /* -c model_reasoning_effort="WORD" */
};

struct reviewer_row {
	const char *name, *program;
	/* Each list ends with NULL. */
	const char *const *first, *const *with_tools, *const *without_tools, *const *further;
	const char *model_option;
	enum thinking_way thinking;
	const char *const *last, *const *trial;
	int64_t trial_s;
	const char *const *limits, *const *logins;
};

/* The directory of the project, among words. */
#define PROJECT "{project}"

/* NULL: none of that name. */
const struct reviewer_row *reviewer_row(struct str name);

#endif
