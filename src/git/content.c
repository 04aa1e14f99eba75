/* SPDX-License-Identifier: MIT */
/* What is in the files that changed: git's own names for it, so that a file has the same name before and after it is
 * committed. Nothing is stored. */
#include "git/git_spawn.h"

#include "base/path.h"
#include "os/fs.h"

#include <inttypes.h>

/* As git spells a path in a list of lines. */
static void
add_path(struct buf *b, struct str path)
{
	if (str_find_char(path, '\n') < 0 && !str_starts(path, STR("\""))) {
		buf_addf(b, STR_FMT "\n", STR_ARG(path));
		return;
	}
	buf_addc(b, '"');
	for (size_t i = 0; i < path.n; i++) {
		if (path.s[i] == '\n') {
			buf_add(b, STR("\\n"));
			continue;
		}
		if (path.s[i] == '"' || path.s[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, path.s[i]);
	}
	buf_add(b, STR("\"\n"));
}

/* Fills in what the file system knows. *ret_is_for_git: git has to hash the file. */
static int
look_at_file(struct arena *a, struct str path, struct changed_file *file, bool *ret_is_for_git,
	     struct err *err)
{
	struct fs_facts facts;
	const char *name;

	*ret_is_for_git = false;
	if (str_cz(a, path, &name, err) < 0)
		return -1;
	switch (fs_facts(name, &facts)) {
	case FS_NOTHING:
		*file = (struct changed_file){ 0 };
		return 0;
	case FS_LINK:
		*file = (struct changed_file){ STR("120000"), fs_read_link(a, name) };
		return file->object.s
			       ? 0
			       : err_set(err, ERR_SYS, STR_FMT ": the link can't be read", STR_ARG(path));
	case FS_FILE:
		file->mode = facts.is_executable ? STR("100755") : STR("100644");
		*ret_is_for_git = facts.size <= CONTENT_LIMIT_BYTES;
		if (!*ret_is_for_git)
			file->object = str_fmt(a, "%" PRIu64 "-%" PRId64 "-%" PRIu64, facts.size,
					       facts.changed_ns, facts.inode);
		return 0;
	default:
		return err_set(err, ERR_VALUE, STR_FMT ": its content can't be known", STR_ARG(path));
	}
}

int
git_read_contents(struct arena *a, const struct repository *r, struct change_list *list, struct err *err)
{
	struct git_job job = { 0 };
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);
	size_t *asked = arena_array(a, list->count, size_t), count = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct changed_file *file = &list->files[i];
		struct str path = path_join(a, r->root, list->items[i]);
		bool is_for_git;

		/* Git has hashed it, or says that it was deleted. */
		if (file->object.s)
			continue;
		if (look_at_file(a, path, file, &is_for_git, err) < 0)
			return -1;
		if (!is_for_git)
			continue;
		add_path(&input, path);
		asked[count++] = i;
	}
	if (count == 0)
		return 0;
	git_args(&job, GIT_ARGS("hash-object", "--stdin-paths"));
	job.input = buf_str(&input);
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	struct str rest = buf_str(&job.out), line;

	for (size_t i = 0; i < count; i++) {
		if (!str_next(&rest, '\n', &line))
			return err_set(err, ERR_SYNTAX, "git hash-object: an answer that can't be read");
		list->files[asked[i]].object = str_copy(a, line);
	}
	return 0;
}
