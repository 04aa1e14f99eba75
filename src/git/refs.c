/* SPDX-License-Identifier: MIT */
/* Refs, read from the files of a repository, because a process of git takes longer than all else at a stop. What is not read here,
 * such as a link in place of a ref, is unknown, and git is asked. Never writes. */
#include "git/git_spawn.h"

#include "base/path.h"
#include "os/env.h"
#include "os/fs.h"

#define FILE_LIMIT_BYTES MIB(1)
#define PACKED_LIMIT_BYTES MIB(64)
/* As git has it. */
#define SYMBOLIC_DEPTH 5

/* ---- may the files be read? ---- */

/* The next key of a file of settings; the blanks around it are left out, and so is what a line goes on with. */
static bool
next_key(struct str *text, struct str *ret_key, struct str *ret_value)
{
	struct str line;

	while (str_next(text, '\n', &line)) {
		line = str_trim(line);
		/* A key may follow the name of its section on the same line. */
		while (str_starts(line, STR("["))) {
			bool is_quoted = false;
			size_t n = 1;

			for (; n < line.n && (is_quoted || line.s[n] != ']'); n++) {
				is_quoted ^= line.s[n] == '"';
				n += line.s[n] == '\\';
			}
			line = str_trim(str_rest(line, n + 1));
		}
		if (line.n == 0 || line.s[0] == '#' || line.s[0] == ';')
			continue;
		*ret_key = str_trim(str_before(line, '='));
		*ret_value = str_trim(str_rest(line, str_before(line, '=').n + 1));
		return true;
	}
	return false;
}

/* Does the file say nothing about another work tree, or about another way to keep refs? A key counts in whatever section it seems
 * to be: one of another section makes git be asked, and nothing is missed. */
static bool
has_usual_settings(struct arena *a, struct str path, size_t *ret_name_length)
{
	struct str text = STR_NONE, key, value;

	if (fs_read(a, path.s, FILE_LIMIT_BYTES, &text, IGNORED) < 0)
		return false;
	while (next_key(&text, &key, &value)) {
		if (str_is_word(key, "worktree") ||
		    (str_is_word(key, "refstorage") && !str_is(value, "files")))
			return false;
		if (str_is_word(key, "objectformat"))
			*ret_name_length = str_is(value, "sha256") ? OBJECT_NAME_MOST
					   : str_is(value, "sha1") ? OBJECT_NAME_LEAST
								   : 0;
	}
	return *ret_name_length > 0;
}

bool
ref_files_find(struct arena *a, struct str root, struct ref_files *ret)
{
	struct str real = fs_real(a, str_copy(a, root).s), top = find_top(root);
	struct ref_files f = { .dir = git_dir_above(a, root), .name_length = OBJECT_NAME_LEAST };

	/* Git sees a directory without its links, and passes over a .git that is no repository. */
	if (!f.dir.s || !str_eq(real, root) || env_has("GIT_REFERENCE_BACKEND"))
		return false;
	f.shared = git_shared_dir(a, f.dir);
	f.below = str_eq(top, root) ? STR("") : path_below(root, top);
	if (!fs_has(f.dir, "HEAD") || !fs_has(f.shared, "objects") || !fs_has(f.shared, "refs") ||
	    !has_usual_settings(a, path_join(a, f.dir, STR("config.worktree")), &f.name_length) ||
	    !has_usual_settings(a, path_join(a, f.shared, STR("config")), &f.name_length))
		return false;
	*ret = f;
	return true;
}

/* ---- one ref ---- */

/* The name of an object, as long as the repository has them; else absent. */
static struct str
object_in(struct arena *a, const struct ref_files *f, struct str name)
{
	bool is_name = is_object_name(name) && (f->name_length == 0 || name.n == f->name_length);

	return is_name && str_trim_start(name, '0').n > 0 ? str_copy(a, name) : STR_NONE;
}

static enum git_answer
read_packed(struct arena *a, const struct ref_files *f, struct str ref, struct str *ret)
{
	struct str text = STR_NONE, end = str_cat(a, " ", ref, "\n");

	if (fs_read(a, path_join(a, f->shared, STR("packed-refs")).s, PACKED_LIMIT_BYTES, &text, IGNORED) < 0)
		return ANSWER_UNKNOWN;
	ptrdiff_t at = str_find(text, end);

	if (at < 0)
		return text.n == 0 || str_ends(text, STR("\n")) ? ANSWER_NO : ANSWER_UNKNOWN;
	struct str before = str_sub(text, 0, (size_t)at);

	*ret = object_in(a, f, str_rest(before, (size_t)(str_find_last(before, '\n') + 1)));
	return ret->s ? ANSWER_YES : ANSWER_UNKNOWN;
}

/* Is it a ref that each work tree has for itself? */
static bool
is_of_worktree(struct str ref)
{
	return !str_starts(ref, STR("refs/")) || str_starts(ref, STR("refs/bisect/")) ||
	       str_starts(ref, STR("refs/worktree/")) || str_starts(ref, STR("refs/rewritten/"));
}

/* Git takes no other names for refs. */
static bool
is_usual_name(struct str ref)
{
	static const char *const refused[] = { "..", "//", "/.", "@{", ".lock" };

	for (size_t i = 0; i < ref.n; i++)
		if ((unsigned char)ref.s[i] <= ' ' || strchr("\177~^:?*[\\", ref.s[i]))
			return false;
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		if (str_find(ref, str_from(refused[i])) >= 0)
			return false;
	return true;
}

enum git_answer
ref_read(struct arena *a, const struct ref_files *f, struct str ref, struct str *ret_object,
	 struct str *ret_last)
{
	for (int depth = 0; depth < SYMBOLIC_DEPTH; depth++) {
		struct str path = path_join(a, is_of_worktree(ref) ? f->dir : f->shared, ref),
			   text = STR_NONE;
		enum fs_kind kind = fs_lkind(path.s);

		if (!is_usual_name(ref) || (kind != FS_FILE && kind != FS_NOTHING && kind != FS_DIR) ||
		    (kind != FS_DIR && fs_read(a, path.s, FILE_LIMIT_BYTES, &text, IGNORED) < 0))
			return ANSWER_UNKNOWN;
		if (ret_last)
			*ret_last = ref;
		if (!text.s)
			return read_packed(a, f, ref, ret_object);
		text = str_trim(text);
		if (!str_skip(&text, "ref:")) {
			*ret_object = object_in(a, f, text);
			return ret_object->s ? ANSWER_YES : ANSWER_UNKNOWN;
		}
		ref = str_copy(a, str_trim(text));
		if (!str_starts(ref, STR("refs/")) || str_is(ref, "refs/heads/.invalid"))
			return ANSWER_UNKNOWN;
	}
	return ANSWER_UNKNOWN;
}
