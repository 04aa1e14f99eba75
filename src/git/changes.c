/* SPDX-License-Identifier: MIT */
/* Finds what changed: asks git in parallel what differs between two trees and what is different in the working tree, and joins
 * the answers. Rename detection is off, so that git lists the old and the new path of a rename, and both are changes. If git
 * can't compare contents, because a filter is missing, every file that may differ is a change. */
#include "git/git_spawn.h"

#include "base/utf8.h"
#include "os/fs.h"

/* The questions of one comparison. A mode has only some of them. */
struct questions {
	struct git_job jobs[6]; /* with those of git_status() */
	size_t count;
	struct git_job *trees, *status, *prefix, *untracked, *parent; /* NULL: not asked */
	struct str trees_text, status_text, prefix_text;              /* absent: not known yet */
	struct str assumed_head;    /* by the files of refs; absent: git resolves names */
	struct question base, diff; /* of commits */
	struct git_head head;       /* has a commit where it is known without asking */
	struct str fallback_reason; /* why git is asked for names only; absent: it compares contents */
	struct str_list settings;   /* for that */
	struct own_index *own;
};

struct str
git_log_dir(struct arena *a, struct str root, struct str log_dir)
{
	struct str found = log_dir.n > 0 ? path_relative(a, root, log_dir) : STR_NONE;
	const char *path;

	if (found.s || log_dir.n == 0)
		return found;
	/* It is not below root by name, but it may be if links are resolved. */
	if (str_cz(a, path_from(a, root, log_dir), &path, IGNORED) < 0)
		return STR_NONE;
	struct str real = fs_real(a, path);

	if (!real.s || str_cz(a, root, &path, IGNORED) < 0)
		return STR_NONE;
	struct str real_root = fs_real(a, path);

	return real_root.s ? path_relative(a, real_root, real) : STR_NONE;
}

static struct git_job *
ask(struct questions *q, const char *const *args)
{
	git_args(&q->jobs[q->count], args);
	return &q->jobs[q->count++];
}

static void
ask_all(struct arena *a, const struct repository *r, const struct change_spec *spec,
	const struct comparison *c, struct questions *q)
{
	memset(q->jobs, 0, sizeof(q->jobs));
	q->count = 0;
	q->trees = q->status = q->prefix = q->untracked = q->parent = NULL;
	if (q->fallback_reason.s) {
		/* What may differ from the old side, by the times of files alone. */
		q->trees = ask(q, GIT_ARGS("diff", GIT_NAMES_OPTIONS));
		q->trees->settings = q->settings;
		comparison_args(q->trees, c);
		q->untracked = ask(q, GIT_ARGS(GIT_UNTRACKED_ARGS, "--"));
		return;
	}
	/* What differs between two trees, of which the second is HEAD's if one side is the working tree. */
	if (!q->trees_text.s) {
		q->trees = ask(q, c->is_of_commit ? GIT_ARGS(GIT_TREE_ARGS)
				  : c->has_files  ? GIT_ARGS("diff-tree", "-r")
						  : GIT_ARGS("diff"));
		q->trees->index = GIT_NO_INDEX; /* it would read it, for nothing */
		git_args(q->trees, GIT_ARGS(GIT_NAMES_OPTIONS));
		git_args(q->trees, c->args);
		/* A branch without commits has no files. */
		if (c->has_files)
			git_arg(q->trees, q->status_text.s && !head_of_status(q->status_text).s
						  ? empty_tree_beside(c->commit)
					  : q->assumed_head.s ? q->assumed_head.s
							      : "HEAD");
		git_arg(q->trees, "--");
	}
	if (c->has_files && !q->status_text.s) {
		q->status = ask(q, GIT_ARGS(GIT_STATUS_ARGS));
		if (fs_has(r->root, ".git")) {
			own_index_use(a, r, q->own, q->status);
		} else {
			/* It has paths relative to the top. */
			git_arg(q->status, ".");
			if (!q->prefix_text.s)
				q->prefix = ask(q, GIT_ARGS("rev-parse", "--show-prefix"));
		}
	}
	if (c->is_of_commit)
		q->parent = ask(q, GIT_ARGS("rev-parse", "--quiet", "--verify", "--end-of-options",
					    str_cat(a, spec->commit, "^").s));
}

