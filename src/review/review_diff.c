/* SPDX-License-Identifier: MIT */
/* The diff of one review. Compares only with a tree that this very review has seen: another gate may have passed there
 * without looking for what this reviewer finds. */
#include "review/slot.h"

#include "base/pathglob.h"
#include "os/fs.h"

static struct change_spec
since(const struct review_job *j, struct str tree)
{
	return (struct change_spec){ .mode = CHANGES_SINCE,
				     .commit = tree,
				     .log_dir = j->reviews->run.all_changes.log_dir,
				     .is_without_large = true };
}

/* The tree to compare with; absent: the base. */
static struct str
choose_tree(const struct review_job *j)
{
	const struct review_facts *run = &j->reviews->run;
	const struct execution_state *state = run->state;
	const struct reviewed_tree *seen = NULL;

	for (size_t i = 0; i < state->reviewed_count && !seen; i++)
		if (str_eq(state->reviewed[i].part, j->job->file_part) &&
		    str_eq(state->reviewed[i].definition, j->job->gate->definition))
			seen = &state->reviewed[i];
	if (seen &&
	    (j->has_failed || (seen->is_pass && run->covers_all_changes && !j->job->is_for_all_files)))
		return seen->tree;
	/* The original keeps one snapshot for all gates. */
	return !seen && j->has_failed && !state->has_outstanding ? state->working_tree_ref : STR_NONE;
}

/* ---- composing the text ---- */

/* All of the change. If the base has moved since the review failed, it may have taken in what was found. */
static int
ask_from_base(const struct review_job *j, const struct diff_answer **ret, struct err *err)
{
	struct reviews *r = j->reviews;
	struct change_spec spec = since(j, j->base);

	if (j->base.s && !str_eq(j->base, r->run.base_commit) &&
	    diff_answer(&r->answers, &spec, STR("."), ret, IGNORED) == 0)
		return 0;
	return diff_answer(&r->answers, &r->run.all_changes, STR("."), ret, err);
}

/* The files with findings that were not skipped, also under the names that they have got since the tree was seen. */
static int
find_files(struct arena *a, const struct review_job *j, const struct change_spec *spec, struct strset *ret,
	   struct err *err)
{
	const struct diff_answer *all = NULL;
	struct str root = j->reviews->run.repository.root;
	bool is_gone = false;

	*ret = strset_new(a, 0);
	for (size_t i = 0; i < j->count; i++) {
		struct finding_list found = slot_found_before(&j->slots[i]);

		for (size_t k = 0; k < found.count; k++) {
			struct str file = review_path(root, found.items[k].file);

			is_gone |= strset_add(ret, file) && fs_kind(path_join(a, root, file).s) == FS_NOTHING;
		}
	}
	if (is_gone && diff_answer(&j->reviews->answers, spec, STR("."), &all, err) < 0)
		return -1;
	for (size_t i = 0; all && i < all->sections.count; i++)
		if (all->sections.items[i].from.s && strset_has(ret, all->sections.items[i].from))
			(void)strset_add(ret, all->sections.items[i].file);
	return 0;
}

/* The sections and the hidden files of an answer that belong to the review. */
struct part {
	const struct diff_answer *answer;
	struct str pattern;          /* that files match; absent: all do */
	struct gate_patterns files;  /* likewise, of the gate; empty: all do */
	const struct strset *among;  /* that files are in; NULL: any */
	const struct strset *except; /* that files are not in; NULL: none */
};

static bool
part_has(const struct part *p, struct str file)
{
	if (!file.s)
		return !p->pattern.s && !p->among;
	return (!p->pattern.s || pathglob_match(p->pattern, file)) &&
	       (p->files.count == 0 || gate_patterns_have(&p->files, file)) &&
	       (!p->among || strset_has(p->among, file)) && (!p->except || !strset_has(p->except, file));
}

static void
add_part(struct arena *a, const struct part *p, struct buf *text, struct hidden_files *hidden)
{
	const struct diff_sections *l = &p->answer->sections;

	for (size_t i = 0; i < l->count; i++)
		if (part_has(p, l->items[i].file)) {
			buf_add(text, l->items[i].text);
			buf_add(text, str_ends(l->items[i].text, STR("\n")) ? STR("") : STR("\n"));
		}
	for (size_t i = 0; i < p->answer->hidden.count; i++)
		if (part_has(p, p->answer->hidden.items[i].path))
			*arena_push(a, hidden->items, hidden->count) = p->answer->hidden.items[i];
}

/* Of a file with findings the reviewer sees all of the change: what was found must not leave the text because something else in
 * the file was touched. These files come first, for where the text is cut. */
