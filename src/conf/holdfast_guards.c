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
	*ret = d.guards;
	return problems_fail(a, file->dir, &problems, err);
}
