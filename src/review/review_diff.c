/* SPDX-License-Identifier: MIT */
/* The diff of one review. Compares only with a tree that this very review has seen: another gate may have passed there
 * without looking for what this reviewer finds. */
#include "review/slot.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/pathglob.h"
#include "review/diff_answers.h"
#include "os/fs.h"

static struct change_spec
since(const struct review_diff_facts *f, struct str tree)
{
	return (struct change_spec){ .mode = CHANGES_SINCE,
				     .commit = tree,
				     .log_dir = f->run->all_changes.log_dir,
				     .is_without_large = true };
}

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

/* ---- composing the text ---- */

static int
ask_diff(struct arena *a, const struct review_diff_facts *f, const struct change_spec *spec, struct str path,
	 const struct diff_answer **ret, struct err *err)
{
	return diff_answer(a, &f->run->repository, f->answers, spec, path, ret, err);
}

/* All of the change. If the base has moved since the review failed, it may have taken in what was found. */
static int
ask_from_base(struct arena *a, const struct review_diff_facts *f, const struct diff_answer **ret,
	      struct err *err)
{
	struct change_spec spec = since(f, f->base);
	struct err ignored;

	if (f->base.s && !str_eq(f->base, f->run->base_commit) &&
	    ask_diff(a, f, &spec, STR("."), ret, &ignored) == 0)
		return 0;
	return ask_diff(a, f, &f->run->all_changes, STR("."), ret, err);
}

/* The files with findings that were not skipped. */
static struct strset
found_files(struct arena *a, const struct review_diff_facts *f)
{
	size_t count = 0;

	for (size_t i = 0; i < f->failed_count; i++)
		count += f->failed[i]->violation_count;
	struct strset found = strset_new(a, count);

	for (size_t i = 0; i < f->failed_count; i++) {
		const struct past_result *p = f->failed[i];

		for (size_t k = 0; k < p->violation_count; k++)
			(void)strset_add(&found, review_path(f->run->repository.root, p->violations[k].file));
	}
	return found;
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
	struct hidden_file *all = arena_array(a, hidden->count + p->answer->hidden.count, struct hidden_file);

	for (size_t i = 0; i < l->count; i++)
		if (part_has(p, l->items[i].file)) {
			buf_add(text, l->items[i].text);
			buf_add(text, str_ends(l->items[i].text, STR("\n")) ? STR("") : STR("\n"));
		}
	for (size_t i = 0; i < hidden->count; i++)
		all[i] = hidden->items[i];
	hidden->items = all;
	for (size_t i = 0; i < p->answer->hidden.count; i++)
		if (part_has(p, p->answer->hidden.items[i].path))
			all[hidden->count++] = p->answer->hidden.items[i];
}

/* The names that an answer has sections of. */
static struct strset
files_among(struct arena *a, const struct diff_answer *x, const struct strset *among)
{
	struct strset files = strset_new(a, x->sections.count);

	for (size_t i = 0; i < x->sections.count; i++)
		if (x->sections.items[i].file.s && strset_has(among, x->sections.items[i].file))
			(void)strset_add(&files, x->sections.items[i].file);
	return files;
}

/* Of a file with findings the reviewer sees all of the change: what was found must not leave the text because something else in
 * the file was touched. These files come first, for where the text is cut. */
static int
read_diff(struct arena *a, const struct review_diff_facts *f, const struct change_spec *spec,
	  struct review_diff *d, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	bool has_pattern = pathglob_is_pattern(f->path) &&
			   fs_kind(path_join(a, f->run->repository.root, f->path).s) == FS_NOTHING;
	/* If nothing changed since the review saw the tree, no reviewer will be asked. */
	bool has_found = f->failed_count > 0 && d->is_tree_changed;
	struct buf b = BUF(a, SIZE_MAX);
	struct part own = { .pattern = has_pattern ? f->path : STR_NONE,
			    .files = gate_patterns_of(&scratch, f->files) };
	struct part of_found = { 0 };
	struct strset found, shown;

	d->hidden = (struct hidden_files){ 0 };
	if (has_found && (has_pattern || str_is(f->path, ".")) && str_eq(f->base, f->run->base_commit))
		diff_answers_prepare(a, &f->run->repository, f->answers,
				     (const struct change_spec[2]){ *spec, f->run->all_changes });
	if (ask_diff(a, f, spec, has_pattern ? STR(".") : f->path, &own.answer, err) < 0 ||
	    (has_found && ask_from_base(a, f, &of_found.answer, err) < 0))
		return -1;
	if (has_found) {
		found = found_files(&scratch, f);
		shown = files_among(&scratch, of_found.answer, &found);
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
compare_since(struct arena *a, const struct review_diff_facts *f, struct str tree, struct change_spec *spec,
	      struct review_diff *d, struct err *err)
{
	const struct change_list *changes;

	if (!tree.s)
		return 0;
	struct change_spec of_tree = since(f, tree);

	if (changes_answer(a, &f->run->repository, f->answers, &of_tree, &changes, err) < 0)
		return -1;
	if (!changes)
		return 0;
	*spec = of_tree;
	d->since = tree;
	d->changes = *changes;
	d->has_changes = true;
	d->is_tree_changed = changes->count > 0;
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
	struct str tree = f->has_lost ? STR_NONE : choose_tree(f);
	bool is_of_commit = f->run->requested_changes.mode == CHANGES_COMMIT;
	struct err ignored;

	/* The failure is known, but not what was found: it must not pass because the base has taken in the change. */
	if (f->has_lost && f->base.s && !is_of_commit &&
	    git_has_commit(a, &f->run->repository, f->base, &ignored) == ANSWER_YES) {
		spec = since(f, f->base);
		d.since = f->base;
	}

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
