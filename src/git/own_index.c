/* SPDX-License-Identifier: MIT */
/* Copies the repository's index. What git learned about the files comes with it, so that only those that changed are
 * read again. The repository's own is never written. */
#include "git/own_index.h"

#include "base/path.h"
#include "os/fs.h"

struct str
own_index_path(struct arena *a, const struct repository *r, struct str answer)
{
	struct str path = str_sub(answer, 0,
				  answer.n - (answer.n > 0)); /* its newline; others may be in it */

	return path_from(a, r->root, path);
}

int
own_index_make(struct tempdir *dir, struct arena *a, struct str path, struct err *err)
{
	struct str content;
	const char *from;

	if (str_cz(a, path, &from, err) < 0)
		return -1;
	int64_t written_at = fs_written_at(from);

	if (fs_read(a, from, GIT_INDEX_LIMIT_BYTES, &content, err) < 0 ||
	    tempdir_make(dir, a, "index", err) < 0)
		return -1;
	if (!content.s)
		return 0;
	/* Git reads a file again if it may have been changed in the second in which the index was written. With a
	 * newer index it would miss a change that leaves the size as it was. */
	if (fs_create(dir->file, content, 0600, err) < 0)
		return -1;
	return fs_set_written_at(dir->file, written_at, err);
}
