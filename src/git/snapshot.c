/* SPDX-License-Identifier: MIT */
/* Makes snapshots of the working tree: adds the files to a copy of the index and makes a commit of it that no ref names. The
 * repository's index, stash and refs are never changed; git's garbage collection removes the objects. */
#include "git/git_spawn.h"

#include "base/path.h"
#include "git/parse.h"
#include "os/fd.h"
#include "os/fs.h"

#include <string.h>

/* A pathspec that excludes the directory's content. Git reports an ignored path as an error even there, unless the path is a
 * pattern; so its first byte becomes one. */
static const char *
all_but(struct arena *a, struct str dir)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addf(&b, ":(exclude,glob)[\\%c]", dir.s[0]);
	for (size_t i = 1; i < dir.n; i++) {
		if (memchr("*?[\\", dir.s[i], 4))
			buf_addc(&b, '\\');
		buf_addc(&b, dir.s[i]);
	}
	buf_add(&b, STR("/**"));
	return str_copy(a, buf_str(&b)).s;
}

/* Large files are stored uncompressed: compression takes several times as long as reading them. */
static struct str big_files[] = {
	STR("core.bigFileThreshold=16m"),
	STR("pack.compression=0"),
};

static void
ask_to_add(struct arena *a, const struct repository *r, struct str log_dir, bool with_errors,
	   struct git_job *job)
{
	struct str hidden = git_log_dir(a, r->root, log_dir);

	job->settings = (struct str_list){ big_files, COUNT_OF(big_files) };
	git_args(job, GIT_ARGS("add", "--all"));
	/* The second attempt also adds files outside a sparse checkout, which git refused. */
	git_args(job, with_errors ? GIT_ARGS("--ignore-errors", "--sparse") : GIT_ARGS("--no-ignore-errors"));
	git_args(job, GIT_ARGS("--", "."));
	if (hidden.s)
		git_arg(job, all_but(a, hidden));
}

/* Can git store it? It can't store a file that we may not read, nor a repository without commits. */
static bool
is_storable(struct arena *a, const struct repository *r, const struct change_entry *entry)
{
	CLEANUP(fd_close) int fd = -1;
	const char *path;
	struct err err;

	if (entry->status == '?' && str_is(entry->mode, "160000"))
		return false;
	if (str_cz(a, path_join(a, r->root, entry->path), &path, &err) < 0)
		return false;
	return fs_lkind(path) != FS_FILE || fs_open_regular(path, &fd, &err) == 0;
}

/* Adds what git can store. A file that it can't store stays as it is in the index. If git left out any other file, the
 * repository itself is the problem, and `first` has the cause. */
static int
add_what_can_be(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
		const struct git_job *first, struct err *err)
{
	struct change_set left = { .arena = a, .hidden = git_log_dir(a, r->root, spec->log_dir) };
	struct git_job add = { .index = first->index }, files = add, untracked = add;

	ask_to_add(a, r, spec->log_dir, true, &add);
	git_args(&files, GIT_ARGS("diff-files", "--raw", "--no-abbrev", "-z", "--no-renames", "--relative",
				  "--ignore-submodules=dirty", "--"));
	git_args(&untracked, GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
	if (git_run(a, r, &add, 1, err) < 0)
		return -1;
	if (add.code > 1)
		return git_error(&add, err);
	if (git_run_one(a, r, &files, err) < 0 || git_run_one(a, r, &untracked, err) < 0 ||
	    change_set_read_diff(&left, buf_str(&files.out), err) < 0)
		return -1;
	change_set_read_untracked(&left, buf_str(&untracked.out));
	for (size_t i = 0; i < left.count; i++)
		if (is_storable(a, r, &left.items[i]))
			return git_error(first, err);
	return 0;
}

enum { ADD, ASK_ANCESTOR, JOBS };

/* Adds the files to the index, and finds whether head is in the base. */
static int
fill_index(struct arena *a, const struct repository *r, const struct snapshot_spec *spec, const char *index,
	   struct snapshot *ret, struct err *err)
{
	struct git_job jobs[JOBS] = { [ADD] = { .index = index } };
	bool asks = spec->head->commit.s &&
		    ancestor_ask(a, &jobs[ASK_ANCESTOR], spec->head->commit, spec->base);
	struct err ignored;

	ask_to_add(a, r, spec->log_dir, false, &jobs[ADD]);
	if (git_run(a, r, jobs, asks ? JOBS : 1, err) < 0)
		return -1;
	if (asks)
		ret->is_head_in_base = ancestor_read(a, r, &jobs[ASK_ANCESTOR], &ignored);
	return jobs[ADD].code == 0 ? 0 : add_what_can_be(a, r, spec, &jobs[ADD], err);
}

/* A commit of the index with head as its parent; head itself if its tree is the same. */
static int
make_commit(struct arena *a, const struct repository *r, const char *index, const struct git_head *head,
	    struct str *ret, struct err *err)
{
	struct git_job of_index = { .index = index }, job = { 0 };

	git_args(&of_index, GIT_ARGS("write-tree", "--missing-ok"));
	if (git_run_one(a, r, &of_index, err) < 0)
		return -1;
	struct str tree = git_line(a, &of_index);

	if (head->commit.s && str_eq(tree, head->tree)) {
		*ret = head->commit;
		return 0;
	}
	git_args(&job, GIT_ARGS("commit-tree", "--no-gpg-sign", "-m", "holdfast: the working tree"));
	if (head->commit.s)
		git_args(&job, GIT_ARGS("-p", head->commit.s));
	git_arg(&job, tree.s);
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	*ret = git_line(a, &job);
	return 0;
}

int
git_snapshot(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
	     struct snapshot *ret, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct snapshot found = { 0 };

	if (git_index_copy(&dir, a, spec->head->index, err) < 0 ||
	    fill_index(a, r, spec, dir.file, &found, err) < 0 ||
	    make_commit(a, r, dir.file, spec->head, &found.commit, err) < 0)
		return -1;
	*ret = found;
	return 0;
}
