/* SPDX-License-Identifier: MIT */
/* Reads what recognise() needs. Never fails: what can't be read says nothing about the project. */
#include "base/glob.h"
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

static void
add_file(struct arena *a, struct project_files *f, struct str root, struct str name, bool reads)
{
	struct project_file file = { .name = name };

	if (reads && fs_read(a, path_join(a, root, name).s, TEXT_LIMIT_BYTES, &file.text, IGNORED) < 0)
		file.text = STR_NONE;
	*arena_push(a, f->items, f->count) = file;
}

/* The names in a directory of the project, with its name before them; none if there are too many. */
static struct str_list
names_in(struct arena *a, struct str root, struct str dir)
{
	struct str_list names = { 0 };

	if (fs_list(a, path_join(a, root, dir).s, NAMES_MAX, &names, IGNORED) < 0)
		return (struct str_list){ 0 };
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

/* Each of the list is a directory, or a pattern for all directories in one. */
static void
add_workspaces(struct arena *a, struct project_files *f, struct str root, const struct node *patterns)
{
	for (size_t i = 0; i < patterns->count; i++) {
		struct str pattern = patterns->items[i].text;

		if (patterns->items[i].kind != NODE_STRING || path_is_outside(pattern))
			continue;
		if (str_find_char(pattern, '*') < 0) {
			add_workspace(a, f, root, pattern);
			continue;
		}
		if (!str_ends(pattern, STR("/*")) && !str_ends(pattern, STR("/**")))
			continue;
		struct str_list names = names_in(
			a, root, path_tidy(str_sub(pattern, 0, (size_t)str_find_char(pattern, '*'))));

		for (size_t k = 0; k < names.count && k < WORKSPACES_MAX; k++)
			add_workspace(a, f, root, names.items[k]);
	}
}

void
project_files_read(struct arena *a, struct str root, struct project_files *ret)
{
	struct str_list names = names_in(a, root, STR(""));
	struct str_list workflows = names_in(a, root, STR(".github/workflows"));

	*ret = (struct project_files){ 0 };
	for (size_t i = 0; i < names.count; i++) {
		bool is_dir = fs_kind(path_join(a, root, names.items[i]).s) == FS_DIR;
		struct str name = is_dir ? str_cat(a, names.items[i], "/") : names.items[i];
		bool reads = false;

		for (size_t k = 0; k < COUNT_OF(read_files) && !is_dir; k++)
			reads |= glob_match(str_from(read_files[k]), name);
		add_file(a, ret, root, name, reads);
	}
	for (size_t i = 0; i < COUNT_OF(listed_dirs); i++) {
		struct str_list below = names_in(a, root, str_from(listed_dirs[i]));

		for (size_t k = 0; k < below.count; k++)
			add_file(a, ret, root, below.items[k], false);
	}
	for (size_t i = 0; i < workflows.count; i++)
		if (str_ends(workflows.items[i], STR(".yml")) || str_ends(workflows.items[i], STR(".yaml")))
			add_file(a, ret, root, workflows.items[i], true);
	for (size_t i = 0, count = ret->count; i < count; i++) {
		struct str name = ret->items[i].name, text = ret->items[i].text;
		struct node document;

		if (!text.s)
			continue;
		if (str_is(name, "package.json") && json_parse(a, text, &document, IGNORED) == 0) {
			add_workspaces(a, ret, root, node_get_list(&document, "workspaces"));
			add_workspaces(a, ret, root,
				       node_get_list(node_get(&document, "workspaces"), "packages"));
		}
		if (str_is(name, "pnpm-workspace.yaml") && yaml_parse(a, text, &document, IGNORED) == 0)
			add_workspaces(a, ret, root, node_get_list(&document, "packages"));
	}
}
