/* SPDX-License-Identifier: MIT */
/* Chooses between holdfast.yml and .gauntlet, of which it reads neither. The table of the schemas of all files. */
#include "import/gates.h"

#include "import/gauntlet_schema.h"
#include "os/env.h"
#include "os/fs.h"

static bool
has_holdfast_file(struct str root)
{
	return fs_has(root, dialects[DIALECT_HOLDFAST].file);
}

const struct dialect *
gates_dialect(struct str root)
{
	return has_holdfast_file(root) ? &dialects[DIALECT_HOLDFAST] : gauntlet_dialect(root);
}

struct str
gates_find(struct arena *a, const struct str *dirs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int d = DIALECT_HOLDFAST; d <= DIALECT_VALIDATOR; d++)
			if (fs_has(dirs[i], dialects[d].file))
				return str_copy(a, dirs[i]);
	return STR_NONE;
}

struct str
gates_file(struct str root)
{
	return str_from(gates_dialect(root)->file);
}

bool
gates_replace(const struct str *dirs, size_t count, struct str path)
{
	for (size_t i = 0; i < count; i++) {
		if (has_holdfast_file(dirs[i]))
			return true;
		if (str_eq(path_parent(path), dirs[i]))
			return false;
	}
	return false;
}

struct str_list
gates_replaced(struct arena *a, struct str root)
{
	static const char *const old[] = { ".gauntlet/config.yml", ".validator/config.yml", ".conclaude.yaml",
					   ".conclaude.yml" };
	struct str_list list = { arena_array(a, COUNT_OF(old), struct str), 0 };

	for (size_t i = 0; i < COUNT_OF(old) && has_holdfast_file(root); i++)
		if (fs_has(root, old[i]))
			list.items[list.count++] = str_from(old[i]);
	return list;
}

int
gates_load_hook(struct arena *a, struct str root, struct stop_settings *ret, struct err *err)
{
	return has_holdfast_file(root) ? holdfast_load_hook(holdfast_read(a, root), ret, err)
				       : gauntlet_load_hook(a, root, ret, err);
}

int
gates_load_rest(struct arena *a, const struct stop_settings *hook, struct gates_config *ret, struct err *err)
{
	return hook->dialect->configures_alone ? holdfast_load_rest(a, hook, ret, err)
					       : gauntlet_load_rest(a, hook, ret, err);
}

int
gates_load(struct arena *a, struct str root, struct gates_config *ret, struct str *ret_warning,
	   struct err *err)
{
	struct stop_settings *hook = arena_new(a, struct stop_settings);

	if (gates_load_hook(a, root, hook, err) < 0)
		return -1;
	*ret_warning = hook->warning;
	return gates_load_rest(a, hook, ret, err);
}

bool
gates_check_all(struct arena *a, struct str root, struct gates_config *ret,
		struct config_problems *ret_problems, struct str *ret_warning)
{
	*ret_warning = STR_NONE;
	return has_holdfast_file(root) ? holdfast_check_all(a, root, ret, ret_problems)
				       : gauntlet_check_all(a, root, ret, ret_problems, ret_warning);
}

int
gates_values(struct arena *a, struct str root, struct config_values *ret, struct str *ret_warning,
	     struct err *err)
{
	*ret_warning = STR_NONE;
	return root.s && has_holdfast_file(root) ? holdfast_values(a, root, ret, err)
						 : gauntlet_values(a, root, ret, ret_warning, err);
}

const struct file_schema file_schemas[] = {
	{ "holdfast", &holdfast_schema, "What must pass before a coding agent may stop." },
	{ "conclaude", &conclaude_schema, "What happens when a coding agent wants to stop." },
	{ "gauntlet", &gauntlet_config_schema, "Which gates apply to which changes." },
	{ "gauntlet-check", &gauntlet_check_schema, "A command that must pass." },
	{ "gauntlet-review", &gauntlet_review_yml_schema, "A review by a model." },
	{ "gauntlet-ci", &gauntlet_ci_schema, "The checks that run in CI." },
};
const size_t file_schema_count = COUNT_OF(file_schemas);

struct str
file_schema_json(struct arena *a, struct str name)
{
	for (size_t i = 0; i < file_schema_count; i++)
		if (str_is(name, file_schemas[i].name))
			return schema_json(a, file_schemas[i].schema, file_schemas[i].description);
	return STR_NONE;
}

struct schema_keys
gates_keys(struct arena *a)
{
	struct schema_keys keys = { 0 };

	for (size_t i = 0; i < file_schema_count; i++)
		if (file_schemas[i].schema != &conclaude_schema)
			schema_add_keys(a, file_schemas[i].schema, &keys);
	return keys;
}

bool
gates_are_in_ci(void)
{
	return str_is(env_get("CI"), "true") || str_is(env_get("GITHUB_ACTIONS"), "true");
}

struct str
gates_base_branch(const struct gates_config *c, struct str given)
{
	if (given.s)
		return given;
	return gates_are_in_ci() && env_has("GITHUB_BASE_REF") ? env_get("GITHUB_BASE_REF") : c->base_branch;
}
