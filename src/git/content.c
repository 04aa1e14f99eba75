/* SPDX-License-Identifier: MIT */
/* What is in the files that changed: git's own names for it, so that a file has the same name before and after it is
 * committed. Nothing is stored. */
#include "git/blobs.h"

#include "base/path.h"

#include <inttypes.h>

/* Fills in what the file system knows. *ret_is_for_git: git has to hash the file, about which *facts says the rest. */
static int
look_at_file(struct arena *a, struct str path, struct changed_file *file, struct fs_facts *facts,
	     bool *ret_is_for_git, struct err *err)
{
	const char *name;

	*ret_is_for_git = false;
	if (str_cz(a, path, &name, err) < 0)
		return -1;
	switch (fs_facts(name, facts)) {
	case FS_NOTHING:
		*file = (struct changed_file){ 0 };
		return 0;
	case FS_LINK:
		*file = (struct changed_file){ STR("120000"), fs_read_link(a, name) };
		return file->object.s
			       ? 0
			       : err_set(err, ERR_SYS, STR_FMT ": the link can't be read", STR_ARG(path));
	case FS_FILE:
		file->mode = facts->is_executable ? STR("100755") : STR("100644");
		*ret_is_for_git = facts->size <= CONTENT_LIMIT_BYTES;
		if (!*ret_is_for_git)
			file->object = str_fmt(a, "%" PRIu64 "-%" PRId64 "-%" PRIu64, facts->size,
					       facts->changed_ns, facts->inode);
		return 0;
	default:
		return err_set(err, ERR_VALUE, STR_FMT ": its content can't be known", STR_ARG(path));
	}
}

int
git_read_contents(struct arena *a, const struct repository *r, struct change_list *list, struct err *err)
{
	struct blob *blobs = arena_array(a, list->count, struct blob);
	size_t *asked = arena_array(a, list->count, size_t), count = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct changed_file *file = &list->files[i];
		struct blob *blob = &blobs[count];
		bool is_for_git;

		/* Git has hashed it, or says that it was deleted. */
		if (file->object.s)
			continue;
		struct arena_mark mark = arena_mark(a);
		struct str path = path_join(a, r->root, list->items[i]);

		if (look_at_file(a, path, file, &blob->facts, &is_for_git, err) < 0)
			return -1;
		if (!is_for_git)
			continue;
		arena_reset(a, mark);
		blob->path = list->items[i];
		asked[count++] = i;
	}
	if (blob_ids(a, r, blobs, count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		list->files[asked[i]].object = blobs[i].id;
	return 0;
}
