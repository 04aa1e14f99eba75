/* SPDX-License-Identifier: MIT */
/* Asks the file system and git. */
#include "guards/rules.h"

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
/* The beginning of a larger file is not read. */
#define HEAD_LIMIT_BYTES MIB(16)

struct str
guard_real(struct arena *a, struct str path)
{
	struct str rest = path, tail = STR("");
	const char *z;

	/* of a file that is not there, its directories are */
	for (int i = 0; i < REPOSITORY_LEVELS && rest.s && rest.n > 0; i++) {
		if (str_cz(a, rest, &z, IGNORED) < 0)
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

enum fs_kind
guard_kind(struct str path)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *z;

	return str_cz(&a, path, &z, IGNORED) < 0 ? FS_NOTHING : fs_kind(z);
}

struct str_list
guard_matches(struct arena *a, struct str pattern)
{
	struct str_list list = { 0 };
	const char *z;
	size_t wildcards = 0;
	glob_t found;

	for (size_t i = 0; i < pattern.n; i++)
		wildcards += pattern.s[i] == '*' || pattern.s[i] == '[';
	/* a pattern in the first directories would search the machine */
	if (wildcards > WILDCARDS_LIMIT || str_find_char(str_rest(pattern, 1), '/') < 0 ||
	    str_cz(a, pattern, &z, IGNORED) < 0)
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
static const char of_others[] =
	".git node_modules .venv venv vendor target .tox site-packages dist build __pycache__";

struct str_list
guard_below(struct guard_case *c, struct str top)
{
	/* of a directory with too many names, these are asked for */
	static struct str usual[] = { STR(".env"),   STR(".env.local"), STR(".env.production"),
				      STR(".npmrc"), STR(".netrc"),     STR(".ssh"),
				      STR(".aws") };
	struct arena *a = c->arena;
	size_t *looked_at = &c->decision->names;
	/* They grow with what is there: a line may name thousands of empty directories. */
	struct str_list all = { 0 }, dirs = { 0 };

	*arena_push(a, dirs.items, dirs.count) = str_copy(a, top);
	for (size_t i = 0; i < dirs.count && *looked_at < BELOW_LIMIT; i++) {
		struct str_list names;

		if (fs_list(a, dirs.items[i].s, BELOW_LIMIT - *looked_at, &names, IGNORED) < 0)
			names = (struct str_list){ usual, COUNT_OF(usual) };
		*looked_at += names.count;
		for (size_t k = 0; k < names.count; k++) {
			struct str path = path_join(a, dirs.items[i], names.items[k]);
			enum fs_kind kind = fs_lkind(path.s);

			if (kind == FS_NOTHING ||
			    (kind == FS_DIR && str_is_word_of(names.items[k], of_others)))
				continue;
			*arena_push(a, all.items, all.count) = path;
			if (kind == FS_DIR && dirs.count < BELOW_DIRS)
				*arena_push(a, dirs.items, dirs.count) = path;
		}
	}
	return all;
}

struct str
guard_unsaved(const struct guard_case *c, struct str path, struct str name)
{
	if (guard_kind(path) == FS_NOTHING)
		return STR_NONE;
	struct str found = git_unsaved(c->arena, &c->repository, path, name, IGNORED);

	/* where git can't say, as outside a repository, nobody has the files */
	return !found.s ? path : found.n > 0 ? found : STR_NONE;
}

struct str
guard_script(void *data, struct arena *a, struct str path)
{
	const struct guard_case *c = data;
	struct str file = guard_real(a, path), text = STR_NONE;

	if (!path_below(file, c->request->root).s || guard_kind(file) != FS_FILE ||
	    fs_read(a, str_copy(a, file).s, SCRIPT_LIMIT_BYTES, &text, IGNORED) < 0 || !text.s ||
	    str_find_char(text, '\0') >= 0)
		return STR_NONE;
	return text;
}

struct str
guard_head(struct arena *a, struct str path, size_t lines)
{
	struct str text, rest, line;
	const char *z;

	if (str_cz(a, path, &z, IGNORED) < 0 || fs_kind(z) != FS_FILE ||
	    fs_read(a, z, HEAD_LIMIT_BYTES, &text, IGNORED) < 0)
		return STR_NONE;
	for (rest = text; lines > 0 && str_next(&rest, '\n', &line); lines--)
		continue;
	return lines > 0 ? text : str_sub(text, 0, text.n - rest.n);
}
