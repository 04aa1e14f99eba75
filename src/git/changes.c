/* SPDX-License-Identifier: MIT */
/* Finds what changed: asks git several questions in parallel and combines the answers. Rename detection is off, so that git
 * lists the old and the new path of a rename, and both are changes. If git can't compare contents, because a filter or an
 * object is missing, every file that may differ is a change. */
#include "git/git.h"

#include "base/path.h"
#include "git/comparison.h"
#include "git/parse.h"
#include "os/fs.h"

/* The order of the jobs; a mode has only some of them. */
enum { ASK_DIFF, ASK_UNTRACKED, ASK_STAGED, ASK_MAX };
struct questions {
	struct git_job jobs[ASK_MAX + 3]; /* and the three of git_status() */
	size_t count;
	struct str fallback_reason; /* why git is asked for names only; absent: for contents too */
	struct str_list settings;   /* for the diff, after the fallback */
};

struct str
git_log_dir(struct arena *a, struct str root, struct str log_dir)
{
	struct str found = log_dir.n > 0 ? path_relative(a, root, log_dir) : STR_NONE;
	const char *path;
	struct err err;

	if (found.s || log_dir.n == 0)
		return found;
	/* It is not below root by name, but it may be if links are resolved. */
	if (str_cz(a, path_from(a, root, log_dir), &path, &err) < 0)
		return STR_NONE;
	struct str real = fs_real(a, path);

	if (!real.s || str_cz(a, root, &path, &err) < 0)
		return STR_NONE;
	struct str real_root = fs_real(a, path);

	return real_root.s ? path_relative(a, real_root, real) : STR_NONE;
}

