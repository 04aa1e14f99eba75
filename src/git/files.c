/* SPDX-License-Identifier: MIT */
/* Questions about single files: whether git tracks or ignores them, whether a commit has the same, what it has in their place, and
 * whether a deletion would lose what git does not have. */
#include "git/git_spawn.h"
#include "os/fs.h"

/* Of the arguments of git, some are options. */
#define BELOW_MAX (GIT_ARGS_MAX - 10)

enum git_answer
git_tracks(struct arena *a, const struct repository *r, struct str path, struct err *err)
{
	struct git_job job = { .args = { "--literal-pathspecs", "ls-files", "-z", "--", str_copy(a, path).s },
			       .limit = KIB(64),
			       .may_be_cut = true };

	if (git_run_good(a, r, &job, 1, err) < 0)
		return ANSWER_UNKNOWN;
	return job.out.n > 0 ? ANSWER_YES : ANSWER_NO;
}

int
git_tracked_files(struct arena *a, const struct repository *r, struct str log_dir, struct str_list *ret,
		  struct err *err)
{
	struct str hidden = git_log_dir(a, r->root, log_dir);
	struct git_job job = { .args = { "ls-files", "-z" } };
	struct str rest, path;

	*ret = (struct str_list){ 0 };
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	while (str_next(&rest, '\0', &path))
		if (!hidden.s || !path_is_at_or_below(path, hidden))
			*arena_push(a, ret->items, ret->count) = path;
	return 0;
}

int
git_ignored_dirs(struct arena *a, const struct repository *r, struct str_list *ret, struct err *err)
{
	struct git_job job = { .args = { "ls-files", "--others", "--ignored", "--exclude-standard",
					 "--directory", "-z" } };
	struct str rest, path;

	*ret = (struct str_list){ 0 };
	if (!git_branch_now(a, r->root).s)
		return 0;
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	while (str_next(&rest, '\0', &path))
		if (str_ends(path, STR("/")))
			*arena_push(a, ret->items, ret->count) = path_tidy(path);
	return 0;
}

struct str_list
git_not_ignored(struct arena *a, const struct repository *r, const struct str_list *paths)
{
	struct git_job job = { .args = { "check-ignore", "-z", "--stdin" },
			       .limit = MIB(16),
			       .may_be_cut = true };
	struct str_list kept = { .items = arena_array(a, paths->count + 1, struct str) };
	struct buf input = BUF(a, SIZE_MAX);
	struct str rest, next = STR_NONE;

	for (size_t i = 0; i < paths->count; i++)
		buf_cat(&input, paths->items[i], STR("\0"));
	job.input = buf_str(&input);
	if (git_run(a, r, &job, 1, IGNORED) < 0 || job.code != 0)
		return *paths;
	/* git answers in the order of the question */
	rest = buf_str(&job.out);
	bool has_next = str_next(&rest, '\0', &next);

	for (size_t i = 0; i < paths->count; i++) {
		if (has_next && str_eq(paths->items[i], next))
			has_next = str_next(&rest, '\0', &next);
		else
			kept.items[kept.count++] = paths->items[i];
	}
	return kept;
}

struct str
git_ignored_by(struct arena *a, const struct repository *r, struct str path)
{
	struct git_job job = { .args = { "check-ignore", "-v", "-z", "--stdin" },
			       .input = str_cat(a, path, STR("\0")),
			       .limit = MIB(1),
			       .may_be_cut = true };
	struct str rest, field = STR_NONE;

	if (git_run(a, r, &job, 1, IGNORED) < 0 || job.code != 0)
		return STR_NONE;
	/* the source, the line, the pattern and the path, each ended by NUL */
	rest = buf_str(&job.out);
	for (int i = 0; i < 3; i++)
		if (!str_next(&rest, '\0', &field))
			return STR_NONE;
	return str_starts(field, STR("!")) ? STR_NONE : field;
}

/* The object id of a path in the output of ls-tree; absent: it is not there. */
static struct str
id_in_tree(struct str tree, struct str path)
{
	struct str entry;

	while (str_next(&tree, '\0', &entry)) {
		struct str head = str_before(entry, '\t');

		if (head.n < entry.n && str_eq(str_rest(entry, head.n + 1), path))
			return str_rest(head, (size_t)(str_find_last(head, ' ') + 1));
	}
	return STR_NONE;
}

/* The question for the tree of a commit below these paths (NULL-terminated). */
static int
ask_tree(struct arena *a, struct git_job *job, struct str commit, const char *const *below, struct err *err)
{
	size_t count = 0;

	while (below[count])
		if (++count > BELOW_MAX)
			return err_set(err, ERR_LIMIT, "more than %d paths", BELOW_MAX);
	git_args(job, GIT_ARGS("--literal-pathspecs", "ls-tree", "-r", "-z", "--end-of-options",
			       str_copy(a, commit).s, "--"));
	git_args(job, below);
	return 0;
}

enum git_answer
git_commit_has(struct arena *a, const struct repository *r, struct str ref, const char *const *below,
	       const struct str_list *files, struct err *err)
{
	struct git_job job = { 0 };

	if (!git_is_commit_name(ref))
		return ANSWER_NO;
	if (ask_tree(a, &job, ref, below, err) < 0 || git_run(a, r, &job, 1, err) < 0)
		return ANSWER_UNKNOWN;
	struct str tree = buf_str(&job.out);

	/* A code other than 0: there is no such ref. */
	if (job.code != 0 || str_count(tree, '\0') != files->count)
		return ANSWER_NO;
	for (size_t i = 0; i < files->count; i++) {
		struct str there = id_in_tree(tree, files->items[i]), here;

		if (!there.s)
			return ANSWER_NO;
		if (object_name_of_file(a, path_join(a, r->root, files->items[i]).s, there.n, &here, err) < 0)
			return ANSWER_UNKNOWN;
		if (!str_eq(here, there))
			return ANSWER_NO;
	}
	return ANSWER_YES;
}

