/* SPDX-License-Identifier: MIT */
/* Where HEAD is, and questions about single commits that are answered by yes or no. */
#include "git/git.h"

#include "git/git_spawn.h"
#include "git/parse.h"
#include "os/fs.h"
#include "os/upward.h"

#define HEAD_FILE_LIMIT_BYTES KIB(8)

/* Both at once, where there is a commit; else nothing is said. */
static int
ask_head(struct arena *a, const struct repository *r, struct git_head *ret, struct err *err)
{
	struct git_job job = { 0 };
	struct str commit, ref;

	git_words(&job, GIT_WORDS_LIST("rev-parse", "--revs-only", "HEAD^{commit}", "--symbolic-full-name",
				       "HEAD"));
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	struct str said = buf_str(&job.out);

	if (str_next(&said, '\n', &commit) && str_next(&said, '\n', &ref))
		*ret = (struct git_head){ .branch = branch_of_ref(str_copy(a, ref)),
					  .commit = str_copy(a, commit) };
	return 0;
}

int
git_head(struct arena *a, const struct repository *r, struct git_head *ret, struct err *err)
{
	struct git_job jobs[2] = { 0 };

	*ret = (struct git_head){ 0 };
	if (ask_head(a, r, ret, err) < 0)
		return -1;
	if (ret->branch.s)
		return 0;

	git_words(&jobs[0], GIT_WORDS_LIST("symbolic-ref", "--quiet", "HEAD"));
	git_words(&jobs[1], GIT_WORDS_LIST("rev-parse", "--quiet", "--verify", "HEAD^{commit}"));
	if (git_run(a, r, jobs, COUNT_OF(jobs), err) < 0)
		return -1;
	/* 1 is no: HEAD is detached, or there is no commit. */
	for (size_t i = 0; i < COUNT_OF(jobs); i++)
		if (jobs[i].code > 1)
			return git_refused(&jobs[i], err);
	*ret = (struct git_head){ 0 };
	ret->branch = jobs[0].code == 0 ? branch_of_ref(git_line(a, &jobs[0])) : STR("HEAD");
	ret->commit = jobs[1].code == 0 ? git_line(a, &jobs[1]) : STR_NONE;
	return 0;
}

static struct str
read_small(struct arena *a, struct str dir, const char *name)
{
	const char *path;
	struct str text;
	struct err err;

	if (str_cz(a, fs_join(a, dir, str_from(name)), &path, &err) < 0 ||
	    fs_read(a, path, HEAD_FILE_LIMIT_BYTES, &text, &err) < 0)
		return STR_NONE;
	return text;
}

/* The directory that .git is, or that it names: a worktree's, a submodule's. */
static struct str
git_dir_of(struct arena *a, struct str top)
{
	struct str dir = fs_join(a, top, STR(".git")), mark = STR("gitdir:");

	if (fs_kind(dir.s) == FS_DIR)
		return dir;
	struct str text = str_trim(read_small(a, top, ".git"));

	if (!str_starts(text, mark))
		return STR_NONE;
	struct str named = str_trim(str_sub(text, mark.n, text.n));

	if (named.n == 0)
		return STR_NONE;
	return named.s[0] == '/' ? named : fs_join(a, top, named);
}

struct str
git_branch_now(struct arena *a, struct str root)
{
	struct upward up;

	upward_find(&up, root, STR_NONE);
	if (!up.repository.s)
		return STR_NONE;
	struct str dir = git_dir_of(a, up.repository);

	return dir.s ? branch_of_head(read_small(a, dir, "HEAD")) : STR_NONE;
}

static bool
says_yes(struct arena *a, const struct repository *r, struct git_job *job)
{
	struct err err;

	return git_run(a, r, job, 1, &err) == 0 && job->code == 0;
}

bool
git_is_ancestor(struct arena *a, const struct repository *r, struct str commit, struct str of)
{
	struct git_job job = { 0 };

	if (!git_is_plain_name(commit) || !git_is_plain_name(of))
		return false;
	git_words(&job, GIT_WORDS_LIST("merge-base", "--is-ancestor", "--end-of-options"));
	git_word(&job, str_copy(a, commit).s);
	git_word(&job, str_copy(a, of).s);
	return says_yes(a, r, &job);
}

bool
git_has_object(struct arena *a, const struct repository *r, struct str object)
{
	struct git_job job = { 0 };

	if (!git_is_plain_name(object))
		return false;
	git_words(&job, GIT_WORDS_LIST("cat-file", "-e", "--end-of-options"));
	git_word(&job, str_copy(a, object).s);
	return says_yes(a, r, &job);
}