static void
ask_all(struct arena *a, const struct change_spec *spec, const struct comparison *c, struct questions *q)
{
	*q = (struct questions){ .fallback_reason = q->fallback_reason, .settings = q->settings };
	struct git_job *diff = &q->jobs[q->count++];

	diff->settings = q->settings;
	git_args(diff, c->is_of_commit ? GIT_ARGS(GIT_TREE_ARGS) : GIT_ARGS("diff"));
	git_args(diff, q->fallback_reason.s ? GIT_ARGS(GIT_NAMES_OPTIONS) : GIT_ARGS(GIT_DIFF_OPTIONS));
	comparison_args(diff, c);
	if (c->has_files)
		git_args(&q->jobs[q->count++], GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
	if (spec->mode == CHANGES_UNCOMMITTED) {
		/* A staged change that was undone in the working tree shows only here. */
		struct git_job *staged = &q->jobs[q->count++];

		git_args(staged, GIT_ARGS("diff", "--cached", GIT_NAMES_OPTIONS));
		comparison_args(staged, c);
	}
	if (spec->mode == CHANGES_COMMIT)
		git_args(&q->jobs[q->count++],
			 GIT_ARGS("rev-parse", "--quiet", "--verify", "--end-of-options",
				  str_fmt(a, STR_FMT "^", STR_ARG(spec->commit)).s));
}

/* Reads `ls-files -v`: a small letter is assume-unchanged, S is skip-worktree. A sparse checkout has the second for files
 * that do not exist, which hide nothing. */
static struct str_list
read_hidden(struct arena *a, const struct repository *r, struct str list)
{
	struct str_list found = { 0 };
	size_t capacity = 0;
	struct str one;

	while (str_next(&list, '\0', &one)) {
		struct str path = one.n > 2 ? str_sub(one, 2, one.n) : STR("");

		if (path.n == 0 || !((one.s[0] >= 'a' && one.s[0] <= 'z') || one.s[0] == 'S') ||
		    fs_lkind(path_join(a, r->root, path).s) == FS_NOTHING)
			continue;
		arena_make_room(a, found.items, found.count, &capacity);
		found.items[found.count++] = path;
	}
	return found;
}

/* Runs the questions, and with them those of git_status(), if `status` is given. */
static int
run_once(struct arena *a, const struct repository *r, struct questions *q,
	 const struct repo_status_spec *spec, struct repo_status *status, struct err *err)
{
	struct git_job *of_head = &q->jobs[q->count], *of_hidden = of_head + 1, *of_commit = of_head + 2;

	if (!status)
		return git_run(a, r, q->jobs, q->count, err);
	head_ask(a, of_head,
		 spec->changes.mode == CHANGES_LOCAL ? git_branch_ref(a, spec->changes.base) : STR_NONE);
	of_hidden->may_be_cut = true;
	git_args(of_hidden, GIT_ARGS("ls-files", "-v", "-z"));
	bool asks = spec->commit.s && ancestor_ask(a, of_commit, spec->commit, spec->base);

	if (git_run_with(a, r, q->jobs, q->count + 2 + asks, spec->meanwhile, spec->context, err) < 0)
		return -1;
	status->hidden = read_hidden(a, r, buf_str(&of_hidden->out));
	if (asks)
		status->is_in_base = ancestor_read(a, r, of_commit, &status->in_base_err);
	if (head_read(a, r, of_head, &status->head, err) < 0)
		return -1;
	if (r->known)
		r->known->index = status->head.index;
	return 0;
}

/* After git failed: prepares another comparison, then one of names only. Fails with git's first error if neither is
 * possible. */
static int
ask_fallback(struct arena *a, const struct repository *r, const struct change_spec *spec, bool is_first,
	     struct comparison *c, struct questions *q, struct err *first_err)
{
	struct err ignored;

	if (q->fallback_reason.s)
		return -1;
	if (is_first && comparison_fallback(a, r, spec, &q->jobs[ASK_DIFF], c, first_err) == 0)
		return 0;
	if (!is_first)
		(void)git_error(&q->jobs[ASK_DIFF], first_err);
	if (spec->commit.s && git_has_commit(a, r, spec->commit, &ignored) != ANSWER_YES)
		return -1;
	q->fallback_reason = str_copy(a, str_from(first_err->msg));
	return git_filters_optional(a, r, &q->settings, &ignored);
}

/* Runs the questions until git can compare. */
static int
run_all(struct arena *a, const struct repository *r, const struct repo_status_spec *repo_status_spec,
	struct comparison *c, struct questions *q, struct repo_status *status, struct err *err)
{
	const struct change_spec *spec = &repo_status_spec->changes;
	struct err first_err;

	for (bool is_first = true;; is_first = false) {
		ask_all(a, spec, c, q);
		if (run_once(a, r, q, repo_status_spec, is_first ? status : NULL, err) < 0)
			return -1;
		/* Outside a repository, `git diff` compares two files and reports another error. */
		if (c->has_files && q->jobs[ASK_UNTRACKED].code != 0)
			return git_error(&q->jobs[ASK_UNTRACKED], err);
		if (c->has_files && r->known)
			r->known->untracked = buf_str(&q->jobs[ASK_UNTRACKED].out);
		if (q->jobs[ASK_DIFF].code == 0)
			break;
		if (ask_fallback(a, r, spec, is_first, c, q, &first_err) < 0) {
			*err = first_err;
			return -1;
		}
	}
	if (spec->mode == CHANGES_UNCOMMITTED && q->jobs[ASK_STAGED].code != 0)
		return git_error(&q->jobs[ASK_STAGED], err);
	if (c->is_of_commit && q->jobs[q->count - 1].code != 0)
		c->base_used = STR("root"); /* it has no parent */
	return 0;
}

/* A file that is in a snapshot but not in the index is listed as deleted and as untracked. Moves such entries from both
 * sets, which it sorts, to `ret_open`. */
static void
take_untracked(struct change_set *changes, struct change_set *untracked, struct change_set *ret_open)
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

/* Adds to `changes` those entries of `open` whose files differ from the old side. Git compares the files with a small index
 * that holds only these entries: git knows about modes, links and filters. */
static int
compare_open(struct arena *a, const struct repository *r, const struct change_set *open,
	     struct change_set *changes, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct git_job where = { 0 }, fill = { 0 }, compare = { 0 };
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);

	if (open->count == 0)
		return 0;
	git_args(&where, GIT_ARGS("rev-parse", "--show-prefix"));
	if (git_run_one(a, r, &where, err) < 0 || tempdir_make(&dir, a, "index", err) < 0)
		return -1;
	struct str prefix = buf_str(&where.out);

	prefix.n -= prefix.n > 0; /* the last newline; the path may contain others */
	for (size_t i = 0; i < open->count; i++) {
		const struct change_entry *entry = &open->items[i];

		buf_addf(&input, STR_FMT " " STR_FMT "\t", STR_ARG(entry->mode), STR_ARG(entry->object));
		buf_add(&input, prefix);
		buf_add(&input, entry->path);
		buf_addc(&input, '\0');
	}
	git_args(&fill, GIT_ARGS("update-index", "-z", "--index-info"));
	fill.index = dir.file;
	fill.input = buf_str(&input);
	git_args(&compare, GIT_ARGS("diff", GIT_DIFF_OPTIONS, "--"));
	compare.index = dir.file;
	if (git_run_one(a, r, &fill, err) < 0 || git_run_one(a, r, &compare, err) < 0)
		return -1;
	return change_set_read_diff(changes, buf_str(&compare.out), err);
}

