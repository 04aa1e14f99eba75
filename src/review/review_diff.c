/* SPDX-License-Identifier: MIT */
/* The diff of one review. Compares only with a tree that this very review has seen: another gate may have passed there
 * without looking for what this reviewer finds. */
#include "review/slot.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/pathglob.h"
#include "review/diff.h"
#include "os/fs.h"

/* How many files are excluded from a diff that is too long, and from how many bytes on: more than a reviewer is ever
 * shown, so that the part that is kept of one is never taken for all of it. */
#define LONG_FILES_MAX 6
#define LONG_FILE_BYTES (2 * DIFF_SHOWN_LIMIT_BYTES)

/* ---- asking git once ---- */

struct diff_answer {
	struct change_spec spec;
	struct str path; /* absent: the changed files of a tree */
	struct str text; /* the diff of a path */
	struct diff_sections sections;
	bool has_more; /* than the text */
	bool is_there; /* the tree exists */
	struct change_list changes;
	struct diff_answer *next;
};

static struct diff_answer *
find_answer(const struct review_diff_facts *f, const struct change_spec *spec, struct str path)
{
	for (struct diff_answer *x = *f->answers; x; x = x->next)
		if (x->spec.mode == spec->mode && str_eq(x->spec.base, spec->base) &&
		    str_eq(x->spec.head, spec->head) && str_eq(x->spec.commit, spec->commit) &&
		    !x->path.s == !path.s && str_eq(x->path, path))
			return x;
	return NULL;
}

static struct diff_answer *
add_answer(struct arena *a, const struct review_diff_facts *f, struct diff_answer answer)
{
	struct diff_answer *x = arena_new(a, struct diff_answer);

	*x = answer;
	x->next = *f->answers;
	*f->answers = x;
	return x;
}

/* The last file of a diff if it is a long one: then it is the one that was cut. NULL: it is not long. */
static const struct diff_section *
long_end(struct arena *a, struct str diff)
{
	struct diff_sections l = diff_split(a, diff);
	const struct diff_section *last = l.count > 0 ? &l.items[l.count - 1] : NULL;

	return last && last->file.s && last->text.n >= LONG_FILE_BYTES ? last : NULL;
}

/* One file that is too long must not hide those after it: git is asked again without it, and more of it is kept than a
 * reviewer is shown. Where there are simply too many files, some are missing. */
static int
ask_git(struct arena *a, const struct review_diff_facts *f, const struct change_spec *spec, struct str path,
	struct str *ret, bool *ret_has_more, struct err *err)
{
	struct buf all = BUF(a, SIZE_MAX), parts = BUF(a, SIZE_MAX);
	struct str files[LONG_FILES_MAX];
	struct change_spec now = *spec;

	now.except = (struct str_list){ files, 0 };
	for (;;) {
		if (git_diff(a, &f->run->repository, &now, path, DIFF_READ_LIMIT_BYTES, ret, ret_has_more,
			     err) < 0)
			return -1;
		const struct diff_section *cut = *ret_has_more ? long_end(a, *ret) : NULL;

		if (!cut || now.except.count == LONG_FILES_MAX)
			break;
		files[now.except.count++] = cut->file;
		buf_add(&parts, str_sub(cut->text, 0, LONG_FILE_BYTES));
		buf_addc(&parts, '\n');
	}
	if (parts.n == 0)
		return 0;
	buf_add(&all, *ret);
	buf_add(&all, buf_str(&parts));
	*ret = buf_str(&all);
	return 0;
}

static int
ask_diff(struct arena *a, const struct review_diff_facts *f, const struct change_spec *spec, struct str path,
	 const struct diff_answer **ret, struct err *err)
{
	struct diff_answer fresh = { .spec = *spec, .path = path };
	const struct diff_answer *known = find_answer(f, spec, path);

	if (!known) {
		if (ask_git(a, f, spec, path, &fresh.text, &fresh.has_more, err) < 0)
			return -1;
		fresh.sections = diff_split(a, fresh.text);
		known = add_answer(a, f, fresh);
	}
	*ret = known;
	return 0;
}

