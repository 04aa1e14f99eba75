/* SPDX-License-Identifier: MIT */
/* The prompts of reviews that holdfast brings along: share/prompts/. */
#ifndef CONF_BUILTIN_H
#define CONF_BUILTIN_H

#include "base/base.h"

struct builtin_prompt {
	const char *name;
	struct str text;
};
extern const struct builtin_prompt builtin_prompts[];
extern const size_t builtin_prompt_count;

/* NULL: there is none of this name. */
const struct builtin_prompt *builtin_prompt(struct str name);
/* All names, for messages. */
struct str builtin_names(struct arena *a);

#endif