static void
add_all(struct change_set *set, const struct change_set *more)
{
	for (size_t i = 0; i < more->count; i++)
		change_set_add(set, more->items[i]);
}

static void
drop_large(struct arena *a, const struct repository *r, const struct change_spec *spec, struct str answer,
	   struct change_set *untracked)
{
	struct hidden_files hidden = untracked_hidden(a, r, spec->log_dir, answer);
	size_t kept = 0;

	for (size_t i = 0; i < untracked->count; i++)
		if (!is_hidden_file(&hidden, untracked->items[i].path, HIDDEN_LARGE))
			untracked->items[kept++] = untracked->items[i];
	untracked->count = kept;
}

/* Combines all answers in one set. */
static int
read_all(struct arena *a, const struct repository *r, const struct change_spec *spec,
	 const struct comparison *c, struct questions *q, struct change_set *set, struct err *err)
{
	struct change_set untracked = { .arena = a, .hidden = set->hidden }, open = { .arena = a };
	struct err open_err;

	if (change_set_read_diff(set, buf_str(&q->jobs[ASK_DIFF].out), err) < 0)
		return -1;
	if (!q->fallback_reason.s)
		change_set_sift(set, &open);
	if (c->has_files)
		change_set_read_untracked(&untracked, buf_str(&q->jobs[ASK_UNTRACKED].out));
	if (spec->is_without_large && untracked.count > 0)
		drop_large(a, r, spec, buf_str(&q->jobs[ASK_UNTRACKED].out), &untracked);
	if (spec->mode == CHANGES_SINCE)
		take_untracked(set, &untracked, &open);
	if (compare_open(a, r, &open, set, &open_err) < 0) {
		add_all(set, &open);
		if (!q->fallback_reason.s)
			q->fallback_reason = str_copy(a, str_from(open_err.msg));
	}
	add_all(set, &untracked);
	if (spec->mode == CHANGES_UNCOMMITTED &&
	    change_set_read_diff(set, buf_str(&q->jobs[ASK_STAGED].out), err) < 0)
		return -1;
	change_set_settle(set);
	return 0;
}

static int
find_changes(struct arena *a, const struct repository *r, const struct repo_status_spec *repo_status_spec,
	     struct repo_status *status, struct change_list *ret, struct err *err)
{
	const struct change_spec *spec = &repo_status_spec->changes;
	struct change_set set = { .arena = a, .hidden = git_log_dir(a, r->root, spec->log_dir) };
	struct comparison c;
	struct questions q = { 0 };

	if (comparison_make(a, spec, &c, err) < 0 ||
	    run_all(a, r, repo_status_spec, &c, &q, status, err) < 0 ||
	    read_all(a, r, spec, &c, &q, &set, err) < 0)
		return -1;
	*ret = (struct change_list){
		.items = arena_array(a, set.count + 1, struct str),
		.files = arena_array(a, set.count, struct changed_file),
		.commit = c.commit.s ? c.commit
			  : status   ? status->head.merge_base
				     : STR_NONE,
		.count = set.count,
		.warning = c.warning,
		.base_used = c.base_used,
		.lines_added = set.lines_added,
		.lines_removed = set.lines_removed,
	};
	if (q.fallback_reason.s)
		ret->fallback_reason = str_fmt(a,
					       "git can't compare the contents of files, so every file that "
					       "may differ counts as changed "
					       "(" STR_FMT ")",
					       STR_ARG(q.fallback_reason));
	for (size_t i = 0; i < set.count; i++) {
		char status_letter = set.items[i].status;

		ret->items[i] = set.items[i].path;
		ret->files[i] = (struct changed_file){ set.items[i].new_mode, set.items[i].new_object };
		if (status_letter == 'D')
			ret->files[i] = (struct changed_file){ 0 };
		if (status_letter == 'A' || status_letter == '?')
			ret->added++;
		else if (status_letter == 'D')
			ret->deleted++;
		else
			ret->modified++;
	}
	return 0;
}

int
git_changes(struct arena *a, const struct repository *r, const struct change_spec *spec,
	    struct change_list *ret, struct err *err)
{
	return find_changes(a, r, &(struct repo_status_spec){ .changes = *spec }, NULL, ret, err);
}

int
git_status(struct arena *a, const struct repository *r, const struct repo_status_spec *spec,
	   struct repo_status *ret, struct err *err)
{
	struct repo_status found = { 0 };

	if (find_changes(a, r, spec, &found, &found.changes, err) < 0)
		return -1;
	*ret = found;
	return 0;
}