/* ---- what is known ---- */

/* The list of untracked files in an answer of status. */
static struct str
untracked_in(struct arena *a, struct str status, struct str prefix)
{
	struct buf list = BUF(a, SIZE_MAX);
	struct str record;

	while (str_next(&status, '\0', &record))
		if (str_skip(&record, "? "))
			buf_cat(&list, str_rest(record, prefix.n), STR("\0"));
	return buf_str(&list);
}

/* Takes what need not be asked: what the files of refs say, and what was asked about the same commits before. That HEAD is where it
 * was is checked later. */
static void
take_known(struct arena *a, const struct repository *r, const struct change_spec *spec, struct comparison *c,
	   struct questions *q)
{
	struct ref_files files;
	struct str ref, base = STR_NONE, merge_base;

	if (c->has_files && r->known) {
		q->status_text = r->known->status;
		q->prefix_text = r->known->prefix;
	}
	if (spec->mode == CHANGES_UNCOMMITTED)
		q->trees_text = STR("");
	if (!c->has_files || !ref_files_find(a, r->root, &files) ||
	    ref_read(a, &files, STR("HEAD"), &q->assumed_head, &ref) != ANSWER_YES)
		return;
	q->prefix_text = files.below.n > 0 ? str_cat(a, files.below, "/") : files.below;
	q->head = (struct git_head){ .branch = utf8_clean(a, branch_of_ref(ref)),
				     .up = path_up(a, files.below) };
	if (spec->mode != CHANGES_LOCAL) {
		q->head.commit = q->assumed_head;
	} else if (ref_read(a, &files, git_branch_ref(a, spec->base), &base, NULL) == ANSWER_YES) {
		q->base = (struct question){ .what = "base", .one = base, .other = q->assumed_head };
		merge_base = answer_known(a, r, &q->base);
		c->args[2] = base.s;
		if (merge_base.s)
			q->head.commit = q->assumed_head;
		if (merge_base.n > 0)
			comparison_since(c, q->head.merge_base = str_copy(a, merge_base));
	}
	q->diff = (struct question){ .what = "diff", .one = c->commit, .other = q->assumed_head };
	if (spec->mode != CHANGES_UNCOMMITTED)
		q->trees_text = answer_known(a, r, &q->diff);
}

/* ---- asking ---- */

/* Runs the questions, and with them those of git_status(), if `status` is given. */
static int
run_once(struct arena *a, const struct repository *r, struct questions *q,
	 const struct repo_status_spec *spec, struct repo_status *status, struct err *err)
{
	struct git_job *jobs = q->jobs, *of_head = NULL, *of_commit = NULL;
	size_t count = q->count;

	if (!status)
		return git_run(a, r, jobs, count, err);
	bool is_local = spec->changes.mode == CHANGES_LOCAL;
	struct question ancestor = { .what = "ancestor", .one = spec->commit, .other = spec->base };

	if (!q->head.commit.s) {
		of_head = &jobs[count++];
		head_ask(a, of_head,
			 is_local ? q->base.one.s ? q->base.one : git_branch_ref(a, spec->changes.base)
				  : STR_NONE);
	}
	/* Whether HEAD itself is in the base is known from their merge base. */
	bool is_head = is_local && str_eq(spec->base, spec->changes.base) &&
		       str_eq(spec->commit, git_commit_now(a, r->root));

	if (spec->commit.s && !is_head) {
		status->is_in_base = ancestor_known(a, r, &ancestor);
		if (status->is_in_base == ANSWER_UNKNOWN)
			ancestor_ask(a, of_commit = &jobs[count++], &ancestor);
	}
	status->head = q->head;
	if (git_run(a, r, jobs, count, err) < 0 ||
	    (of_head && head_read(a, r, of_head, &status->head, err) < 0))
		return -1;
	const struct git_head *head = &status->head;

	if (of_head && str_eq(head->commit, q->base.other))
		answer_keep(a, r, &q->base, head->merge_base.s ? head->merge_base : STR(""));
	if (of_commit)
		status->is_in_base = ancestor_read(a, r, of_commit, &ancestor, &status->in_base_err);
	else if (is_head && head->merge_base.s && str_eq(spec->commit, head->commit))
		status->is_in_base = str_eq(head->merge_base, head->commit) ? ANSWER_YES : ANSWER_NO;
	else if (is_head)
		status->is_in_base = git_is_ancestor(a, r, spec->commit, spec->base, &status->in_base_err);
	return 0;
}

