/* SPDX-License-Identifier: MIT */
/* A second look at single files. Git gets a small index that has nothing but the old side's entries for them, and
 * compares that with the files: so it is git that knows about modes, links and filters. */
#include "git/recheck.h"

#include "os/tempdir.h"

void
recheck_untracked(struct change_set *changes, struct change_set *untracked, struct change_set *ret_open)
{
	size_t kept = 0, kept_untracked = 0, j = 0;

	change_set_settle(changes);
	change_set_settle(untracked);
	for (size_t i = 0; i < changes->count; i++) {
		struct change_entry entry = changes->items[i];

		while (j < untracked->count && str_cmp(untracked->items[j].path, entry.path) < 0)
			untracked->items[kept_untracked++] = untracked->items[j++];
		if (entry.status == 'D' && j < untracked->count &&
		    str_eq(untracked->items[j].path, entry.path)) {
			change_set_add(ret_open, entry);
			changes->lines_removed -= entry.lines_removed;
			j++;
		} else {
			changes->items[kept++] = entry;
		}
	}
	while (j < untracked->count)
		untracked->items[kept_untracked++] = untracked->items[j++];
	changes->count = kept;
	untracked->count = kept_untracked;
}

/* "<mode> <object> TAB <path from the top>", each with a NUL behind it. */
static struct str
index_records(struct arena *a, struct str prefix, const struct change_set *set)
{
	struct buf b = BUF(a, GIT_OUTPUT_LIMIT_BYTES);

	for (size_t i = 0; i < set->count; i++) {
		const struct change_entry *entry = &set->items[i];

		buf_add(&b, entry->mode);
		buf_addc(&b, ' ');
		buf_add(&b, entry->object);
		buf_addc(&b, '\t');
		buf_add(&b, prefix);
		buf_add(&b, entry->path);
		buf_addc(&b, '\0');
	}
	return buf_str(&b);
}

int
recheck(struct arena *a, const struct repository *r, const struct change_set *open,
	struct change_set *changes, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct git_job where = { 0 }, fill = { 0 }, compare = { 0 };

	if (open->count == 0)
		return 0;
	git_args(&where, GIT_ARGS("rev-parse", "--show-prefix"));
	if (git_run_one(a, r, &where, err) < 0 || tempdir_make(&dir, a, "index", err) < 0)
		return -1;
	struct str prefix = buf_str(&where.out);

	/* A newline ends it; others may be in it. */
	prefix.n -= prefix.n > 0;
	git_args(&fill, GIT_ARGS("update-index", "-z", "--index-info"));
	fill.index = dir.file;
	fill.input = index_records(a, prefix, open);
	git_args(&compare, GIT_ARGS("diff", GIT_DIFF_OPTIONS, "--"));
	compare.index = dir.file;
	if (git_run_one(a, r, &fill, err) < 0 || git_run_one(a, r, &compare, err) < 0)
		return -1;
	return change_set_read_diff(changes, buf_str(&compare.out), err);
}
