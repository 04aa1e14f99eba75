/* SPDX-License-Identifier: MIT */
/* Compares single files with an old side. A regular file is compared by git's name for its content, which the run needs anyway
 * and which may be known; git itself is asked about links, repositories and modes. */
#include "git/open.h"

#include "base/path.h"
#include "git/blobs.h"

int
open_diff(struct arena *a, const struct repository *r, const struct change_set *open,
	  const char *const *options, struct str *ret, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct git_job where = { 0 }, fill = { 0 }, compare = { 0 };
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);

	git_args(&where, GIT_ARGS("rev-parse", "--show-prefix"));
	if (git_run_one(a, r, &where, err) < 0 || tempdir_make(&dir, a, "index", err) < 0)
		return -1;
	struct str prefix = buf_str(&where.out);

	prefix.n -= prefix.n > 0; /* the last newline; the path may contain others */
	for (size_t i = 0; i < open->count; i++) {
		const struct change_entry *entry = &open->items[i];

		buf_addf(&input, STR_FMT " " STR_FMT "\t", STR_ARG(entry->old.mode),
			 STR_ARG(entry->old.object));
		buf_add(&input, prefix);
		buf_add(&input, entry->path);
		buf_addc(&input, '\0');
	}
	git_args(&fill, GIT_ARGS("update-index", "-z", "--index-info"));
	fill.index = dir.file;
	fill.input = buf_str(&input);
	git_arg(&compare, "diff");
	git_args(&compare, options);
	git_arg(&compare, "--");
	compare.index = dir.file;
	if (git_run_one(a, r, &fill, err) < 0 || git_run_one(a, r, &compare, err) < 0)
		return -1;
	*ret = buf_str(&compare.out);
	return 0;
}

/* Is it a regular file, of the mode of the old side? */
static bool
is_plain(struct arena *a, const struct repository *r, const struct change_entry *e, struct fs_facts *ret)
{
	struct arena_mark mark = arena_mark(a);
	const char *path;
	struct err ignored;
	bool is_file = str_cz(a, path_join(a, r->root, e->path), &path, &ignored) == 0 &&
		       fs_facts(path, ret) == FS_FILE;

	arena_reset(a, mark);
	return is_file && str_is(e->old.mode, ret->is_executable ? "100755" : "100644");
}

int
open_compare(struct arena *a, const struct repository *r, const struct change_set *open,
	     struct change_set *changes, struct err *err)
{
	struct blob *blobs = arena_array(a, open->count, struct blob);
	struct change_entry *plain = arena_array(a, open->count, struct change_entry);
	struct change_set others = { .arena = a };
	struct str answer;
	size_t count = 0;

	for (size_t i = 0; i < open->count; i++) {
		if (!is_plain(a, r, &open->items[i], &blobs[count].facts)) {
			change_set_add(&others, open->items[i]);
			continue;
		}
		blobs[count].path = open->items[i].path;
		plain[count++] = open->items[i];
	}
	if (blob_ids(a, r, blobs, count, err) < 0)
		return -1;
	if (others.count > 0 && (open_diff(a, r, &others, GIT_ARGS(GIT_NAMES_OPTIONS), &answer, err) < 0 ||
				 change_set_read_diff(changes, answer, err) < 0))
		return -1;
	for (size_t i = 0; i < count; i++) {
		plain[i].new = (struct change_side){ plain[i].old.mode, blobs[i].id };
		if (!str_eq(plain[i].old.object, blobs[i].id))
			change_set_add(changes, plain[i]);
	}
	return 0;
}
