/* SPDX-License-Identifier: MIT */
/* The changes as text, and how many lines they are. If one side is the working tree, git works with a copy of the index to which
 * untracked files are added with --intent-to-add. So one diff shows each file once, with the line numbers that it has now. */
#include "git/git_spawn.h"

static const char *const text_options[] = {
	"--patch",
	"--find-renames",
	"--relative",
	"--no-color",
	"--no-ext-diff",
	"--no-textconv",
	"--src-prefix=a/",
	"--dst-prefix=b/",
	"--unified=3",
	"--inter-hunk-context=0",
	"--submodule=short",
	"--diff-algorithm=myers",
	NULL,
};

/* The path of the index and the untracked files at or below the path, from git if they are not known yet. */
static int
find_files(struct arena *a, const struct repository *r, struct str path, struct git_known *ret,
	   struct err *err)
{
	struct git_known found = r->known ? *r->known : (struct git_known){ 0 };
	struct git_job jobs[2] = { { .args = { GIT_INDEX_ARGS } }, { .args = { GIT_UNTRACKED_ARGS, "--" } } };

	if (!found.index.s || !found.untracked.s) {
		if (git_run_good(a, r, jobs, COUNT_OF(jobs), err) < 0)
			return -1;
		found.index = git_answer_path(a, r, buf_str(&jobs[0].out));
		found.untracked = buf_str(&jobs[1].out);
		if (r->known)
			*r->known = found;
	}
	if (path.n > 0 && !str_is(path, ".")) {
		struct buf below = BUF(a, SIZE_MAX);
		struct str file;

		while (str_next(&found.untracked, '\0', &file))
			if (path_is_at_or_below(file, path))
				buf_cat(&below, file, STR("\0"));
		found.untracked = buf_str(&below);
	}
	*ret = found;
	return 0;
}

/* The copy, with the untracked files below the path added, but for those that are too large. */
static int
prepare_index(struct arena *a, const struct repository *r, const struct change_spec *spec, struct str path,
	      const char *below, struct tempdir *dir, struct hidden_files *ret, struct err *err)
{
	struct git_known files;

	if (find_files(a, r, path, &files, err) < 0 || git_index_copy(dir, a, files.index, err) < 0)
		return -1;
	if (files.untracked.n == 0)
		return 0;
	*ret = untracked_hidden(a, r, spec->log_dir, files.untracked);
	/* A file that can't be added, such as a repository without commits, is not shown; the others are. */
	struct git_job mark = { .args = { "add", "--intent-to-add", "--ignore-errors",
					  "--pathspec-from-file=-", "--pathspec-file-nul" },
				.index = dir->file,
				.input = pathspecs_without(a, r, below, STR_NONE, ret) };

	return git_run(a, r, &mark, 1, err);
}

/* Runs the diff, and after a failure once more with another comparison, and once more without the filters that are
 * missing. */
static int
run_with_retries(struct arena *a, const struct repository *r, const struct change_spec *spec,
		 struct comparison *c, struct git_job *job, struct err *err)
{
	struct git_job first = *job;
	struct err diff_err = { 0 };

	for (int try = 0;; try++) {
		*job = first;
		git_args(job, c->is_of_commit ? GIT_ARGS(GIT_TREE_ARGS) : GIT_ARGS("diff"));
		git_args(job, text_options);
		if (spec->is_text)
			git_arg(job, "--text");
		comparison_args(job, c);
		if (git_run(a, r, job, 1, err) < 0)
			return -1;
		if (job->code == 0 || job->out.is_cut)
			return 0;
		if (first.settings.count > 0)
			break;
		if (try == 0 && comparison_fallback(a, r, spec, job, c, &diff_err) == 0)
			continue;
		if (try > 0)
			(void)git_error(job, &diff_err);
		if (git_filters_optional(a, r, &first.settings, err) < 0)
			return -1;
		if (first.settings.count == 0)
			break;
	}
	*err = diff_err;
	return -1;
}

#define ALL_BUT ":(exclude,literal)"

/* The pathspecs of the diff. The first is that of all untracked files it may show. */
static int
list_paths(struct arena *a, const struct repository *r, const struct change_spec *spec, struct str path,
	   struct str_list *ret, struct err *err)
{
	struct str hidden = git_log_dir(a, r->root, spec->log_dir);
	struct str_list l = { arena_array(a, spec->only.count + spec->except.count + 2, struct str), 0 };
	const char *ignored;

	if (spec->only.count == 0)
		l.items[l.count++] = str_cat(a, ":(literal)", path.n ? path : STR("."));
	for (size_t i = 0; i < spec->only.count; i++)
		l.items[l.count++] = str_cat(a, ":(literal)", spec->only.items[i]);
	if (hidden.s)
		l.items[l.count++] = str_cat(a, ALL_BUT, hidden);
	for (size_t i = 0; i < spec->except.count; i++)
		l.items[l.count++] = str_cat(a, ALL_BUT, spec->except.items[i]);
	for (size_t i = 0; i < l.count; i++)
		if (str_cz(a, l.items[i], &ignored, err) < 0)
			return -1;
	*ret = l;
	return 0;
}

int
git_diff(struct arena *a, const struct repository *r, const struct change_spec *spec, struct str path,
	 size_t limit, struct diff_text *ret, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct git_job job = { .limit = limit ? limit : 1, .may_be_cut = true };
	struct diff_text found = { 0 };
	struct comparison c;

	if (comparison_make(a, spec, &c, err) < 0 || list_paths(a, r, spec, path, &job.paths, err) < 0)
		return -1;
	const char *below = spec->only.count > 0 ? "." : job.paths.items[0].s;

	if (spec->only.count > 0)
		path = STR(".");
	if (c.has_files && prepare_index(a, r, spec, path, below, &dir, &found.hidden, err) < 0)
		return -1;
	job.index = dir.file;
	if (run_with_retries(a, r, spec, &c, &job, err) < 0)
		return -1;
	found.text = buf_str(&job.out);
	found.is_cut = job.out.is_cut;
	if (found.is_cut) /* complete lines */
		found.text.n = (size_t)(str_find_last(found.text, '\n') + 1);
	*ret = found;
	return 0;
}

/* ---- counts of lines: git has to compare the text of every file for them, so only who prints them asks ---- */

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