static void
take_answers(struct questions *q)
{
	if (q->trees && q->trees->code == 0)
		q->trees_text = buf_str(&q->trees->out);
	if (q->prefix && q->prefix->code == 0)
		q->prefix_text = git_path(buf_str(&q->prefix->out));
	if (q->status && q->status->code == 0)
		q->status_text = buf_str(&q->status->out);
}

/* Git can't compare contents: asks for what differs by its time. `reason` is why. */
static int
ask_for_names(struct arena *a, const struct repository *r, const struct comparison *c, struct questions *q,
	      struct err *reason)
{
	q->fallback_reason = str_copy(a, str_from(reason->msg));
	q->trees_text = STR_NONE;
	if (git_filters_optional(a, r, &q->settings, IGNORED) < 0)
		return -1;
	ask_all(a, r, NULL, c, q);
	if (git_run(a, r, q->jobs, q->count, IGNORED) < 0)
		return -1;
	if (q->untracked->code != 0)
		return git_error(q->untracked, reason);
	take_answers(q);
	return q->trees_text.s ? 0 : -1;
}

/* After a comparison that git refused: prepares another one. */
static int
compare_otherwise(struct arena *a, const struct repository *r, const struct change_spec *spec,
		  struct comparison *c, struct questions *q, struct err *err)
{
	const struct git_job *job = q->trees ? q->trees : q->status;
	bool is_unborn = c->has_files && q->status_text.s && !head_of_status(q->status_text).s;

	/* It is compared with the tree without files, see ask_trees(). */
	if (is_unborn && spec->mode == CHANGES_SINCE)
		return 0;
	if (comparison_fallback(a, r, spec, job, c, err) < 0)
		return -1;
	if (is_unborn)
		q->trees_text = STR("");
	return 0;
}

/* Runs the questions until git can compare. */
static int
run_all(struct arena *a, const struct repository *r, const struct repo_status_spec *repo_status_spec,
	struct comparison *c, struct questions *q, struct repo_status *status, struct err *err)
{
	const struct change_spec *spec = &repo_status_spec->changes;
	struct repo_status *wanted = status;
	bool is_replaced = false; /* the comparison */

	take_known(a, r, spec, c, q);
	for (;;) {
		ask_all(a, r, spec, c, q);
		if (run_once(a, r, q, repo_status_spec, wanted, err) < 0)
			return -1;
		wanted = NULL;
		bool is_settled = !q->status || own_index_settle(a, r, q->own, q->status);

		take_answers(q);
		if (!is_settled) {
			q->status_text = STR_NONE;
			continue;
		}
		bool has_failed = c->has_files && !q->status_text.s;
		bool has_head = !c->has_files || has_failed || head_of_status(q->status_text).s;

		/* HEAD has moved, or git takes another one: it resolves the names. */
		if (q->assumed_head.s && !has_failed &&
		    !str_eq(q->assumed_head, head_of_status(q->status_text))) {
			if (comparison_make(a, spec, c, err) < 0)
				return -1;
			*q = (struct questions){ .own = q->own };
			if (spec->mode == CHANGES_UNCOMMITTED)
				q->trees_text = STR("");
			wanted = status;
			continue;
		}
		if (!is_replaced && ((q->trees && q->trees->code != 0) || !has_head)) {
			if (compare_otherwise(a, r, spec, c, q, err) < 0)
				return -1;
			is_replaced = true;
		} else if (q->trees && q->trees->code != 0) {
			return git_error(q->trees, err);
		}
		if (has_failed) {
			(void)git_error(q->status, err);
			return ask_for_names(a, r, c, q, err);
		}
		if (q->trees_text.s)
			break;
	}
	if (q->parent && q->parent->code != 0)
		c->base_used = STR("root"); /* it has no parent */
	return 0;
}

