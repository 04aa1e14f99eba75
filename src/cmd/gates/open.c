/* SPDX-License-Identifier: MIT */
/* Finds and opens the gates' configuration for the commands. */
#include "base/buf.h"
#include "cmd/gates/gates.h"
#include "gates/run.h"
#include "os/fs.h"
#include "project/project.h"
#include "project/trust.h"
#include "ui/print.h"

struct str
gauntlet_root(struct arena *a, bool *ret_is_there)
{
	struct str cwd = fs_cwd(a), root = STR_NONE;
	struct project_dirs u;

	if (cwd.s) {
		project_find(&u, cwd, WITHIN_REPOSITORY);
		bool has_pins = trust_has_pins(a);

		for (size_t i = 0; i < u.count && !root.s; i++) {
			struct str dir = source_dir(a, u.dirs[i], has_pins);

			if (!dir.s || gates_find(a, &dir, 1).s)
				root = str_copy(a, u.dirs[i]);
		}
	}
	if (ret_is_there)
		*ret_is_there = root.s != NULL;
	return root.s ? root : cwd;
}

bool
is_agent_gauntlet(const char *program)
{
	return str_is(str_from(program), "agent-gauntlet");
}

void
gauntlet_warn(struct arena *a, const char *program, struct str text)
{
	print_err(str_fmt(a, "%s: " STR_FMT "\n", is_agent_gauntlet(program) ? "Warning" : "warning",
			  STR_ARG(text)));
}

int
gauntlet_fail(const char *program, const char *fmt, ...)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	va_list args;

	va_start(args, fmt);
	struct str text = str_vfmt(&a, fmt, args);

	va_end(args);
	print_err(str_fmt(&a, "%s: " STR_FMT "\n", is_agent_gauntlet(program) ? "Error" : program,
			  STR_ARG(text)));
	return 1;
}

int
gauntlet_open_quietly(struct arena *a, const char *program, struct gates_config *ret, struct err *err)
{
	bool is_there;
	struct str root = gauntlet_root(a, &is_there);

	if (!root.s)
		return err_set(err, ERR_VALUE, "the current directory no longer exists");
	struct source source;

	source_find(a, root, &source);
	if (is_there && source.problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(source.problem));
	if (source.differs.s)
		print_err(str_fmt(
			a,
			"warning: the definitions differ from the pinned ones, which are used: " STR_FMT
			"; 'holdfast trust' accepts the change\n",
			STR_ARG(source.differs)));
	if (!is_there && !is_agent_gauntlet(program))
		return err_set(err, ERR_VALUE, NO_GATES, STR_ARG(root));
	struct gauntlet_hook_config *hook = arena_new(a, struct gauntlet_hook_config);

	int result = is_there ? source_load_gates(a, &source, hook, err)
			      : gates_load_hook(a, root, hook, err);

	if (result < 0 || gates_load_rest(a, hook, ret, err) < 0)
		return -1;
	ret->root = root; /* the files may be a pinned copy's */
	find_base_branch(a, ret);
	if (hook->warning.s)
		print_err(str_fmt(a, STR_FMT "\n", STR_ARG(hook->warning)));
	return 0;
}

int
gauntlet_open(struct arena *a, const char *program, struct gates_config *ret)
{
	struct err err;

	if (gauntlet_open_quietly(a, program, ret, &err) == 0)
		return 0;
	(void)gauntlet_fail(program, "%s", err.msg);
	return -1;
}

void
gauntlet_add_names(struct buf *b, const struct str_list *names)
{
	for (size_t i = 0; i < names->count; i++)
		buf_addf(b, "%s" STR_FMT, i > 0 ? ", " : "", STR_ARG(names->items[i]));
}
