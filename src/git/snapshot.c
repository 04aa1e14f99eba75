/* SPDX-License-Identifier: MIT */
/* Makes snapshots of the working tree: adds the files to a copy of the index and makes a commit of it that no ref names. The
 * repository's index, stash and refs are never changed; git's garbage collection removes the objects. */
#include "git/git_spawn.h"

#include "base/path.h"
#include "git/objects.h"
#include "git/parse.h"
#include "os/fd.h"
#include "os/fs.h"

/* Large files are stored uncompressed: compression takes several times as long as reading them. */
static struct str big_files[] = {
	STR("core.bigFileThreshold=16m"),
	STR("pack.compression=0"),
};

/* Where a snapshot is made. */
struct workshop {
	const char *index;
	struct object_dir objects;
	struct hidden_files hidden; /* untracked files that are too large are left out */
};

static struct git_job
job_in(const struct workshop *w)
{
	return (struct git_job){ .index = w->index, .objects = w->objects.path.s };
}

static void
ask_to_add(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
	   const struct workshop *w, bool with_errors, struct git_job *job)
{
	*job = job_in(w);
	job->settings = (struct str_list){ big_files, COUNT_OF(big_files) };
	job->input = pathspecs_without(a, r, ".", spec->log_dir, &w->hidden);
	git_args(job, GIT_ARGS("add", "--all"));
	/* The second attempt also adds files outside a sparse checkout, which git refused. */
	git_args(job, with_errors ? GIT_ARGS("--ignore-errors", "--sparse") : GIT_ARGS("--no-ignore-errors"));
	git_args(job, GIT_ARGS("--pathspec-from-file=-", "--pathspec-file-nul"));
}

/* Can git store it? It can't store a file that we may not read, nor a repository without commits. */
static bool
is_storable(struct arena *a, const struct repository *r, const struct change_entry *entry)
{
	CLEANUP(fd_close) int fd = -1;
	const char *path;
	struct err err;

	if (entry->status == '?' && str_is(entry->new.mode, "160000"))
		return false;
	if (str_cz(a, path_join(a, r->root, entry->path), &path, &err) < 0)
		return false;
	return fs_lkind(path) != FS_FILE || fs_open_regular(path, &fd, &err) == 0;
}

/* Adds what git can store. A file that it can't store stays as it is in the index. If git left out any other file, the
 * repository itself is the problem, and `first` has the cause. */
static int
add_what_can_be(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
		const struct workshop *w, const struct git_job *first, struct err *err)
{
	struct change_set left = { .arena = a, .hidden = git_log_dir(a, r->root, spec->log_dir) };
	struct git_job add, files = job_in(w), untracked = files;

	ask_to_add(a, r, spec, w, true, &add);
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
		if (!is_hidden_file(&w->hidden, left.items[i].path, HIDDEN_LARGE) &&
		    is_storable(a, r, &left.items[i]))
			return git_error(first, err);
	return 0;
}

enum { ASK_UNTRACKED, ASK_OBJECTS, ASK_ANCESTOR, JOBS };

/* Finds what to leave out, where to put objects, and whether head is in the base. */
static int
prepare(struct arena *a, const struct repository *r, const struct snapshot_spec *spec, struct workshop *w,
	struct snapshot *ret, struct err *err)
{
	struct git_job jobs[JOBS] = { 0 };
	bool asks = spec->head->commit.s &&
		    ancestor_ask(a, &jobs[ASK_ANCESTOR], spec->head->commit, spec->base);
	struct err ignored;

	git_args(&jobs[ASK_UNTRACKED], GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
	git_args(&jobs[ASK_OBJECTS], GIT_ARGS("rev-parse", "--git-path", "objects"));
	if (git_run(a, r, jobs, asks ? JOBS : ASK_ANCESTOR, err) < 0)
		return -1;
	for (size_t i = 0; i < ASK_ANCESTOR; i++)
		if (jobs[i].code != 0)
			return git_error(&jobs[i], err);
	if (asks)
		ret->is_head_in_base = ancestor_read(a, r, &jobs[ASK_ANCESTOR], &ignored);
	w->hidden = untracked_hidden(a, r, spec->log_dir, buf_str(&jobs[ASK_UNTRACKED].out));
	return object_dir_make(&w->objects, a, git_answer_path(a, r, buf_str(&jobs[ASK_OBJECTS].out)), err);
}

static int
fill_index(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
	   const struct workshop *w, struct err *err)
{
	struct git_job add;

	ask_to_add(a, r, spec, w, false, &add);
	if (git_run(a, r, &add, 1, err) < 0)
		return -1;
	return add.code == 0 ? 0 : add_what_can_be(a, r, spec, w, &add, err);
}

/* A commit of the index with head as its parent; head itself if its tree is the same. */
static int
make_commit(struct arena *a, const struct repository *r, const struct workshop *w,
	    const struct git_head *head, struct str *ret, struct err *err)
{
	struct git_job of_index = job_in(w), job = of_index;

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

static void
workshop_clear(struct workshop *w)
{
	object_dir_clear(&w->objects);
}

int
git_snapshot(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
	     struct snapshot *ret, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	CLEANUP(workshop_clear) struct workshop w = { 0 };
	struct snapshot found = { 0 };

	if (git_index_copy(&dir, a, spec->head->index, err) < 0)
		return -1;
	w.index = dir.file;
	if (prepare(a, r, spec, &w, &found, err) < 0 || fill_index(a, r, spec, &w, err) < 0 ||
	    make_commit(a, r, &w, spec->head, &found.commit, err) < 0 ||
	    object_dir_merge(&w.objects, err) < 0)
		return -1;
	*ret = found;
	return 0;
}
