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

	if (str_cz(a, path, &from, err) < 0 || fs_read(a, from, GIT_INDEX_LIMIT_BYTES, &content, err) < 0 ||
	    tempdir_make(dir, a, "index", err) < 0)
		return -1;
	return content.s ? fs_create(dir->file, content, 0600, err) : 0;
}
