/* SPDX-License-Identifier: MIT */
/* Chooses between holdfast.yml and .gauntlet. Reads neither. */
#include "conf/gates.h"

#include "base/path.h"
#include "conf/conclaude.h"
#include "conf/gauntlet_schema.h"
#include "conf/holdfast.h"
#include "os/fs.h"

bool
gates_are_native(struct str root)
{
	return fs_has(root, HOLDFAST_FILE);
}

struct str
gates_find(struct arena *a, const struct str *dirs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (gates_are_native(dirs[i]) || gauntlet_is_in(dirs[i]))
			return str_copy(a, dirs[i]);
	return STR_NONE;
}

struct str
gates_file(struct str root)
{
	return gates_are_native(root) ? STR(HOLDFAST_FILE) : str_from(gauntlet_kind_of(root)->config);
}

struct str
gates_log_dir(struct str root)
{
	return gates_are_native(root) ? STR(HOLDFAST_LOG_DIR) : str_from(gauntlet_kind_of(root)->log_dir);
}

bool
gates_replace(const struct str *dirs, size_t count, struct str path)
{
	for (size_t i = 0; i < count; i++) {
		if (gates_are_native(dirs[i]))
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

	for (size_t i = 0; i < COUNT_OF(old) && gates_are_native(root); i++)
		if (fs_has(root, old[i]))
			list.items[list.count++] = str_from(old[i]);
	return list;
}

int
gates_load_hook(struct arena *a, struct str root, struct gauntlet_hook_config *ret, struct err *err)
{
	return gates_are_native(root) ? holdfast_load_hook(holdfast_read(a, root), ret, err)
				      : gauntlet_load_hook(a, root, ret, err);
}

int
gates_load_rest(struct arena *a, const struct gauntlet_hook_config *hook, struct gates_config *ret,
		struct err *err)
{
	return hook->is_native ? holdfast_load_rest(a, hook, ret, err)
			       : gauntlet_load_rest(a, hook, ret, err);
}

int
gates_load(struct arena *a, struct str root, struct gates_config *ret, struct str *ret_warning,
	   struct err *err)
{
	struct gauntlet_hook_config *hook = arena_new(a, struct gauntlet_hook_config);

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
	return gates_are_native(root) ? holdfast_check_all(a, root, ret, ret_problems)
				      : gauntlet_check_all(a, root, ret, ret_problems, ret_warning);
}

int
gates_values(struct arena *a, struct str root, struct gauntlet_values *ret, struct str *ret_warning,
	     struct err *err)
{
	*ret_warning = STR_NONE;
	return root.s && gates_are_native(root) ? holdfast_values(a, root, ret, err)
						: gauntlet_values(a, root, ret, ret_warning, err);
}

struct schema_keys
gates_keys(struct arena *a)
{
	struct schema_keys keys = gauntlet_keys(a);

	schema_add_keys(a, &holdfast_schema, &keys);
	return keys;
}
