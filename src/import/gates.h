/* SPDX-License-Identifier: MIT */
/* The configuration of the gates, whichever file it is in: holdfast.yml, which counts alone where there is one, or
 * .gauntlet. */
#ifndef IMPORT_GATES_H
#define IMPORT_GATES_H

#include "import/conclaude.h"
#include "import/gauntlet.h"

/* The first of the directories that has holdfast.yml or .gauntlet/config.yml; absent: none. */
struct str gates_find(struct arena *a, const struct str *dirs, size_t count);
/* Of the configuration that counts in the root; where there is none, that of .gauntlet. */
const struct dialect *gates_dialect(struct str root);
/* The file that configures the gates of a root, from there. */
struct str gates_file(struct str root);
/* Is a file of the old names, at this path, without effect because of a holdfast.yml in its directory, or in one of
 * `dirs` that comes before it? */
bool gates_replace(const struct str *dirs, size_t count, struct str path);
/* The old files beside holdfast.yml, which have no effect, relative to the root. */
struct str_list gates_replaced(struct arena *a, struct str root);

/* Each as its namesake in import/gauntlet.h. */
int gates_load_hook(struct arena *a, struct str root, struct stop_settings *ret, struct err *err) MUST_CHECK;
int gates_load_rest(struct arena *a, const struct stop_settings *hook, struct gates_config *ret,
		    struct err *err) MUST_CHECK;
int gates_load(struct arena *a, struct str root, struct gates_config *ret, struct str *ret_warning,
	       struct err *err) MUST_CHECK;
bool gates_check_all(struct arena *a, struct str root, struct gates_config *ret,
		     struct config_problems *ret_problems, struct str *ret_warning);
int gates_values(struct arena *a, struct str root, struct config_values *ret, struct str *ret_warning,
		 struct err *err) MUST_CHECK;

/* CI=true or GITHUB_ACTIONS=true. */
bool gates_are_in_ci(void);
/* The branch that changes are compared with: `given` on the command line (may be absent), else in CI GITHUB_BASE_REF, else the
 * configured one. */
struct str gates_base_branch(const struct gates_config *c, struct str given);

/* The configuration files that have a JSON schema for editors, by name. */
struct file_schema {
	const char *name;
	const struct schema *schema; /* by which the file is read, or, of .conclaude.yaml, checked */
	const char *description;
};
extern const struct file_schema file_schemas[];
extern const size_t file_schema_count;
/* Absent: there is none of this name. */
struct str file_schema_json(struct arena *a, struct str name);

/* Every key of the files that have gates, for the documentation. */
struct schema_keys gates_keys(struct arena *a);

#endif