static struct change_spec
since(const struct review_diff_facts *f, struct str tree)
{
	return (struct change_spec){ .mode = CHANGES_SINCE,
				     .commit = tree,
				     .log_dir = f->run->all_changes.log_dir };
}

/* What has changed since a tree; *ret is NULL where there is no such tree any more. */
static int
ask_changes(struct arena *a, const struct review_diff_facts *f, struct str tree,
	    const struct change_list **ret, struct err *err)
{
	struct change_spec spec = since(f, tree);
	struct diff_answer fresh = { .spec = spec };
	const struct diff_answer *known = find_answer(f, &spec, STR_NONE);

	if (!known) {
		enum git_answer exists = git_has_commit(a, &f->run->repository, tree, err);

		if (exists == ANSWER_UNKNOWN)
			return -1;
		fresh.is_there = exists == ANSWER_YES;
		if (fresh.is_there && git_changes(a, &f->run->repository, &spec, &fresh.changes, err) < 0)
			return -1;
		known = add_answer(a, f, fresh);
	}
	*ret = known->is_there ? &known->changes : NULL;
	return 0;
}

/* ---- one review ---- */

/* The tree to compare with; absent: the base. */
static struct str
choose_tree(const struct review_diff_facts *f)
{
	const struct execution_state *state = f->run->state;
	const struct reviewed_tree *seen = NULL;

	for (size_t i = 0; state && i < state->reviewed_count && !seen; i++)
		if (str_eq(state->reviewed[i].part, f->part))
			seen = &state->reviewed[i];
	if (seen && (f->failed_count > 0 || (seen->is_pass && f->run->covers_all_changes)))
		return seen->tree;
	/* The original keeps one snapshot for all gates. */
	if (!seen && f->failed_count > 0 && state && !state->has_outstanding)
		return state->working_tree_ref;
	return STR_NONE;
}

/* Of an entry point that is a pattern, the files that match it. */
static int
diff_below(struct arena *a, const struct review_diff_facts *f, const struct change_spec *spec,
	   struct review_diff *d, struct err *err)
{
	bool has_pattern = pathglob_is_pattern(f->path) &&
			   fs_kind(path_join(a, f->run->repository.root, f->path).s) == FS_NOTHING;
	const struct diff_answer *x;
	struct buf b = BUF(a, SIZE_MAX);

	if (ask_diff(a, f, spec, has_pattern ? STR(".") : f->path, &x, err) < 0)
		return -1;
	for (size_t i = 0; has_pattern && i < x->sections.count; i++) {
		const struct diff_section *s = &x->sections.items[i];

		if (s->file.s && pathglob_match(f->path, s->file))
			buf_add(&b, s->text);
	}
	d->text = has_pattern ? buf_str(&b) : x->text;
	d->has_more = x->has_more;
	return 0;
}

/* Adds the changes of all files that have findings and are not in the text yet. */
static int
add_found(struct arena *a, const struct review_diff_facts *f, struct str *text, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct diff_lines *shown = diff_lines_of(&scratch, *text);
	const struct diff_answer *all;
	size_t count = 0, missing_bytes = 0;

	if (ask_diff(a, f, &f->run->all_changes, STR("."), &all, err) < 0)
		return -1;
	for (size_t i = 0; i < f->failed_count; i++)
		count += f->failed[i]->violation_count;
	struct strset found = strset_new(&scratch, count);
	bool *is_missing = arena_array(&scratch, all->sections.count, bool);

	for (size_t i = 0; i < f->failed_count; i++) {
		const struct past_result *p = f->failed[i];

		for (size_t k = 0; k < p->violation_count; k++)
			(void)strset_add(&found, review_path(f->run->repository.root, p->violations[k].file));
	}
	for (size_t i = 0; i < all->sections.count; i++) {
		const struct diff_section *s = &all->sections.items[i];

		is_missing[i] = s->file.n > 0 && strset_has(&found, s->file) &&
				!diff_lines_has_file(shown, s->file);
		missing_bytes += is_missing[i] ? s->text.n : 0;
	}
	if (missing_bytes == 0)
		return 0;
	struct buf b = BUF(a, SIZE_MAX);

	buf_reserve(&b, text->n + 1 + missing_bytes);
	buf_add(&b, *text);
	buf_add(&b, text->n == 0 || str_ends(*text, STR("\n")) ? STR("") : STR("\n"));
	for (size_t i = 0; i < all->sections.count; i++)
		if (is_missing[i])
			buf_add(&b, all->sections.items[i].text);
	*text = buf_str(&b);
	return 0;
}