/* ---- reading the answers ---- */

/* Adds the edits that git does not show. */
static void
add_edits(struct change_set *files, const struct unseen *u)
{
	size_t count = files->count, at = 0;

	for_each (e, u->files.items, u->files.count) {
		while (at < count && str_cmp(files->items[at].path, e->path) < 0)
			at++;
		if (e->is_compared && (at == count || !str_eq(files->items[at].path, e->path)))
			change_set_add(files, *e);
	}
	change_set_settle(files);
}

/* Combines all answers in one set. */
static int
read_all(struct arena *a, const struct repository *r, const struct change_spec *spec, struct questions *q,
	 const struct unseen *unseen, struct change_set *set, struct err *err)
{
	struct change_set trees = { .arena = set->arena, .hidden = set->hidden }, files = trees, open = trees;
	struct join_rules rules = {
		.keeps_staged = spec->mode == CHANGES_UNCOMMITTED,
		.compares_untracked = spec->mode == CHANGES_SINCE || spec->mode == CHANGES_LOCAL,
	};
	struct err open_err;

	if (change_set_read_diff(&trees, q->trees_text, err) < 0)
		return -1;
	if (q->fallback_reason.s)
		change_set_read_untracked(&files, buf_str(&q->untracked->out));
	else if (q->status_text.s && change_set_read_status(&files, q->status_text, q->prefix_text, err) < 0)
		return -1;
	/* Untracked files that no snapshot has because they are too large. */
	if (spec->is_without_large) {
		size_t count = files.count;

		files.count = 0;
		for (size_t i = 0; i < count; i++)
			if (files.items[i].status != '?' || files.items[i].new.mode.s ||
			    !is_large_file(a, r, files.items[i].path))
				files.items[files.count++] = files.items[i];
	}
	change_set_settle(&trees);
	change_set_settle(&files);
	if (unseen)
		add_edits(&files, unseen);
	/* Of names alone nobody knows whether the content differs. */
	if (q->fallback_reason.s)
		for (size_t i = 0; i < trees.count; i++)
			trees.items[i].is_compared = true;
	change_set_join(&trees, &files, &rules, set, &open);
	if (open_compare(a, r, &open, set, &open_err) < 0) {
		for (size_t i = 0; i < open.count; i++)
			change_set_add(set, open.items[i]);
		if (!q->fallback_reason.s)
			q->fallback_reason = str_copy(a, str_from(open_err.msg));
	}
	change_set_settle(set);
	return 0;
}

/* What is on disk counts, where git knows something else. */
static const struct change_list *
take_unseen(struct arena *a, const struct unseen *u, struct str log_dir, struct change_list *list)
{
	struct change_set set = { .arena = a, .hidden = log_dir };
	struct change_list *found = arena_new(a, struct change_list);
	size_t at = 0;

	for (size_t i = 0; i < u->files.count; i++)
		change_set_add(&set, u->files.items[i]);
	found->items = arena_array(a, set.count, struct str);
	found->files = arena_array(a, set.count, struct changed_file);
	for (size_t i = 0; i < set.count; i++) {
		while (at < list->count && str_cmp(list->items[at], set.items[i].path) < 0)
			at++;
		if (at < list->count && str_eq(list->items[at], set.items[i].path)) {
			list->files[at] = set.items[i].new;
			continue;
		}
		found->items[found->count] = set.items[i].path;
		found->files[found->count++] = set.items[i].new;
	}
	return found;
}