int
git_commit_files(struct arena *a, const struct repository *r, struct str commit, const char *const *below,
		 struct str_list *ret, struct err *err)
{
	struct git_job job = { 0 };
	struct str rest, entry;

	*ret = (struct str_list){ 0 };
	if (ask_tree(a, &job, commit, below, err) < 0 || git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	/* MODE TYPE NAME, a tab, the path */
	while (str_next(&rest, '\0', &entry)) {
		if (!str_starts(entry, STR("100"))) {
			*ret = (struct str_list){ 0 };
			return 0;
		}
		*arena_push(a, ret->items, ret->count) = str_rest(entry, str_before(entry, '\t').n + 1);
	}
	return 0;
}

enum git_answer
git_has_file(struct arena *a, const struct repository *r, struct str path, struct str base, struct err *err)
{
	struct git_job jobs[3] = { 0 };
	struct str trees[] = { STR("HEAD"), base };
	const char *name, *literal;
	size_t count = 1;

	if (str_cz(a, path, &name, err) < 0)
		return ANSWER_NO;
	literal = str_cat(a, ":(literal)", name).s;
	git_args(&jobs[0], GIT_ARGS("ls-files", "-z", "--", literal));
	for (size_t i = 0; i < COUNT_OF(trees); i++) {
		if (!git_is_commit_name(trees[i]))
			continue;
		git_args(&jobs[count++], GIT_ARGS("ls-tree", "-z", "--name-only", "--end-of-options",
						  str_copy(a, trees[i]).s, "--", name));
	}
	if (git_run(a, r, jobs, count, err) < 0)
		return ANSWER_UNKNOWN;
	/* A commit that does not exist has no files. */
	for (size_t i = 0; i < count; i++)
		if (jobs[i].code == 0 && jobs[i].out.n > 0)
			return ANSWER_YES;
	return jobs[0].code == 0 ? ANSWER_NO : git_unknown(&jobs[0], err);
}

/* git check-ignore answers yes by 0 and no by 1. */
int
git_ignore(struct arena *a, const struct repository *r, struct str path, const char *pattern, struct err *err)
{
	struct git_job jobs[2] = {
		{ .args = { "check-ignore", "--quiet", "--no-index", "--", str_copy(a, path).s } },
		{ .args = { "rev-parse", "--git-path", "info/exclude" } },
	};
	struct str text;

	if (git_run(a, r, jobs, COUNT_OF(jobs), err) < 0)
		return -1;
	if (jobs[0].code == 0)
		return 0;
	if (jobs[0].code != 1 || jobs[1].code != 0)
		return git_error(&jobs[jobs[0].code == 1], err);
	struct str file = str_copy(a, path_from(a, r->root, git_line(a, &jobs[1])));

	if (fs_make_parents(a, file, 0755, err) < 0 || fs_read(a, file.s, MIB(1), &text, err) < 0)
		return -1;
	const char *start = text.n > 0 && !str_ends(text, STR("\n")) ? "\n" : "";

	return fs_append(file.s, str_cat(a, start, pattern, "\n"), 0644, err);
}

/* ---- the content of files in a commit ---- */

/* One answer of cat-file: NAME TYPE SIZE, a newline, the content, a newline; or NAME missing. */
static int
read_answer(struct str *rest, struct str *ret, struct err *err)
{
	struct str line;
	uint64_t size;

	*ret = STR_NONE;
	if (!str_next(rest, '\n', &line))
		return err_set(err, ERR_SYNTAX, "git cat-file: an answer is missing");
	if (!number_parse(str_rest(line, (size_t)(str_find_last(line, ' ') + 1)), &size))
		return 0;
	if (size >= rest->n)
		return err_set(err, ERR_SYNTAX, "git cat-file: an answer is cut off");
	if (str_find(line, STR(" blob ")) >= 0)
		*ret = str_sub(*rest, 0, size);
	*rest = str_rest(*rest, size + 1);
	return 0;
}

int
git_read_texts(struct arena *a, const struct repository *r, struct str commit, const struct str_list *paths,
	       struct str *ret, struct err *err)
{
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);
	struct git_job job = { .args = { "cat-file", "--batch" } };

	if (paths->count == 0)
		return 0;
	for (size_t i = 0; i < paths->count; i++) {
		/* Git reads lines; there is no file of the other name. */
		bool can_ask = str_find_char(paths->items[i], '\n') < 0;

		buf_cat(&input, commit, ":./", can_ask ? paths->items[i] : STR("//"), "\n");
	}
	job.input = buf_str(&input);
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	struct str rest = buf_str(&job.out);

	for (size_t i = 0; i < paths->count; i++)
		if (read_answer(&rest, &ret[i], err) < 0)
			return -1;
	return 0;
}

/* ---- what a deletion would lose ---- */

int
git_unsaved(struct arena *a, const struct repository *r, struct str path, struct str_list *ret,
	    struct err *err)
{
	struct git_job job = { .limit = MIB(16), .may_be_cut = true };
	struct str rest, entry;

	*ret = (struct str_list){ 0 };
	git_args(&job, GIT_ARGS("--literal-pathspecs", "status", "--porcelain", "-z", "--untracked-files=all",
				"--no-renames", "--ignore-submodules=none", "--"));
	if (path.n > 0)
		git_arg(&job, str_copy(a, path).s);
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	/* XY path; what is deleted in the work tree is not lost again */
	while (str_next(&rest, '\0', &entry))
		if (entry.n > 3 && entry.s[1] != 'D')
			*arena_push(a, ret->items, ret->count) = entry;
	return 0;
}