/* The changes since the tree, if it still exists: then they are what is reviewed. */
static int
compare_since(struct arena *a, const struct review_diff_facts *f, struct str tree, struct change_spec *spec,
	      struct review_diff *d, struct err *err)
{
	const struct change_list *changes;

	if (!tree.s)
		return 0;
	if (ask_changes(a, f, tree, &changes, err) < 0)
		return -1;
	if (!changes)
		return 0;
	*spec = since(f, tree);
	d->since = tree;
	d->changes = *changes;
	d->has_changes = true;
	d->is_tree_changed = changes->count > 0;
	return 0;
}

static int
read_diff(struct arena *a, const struct review_diff_facts *f, const struct change_spec *spec,
	  struct review_diff *d, struct err *err)
{
	if (diff_below(a, f, spec, d, err) < 0)
		return -1;
	/* If nothing changed since the review saw the tree, no reviewer will be asked. */
	if (f->failed_count > 0 && d->is_tree_changed && add_found(a, f, &d->text, err) < 0)
		return -1;
	d->is_empty = str_trim(d->text).n == 0 && !d->has_more;
	return 0;
}

/* The changes since the last run; where its snapshot is gone, since its commit. */
static int
compare_with_last_run(struct arena *a, const struct review_diff_facts *f, struct change_spec *spec,
		      struct review_diff *d, struct err *err)
{
	if (compare_since(a, f, f->run->state->working_tree_ref, spec, d, err) < 0)
		return -1;
	if (d->has_changes)
		return 0;
	d->fallback = STR_NONE;
	if (compare_since(a, f, f->run->state->commit, spec, d, err) < 0)
		return -1;
	if (d->has_changes)
		d->fallback = STR("commit");
	return 0;
}

int
review_diff(struct arena *a, const struct review_diff_facts *f, struct review_diff *ret, struct err *err)
{
	struct review_diff d = { .is_tree_changed = true };
	struct change_spec spec = f->run->requested_changes;
	struct str tree = choose_tree(f);
	bool is_of_commit = f->run->requested_changes.mode == CHANGES_COMMIT;

	if (compare_since(a, f, tree, &spec, &d, err) < 0)
		return -1;
	/* A run for one commit shows that commit; the changes since only show whether something was fixed. */
	if (is_of_commit) {
		spec = f->run->requested_changes;
		d.since = STR_NONE;
	}
	if (read_diff(a, f, &spec, &d, err) < 0)
		return -1;
	if (tree.s && !d.has_changes)
		d.fallback = f->run->covers_all_changes ? STR("the whole change") : STR("the given changes");
	/* The change is gone, or merged into the base, and it is unknown since when: then the changes since the last run
	 * are all there is to show of how a finding was fixed. */
	if (f->failed_count > 0 && d.is_empty && !d.has_changes && !is_of_commit && f->run->state &&
	    (compare_with_last_run(a, f, &spec, &d, err) < 0 || read_diff(a, f, &spec, &d, err) < 0))
		return -1;
	d.is_complete = (d.has_changes && !is_of_commit) || f->run->covers_all_changes;
	*ret = d;
	return 0;
}
