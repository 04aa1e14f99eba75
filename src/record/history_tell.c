/* SPDX-License-Identifier: MIT */
/* What became of each run's failures, told run by run. */
#include "record/history.h"

#include "base/plain.h"
#include "record/history_read.h"

#include <inttypes.h>
#include <stdlib.h>

struct violations {
	struct finding *items;
	size_t count, capacity;
};

struct teller {
	struct arena *arena;
	struct history_tale *tale;
	size_t capacity;
	/* Of the gate, or slot, that is told of. */
	struct violations open;    /* not yet fixed */
	struct violations skipped; /* told already */
};

static void
add_line(struct teller *t, struct history_line line)
{
	struct history_tale *tale = t->tale;

	arena_make_room(t->arena, tale->items, tale->count, &t->capacity);
	tale->items[tale->count++] = line;
}

static struct str
describe(struct teller *t, const struct log_set *s, struct str label, const struct finding *v)
{
	struct arena *a = t->arena;
	struct str at = v->line > 0 ? str_fmt(a, "%" PRId64, v->line) : STR("?");

	return plain_line(a, str_fmt(a, STR_FMT " (" STR_FMT ") - " STR_FMT ":" STR_FMT " " STR_FMT,
				     STR_ARG(s->part), STR_ARG(label), STR_ARG(v->file), STR_ARG(at),
				     STR_ARG(v->issue)));
}

static void
tell_fixed(struct teller *t, const struct log_set *s, const struct violations *now)
{
	if (s->slot == 0 && t->open.count > 0 && now->count == 0) {
		add_line(t, (struct history_line){ .run = s->run,
						   .text = str_fmt(t->arena,
								   STR_FMT " - %zu violations resolved",
								   STR_ARG(s->part), t->open.count) });
		t->tale->fixed += t->open.count;
	}
	const size_t *again = findings_match(t->arena, (struct finding_list){ t->open.items, t->open.count },
					     (struct finding_list){ now->items, now->count }, NULL);

	for (size_t i = 0; s->slot > 0 && i < t->open.count; i++) {
		const struct finding *v = &t->open.items[i];
		struct str label = str_fmt(t->arena, "%" PRId64, s->slot);

		if (again[i] != FINDING_NONE)
			continue;
		add_line(t, (struct history_line){ .run = s->run, .text = describe(t, s, label, v) });
		t->tale->fixed++;
	}
}

static void
push(struct arena *a, struct violations *l, const struct finding *v)
{
	arena_make_room(a, l->items, l->count, &l->capacity);
	l->items[l->count++] = *v;
}

static void
tell_skipped(struct teller *t, const struct log_set *s, const struct log_result *r)
{
	const size_t *before = findings_match(
		t->arena, (struct finding_list){ r->violations, r->violation_count },
		(struct finding_list){ t->skipped.items, t->skipped.count }, NULL);

	for (size_t i = 0; i < r->violation_count; i++) {
		const struct finding *v = &r->violations[i];

		if (v->status != FINDING_SKIPPED || before[i] != FINDING_NONE)
			continue;
		push(t->arena, &t->skipped, v);
		add_line(t, (struct history_line){
				    .run = s->run,
				    .is_skip = true,
				    .text = describe(t, s, r->adapter, v),
				    .reason = v->result.s ? plain_line(t->arena, v->result) : STR_NONE,
			    });
		t->tale->skipped++;
	}
}

static void
tell_set(struct teller *t, const struct logdir *d, const struct log_set *s)
{
	struct log_result r;

	log_read(t->arena, d, s, &r);
	if ((r.outcome != LOG_PASS && r.outcome != LOG_FAIL) || r.is_unreadable)
		return;
	struct violations now = { .items = r.violations, .count = r.violation_count };

	tell_fixed(t, s, &now);
	tell_skipped(t, s, &r);
	t->open = (struct violations){ 0 };
	for (size_t i = 0; i < now.count; i++)
		if (now.items[i].status != FINDING_SKIPPED)
			push(t->arena, &t->open, &now.items[i]);
}

/* By run, then fixed before skipped; else as they are: qsort() does not promise that, so places are compared. */
struct placed {
	struct history_line line;
	size_t place;
};

static int
compare_placed(const void *left, const void *right)
{
	const struct placed *x = left, *y = right;

	if (x->line.run != y->line.run)
		return x->line.run < y->line.run ? -1 : 1;
	if (x->line.is_skip != y->line.is_skip)
		return x->line.is_skip ? 1 : -1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void
put_in_order(struct arena *a, struct history_tale *tale)
{
	struct placed *placed = arena_array(a, tale->count, struct placed);

	if (tale->count == 0)
		return;
	for (size_t i = 0; i < tale->count; i++)
		placed[i] = (struct placed){ tale->items[i], i };
	qsort(placed, tale->count, sizeof(*placed), compare_placed);
	for (size_t i = 0; i < tale->count; i++)
		tale->items[i] = placed[i].line;
}

void
history_tell(struct arena *a, const struct logdir *d, struct history_tale *ret)
{
	struct teller t = { .arena = a, .tale = ret };
	struct log_sets sets;

	*ret = (struct history_tale){ 0 };
	log_sets_list(a, d, STR_NONE, &sets);
	ret->runs = sets.runs;
	for (size_t i = 0; i < sets.count; i++) {
		if (i == 0 || !log_sets_meet(&sets.items[i], &sets.items[i - 1]))
			t.open = t.skipped = (struct violations){ 0 };
		tell_set(&t, d, &sets.items[i]);
	}
	put_in_order(a, ret);
}
