/* SPDX-License-Identifier: MIT */
/* The decisions about reviews. What would let a failed review pass without anybody having looked is refused here. */
#include "review/review_plan.h"

#include "base/buf.h"

static bool
are_all(const struct slot_facts *slots, size_t count, enum slot_past past)
{
	for (size_t i = 0; i < count; i++)
		if (slots[i].past != past)
			return false;
	return true;
}

static enum slot_step
step_of_failed(const struct slot_facts *f, const struct review_situation *now)
{
	if (f->past == SLOT_BROKEN)
		return SLOT_KEEP;
	if (now->is_tree_changed && !now->is_diff_empty)
		return SLOT_ASK;
	return f->open > 0 ? SLOT_KEEP : SLOT_ACCEPT;
}

void
review_plan(const struct slot_facts *slots, size_t count, const struct review_situation *now,
	    enum slot_step *ret_steps, bool *ret_is_latched)
{
	bool have_all_passed = are_all(slots, count, SLOT_PASSED);

	*ret_is_latched = count > 1 && have_all_passed && !now->is_diff_empty;
	for (size_t i = 0; i < count; i++) {
		/* Where all have passed, and there is something to review, the first is the latch. */
		bool is_spared = slots[i].past == SLOT_PASSED && count > 1 &&
				 (have_all_passed ? i > 0 && !now->is_diff_empty : true);

		if (slots[i].past == SLOT_FAILED || slots[i].past == SLOT_BROKEN)
			ret_steps[i] = step_of_failed(&slots[i], now);
		else if (is_spared)
			ret_steps[i] = SLOT_SKIP;
		else
			ret_steps[i] = now->is_diff_empty ? SLOT_NOTHING : SLOT_ASK;
	}
}

/* The same finding, told again? Of one file, and by its text or by its line. */
static bool
is_same(const struct violation *x, const struct violation *y)
{
	return str_eq(x->file, y->file) &&
	       ((x->line > 0 && x->line == y->line) || str_eq(str_trim(x->issue), str_trim(y->issue)));
}

static bool
is_among(const struct violation *v, const struct violation *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_same(v, &list[i]))
			return true;
	return false;
}

/* What was skipped and is told again is no finding. */
static void
take_answer(const struct verify_facts *f, const struct answer_filtered *filtered, struct verified *v)
{
	for (size_t i = 0; i < filtered->count; i++)
		if (!is_among(&filtered->violations[i], f->skipped, f->skipped_count))
			v->violations[v->count++] = filtered->violations[i];
}

static void
add_unaddressed(const struct verify_facts *f, struct verified *v)
{
	size_t told = v->count;

	for (size_t i = 0; f->is_untouched && i < f->open_count; i++) {
		const struct violation *old = &f->open[i];

		if (str_is(old->status, "fixed") || is_among(old, v->violations, told) ||
		    !f->is_untouched(f->context, old))
			continue;
		v->violations[v->count++] = *old;
		v->unaddressed++;
	}
}

static struct str
failure_message(struct arena *a, const struct answer *answer, const struct verified *v)
{
	if (v->count == 0 || (answer->is_vague && v->count == 1))
		return STR("Found some violations");
	if (v->unaddressed > 0)
		return str_fmt(a, "Found %zu violations (%zu neither fixed nor skipped)", v->count,
			       v->unaddressed);
	return str_fmt(a, "Found %zu violations", v->count);
}

static struct str
pass_message(struct arena *a, const struct verify_facts *f, const struct verified *v)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str said = str_trim(f->answer->message);

	if (v->out_of_scope > 0 && v->below_threshold > 0)
		buf_addf(&b, "Passed (%zu out-of-scope and %zu below-threshold violations filtered)",
			 v->out_of_scope, v->below_threshold);
	else if (v->out_of_scope > 0)
		buf_addf(&b, "Passed (%zu out-of-scope violations filtered)", v->out_of_scope);
	else if (v->below_threshold > 0)
		buf_addf(&b, "Passed (%zu below-threshold violations filtered)", v->below_threshold);
	else
		buf_add(&b, f->answer->is_pass && said.n > 0 ? said : STR("Passed"));
	if (f->skipped_count > 0)
		buf_addf(&b, " (%zu skipped)", f->skipped_count);
	return buf_str(&b);
}

struct verified
review_verify(struct arena *a, const struct verify_facts *f)
{
	const struct answer *answer = f->answer;
	struct verified v = {
		.violations = arena_array(a, answer->violation_count + f->open_count, struct violation),
	};

	if (!answer->is_pass) {
		struct answer_filtered filtered = answer_filter(a, answer, f->lines, f->open, f->open_count,
								f->threshold);

		v.out_of_scope = filtered.out_of_scope;
		v.below_threshold = filtered.below_threshold;
		take_answer(f, &filtered, &v);
	}
	add_unaddressed(f, &v);
	/* A reviewer that says fail and names nothing: that is no pass. */
	v.is_pass = v.count == 0 && (answer->is_pass || answer->violation_count > 0);
	v.message = v.is_pass ? pass_message(a, f, &v) : failure_message(a, answer, &v);
	return v;
}
