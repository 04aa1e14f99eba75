/* SPDX-License-Identifier: MIT */
/* Questions about single files: whether git tracks or ignores them, and whether a commit has the same. */
#include "base/path.h"
#include "git/git_spawn.h"
#include "os/fs.h"

/* Of the arguments of git, some are options. */
#define BELOW_MAX (GIT_ARGS_MAX - 10)

enum git_answer
git_tracks(struct arena *a, const struct repository *r, struct str path, struct err *err)
{
	struct git_job job = { .limit = KIB(64), .may_be_cut = true };

	git_args(&job, GIT_ARGS("--literal-pathspecs", "ls-files", "-z", "--"));
	git_arg(&job, str_copy(a, path).s);
	if (git_run_one(a, r, &job, err) < 0)
		return ANSWER_UNKNOWN;
	return job.out.n > 0 ? ANSWER_YES : ANSWER_NO;
}

int
git_ignored_dirs(struct arena *a, const struct repository *r, struct str_list *ret, struct err *err)
{
	struct git_job job = { 0 };
	struct str rest, path;
	size_t capacity = 0;

	*ret = (struct str_list){ 0 };
	if (!git_branch_now(a, r->root).s)
		return 0;
	git_args(&job,
		 GIT_ARGS("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"));
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	while (str_next(&rest, '\0', &path)) {
		if (!str_ends(path, STR("/")))
			continue;
		arena_make_room(a, ret->items, ret->count, &capacity);
		ret->items[ret->count++] = path_tidy(path);
	}
	return 0;
}

struct str_list
git_not_ignored(struct arena *a, const struct repository *r, const struct str_list *paths)
{
	struct git_job job = { .limit = MIB(16), .may_be_cut = true };
	struct str_list kept = { .items = arena_array(a, paths->count + 1, struct str) };
	struct buf input = BUF(a, SIZE_MAX);
	struct str rest, next = STR_NONE;
	struct err ignored;

	for (size_t i = 0; i < paths->count; i++) {
		buf_add(&input, paths->items[i]);
		buf_addc(&input, '\0');
	}
	job.input = buf_str(&input);
	git_args(&job, GIT_ARGS("check-ignore", "-z", "--stdin"));
	if (git_run(a, r, &job, 1, &ignored) < 0 || job.code != 0)
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
	struct git_job job = { .limit = MIB(1), .may_be_cut = true };
	struct str rest, field = STR_NONE;
	struct err ignored;

	/* the source, the line, the pattern and the path, each ended by NUL */
	job.input = str_fmt(a, STR_FMT "%c", STR_ARG(path), '\0');
	git_args(&job, GIT_ARGS("check-ignore", "-v", "-z", "--stdin"));
	if (git_run(a, r, &job, 1, &ignored) < 0 || job.code != 0)
		return STR_NONE;
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
		ptrdiff_t tab = str_find_char(entry, '\t');

		if (tab < 0 || !str_eq(str_sub(entry, (size_t)tab + 1, entry.n), path))
			continue;
		struct str head = str_sub(entry, 0, (size_t)tab), word, id = STR_NONE;

		while (str_next(&head, ' ', &word))
			id = word;
		return id;
	}
	return STR_NONE;
}

enum git_answer
git_commit_has(struct arena *a, const struct repository *r, struct str ref, const char *const *below,
	       const struct str_list *files, struct err *err)
{
	struct git_job jobs[2] = { 0 };
	struct buf paths = BUF(a, SIZE_MAX);
	size_t in_tree = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (str_find_char(files->items[i], '\n') >= 0)
			return ANSWER_NO; /* hash-object takes one path a line */
		buf_addf(&paths, STR_FMT "\n", STR_ARG(files->items[i]));
	}
	for (size_t i = 0; below[i]; i++)
		if (i == BELOW_MAX) {
			(void)err_set(err, ERR_LIMIT, "more than %d paths", BELOW_MAX);
			return ANSWER_UNKNOWN;
		}
	if (!git_is_commit_name(ref))
		return ANSWER_NO;
	git_args(&jobs[0], GIT_ARGS("--literal-pathspecs", "ls-tree", "-r", "-z", "--end-of-options"));
	git_arg(&jobs[0], str_copy(a, ref).s);
	git_arg(&jobs[0], "--");
	git_args(&jobs[0], below);
	git_args(&jobs[1], GIT_ARGS("hash-object", "--no-filters", "--stdin-paths"));
	jobs[1].input = buf_str(&paths);
	if (git_run(a, r, jobs, COUNT_OF(jobs), err) < 0)
		return ANSWER_UNKNOWN;
	if (jobs[0].code != 0)
		return ANSWER_NO; /* there is no such ref */
	if (jobs[1].code != 0) {
		(void)git_error(&jobs[1], err);
		return ANSWER_UNKNOWN;
	}
	struct str tree = buf_str(&jobs[0].out), ids = buf_str(&jobs[1].out), rest = tree, entry, id;

	while (str_next(&rest, '\0', &entry))
		in_tree++;
	if (in_tree != files->count)
		return ANSWER_NO;
	for (size_t i = 0; i < files->count; i++)
		if (!str_next(&ids, '\n', &id) || !str_eq(id, id_in_tree(tree, files->items[i])))
			return ANSWER_NO;
	return ANSWER_YES;
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
	literal = str_fmt(a, ":(literal)%s", name).s;
	git_args(&jobs[0], GIT_ARGS("ls-files", "-z", "--", literal));
	for (size_t i = 0; i < COUNT_OF(trees); i++) {
		if (!git_is_commit_name(trees[i]))
			continue;
		git_args(&jobs[count], GIT_ARGS("ls-tree", "-z", "--name-only", "--end-of-options"));
		git_arg(&jobs[count], str_copy(a, trees[i]).s);
		git_arg(&jobs[count], "--");
		git_arg(&jobs[count++], name);
	}
	if (git_run(a, r, jobs, count, err) < 0)
		return ANSWER_UNKNOWN;
	/* A commit that does not exist has no files. */
	for (size_t i = 0; i < count; i++)
		if (jobs[i].code == 0 && jobs[i].out.n > 0)
			return ANSWER_YES;
	if (jobs[0].code == 0)
		return ANSWER_NO;
	(void)git_error(&jobs[0], err);
	return ANSWER_UNKNOWN;
}

/* git check-ignore answers yes by 0 and no by 1. */
int
git_ignore(struct arena *a, const struct repository *r, struct str path, const char *pattern, struct err *err)
{
	struct git_job jobs[2] = { 0 };
	struct str text;

	git_args(&jobs[0], GIT_ARGS("check-ignore", "--quiet", "--no-index", "--"));
	git_arg(&jobs[0], str_copy(a, path).s);
	git_args(&jobs[1], GIT_ARGS("rev-parse", "--git-path", "info/exclude"));
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

	return fs_append(file.s, str_fmt(a, "%s%s\n", start, pattern), 0644, err);
}
