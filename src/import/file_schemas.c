/* SPDX-License-Identifier: MIT */
/* The table of JSON schemas; each is made from the schema by which the file is read. */
#include "import/file_schemas.h"

#include "import/gauntlet_schema.h"
#include "conf/holdfast.h"

const struct file_schema file_schemas[] = {
	{ "holdfast", &holdfast_schema, "What must pass before a coding agent may stop." },
	{ "conclaude", &conclaude_schema, "What happens when a coding agent wants to stop." },
	{ "gauntlet", &gauntlet_config_schema, "Which gates apply to which changes." },
	{ "gauntlet-check", &gauntlet_check_schema, "A command that must pass." },
	{ "gauntlet-review", &gauntlet_review_yml_schema, "A review by a model." },
	{ "gauntlet-ci", &gauntlet_ci_schema, "The checks that run in CI." },
};
const size_t file_schema_count = COUNT_OF(file_schemas);

const struct file_schema *
file_schema(struct str name)
{
	for (size_t i = 0; i < file_schema_count; i++)
		if (str_is(name, file_schemas[i].name))
			return &file_schemas[i];
	return NULL;
}

struct str
file_schema_json(struct arena *a, const struct file_schema *s)
{
	return schema_json(a, s->schema, s->description);
}
