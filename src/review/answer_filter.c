/* SPDX-License-Identifier: MIT */
/* Which of a reviewer's violations count: those on lines of the change, those that were there before, and on a rerun
 * only what is grave enough. Pure. */
#include "review/answer.h"

#include "review/answer_read.h"

static int
rank(struct str priority)
{
	static const char *const ranks[] = { "low", "medium", "high", "critical" };

	for (size_t i = 0; i < COUNT_OF(ranks); i++)
		if (str_is(priority, ranks[i]))
			return (int)i;
	return (int)COUNT_OF(ranks); /* nobody knows what it means: it stays */
}

/* Issues are compared without their blanks at the ends; a line moves when others are put before it, an issue may be said
 * in other words. */
static bool
is_restated(const struct violation *v, struct str spelling, const struct violation *previous, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct violation *p = &previous[i];

		if (!str_eq(p->file, v->file) && !str_eq(p->file, spelling))
			continue;
		if ((p->line > 0 && p->line == v->line) || str_eq(str_trim(p->issue), v->issue))
			return true;
	}
	return false;
}

struct answer_filtered
answer_filter(struct arena *a, const struct answer *in, const struct diff_lines *lines,
	      const struct violation *previous, size_t previous_count, struct str threshold)
{
	struct answer_filtered out = { .violations = arena_array(a, in->violation_count + 1,
								 struct violation) };
	bool has_scope = diff_lines_file_count(lines) > 0;

	for (size_t i = 0; i < in->violation_count; i++) {
		struct violation v = in->violations[i];
		struct str spelling = v.file, meant = diff_lines_meant(lines, v.file);

		if (meant.s)
			v.file = meant;
		if (!in->is_vague && !is_restated(&v, spelling, previous, previous_count)) {
			if (has_scope && !(meant.s && diff_lines_has(lines, meant, v.line))) {
				out.out_of_scope++;
				continue;
			}
			if (threshold.s && rank(v.priority) < rank(threshold)) {
				out.below_threshold++;
				continue;
			}
		}
		out.violations[out.count++] = v;
	}
	if (out.count == 0 && in->malformed > 0)
		out.violations[out.count++] = answer_vague(a, in->unreadable);
	return out;
}
