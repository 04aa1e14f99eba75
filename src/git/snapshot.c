/* SPDX-License-Identifier: MIT */
/* Makes snapshots of the working tree: adds the files to a copy of the index and makes a commit of it that no ref names. The
 * repository's index, stash and refs are never changed; git's garbage collection removes the objects. */
#include "git/git_spawn.h"

#include "os/fd.h"
#include "os/fs.h"
#include "os/signals.h"
#include "os/warden.h"

#define LETTERS 6

/* A directory for the objects that git is about to write. A git that is killed leaves its temporary packs there, and the
 * directory is removed, whatever happens to us. Only complete objects get into the repository. */
struct object_dir {
	struct arena *arena;
	struct str path;     /* absent: none */
	struct str objects;  /* the repository's own */
	const char *guarded; /* as the warden knows it */
};

/* Removes the directory. */
static void
object_dir_clear(struct object_dir *d)
{
	if (!d->path.s)
		return;
	(void)!fs_remove_tree(d->path.s, IGNORED); /* `git gc` removes it */
	warden_unregister_file(d->guarded);
	*d = (struct object_dir){ 0 };
}

/* Inside the repository's own, so that objects can be moved there by renaming. Git finds the repository's objects, too. */
static int
object_dir_make(struct object_dir *d, struct arena *a, struct str objects, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold(); /* until the name is known */
	struct object_dir made = { .arena = a, .objects = objects };
	char letters[LETTERS + 1];

	if (warden_start(err) < 0)
		return -1;
	fs_random_letters(letters, LETTERS);
	/* `git gc` removes old directories with such names. */
	made.path = path_join(a, objects, str_cat(a, "tmp_objdir-holdfast-", (const char *)letters));
	made.guarded = str_cat(a, made.path, "/").s;
	warden_register_file(made.guarded); /* before it exists: we may be killed right after that */
	*d = made;
	/* The path is relative to the directory itself. */
	struct str info = path_join(a, made.path, STR("info"));

	if (fs_make_dirs(info.s, 0700, err) == 0 &&
	    fs_create(path_join(a, info, STR("alternates")).s, STR("..\n"), 0600, err) == 0)
		return 0;
	object_dir_clear(d);
	return -1;
}

/* Moves the files of a directory, but not what git has not finished. An index comes after its pack, since git finds packs by
 * their indexes. */
static int
move_files(struct arena *a, struct str from, struct str to, struct err *err)
{
	struct str_list names;

	if (fs_make_dirs(to.s, 0777, err) < 0 || fs_list(a, from.s, FS_NO_LIMIT, &names, err) < 0)
		return -1;
	for (int is_index = 0; is_index < 2; is_index++)
		for (size_t i = 0; i < names.count; i++) {
			struct str name = names.items[i];

			if (str_starts(name, STR("tmp_")) || str_ends(name, STR(".idx")) != is_index)
				continue;
			if (fs_rename(path_join(a, from, name).s, path_join(a, to, name).s, err) < 0)
				return -1;
		}
	return 0;
}

