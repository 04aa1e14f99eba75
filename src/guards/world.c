/* SPDX-License-Identifier: MIT */
/* Asks the file system and git. */
#include "guards/world.h"

#include "base/path.h"
#include "git/git.h"
#include "os/fs.h"

#include <glob.h>

/* Files that a pattern is followed to. */
#define MATCHES_LIMIT 256
/* A pattern with more wildcards could take long. */
#define WILDCARDS_LIMIT 4
/* Names below directories that are looked at, for one command line. */
#define BELOW_LIMIT 4000
#define BELOW_DIRS 500
/* A longer script is not looked into. */
#define SCRIPT_LIMIT_BYTES KIB(64)

static struct str
real(void *data, struct arena *a, struct str path)
{
	struct str rest = path, tail = STR("");
	const char *z;
	struct err ignored;

	(void)data;
	/* of a file that is not there, its directories are */
	for (int i = 0; i < REPOSITORY_LEVELS && rest.s && rest.n > 0; i++) {
		if (str_cz(a, rest, &z, &ignored) < 0)
			return path;
		struct str found = fs_real(a, z);

		if (found.s)
			return tail.n > 0 ? path_join(a, found, tail) : found;
		/* a link that leads nowhere is made by writing through it */
		struct str target = fs_read_link(a, z);

		if (target.s && tail.n == 0 && i < 8) {
			struct str parent = path_parent(rest);

			rest = path_normalise(a, path_from(a, parent.s ? parent : STR("/"), target));
			continue;
		}
		tail = tail.n > 0 ? path_join(a, path_base(rest), tail) : path_base(rest);
		rest = path_parent(rest);
	}
	return path;
}

static enum guard_file
kind(void *data, struct str path)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *z;
	struct err ignored;

	(void)data;
	if (str_cz(&a, path, &z, &ignored) < 0)
		return GUARD_NOTHING;
	switch (fs_kind(z)) {
	case FS_NOTHING:
		return GUARD_NOTHING;
	case FS_DIR:
		return GUARD_DIRECTORY;
	default:
		return GUARD_FILE;
	}
}

static struct str_list
matches(void *data, struct arena *a, struct str pattern)
{
	struct str_list list = { 0 };
	const char *z;
	struct err ignored;
	size_t wildcards = 0;
	glob_t found;

	(void)data;
	for (size_t i = 0; i < pattern.n; i++)
		wildcards += pattern.s[i] == '*' || pattern.s[i] == '[';
	/* a pattern in the first directories would search the machine */
	if (wildcards > WILDCARDS_LIMIT || str_find_char(str_sub(pattern, 1, pattern.n), '/') < 0 ||
	    str_cz(a, pattern, &z, &ignored) < 0)
		return list;
	if (glob(z, GLOB_NOSORT | GLOB_NOESCAPE | GLOB_PERIOD, NULL, &found) != 0)
		return list;
	list.items = arena_array(a, MATCHES_LIMIT, struct str);
	for (size_t i = 0; i < found.gl_pathc && list.count < MATCHES_LIMIT; i++) {
		struct str name = path_base(str_from(found.gl_pathv[i]));

		if (!str_is(name, ".") && !str_is(name, ".."))
			list.items[list.count++] = str_copy(a, str_from(found.gl_pathv[i]));
	}
	globfree(&found);
	return list;
}

/* Directories of git, of packages and of what was built have keys and settings of others in them. */
static bool
is_of_others(struct str name)
{
	static const struct str names[] = { STR(".git"),  STR("node_modules"),  STR(".venv"),
					    STR("venv"),  STR("vendor"),        STR("target"),
					    STR(".tox"),  STR("site-packages"), STR("dist"),
					    STR("build"), STR("__pycache__") };

	return str_is_among(name, names, COUNT_OF(names));
}

struct found {
	struct str_list list;
	size_t capacity;
};

static void
add_found(struct arena *a, struct found *to, struct str path)
{
	arena_make_room(a, to->list.items, to->list.count, &to->capacity);
	to->list.items[to->list.count++] = path;
}

static void
add_below(struct arena *a, struct guard_files *f, struct str dir, struct found *all, struct found *dirs)
{
	/* of a directory with too many names, these are asked for */
	static struct str usual[] = { STR(".env"),   STR(".env.local"), STR(".env.production"),
				      STR(".npmrc"), STR(".netrc"),     STR(".ssh"),
				      STR(".aws") };
	struct fs_names names;
	struct err ignored;
	bool is_listed = fs_list(a, str_copy(a, dir).s, BELOW_LIMIT - f->names, &names, &ignored) == 0;

	if (!is_listed)
		names = (struct fs_names){ usual, COUNT_OF(usual) };
	f->names += names.count;
	for (size_t i = 0; i < names.count; i++) {
		struct str path = path_join(a, dir, names.items[i]);
		enum fs_kind what = fs_lkind(path.s);

		if (what == FS_NOTHING || (what == FS_DIR && is_of_others(names.items[i])))
			continue;
		add_found(a, all, path);
		if (what == FS_DIR && dirs->list.count < BELOW_DIRS)
			add_found(a, dirs, path);
	}
}

static struct str_list
below(void *data, struct arena *a, struct str dir)
{
	struct guard_files *f = data;
	struct found all = { 0 }, dirs = { 0 };

	add_found(a, &dirs, dir);
	for (size_t i = 0; i < dirs.list.count && f->names < BELOW_LIMIT; i++)
		add_below(a, f, dirs.list.items[i], &all, &dirs);
	return all.list;
}

static bool
tracks(void *data, struct str path)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct guard_files *f = data;
	struct repository r = { .root = f->root, .deadline_ms = f->deadline_ms };
	struct err ignored;

	return path_below(path, f->root).s && git_tracks(&a, &r, path, &ignored) == ANSWER_YES;
}

static struct str
unsaved(void *data, struct arena *a, struct str path, struct str name)
{
	const struct guard_files *f = data;
	struct repository r = { .root = f->root, .deadline_ms = f->deadline_ms };
	struct err err;
	struct str found;

	if (kind(data, path) == GUARD_NOTHING)
		return STR_NONE;
	found = git_unsaved(a, &r, path, name, &err);
	/* where git can't say, as outside a repository, nobody has the files */
	return !found.s ? path : found.n > 0 ? found : STR_NONE;
}

static struct str
script(void *data, struct arena *a, struct str path)
{
	const struct guard_files *f = data;
	struct str file = real(data, a, path), text = STR_NONE;
	struct err ignored;

	if (!path_below(file, f->root).s || kind(data, file) != GUARD_FILE ||
	    fs_read(a, str_copy(a, file).s, SCRIPT_LIMIT_BYTES, &text, &ignored) < 0 || !text.s ||
	    str_find_char(text, '\0') >= 0)
		return STR_NONE;
	return text;
}

struct guard_world
guard_world_of(struct guard_files *files)
{
	return (struct guard_world){ files, real, kind, matches, below, tracks, unsaved, script };
}
