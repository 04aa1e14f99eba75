/* SPDX-License-Identifier: MIT */
/* Reads what recognise() needs. Never fails: what can't be read says nothing about the project. */
#include "base/glob.h"
#include "base/path.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "os/fs.h"
#include "recognise/recognise.h"

#define TEXT_LIMIT_BYTES KIB(512)
#define NAMES_MAX 4000
#define WORKSPACES_MAX 100

/* The files whose text matters. */
static const char *const read_files[] = {
	"package.json",   "pnpm-workspace.yaml", "justfile",
	"Justfile",       ".justfile",           "Makefile",
	"makefile",       "GNUmakefile",         "composer.json",
	"lefthook.yml",   ".lefthook.yml",       "lefthook.yaml",
	"Cargo.toml",     "pyproject.toml",      "setup.cfg",
	"tox.ini",        "requirements*.txt",   "Pipfile",
	"CMakeLists.txt", "meson.build",         "Gemfile",
	"Rakefile",       ".gitlab-ci.yml",
};
/* Directories whose files are listed too. */
static const char *const listed_dirs[] = { "tests", "test", "bin" };

static bool
is_read(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(read_files); i++)
		if (glob_match(str_from(read_files[i]), name))
			return true;
	return false;
}

static void
add_file(struct arena *a, struct project_files *f, struct str root, struct str name, bool reads)
{
	struct project_file file = { .name = name };
	struct err ignored;

	if (reads && fs_read(a, path_join(a, root, name).s, TEXT_LIMIT_BYTES, &file.text, &ignored) < 0)
		file.text = STR_NONE;
	arena_make_room(a, f->items, f->count, &f->capacity);
	f->items[f->count++] = file;
}

/* The names in a directory of the project, with its name before them; none if there are too many. */
static struct fs_names
names_in(struct arena *a, struct str root, struct str dir)
{
	struct fs_names names = { 0 };
	struct err ignored;

	if (fs_list(a, path_join(a, root, dir).s, NAMES_MAX, &names, &ignored) < 0)
		return (struct fs_names){ 0 };
	for (size_t i = 0; i < names.count && dir.n > 0; i++)
		names.items[i] = path_join(a, dir, names.items[i]);
	return names;
}

/* ---- workspaces ---- */

static void
add_workspace(struct arena *a, struct project_files *f, struct str root, struct str dir)
{
	struct str name = path_join(a, path_tidy(dir), STR("package.json"));

	if (!path_is_outside(name) && fs_kind(path_join(a, root, name).s) == FS_FILE)
		add_file(a, f, root, name, true);
}

/* Each is a directory, or a pattern for all directories in one. */
static void
add_workspaces(struct arena *a, struct project_files *f, struct str root, const struct node *patterns)
{
	for (size_t i = 0; patterns && patterns->kind == NODE_LIST && i < patterns->count; i++) {
		struct str pattern = patterns->items[i].text;

		if (patterns->items[i].kind != NODE_STRING || path_is_outside(pattern))
			continue;
		if (str_find_char(pattern, '*') < 0) {
			add_workspace(a, f, root, pattern);
			continue;
		}
		if (!str_ends(pattern, STR("/*")) && !str_ends(pattern, STR("/**")))
			continue;
		struct fs_names names = names_in(
			a, root, path_tidy(str_sub(pattern, 0, (size_t)str_find_char(pattern, '*'))));

		for (size_t k = 0; k < names.count && k < WORKSPACES_MAX; k++)
			add_workspace(a, f, root, names.items[k]);
	}
}

static void
read_workspaces(struct arena *a, struct project_files *f, struct str root)
{
	size_t count = f->count;

	for (size_t i = 0; i < count; i++) {
		struct str name = f->items[i].name, text = f->items[i].text;
		struct node document;
		struct err ignored;

		if (!text.s)
			continue;
		if (str_is(name, "package.json") && json_parse(a, text, &document, &ignored) == 0) {
			const struct node *w = node_get(&document, "workspaces");

			add_workspaces(a, f, root, w && w->kind == NODE_MAP ? node_get(w, "packages") : w);
		}
		if (str_is(name, "pnpm-workspace.yaml") && yaml_parse(a, text, &document, &ignored) == 0)
			add_workspaces(a, f, root, node_get(&document, "packages"));
	}
}

void
project_files_read(struct arena *a, struct str root, struct project_files *ret)
{
	struct fs_names names = names_in(a, root, STR(""));
	struct fs_names workflows = names_in(a, root, STR(".github/workflows"));

	*ret = (struct project_files){ 0 };
	for (size_t i = 0; i < names.count; i++) {
		bool is_dir = fs_kind(path_join(a, root, names.items[i]).s) == FS_DIR;
		struct str name = is_dir ? str_fmt(a, STR_FMT "/", STR_ARG(names.items[i])) : names.items[i];

		add_file(a, ret, root, name, !is_dir && is_read(name));
	}
	for (size_t i = 0; i < COUNT_OF(listed_dirs); i++) {
		struct fs_names below = names_in(a, root, str_from(listed_dirs[i]));

		for (size_t k = 0; k < below.count; k++)
			add_file(a, ret, root, below.items[k], false);
	}
	for (size_t i = 0; i < workflows.count; i++)
		if (str_ends(workflows.items[i], STR(".yml")) || str_ends(workflows.items[i], STR(".yaml")))
			add_file(a, ret, root, workflows.items[i], true);
	read_workspaces(a, ret, root);
}
