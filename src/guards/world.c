/* SPDX-License-Identifier: MIT */
/* Asks the file system and git. */
#include "guards/rules.h"

#include "base/glob.h"
#include "base/path.h"
#include "base/regex.h"

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

struct str
guard_real_in(struct guard_case *c, struct str path)
{
	struct guard_memory *m = c->memory;
	struct str dir = path_parent(path);
	const char *z;

	if (!dir.s || str_cz(c->arena, path, &z, IGNORED) < 0 || fs_lkind(z) != FS_FILE)
		return guard_real(c->arena, path);
	if (!str_eq(dir, m->dir)) {
		m->dir = dir;
		m->real_dir = guard_real(c->arena, dir);
	}
	return path_join(c->arena, m->real_dir, path_base(path));
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

/* The list of what git does not have: of the path alone the first time, and then of everything. False: there was no time. */
static bool
ask_git(struct guard_case *c, struct str path)
{
	struct guard_memory *m = c->memory;
	struct err err;

	if (m->questions >= 2)
		return !m->is_late;
	for (m->top = c->request->root; m->top.n > 1;) {
		if (guard_kind(path_join(c->arena, m->top, STR(".git"))) != FS_NOTHING)
			break;
		m->top = path_parent(m->top);
	}
	if (git_unsaved(c->arena, &c->repository, m->questions++ == 0 ? path : STR(""), &m->unsaved, &err) ==
	    0)
		return true;
	m->questions = 2;
	m->is_late = err.code == ERR_LIMIT;
	/* where git can't say, as outside a repository, nobody has the files */
	m->has_none = !m->is_late;
	return !m->is_late;
}

/* Is the file that git names among those at and below the path? All is relative to the work tree. */
static bool
is_meant(struct str file, struct str path, struct str name)
{
	bool is_below = path.n == 0 || path_is_at_or_below(file, path);

	/* a directory that git names is a repository of its own */
	if (str_ends(file, STR("/")) && path_is_at_or_below(path, str_sub(file, 0, file.n - 1)))
		return true;
	if (!is_below || !name.s)
		return is_below;
	struct str below = str_rest(file, path.n > 0 ? path.n + 1 : 0), part;

	/* a pattern that begins with a slash is for the path below; * in it stands for slashes, too */
	if (name.s[0] == '/')
		return glob_match(str_rest(name, 1), below);
	if (!str_ends(name, STR("/**")))
		return glob_match(name, path_base(file));
	/* for what is in directories of such a name */
	name.n -= 3;
	while (str_next(&below, '/', &part))
		if (below.n > 0 && glob_match(name, part))
			return true;
	return false;
}

struct str
guard_unsaved(struct guard_case *c, struct str path, struct str name, bool tracked_only, bool *ret_late)
{
	const struct guard_memory *m = c->memory;

	if (guard_kind(path) == FS_NOTHING)
		return STR_NONE;
	*ret_late = !ask_git(c, path);
	if (m->has_none)
		return tracked_only ? STR_NONE : path;
	struct str relative = str_eq(path, m->top) ? STR("") : path_below(path, m->top);

	for (size_t i = 0; !*ret_late && relative.s && i < m->unsaved.count; i++) {
		struct str entry = m->unsaved.items[i], file = str_rest(entry, 3);

		if (!(tracked_only && entry.s[0] == '?') && is_meant(file, relative, name))
			return file;
	}
	str_list_add_new(c->arena, &c->decision->known,
			 str_cat(c->arena, relative.n > 0 ? relative : path,
				 *ret_late      ? ": git has not answered in time"
				 : tracked_only ? ": git has it as it is, or it is new"
						: ": git has it, or ignores it"));
	return STR_NONE;
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

bool
guard_would_print(struct arena *a, struct str path, struct str pattern)
{
	struct str text = STR_NONE, line;
	struct str_list names;
	struct err err;

	if (fs_kind(path.s) == FS_DIR && fs_list(a, path.s, BELOW_LIMIT, &names, &err) == 0) {
		for (size_t i = 0; i < names.count; i++) {
			struct str file = path_join(a, path, names.items[i]);

			if (fs_kind(file.s) == FS_FILE && guard_is_secret(file) &&
			    guard_would_print(a, file, pattern))
				return true;
		}
		return false;
	}
	if (regex_check(pattern, &err) < 0 || fs_read(a, path.s, SCRIPT_LIMIT_BYTES, &text, &err) < 0)
		return true;
	while (str_next(&text, '\n', &line))
		if (regex_match(a, pattern, line, /* ignores_case= */ true))
			return true;
	return false;
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
