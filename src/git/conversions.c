/* SPDX-License-Identifier: MIT */
/* May files on disk differ from what git compares? Reads the files that have attributes and settings, because asking git takes a
 * process at every stop. Which files an attribute is for is not looked at, nor when a setting is included. */
#include "git/git_spawn.h"

#include "os/env.h"
#include "os/fs.h"

#define LIMIT_BYTES MIB(1)
#define INCLUDE_DEPTH 4
#define ALL (CONVERSIONS_HIDE | CONVERSIONS_AT_CHECKOUT)

static bool
next_word(struct str *line, struct str *ret)
{
	size_t n = 0;

	*line = str_trim(*line);
	while (n < line->n && !str_is_blank(line->s[n]))
		n++;
	*ret = str_sub(*line, 0, n);
	*line = str_rest(*line, n);
	return n > 0;
}

/* "*.c text=auto -ident": the words after the first. */
static unsigned
of_attributes(struct str text)
{
	unsigned found = 0;
	struct str line, word;

	while (str_next(&text, '\n', &line)) {
		if (!next_word(&line, &word) || str_starts(word, STR("#")))
			continue;
		while (next_word(&line, &word)) {
			struct str name = str_before(word, '=');

			if (str_is_word_of(name, "text crlf") || str_is(word, "eol=lf"))
				found |= CONVERSIONS_HIDE;
			else if (str_is_word_of(name, "eol ident filter working-tree-encoding"))
				found |= ALL;
		}
	}
	return found;
}

/* A file that can't be read may have any conversion; what is no file has none, such as the /dev/null of GIT_CONFIG_GLOBAL. */
static unsigned
read_file(struct arena *a, struct str path, struct str *ret)
{
	*ret = STR_NONE;
	return path.s && fs_kind(path.s) == FS_FILE && fs_read(a, path.s, LIMIT_BYTES, ret, IGNORED) < 0 ? ALL
													 : 0;
}

static unsigned
of_attributes_file(struct arena *a, struct str path)
{
	struct str text;
	unsigned found = read_file(a, path, &text);

	return found | of_attributes(text);
}

/* A path in a file of settings. */
static struct str
setting_path(struct arena *a, struct str file, struct str value)
{
	struct str home = env_home(a);

	value = str_trim_end(str_trim_start(value, '"'), '"');
	if (str_skip(&value, "~/"))
		return home.s ? path_join(a, home, value) : STR_NONE;
	return str_copy(a, path_from(a, path_parent(file), value));
}

static unsigned
of_settings(struct arena *a, struct str file, int depth)
{
	struct str text, line;
	bool is_include = false;
	unsigned found = read_file(a, file, &text);

	while (str_next(&text, '\n', &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("["))) {
			is_include = str_mentions(str_sub(line, 0, STR("[include").n), "[include");
			/* A setting may follow on the same line. */
			line = str_rest(line, (size_t)(str_find_last(line, ']') + 1));
		}
		struct str name = str_before(line, '='), value = str_trim(str_rest(line, name.n + 1));

		name = str_trim(name);

		if (str_is_word(name, "path") && is_include && depth < INCLUDE_DEPTH)
			found |= of_settings(a, setting_path(a, file, value), depth + 1);
		else if (str_is_word(name, "attributesfile"))
			found |= of_attributes_file(a, setting_path(a, file, value));
		else if (str_is_word(name, "autocrlf") && !str_is_word(value, "false"))
			found |= str_is_word(value, "input") ? CONVERSIONS_HIDE : ALL;
		else if ((str_is_word(name, "filemode") || str_is_word(name, "symlinks")) &&
			 !str_is_word(value, "true"))
			found |= ALL;
		else if (str_is_word(name, "eol") && !str_is_word(value, "lf"))
			found |= CONVERSIONS_AT_CHECKOUT;
	}
	return found;
}

unsigned
conversions_at(struct arena *a, const struct repository *r)
{
	struct str home = env_home(a), own = env_xdg(a, "XDG_CONFIG_HOME", ".config");
	struct str user = env_get("GIT_CONFIG_GLOBAL"), all = env_get("GIT_CONFIG_SYSTEM");
	struct str dir = r->root, git_dir = git_dir_above(a, r->root);
	unsigned found = of_attributes_file(a, STR("/etc/gitattributes")) |
			 of_settings(a, all.s ? all : STR("/etc/gitconfig"), 0);

	for (int level = 0; level < REPOSITORY_LEVELS && dir.s; level++) {
		found |= conversions_of(a, &(struct repository){ .root = dir }, STR(".gitattributes"));
		if (fs_has(dir, ".git"))
			break;
		dir = path_parent(dir);
	}
	if (git_dir.s) {
		struct str shared = git_shared_dir(a, git_dir);

		found |= of_settings(a, path_join(a, git_dir, STR("config.worktree")), 0) |
			 of_settings(a, path_join(a, shared, STR("config")), 0) |
			 of_attributes_file(a, path_join(a, shared, STR("info/attributes")));
	}
	if (own.s)
		found |= of_attributes_file(a, path_join(a, own, STR("git/attributes")));
	if (user.s)
		return found | of_settings(a, user, 0);
	if (own.s)
		found |= of_settings(a, path_join(a, own, STR("git/config")), 0);
	if (home.s)
		found |= of_settings(a, path_join(a, home, STR(".gitconfig")), 0);
	return found;
}

unsigned
conversions_of(struct arena *a, const struct repository *r, struct str path)
{
	return of_attributes_file(a, path_join(a, r->root, path));
}
