/* SPDX-License-Identifier: MIT */
/* The places that .gauntlet's files name: they must be in the project, because gates run there, logs are written there, and
 * reviewers are sent what lies there. */
#include "conf/gauntlet_schema.h"

#include "base/path.h"
#include "model/logname.h"
#include "os/fs.h"

/* Places are relative to the project, also where its files are read from a copy. */
static struct str
project_of(const struct gauntlet_loader *l)
{
	return l->project.s ? l->project : l->root;
}

/* Where the path leads by its links; for one that does not exist, where its nearest directory that exists leads. */
static struct str
real_place(struct arena *a, struct str path)
{
	struct str real = STR_NONE;

	for (; path.n > 0 && !real.s; path = path_parent(path))
		real = fs_real(a, str_copy(a, path).s);
	return real;
}

/* ---- log_dir ---- */

#define NAME_ANOTHER "; name a directory in the project, such as " GAUNTLET_LOG_DIR

/* Why the directory can't be used; absent: it can. */
static struct str
log_dir_problem(struct arena *a, struct str root, struct str log_dir)
{
	struct str full = path_normalise(a, path_from(a, root, log_dir));
	struct str real = real_place(a, full), real_root = fs_real(a, root.s);

	if (!real.s || !real_root.s)
		return STR_NONE;
	if (str_eq(real, real_root) && fs_kind(full.s) == FS_DIR)
		return STR("is the project's own directory, and its files are not logs; name a directory in "
			   "it, such as " GAUNTLET_LOG_DIR);
	if (path_is_at_or_below(real, real_root))
		return STR_NONE;
	return path_below(full, path_normalise(a, root)).s
		       ? str_fmt(a, "leads to " STR_FMT ", outside the project" NAME_ANOTHER, STR_ARG(real))
		       : STR("is outside the project" NAME_ANOTHER);
}

void
loader_check_log_dir(struct gauntlet_loader *l, const struct node *document, struct str log_dir)
{
	struct str why = log_dir_problem(l->arena, project_of(l), log_dir);

	if (why.s)
		loader_note(l, SEVERITY_FATAL, node_get(document, "log_dir"), STR("log_dir"),
			    "'" STR_FMT "' " STR_FMT, STR_ARG(log_dir), STR_ARG(why));
}

static bool
is_of_a_run(struct str name)
{
	struct log_name l;

	return str_starts(name, STR(".")) || str_starts(name, STR("previous")) || log_name_parse(name, &l);
}

void
loader_check_log_files(struct gauntlet_loader *l, const struct node *document, struct str log_dir)
{
	struct str dir = path_from(l->arena, l->root, log_dir), first = STR_NONE;
	struct fs_names names = { 0 };
	struct err ignored;
	size_t count = 0;

	if (fs_list(l->arena, str_copy(l->arena, dir).s, FS_NO_LIMIT, &names, &ignored) < 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		if (!is_of_a_run(names.items[i]) && count++ == 0)
			first = names.items[i];
	if (count > 0)
		loader_note(l, SEVERITY_WARNING, node_get(document, "log_dir"), STR("log_dir"),
			    "'" STR_FMT "' also holds %zu file%s that no gate wrote, such as '" STR_FMT
			    "'; they are left alone, but logs are better kept in a directory of their own",
			    STR_ARG(log_dir), count, count == 1 ? "" : "s",
			    STR_ARG(config_shown(l->arena, first, 60)));
}

/* ---- gates ---- */

void
loader_check_directory(struct gauntlet_loader *l, const struct node *gate, struct str dir)
{
	struct str root = path_normalise(l->arena, project_of(l));

	if (!dir.s || str_is(dir, "entrypoint") ||
	    path_is_at_or_below(path_normalise(l->arena, path_from(l->arena, root, dir)), root))
		return;
	loader_note(l, SEVERITY_FATAL, node_get(gate, "working_directory"), STR("working_directory"),
		    "'" STR_FMT "' is outside the project; name a directory from the project's root",
		    STR_ARG(dir));
}

struct str
loader_leads_out(struct gauntlet_loader *l, const char *path)
{
	struct arena *a = l->arena;
	struct str real = fs_real(a, path), root = fs_real(a, l->root.s);
	/* .gauntlet itself may be a link to a directory that several projects share. */
	struct str shared = l->kind ? fs_real(a, path_join(a, l->root, str_from(l->kind->dir)).s) : STR_NONE;

	if (!real.s || !root.s || path_is_at_or_below(real, root) ||
	    (shared.s && path_is_at_or_below(real, shared)))
		return STR_NONE;
	return real;
}
