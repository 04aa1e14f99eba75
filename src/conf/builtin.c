/* SPDX-License-Identifier: MIT */
/* The table of built-in prompts; their texts are files that the build makes strings of. */
#include "conf/builtin.h"

#include "base/buf.h"

#include "conf/builtin_prompts.h"

const struct builtin_prompt builtin_prompts[] = {
	{ "code-quality", STR(PROMPT_CODE_QUALITY) },
	{ "security", STR(PROMPT_SECURITY) },
	{ "error-handling", STR(PROMPT_ERROR_HANDLING) },
	{ "test-integrity", STR(PROMPT_TEST_INTEGRITY) },
	{ "task-compliance", STR(PROMPT_TASK_COMPLIANCE) },
	/* Several in one, under agent-validator's names. */
	{ "security-and-errors", STR(PROMPT_SECURITY "\n" PROMPT_ERROR_HANDLING) },
	{ "all-reviewers", STR(PROMPT_CODE_QUALITY "\n" PROMPT_SECURITY "\n" PROMPT_ERROR_HANDLING) },
};
const size_t builtin_prompt_count = COUNT_OF(builtin_prompts);

const struct builtin_prompt *
builtin_prompt(struct str name)
{
	for (size_t i = 0; i < builtin_prompt_count; i++)
		if (str_is(name, builtin_prompts[i].name))
			return &builtin_prompts[i];
	return NULL;
}

struct str
builtin_names(struct arena *a)
{
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < builtin_prompt_count; i++)
		buf_addf(&b, "%s%s", i > 0 ? ", " : "", builtin_prompts[i].name);
	return buf_str(&b);
}