static int
find_changes(struct arena *a, const struct repository *r, const struct repo_status_spec *repo_status_spec,
	     struct repo_status *status, struct change_list *ret, struct err *err)
{
	const struct change_spec *spec = &repo_status_spec->changes;
	/* Of tens of thousands of files, entries take more than the list. */
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct change_set set = { .arena = &scratch, .hidden = git_log_dir(a, r->root, spec->log_dir) };
	CLEANUP(own_index_clear) struct own_index own = { 0 };
	struct comparison c;
	struct questions q = { .own = &own };
	struct unseen *unseen = NULL;

	if (comparison_make(a, spec, &c, err) < 0 || run_all(a, r, repo_status_spec, &c, &q, status, err) < 0)
		return -1;
	if (c.has_files)
		unseen = r->known && r->known->status.s && r->known->unseen
				 ? r->known->unseen
				 : unseen_find(a, r, q.status_text, q.prefix_text);
	if (read_all(a, r, spec, &q, unseen, &set, err) < 0)
		return -1;
	*ret = (struct change_list){
		.commit = c.commit.s ? c.commit
			  : status   ? status->head.merge_base
				     : STR_NONE,
		.warning = c.warning,
		.base_used = c.base_used,
	};
	ret->items = arena_array(a, set.count + 1, struct str);
	ret->files = arena_array(a, set.count, struct changed_file);
	ret->count = set.count;
	for (size_t i = 0; i < set.count; i++) {
		const struct change_entry *e = &set.items[i];

		ret->items[i] = e->path;
		if (e->status != 'D')
			ret->files[i] = e->new;
		ret->deleted += e->status == 'D';
		ret->added += e->status == 'A' || e->status == '?';
	}
	ret->modified = ret->count - ret->added - ret->deleted;
	if (unseen) {
		ret->unseen = take_unseen(a, unseen, set.hidden, ret);
		ret->unseen_error = unseen->error;
	}
	if (unseen && status) {
		status->hidden = unseen->hidden;
		status->own_rules = unseen->own_rules;
	}
	if (r->known && !q.fallback_reason.s && c.has_files) {
		if (!r->known->status.s) {
			r->known->status = q.status_text;
			r->known->prefix = q.prefix_text;
			r->known->untracked = untracked_in(a, q.status_text, q.prefix_text);
			r->known->unseen = unseen;
		}
		q.diff.one = ret->commit;
		if (spec->mode != CHANGES_UNCOMMITTED && !answer_known(a, r, &q.diff).s)
			answer_keep(a, r, &q.diff, q.trees_text);
	}
	if (q.fallback_reason.s)
		ret->fallback_reason = str_cat(a,
					       "git can't compare the contents of files, so every file that "
					       "may differ counts as changed (",
					       q.fallback_reason, ")");
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

	if (find_changes(a, r, spec, &found, &found.changes, err) < 0 ||
	    head_check_top(a, r, &found.head, err) < 0)
		return -1;
	*ret = found;
	return 0;
}

struct str_list
git_differences(struct arena *a, const struct change_list *l, const struct change_list *r)
{
	struct str_list names = { 0 };

	for (size_t i = 0, k = 0; i < l->count || k < r->count;) {
		int order = i == l->count ? 1 : k == r->count ? -1 : str_cmp(l->items[i], r->items[k]);

		if (order != 0)
			*arena_push(a, names.items, names.count) = order < 0 ? l->items[i] : r->items[k];
		else if (!str_eq(l->files[i].mode, r->files[k].mode) ||
			 !str_eq(l->files[i].object, r->files[k].object))
			*arena_push(a, names.items, names.count) = l->items[i];
		i += order <= 0;
		k += order >= 0;
	}
	return names;
}
