/* SPDX-License-Identifier: MIT */
/* The configuration files that have a JSON schema for editors, by name. */
#ifndef IMPORT_FILE_SCHEMAS_H
#define IMPORT_FILE_SCHEMAS_H

#include "conf/schema.h"

struct file_schema {
	const char *name;
	const struct schema *schema;
	const char *description;
};
extern const struct schema conclaude_schema; /* it only checks */

extern const struct file_schema file_schemas[];
extern const size_t file_schema_count;

/* NULL: there is none of this name. */
const struct file_schema *file_schema(struct str name);
struct str file_schema_json(struct arena *a, const struct file_schema *s);

#endif