static int
read_diff(struct review_job *j, const struct change_spec *spec, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct review_facts *run = &j->reviews->run;
	struct diff_answers *answers = &j->reviews->answers;
	struct arena *a = j->reviews->arena;
	struct review_diff *d = &j->diff;
	struct str path = j->job->entry_point;
	bool has_pattern = pathglob_is_pattern(path) &&
			   fs_kind(path_join(a, run->repository.root, path).s) == FS_NOTHING;
	/* If nothing changed since the review saw the tree, no reviewer will be asked. */
	bool has_found = j->has_failed && d->is_tree_changed;
	struct buf b = BUF(a, SIZE_MAX);
	struct part own = { .pattern = has_pattern ? path : STR_NONE,
			    .files = gate_patterns_of(&scratch, &j->job->gate->files) };
	struct part of_found = { 0 };
	struct strset found, shown;

	d->hidden = (struct hidden_files){ 0 };
	if (diff_answer(answers, spec, has_pattern ? STR(".") : path, &own.answer, err) < 0 ||
	    (has_found &&
	     (ask_from_base(j, &of_found.answer, err) < 0 || find_files(&scratch, j, spec, &found, err) < 0)))
		return -1;
	if (has_found) {
		const struct diff_sections *l = &of_found.answer->sections;

		shown = strset_new(&scratch, l->count);
		for (size_t i = 0; i < l->count; i++)
			if (l->items[i].file.s && strset_has(&found, l->items[i].file))
				(void)strset_add(&shown, l->items[i].file);
		of_found.among = &found;
		own.except = &shown;
		buf_reserve(&b, own.answer->text.n + of_found.answer->text.n);
		add_part(a, &of_found, &b, &d->hidden);
	}
	if (has_found || has_pattern || own.files.count > 0) {
		add_part(a, &own, &b, &d->hidden);
		d->text = buf_str(&b);
	} else {
		d->text = own.answer->text;
		d->hidden = own.answer->hidden;
	}
	d->has_more = own.answer->has_more || (has_found && of_found.answer->has_more);
	d->is_empty = str_trim(d->text).n == 0 && !d->has_more;
	return 0;
}

/* The changes since the tree, if it still exists: then they are what is reviewed. */
static int
compare_since(struct review_job *j, struct str tree, struct change_spec *spec, struct err *err)
{
	struct change_spec of_tree = since(j, tree);
	const struct change_list *changes = NULL;

	if (tree.s && changes_answer(&j->reviews->answers, &of_tree, &changes, err) < 0)
		return -1;
	if (!changes)
		return 0;
	*spec = of_tree;
	j->diff.since = tree;
	j->diff.changes = *changes;
	j->diff.has_changes = true;
	j->diff.is_tree_changed = changes->count > 0;
	return 0;
}

/* The changes since the last run; where its snapshot is gone, since its commit. */
static int
compare_with_last_run(struct review_job *j, struct change_spec *spec, struct err *err)
{
	const struct execution_state *last = j->reviews->run.state;

	if (compare_since(j, last->working_tree_ref, spec, err) < 0)
		return -1;
	if (j->diff.has_changes)
		return 0;
	if (compare_since(j, last->commit, spec, err) < 0)
		return -1;
	j->diff.fallback = j->diff.has_changes ? STR("commit") : STR_NONE;
	return 0;
}

int
review_diff(struct review_job *j, struct err *err)
{
	const struct review_facts *run = &j->reviews->run;
	struct review_diff *d = &j->diff;
	struct change_spec spec = run->requested_changes;
	struct str tree = j->has_lost ? STR_NONE : choose_tree(j);
	bool asks_again = j->job->is_for_all_files, is_of_commit = spec.mode == CHANGES_COMMIT;

	d->is_tree_changed = true;
	/* The failure is known, but not what was found: it must not pass because the base has taken in the change. */
	if (j->has_lost && j->base.s && !is_of_commit &&
	    git_has_commit(j->reviews->arena, &run->repository, j->base, IGNORED) == ANSWER_YES) {
		spec = since(j, j->base);
		d->since = j->base;
	}
	if (compare_since(j, tree, &spec, err) < 0)
		return -1;
	/* A run for one commit shows that commit, and `run --all` shows everything; the changes since only show whether
	 * something was fixed. */
	d->is_tree_changed |= asks_again;
	if (is_of_commit || asks_again) {
		spec = run->requested_changes;
		d->since = STR_NONE;
	}
	if (read_diff(j, &spec, err) < 0)
		return -1;
	if (tree.s && !d->has_changes)
		d->fallback = run->covers_all_changes ? STR("the whole change") : STR("the given changes");
	/* The change is gone, or merged into the base, and it is unknown since when: then the changes since the last run
	 * are all there is to show of how a finding was fixed. */
	if (j->has_failed && d->is_empty && !d->has_changes && !is_of_commit &&
	    (compare_with_last_run(j, &spec, err) < 0 || read_diff(j, &spec, err) < 0))
		return -1;
	d->is_complete = (d->has_changes && !is_of_commit && !asks_again) || run->covers_all_changes;
	return 0;
}
