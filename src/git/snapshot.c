/* SPDX-License-Identifier: MIT */
/* Snapshots of the working tree: a copy of the index is brought up to date with the files, and a commit is made of it
 * that nothing refers to. Neither the index nor a stash nor a ref is touched; the objects go when git collects what is
 * not used. What is outside of the root is taken from the index. */
#include "git/git.h"

#include "git/git_spawn.h"
#include "git/own_index.h"
#include "git/parse.h"
#include "os/fd.h"
#include "os/fs.h"

enum { ASK_FILES, ASK_UNTRACKED, ASK_INDEX, ASK_MAX };

#define OBJECT_NAME_LEAST 40

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static int
ask_all(struct arena *a, const struct repository *r, struct git_job jobs[ASK_MAX], struct err *err)
{
	git_words(&jobs[ASK_FILES], GIT_WORDS_LIST("diff-files", "--raw", "--no-abbrev", "-z", "--no-renames",
						   "--relative", "--"));
	git_words(&jobs[ASK_UNTRACKED], GIT_WORDS_LIST(GIT_UNTRACKED_WORDS, "--"));
	/* Both names follow the path, or, where there is no commit, neither. */
	git_words(&jobs[ASK_INDEX],
		  GIT_WORDS_LIST(OWN_INDEX_WORDS, "--revs-only", "HEAD^{commit}", "HEAD^{tree}"));
	if (git_run(a, r, jobs, ASK_MAX, err) < 0)
		return -1;
	for (size_t i = 0; i < ASK_MAX; i++)
		if (jobs[i].code != 0)
			return git_refused(&jobs[i], err);
	return 0;
}

/* Does the index differ from HEAD? In doubt it does. */
static bool
is_staged(struct arena *a, const struct repository *r)
{
	struct git_job job = { 0 };
	struct err ignored;

	git_words(&job, GIT_WORDS_LIST("diff-index", "--cached", "--quiet", "HEAD", "--"));
	return git_run(a, r, &job, 1, &ignored) < 0 || job.code != 0;
}

/* Takes the last line off what git said, where it is the name of an object; absent: it is none. */
static struct str
take_object(struct arena *a, struct git_job *job)
{
	struct str out = buf_str(&job->out);
	size_t end = out.n - (out.n > 0), from = end;

	while (from > 0 && is_hex(out.s[from - 1]))
		from--;
	if (end - from < OBJECT_NAME_LEAST || from == 0 || out.s[from - 1] != '\n')
		return STR_NONE;
	job->out.n = from;
	return str_copy(a, str_sub(out, from, end));
}

/* Can git make an object of it? Not of a file that we may not read, nor of a repository without commits, for which
 * other ones are left out, too. */
static bool
is_storable(struct arena *a, const struct repository *r, const struct change_entry *entry)
{
	CLEANUP(fd_close) int fd = -1;
	const char *path;
	struct err err;

	if (entry->status == '?' && str_is(entry->mode, "160000"))
		return false;
	if (str_cz(a, fs_join(a, r->root, entry->path), &path, &err) < 0)
		return false;
	return fs_lkind(path) != FS_FILE || fs_open_regular(path, &fd, &err) == 0;
}

static struct str
list_paths(struct arena *a, const struct repository *r, const struct change_set *set, bool only_storable)
{
	struct buf b = BUF(a, GIT_OUTPUT_LIMIT_BYTES);

	for (size_t i = 0; i < set->count; i++) {
		if (only_storable && !is_storable(a, r, &set->items[i]))
			continue;
		buf_add(&b, set->items[i].path);
		buf_addc(&b, '\0');
	}
	return buf_str(&b);
}

/* Brings the index up to date with the files. One that can't be stored would spoil it for all: then it is left as the
 * index has it. */
static int
update(struct arena *a, const struct repository *r, const struct change_set *set, const char *index,
       struct err *err)
{
	for (bool only_storable = false;; only_storable = true) {
		struct git_job job = { .index = index };

		git_words(&job,
			  GIT_WORDS_LIST("update-index", "--add", "--remove", "--replace", "-z", "--stdin"));
		job.input = list_paths(a, r, set, only_storable);
		if (git_run(a, r, &job, 1, err) < 0)
			return -1;
		if (job.code == 0)
			return 0;
		if (only_storable)
			return git_refused(&job, err);
	}
}

/* A commit of the index on top of head; head itself where it has the same tree. */
static int
commit(struct arena *a, const struct repository *r, const char *index, struct str head, struct str head_tree,
       struct str *ret, struct err *err)
{
	struct git_job of_index = { .index = index }, job = { 0 };

	git_words(&of_index, GIT_WORDS_LIST("write-tree", "--missing-ok"));
	if (git_run_one(a, r, &of_index, err) < 0)
		return -1;
	struct str tree = git_line(a, &of_index);

	if (head.s && str_eq(tree, head_tree)) {
		*ret = head;
		return 0;
	}
	git_words(&job, GIT_WORDS_LIST("commit-tree", "--no-gpg-sign", "-m", "holdfast: the working tree"));
	if (head.s)
		git_words(&job, GIT_WORDS_LIST("-p", head.s));
	git_word(&job, tree.s);
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	*ret = git_line(a, &job);
	return 0;
}

int
git_snapshot(struct arena *a, const struct repository *r, struct str log_dir, struct str *ret_commit,
	     struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct change_set set = { .arena = a, .hidden = git_log_dir(a, r->root, log_dir) };
	struct git_job jobs[ASK_MAX] = { 0 };

	if (ask_all(a, r, jobs, err) < 0 ||
	    change_set_read_diff(&set, buf_str(&jobs[ASK_FILES].out), err) < 0)
		return -1;
	change_set_read_untracked(&set, buf_str(&jobs[ASK_UNTRACKED].out));
	change_set_settle(&set);
	struct str tree = take_object(a, &jobs[ASK_INDEX]), head = take_object(a, &jobs[ASK_INDEX]);

	if (set.count == 0 && head.s && !is_staged(a, r)) {
		*ret_commit = head;
		return 0;
	}
	if (own_index_make(&dir, a, r, &jobs[ASK_INDEX], err) < 0 ||
	    (set.count > 0 && update(a, r, &set, dir.file, err) < 0))
		return -1;
	return commit(a, r, dir.file, head, tree, ret_commit, err);
}
