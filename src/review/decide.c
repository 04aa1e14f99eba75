/* SPDX-License-Identifier: MIT */
/* Decides what each slot does, and what an answer means for earlier findings. Refuses whatever would let a
 * failed review pass without another answer of a reviewer. */
#include "review/decide.h"

/* ---- slots ---- */

void
review_plan(const struct slot_facts *slots, size_t count, const struct review_situation *now,
	    enum slot_step *ret_steps, bool *ret_is_latched)
{
	bool have_all_passed = true;

	for (size_t i = 0; i < count; i++)
		have_all_passed &= slots[i].past == SLOT_PASSED;
	*ret_is_latched = count > 1 && have_all_passed && !now->is_diff_empty;
	for (size_t i = 0; i < count; i++) {
		bool is_latch = *ret_is_latched && i == 0;

		if (slots[i].past == SLOT_BROKEN)
			ret_steps[i] = SLOT_KEEP;
		else if (slots[i].past == SLOT_FAILED && (!now->is_tree_changed || now->is_diff_empty))
			ret_steps[i] = slots[i].open > 0 ? SLOT_KEEP : SLOT_ACCEPT;
		else if (slots[i].past == SLOT_PASSED && !is_latch && (*ret_is_latched || !have_all_passed))
			ret_steps[i] = SLOT_SKIP;
		else
			ret_steps[i] = now->is_diff_empty ? SLOT_NOTHING : SLOT_ASK;
	}
}

/* ---- answers ---- */

struct str
review_path(struct str root, struct str file)
{
	return path_tidy(path_shown(file, root));
}

/* Reviewers spell one file in several ways; findings are compared and kept with one. */
static struct finding *
respell(struct arena *a, const struct verify_facts *f, struct finding_list first, struct finding_list second)
{
	struct finding *all = arena_array(a, first.count + second.count, struct finding);

	for (size_t i = 0; i < first.count + second.count; i++) {
		all[i] = i < first.count ? first.items[i] : second.items[i - first.count];
		struct str file = diff_lines_meant(f->lines, all[i].file);

		all[i].file = file.s ? file : review_path(f->root, all[i].file);
	}
	return all;
}

/* Counts a new finding where it is dropped. */
static bool
is_dropped(const struct verify_facts *f, const struct finding *x, struct verified *v)
{
	if (f->answer->is_vague)
		return false;
	if (diff_lines_has_files(f->lines) && !diff_lines_has(f->lines, x->file, x->line)) {
		v->asides[v->out_of_scope++] = *x;
		return true;
	}
	if (finding_is_below(x, f->threshold)) {
		v->below_threshold++;
		return true;
	}
	return false;
}

static void
take_answer(struct arena *a, const struct verify_facts *f, struct verified *v)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct answer *answer = f->answer;
	struct finding_list now = { .count = answer->finding_count };
	struct finding_list before = { .count = f->open.count + f->skipped.count };
	bool *is_restated = arena_array(&scratch, before.count, bool);

	now.items = respell(&scratch, f, (struct finding_list){ answer->findings, now.count },
			    (struct finding_list){ 0 });
	before.items = respell(&scratch, f, f->open, f->skipped);
	const size_t *pairs = findings_match(&scratch, now, before, is_restated);

	for (size_t i = 0; i < now.count; i++)
		if (pairs[i] == FINDING_NONE ? !is_dropped(f, &now.items[i], v) : pairs[i] < f->open.count)
			v->findings[v->count++] = now.items[i];
	if (v->count == 0 && answer->malformed > 0)
		v->findings[v->count++] = answer_vague(a, answer->unreadable);
	for (size_t i = 0; f->is_untouched && i < f->open.count; i++) {
		const struct finding *old = &f->open.items[i];

		if (old->status == FINDING_FIXED || is_restated[i] || !f->is_untouched(f->context, old))
			continue;
		v->findings[v->count++] = *old;
		v->unaddressed++;
	}
}

static struct str
failure_message(struct arena *a, const struct answer *answer, const struct verified *v)
{
	if (v->count == 0 || (answer->is_vague && v->count == 1))
		return STR("Found some violations");
	if (v->unaddressed > 0)
		return str_cat(a, "Found ", v->count, " violations (", v->unaddressed,
			       " neither fixed nor skipped)");
	return str_cat(a, "Found ", v->count, " violations");
}

static struct str
pass_message(struct arena *a, const struct verify_facts *f, const struct verified *v)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str message = str_trim(f->answer->message);

	if (v->out_of_scope > 0 && v->below_threshold > 0)
		buf_cat(&b, "Passed (", v->out_of_scope, " out-of-scope and ", v->below_threshold,
			" below-threshold violations filtered)");
	else if (v->out_of_scope > 0)
		buf_cat(&b, "Passed (", v->out_of_scope, " out-of-scope violations filtered)");
	else if (v->below_threshold > 0)
		buf_cat(&b, "Passed (", v->below_threshold, " below-threshold violations filtered)");
	else
		buf_add(&b, message.n > 0 ? message : STR("Passed"));
	if (f->skipped.count > 0)
		buf_cat(&b, " (", f->skipped.count, " skipped)");
	return buf_str(&b);
}

struct verified
review_verify(struct arena *a, const struct verify_facts *f)
{
	const struct answer *answer = f->answer;
	struct verified v = {
		.findings = arena_array(a, answer->finding_count + f->open.count + 1, struct finding),
		.asides = arena_array(a, answer->finding_count, struct finding),
	};

	take_answer(a, f, &v);
	/* A reviewer that fails the change and names nothing has not passed it. */
	v.is_pass = v.count == 0 && (answer->is_pass || answer->finding_count > 0);
	v.message = v.is_pass ? pass_message(a, f, &v) : failure_message(a, answer, &v);
	return v;
}