/* Moves what was written to the repository. */
static int
object_dir_merge(const struct object_dir *d, struct err *err)
{
	struct arena *a = d->arena;
	struct str_list names;

	if (fs_list(a, d->path.s, FS_NO_LIMIT, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		struct str from = path_join(a, d->path, names.items[i]);
		struct str to = path_join(a, d->objects, names.items[i]);
		const char *name = names.items[i].s;
		bool is_loose = names.items[i].n == 2 && strspn(name, "0123456789abcdef") == 2;

		/* A directory that is new keeps the permissions that git has given it. */
		if (is_loose && fs_kind(to.s) == FS_NOTHING && fs_rename(from.s, to.s, IGNORED) == 0)
			continue;
		if ((is_loose || str_is(names.items[i], "pack")) && move_files(a, from, to, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- snapshots ---- */

/* Large files are stored uncompressed: compression takes several times as long as reading them. */
static struct str big_files[] = {
	STR("core.bigFileThreshold=16m"),
	STR("pack.compression=0"),
};

/* Where a snapshot is made. */
struct workshop {
	struct str log_dir; /* is left out */
	const char *index;
	const struct object_dir *objects;
	struct hidden_files hidden; /* untracked files that are too large are left out */
	struct str head_tree;       /* absent: there is no commit */
};

static struct git_job
job_in(const struct workshop *w)
{
	return (struct git_job){ .index = w->index, .objects = w->objects->path.s };
}

static void
ask_to_add(struct arena *a, const struct repository *r, const struct workshop *w, bool with_errors,
	   struct git_job *job)
{
	*job = job_in(w);
	job->settings = (struct str_list){ big_files, COUNT_OF(big_files) };
	job->input = pathspecs_without(a, r, ".", w->log_dir, &w->hidden);
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
	const char *path = path_join(a, r->root, entry->path).s;

	if (entry->status == '?' && str_is(entry->new.mode, "160000"))
		return false;
	return fs_lkind(path) != FS_FILE || fs_open_regular(path, &fd, IGNORED) == 0;
}

/* Adds what git can store. A file that it can't store stays as it is in the index. If git left out any other file, the
 * repository itself is the problem, and `first` has the cause. */
static int
add_what_can_be(struct arena *a, const struct repository *r, const struct workshop *w,
		const struct git_job *first, struct err *err)
{
	struct change_set left = { .arena = a, .hidden = git_log_dir(a, r->root, w->log_dir) };
	struct git_job add, files = job_in(w), untracked = files;

	ask_to_add(a, r, w, true, &add);
	git_args(&files, GIT_ARGS("diff-files", "--raw", "--no-abbrev", "-z", "--no-renames", "--relative",
				  "--ignore-submodules=dirty", "--"));
	git_args(&untracked, GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
	if (git_run(a, r, &add, 1, err) < 0)
		return -1;
	if (add.code > 1)
		return git_error(&add, err);
	if (git_run_good(a, r, &files, 1, err) < 0 || git_run_good(a, r, &untracked, 1, err) < 0 ||
	    change_set_read_diff(&left, buf_str(&files.out), err) < 0)
		return -1;
	change_set_read_untracked(&left, buf_str(&untracked.out));
	for (size_t i = 0; i < left.count; i++)
		if (!is_hidden_file(&w->hidden, left.items[i].path, HIDDEN_LARGE) &&
		    is_storable(a, r, &left.items[i]))
			return git_error(first, err);
	return 0;
}

/* A commit of the index with head as its parent; head itself if its tree is the same. */
static int
make_commit(struct arena *a, const struct repository *r, const struct workshop *w,
	    const struct git_head *head, struct str *ret, struct err *err)
{
	struct git_job of_index = job_in(w), job = of_index;

	git_args(&of_index, GIT_ARGS("write-tree", "--missing-ok"));
	if (git_run_good(a, r, &of_index, 1, err) < 0)
		return -1;
	struct str tree = git_line(a, &of_index);

	if (head->commit.s && str_eq(tree, w->head_tree)) {
		*ret = head->commit;
		return 0;
	}
	git_args(&job, GIT_ARGS("commit-tree", "--no-gpg-sign", "-m", "holdfast: the working tree"));
	if (head->commit.s)
		git_args(&job, GIT_ARGS("-p", head->commit.s));
	git_arg(&job, tree.s);
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	*ret = git_line(a, &job);
	return 0;
}

int
git_snapshot(struct arena *a, const struct repository *r, const struct git_head *head, struct str log_dir,
	     struct str *ret_commit, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	CLEANUP(object_dir_clear) struct object_dir objects = { 0 };
	struct workshop w = { .log_dir = log_dir, .objects = &objects };
	struct git_job jobs[] = {
		{ .args = { GIT_UNTRACKED_ARGS, "--" } },
		{ .args = { "rev-parse", "--git-path", "objects" } },
		{ .args = { GIT_INDEX_ARGS } },
		{ .args = { "rev-parse", str_cat(a, head->commit, "^{tree}").s } },
	};
	size_t count = COUNT_OF(jobs) - !head->commit.s;
	struct str commit;
	struct git_job add;

	if (git_run_good(a, r, jobs, count, err) < 0 ||
	    git_index_copy(&dir, a, git_answer_path(a, r, buf_str(&jobs[2].out)), err) < 0)
		return -1;
	w.index = dir.file;
	if (head->commit.s)
		w.head_tree = git_line(a, &jobs[3]);
	w.hidden = untracked_hidden(a, r, log_dir, buf_str(&jobs[0].out));
	if (object_dir_make(&objects, a, git_answer_path(a, r, buf_str(&jobs[1].out)), err) < 0)
		return -1;
	ask_to_add(a, r, &w, false, &add);
	if (git_run(a, r, &add, 1, err) < 0 || (add.code != 0 && add_what_can_be(a, r, &w, &add, err) < 0) ||
	    make_commit(a, r, &w, head, &commit, err) < 0 || object_dir_merge(&objects, err) < 0)
		return -1;
	*ret_commit = commit;
	return 0;
}
