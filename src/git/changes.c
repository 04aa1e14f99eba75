/* SPDX-License-Identifier: MIT */
/* What changed: the questions to git, asked side by side, and their answers put together. Renames are not looked for:
 * the old path and the new one are both changes, and that is how git lists them then. Where git can't compare what is in
 * the files, as a filter or an object is missing, what it can't tell is a change. */
#include "git/git.h"

#include "base/path.h"
#include "git/comparison.h"
#include "git/filters.h"
#include "git/head.h"
#include "git/parse.h"
#include "git/recheck.h"
#include "os/fs.h"

/* Which question is where; a mode asks only some of them. */
enum { ASK_DIFF, ASK_UNTRACKED, ASK_STAGED, ASK_MAX };
struct questions {
	struct git_job jobs[ASK_MAX + 2]; /* two more, for those of a look */
	size_t count;
	struct str doubt;         /* why git is not asked for what is in the files; absent: it is */
	struct str_list settings; /* for it then */
};

struct str
git_log_dir(struct arena *a, struct str root, struct str log_dir)
{
	struct str found = log_dir.n > 0 ? path_relative(a, root, log_dir) : STR_NONE;
	const char *path;
	struct err err;

	if (found.s || log_dir.n == 0)
		return found;
	/* Not below it by name; there may be links on the way to one of them, or a way out and in again. */
	if (str_cz(a, path_from(a, root, log_dir), &path, &err) < 0)
		return STR_NONE;
	struct str real = fs_real(a, path);

	if (!real.s || str_cz(a, root, &path, &err) < 0)
		return STR_NONE;
	struct str real_root = fs_real(a, path);

	return real_root.s ? path_relative(a, real_root, real) : STR_NONE;
}

static void
ask_diff(struct git_job *job, const struct comparison *c, const struct questions *q)
{
	*job = (struct git_job){ .settings = q->settings };
	git_args(job, c->is_of_commit ? GIT_ARGS(GIT_TREE_ARGS) : GIT_ARGS("diff"));
	git_args(job, q->doubt.s ? GIT_ARGS(GIT_NAMES_OPTIONS) : GIT_ARGS(GIT_DIFF_OPTIONS));
	comparison_args(job, c);
}

/* What is staged and taken back in the working tree differs from the commit only in the index. */
static void
ask_staged(struct git_job *job, const struct comparison *c)
{
	*job = (struct git_job){ 0 };
	git_args(job, GIT_ARGS("diff", "--cached", GIT_NAMES_OPTIONS));
	comparison_args(job, c);
}

