/* SPDX-License-Identifier: MIT */
/* Loads `guards` of holdfast.yml, and nothing else of it: this runs before every tool. */
#include "conf/holdfast.h"

int
holdfast_load_guards(struct arena *a, const struct holdfast_file *file, const struct guards_config **ret,
		     struct err *err)
{
	struct holdfast_draft d = holdfast_draft_defaults;
	struct config_problems problems = { 0 };

	if (!file->is_parsed) {
		*err = file->err;
		return -1;
	}
	schema_read(a, &holdfast_guards_schema, &file->document, &d, STR(HOLDFAST_FILE), &problems);
	for (size_t i = 0; i < problems.count; i++) {
		const struct config_problem *p = &problems.items[i];
		struct str at = problem_position(a, file->dir, p), text = problem_text(a, p);

		/* the other keys are not read here */
		if (p->severity == SEVERITY_FATAL && str_starts(p->path, STR("guards")))
			return err_set(err, ERR_VALUE, STR_FMT STR_FMT, STR_ARG(at), STR_ARG(text));
	}
	*ret = d.guards;
	return 0;
}
