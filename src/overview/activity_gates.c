/* SPDX-License-Identifier: MIT */
/* Folds the results of gates: how often each ran and failed, how long it takes, and how often it is flaky. Reads nothing itself. */
#include "base/buf.h"
#include "base/escapes.h"
#include "overview/activity.h"

#include <stdlib.h>

static bool
has_place(struct str in)
{
	return in.n > 0 && !str_is(in, ".");
}

/* Its index; gate_count: there is none. */
static size_t
find_gate(const struct activity *f, const struct activity_gate *like)
{
	for (size_t i = 0; i < f->gate_count; i++) {
		const struct activity_gate *g = &f->gates[i];

		if (str_eq(g->name, like->name) && str_eq(g->project, like->project) &&
		    (str_eq(g->in, like->in) || (!has_place(g->in) && !has_place(like->in))) &&
		    str_eq(g->reviewer, like->reviewer))
			return i;
	}
	return f->gate_count;
}

size_t
activity_gate_index(struct activity *f, const struct activity_gate *like)
{
	size_t i = find_gate(f, like);

	if (i < f->gate_count)
		return i;
	*arena_push(f->arena, f->gates, f->gate_count) = *like;
	return i;
}

void
activity_add_flaky(struct activity *f, struct str project, const struct flaky_gates *found)
{
	for (size_t i = 0; i < found->count; i++) {
		const struct activity_gate like = {
			.project = project,
			.name = found->items[i].name,
			.in = found->items[i].place,
			.reviewer = STR(""),
		};
		size_t index = find_gate(f, &like);

		if (index < f->gate_count)
			f->gates[index].flaky += found->items[i].changes;
	}
}

static int
by_number(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* The smallest value that at least so many per cent of them do not exceed. */
static int64_t
percentile(const int64_t *sorted, size_t count, size_t per_cent)
{
	return count > 0 ? sorted[(count * per_cent + 99) / 100 - 1] : 0;
}

static void
fold_gate(struct activity *f, size_t index, int64_t *times)
{
	struct activity_gate *g = &f->gates[index];

	for (size_t k = 0; k < f->session_count; k++)
		for (size_t n = 0; n < f->sessions[k].iteration_count; n++) {
			const struct activity_iteration *i = &f->sessions[k].iterations[n];

			for (size_t r = 0; r < i->result_count; r++) {
				const struct activity_result *x = &i->results[r];

				if (x->gate != index)
					continue;
				g->reused += x->is_reused;
				if (x->is_reused || x->outcome == OUTCOME_SKIPPED)
					continue;
				times[g->runs++] = x->ms;
				g->total_ms += x->ms;
				g->passed += x->outcome == OUTCOME_PASS;
				g->failed += x->outcome == OUTCOME_FAIL;
				g->errors += x->outcome == OUTCOME_ERROR;
				g->flaky += x->is_flaky;
			}
		}
	if (g->runs > 1)
		qsort(times, g->runs, sizeof(times[0]), by_number);
	g->median_ms = percentile(times, g->runs, 50);
	g->p95_ms = percentile(times, g->runs, 95);
}

void
activity_fold_gates(struct activity *f)
{
	size_t most = 0;

	for (size_t k = 0; k < f->session_count; k++)
		for (size_t n = 0; n < f->sessions[k].iteration_count; n++)
			most += f->sessions[k].iterations[n].result_count;
	int64_t *times = arena_array(f->arena, most + 1, int64_t);

	for (size_t i = 0; i < f->gate_count; i++)
		fold_gate(f, i, times);
}

struct str
activity_gate_title(struct arena *a, const struct activity_gate *g)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, g->name);
	if (has_place(g->in))
		buf_cat(&b, " in ", g->in);
	if (g->reviewer.n > 0)
		buf_cat(&b, " by ", g->reviewer);
	return strip_escapes_line(a, buf_str(&b));
}