static void
ask_all(struct arena *a, const struct change_spec *spec, const struct comparison *c, struct questions *q)
{
	*q = (struct questions){ .doubt = q->doubt, .settings = q->settings };
	ask_diff(&q->jobs[q->count++], c, q);
	if (c->has_files)
		git_args(&q->jobs[q->count++], GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
	if (spec->mode == CHANGES_UNCOMMITTED)
		ask_staged(&q->jobs[q->count++], c);
	if (spec->mode == CHANGES_COMMIT)
		git_args(&q->jobs[q->count++],
			 GIT_ARGS("rev-parse", "--quiet", "--verify", "--end-of-options",
				  str_fmt(a, STR_FMT "^", STR_ARG(spec->commit)).s));
}

/* Asks, and beside it the further questions of a look, if there is one. */
static int
run_once(struct arena *a, const struct repository *r, struct questions *q,
	 const struct repo_status_spec *spec, struct repo_status *look, struct err *err)
{
	struct git_job *of_head = &q->jobs[q->count], *of_commit = of_head + 1;

	if (!look)
		return git_run(a, r, q->jobs, q->count, err);
	head_ask(of_head);
	bool asks = spec->commit.s && ancestor_ask(a, of_commit, spec->commit, spec->base);

	if (git_run(a, r, q->jobs, q->count + 1 + asks, err) < 0)
		return -1;
	if (asks)
		look->is_in_base = ancestor_read(a, r, of_commit, &look->in_base_err);
	return head_read(a, r, of_head, &look->head, err);
}

/* What to ask after git refused: for another comparison, then for names only. Fails, for what it said first, when there
 * is no other way. */
static int
ask_fallback(struct arena *a, const struct repository *r, const struct change_spec *spec, bool is_first,
	     struct comparison *c, struct questions *q, struct err *why)
{
	struct err ignored;

	if (q->doubt.s)
		return -1;
	if (is_first && comparison_fallback(a, r, spec, &q->jobs[ASK_DIFF], c, why) == 0)
		return 0;
	if (!is_first)
		(void)git_error(&q->jobs[ASK_DIFF], why);
	if (spec->commit.s && git_has_commit(a, r, spec->commit, &ignored) != ANSWER_YES)
		return -1;
	q->doubt = str_copy(a, str_from(why->msg));
	return git_filters_optional(a, r, &q->settings, &ignored);
}

/* Asks, and again when git can't compare what it was to. */
static int
run_all(struct arena *a, const struct repository *r, const struct repo_status_spec *repo_status_spec,
	struct comparison *c, struct questions *q, struct repo_status *look, struct err *err)
{
	const struct change_spec *spec = &repo_status_spec->changes;
	struct err why;

	for (bool is_first = true;; is_first = false) {
		ask_all(a, spec, c, q);
		if (run_once(a, r, q, repo_status_spec, is_first ? look : NULL, err) < 0)
			return -1;
		/* Outside of a repository diff is another command, which does not say so. */
		if (c->has_files && q->jobs[ASK_UNTRACKED].code != 0)
			return git_error(&q->jobs[ASK_UNTRACKED], err);
		if (q->jobs[ASK_DIFF].code == 0)
			break;
		if (ask_fallback(a, r, spec, is_first, c, q, &why) < 0) {
			*err = why;
			return -1;
		}
	}
	if (spec->mode == CHANGES_UNCOMMITTED && q->jobs[ASK_STAGED].code != 0)
		return git_error(&q->jobs[ASK_STAGED], err);
	/* It has no parent. */
	if (c->is_of_commit && q->jobs[q->count - 1].code != 0)
		c->base_used = STR("root");
	return 0;
}

static void
add_all(struct change_set *set, const struct change_set *more)
{
	for (size_t i = 0; i < more->count; i++)
		change_set_add(set, more->items[i]);
}

/* All the answers in one set. */
static int
read_all(struct arena *a, const struct repository *r, const struct change_spec *spec,
	 const struct comparison *c, struct questions *q, struct change_set *set, struct err *err)
{
	struct change_set untracked = { .arena = a, .hidden = set->hidden }, open = { .arena = a };
	struct err why;

	if (change_set_read_diff(set, buf_str(&q->jobs[ASK_DIFF].out), err) < 0)
		return -1;
	if (!q->doubt.s)
		change_set_sift(set, &open);
	if (c->has_files)
		change_set_read_untracked(&untracked, buf_str(&q->jobs[ASK_UNTRACKED].out));
	if (spec->mode == CHANGES_SINCE)
		recheck_untracked(set, &untracked, &open);
	if (recheck(a, r, &open, set, &why) < 0) {
		add_all(set, &open);
		if (!q->doubt.s)
			q->doubt = str_copy(a, str_from(why.msg));
	}
	add_all(set, &untracked);
	if (spec->mode == CHANGES_UNCOMMITTED &&
	    change_set_read_diff(set, buf_str(&q->jobs[ASK_STAGED].out), err) < 0)
		return -1;
	change_set_settle(set);
	return 0;
}

static void
count_kinds(const struct change_set *set, struct change_list *ret)
{
	for (size_t i = 0; i < set->count; i++) {
		char status = set->items[i].status;

		ret->items[i] = set->items[i].path;
		if (status == 'A' || status == '?')
			ret->added++;
		else if (status == 'D')
			ret->deleted++;
		else
			ret->modified++;
	}
}

static int
find_changes(struct arena *a, const struct repository *r, const struct repo_status_spec *repo_status_spec,
	     struct repo_status *look, struct change_list *ret, struct err *err)
{
	const struct change_spec *spec = &repo_status_spec->changes;
	struct change_set set = { .arena = a, .hidden = git_log_dir(a, r->root, spec->log_dir) };
	struct comparison c;
	struct questions q = { 0 };

	if (comparison_make(a, spec, &c, err) < 0 || run_all(a, r, repo_status_spec, &c, &q, look, err) < 0 ||
	    read_all(a, r, spec, &c, &q, &set, err) < 0)
		return -1;
	*ret = (struct change_list){
		.items = arena_array(a, set.count + 1, struct str),
		.count = set.count,
		.warning = c.warning,
		.doubt = q.doubt.s
				 ? str_fmt(a,
					   "git can't compare what is in the files, so each that may differ "
					   "counts as changed (" STR_FMT ")",
					   STR_ARG(q.doubt))
				 : STR_NONE,
		.base_used = c.base_used,
		.lines_added = set.lines_added,
		.lines_removed = set.lines_removed,
	};
	count_kinds(&set, ret);
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
