/* SPDX-License-Identifier: MIT */
/* Counts the lines that changed. Git has to compare the text of every file for that, so only who prints the counts asks. */
#include "git/git_spawn.h"

#define COUNTS "--numstat", "-z", "--no-renames", "--relative", "--no-ext-diff", "--no-textconv"

/* Adds the counts of all files but those that are hidden or in `except`. */
static int
add_counts(struct arena *a, struct str hidden, struct str answer, const struct strset *except,
	   struct line_counts *counts, struct err *err)
{
	struct str record;

	while (str_next(&answer, '\0', &record)) {
		struct change_set one = { .arena = a, .hidden = hidden };
		struct line_counts found;
		struct str path;

		/* A raw record, and its path. */
		if (str_starts(record, STR(":"))) {
			(void)str_next(&answer, '\0', &record);
			continue;
		}
		if (!numstat_read(record, &path, &found))
			return err_set(err, ERR_SYNTAX, "git diff: unexpected output");
		change_set_add(&one, (struct change_entry){ .path = path });
		if (one.count == 0 || strset_has(except, path))
			continue;
		counts->added += found.added;
		counts->removed += found.removed;
	}
	return 0;
}

/* Files that the old side has and that are untracked now: git lists them as deleted. */
static int
find_untracked(struct arena *a, struct str answer, struct str untracked, struct change_set *ret,
	       struct err *err)
{
	struct change_set all = { .arena = a, .hidden = ret->hidden }, files = all;
	struct str counts = answer, record;

	/* The raw records come first. */
	while (str_starts(counts, STR(":")))
		if (!str_next(&counts, '\0', &record) || !str_next(&counts, '\0', &record))
			break;
	change_set_read_untracked(&files, untracked);
	struct strset names = strset_new(a, files.count);

	for (size_t i = 0; i < files.count; i++)
		(void)strset_add(&names, files.items[i].path);
	if (change_set_read_diff(&all, str_sub(answer, 0, answer.n - counts.n), err) < 0)
		return -1;
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].status == 'D' && strset_has(&names, all.items[i].path))
			change_set_add(ret, all.items[i]);
	return 0;
}

int
git_count_lines(struct arena *a, const struct repository *r, const struct change_spec *spec,
		struct line_counts *ret, struct err *err)
{
	struct git_job jobs[2] = { 0 };
	struct change_set open = { .arena = a, .hidden = git_log_dir(a, r->root, spec->log_dir) };
	struct line_counts counts = { 0 };
	struct comparison c;
	struct str answer;

	if (comparison_make(a, spec, &c, err) < 0)
		return -1;
	for (int try = 0;; try++) {
		jobs[0] = jobs[1] = (struct git_job){ 0 };
		git_args(&jobs[0], c.is_of_commit ? GIT_ARGS(GIT_TREE_ARGS) : GIT_ARGS("diff"));
		git_args(&jobs[0], GIT_ARGS("--raw", "--no-abbrev", COUNTS));
		comparison_args(&jobs[0], &c);
		git_args(&jobs[1], GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
		if (git_run(a, r, jobs, spec->mode == CHANGES_SINCE ? 2 : 1, err) < 0)
			return -1;
		if (jobs[0].code == 0)
			break;
		if (try > 0 || comparison_fallback(a, r, spec, &jobs[0], &c, err) < 0)
			return try > 0 ? git_error(&jobs[0], err) : -1;
	}
	if (find_untracked(a, buf_str(&jobs[0].out), buf_str(&jobs[1].out), &open, err) < 0)
		return -1;
	struct strset apart = strset_new(a, open.count), none = strset_new(a, 0);

	for (size_t i = 0; i < open.count; i++)
		(void)strset_add(&apart, open.items[i].path);
	if (add_counts(a, open.hidden, buf_str(&jobs[0].out), &apart, &counts, err) < 0)
		return -1;
	if (open.count > 0 && (open_diff(a, r, &open, GIT_ARGS(COUNTS), &answer, err) < 0 ||
			       add_counts(a, open.hidden, answer, &none, &counts, err) < 0))
		return -1;
	*ret = counts;
	return 0;
}
