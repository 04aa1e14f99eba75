/* SPDX-License-Identifier: MIT */
/* Finds and opens the gates' configuration for the commands. */
#include "cmd/gates/gates.h"
#include "gates/run.h"
#include "os/fs.h"
#include "overview/overview.h"
#include "ui/print.h"

struct str
find_gates_root(struct arena *a, bool *ret_is_there)
{
	struct str cwd = fs_cwd(a), root = STR_NONE;
	struct project_dirs where;

	if (cwd.s) {
		project_find(&where, cwd, WITHIN_REPOSITORY);
		root = overview_gates_root(a, &where);
	}
	if (ret_is_there)
		*ret_is_there = root.s != NULL;
	return root.s ? root : cwd;
}

bool
is_agent_gauntlet(const struct invocation *inv)
{
	return str_is(str_from(invocation_program(inv)), "agent-gauntlet");
}

void
gates_warn(const struct invocation *inv, struct str text)
{
	print_err_cat(is_agent_gauntlet(inv) ? "Warning" : "warning", ": ", text, "\n");
}

int
gates_error_list(const struct invocation *inv, const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	print_err_cat(is_agent_gauntlet(inv) ? "Error" : invocation_program(inv), ": ",
		      str_cat_list(&a, pieces, count), "\n");
	return 1;
}

static void
print_warnings(const struct str_list *warnings)
{
	for (size_t i = 0; i < warnings->count; i++)
		print_err_cat(warnings->items[i], "\n");
}

struct str
gates_overview(struct arena *a, unsigned parts, struct overview *ret)
{
	struct str cwd = fs_cwd(a);

	if (!cwd.s)
		return STR("the current directory no longer exists");
	overview_read(a, cwd, parts, ret);
	print_warnings(&ret->warnings);
	return ret->gates_root.s ? ret->problem : str_cat(a, NO_GATES(cwd));
}

int
gates_open(struct arena *a, const struct invocation *inv, struct gates_config *ret)
{
	bool is_there;
	struct str root = find_gates_root(a, &is_there);
	struct stop_settings *hook = arena_new(a, struct stop_settings);
	struct str_list warnings = { 0 };
	struct err err;
	int result;

	if (!root.s)
		result = err_set(&err, ERR_VALUE, "the current directory no longer exists");
	else if (is_there)
		result = overview_load_gates(a, root, ret, &warnings, &err);
	else if (!is_agent_gauntlet(inv))
		result = err_set(&err, ERR_VALUE, "%s", str_cat(a, NO_GATES(root)).s);
	else /* which says in its own words that the file is missing */
		result = gates_load_hook(a, root, hook, &err) < 0 ? -1 : gates_load_rest(a, hook, ret, &err);
	print_warnings(&warnings);
	if (result < 0)
		(void)gates_error(inv, err.msg);
	else
		find_base_branch(a, ret);
	return result;
}
