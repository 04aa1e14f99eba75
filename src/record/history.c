/* SPDX-License-Identifier: MIT */
/* Reads results from the lines of the journal. */
#include "record/history.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"

/* As many results count for the usual time. */
#define USUAL_OF 9

/* False: it is no result, or one that was taken over from an earlier run. */
static bool
read_result(struct arena *a, const struct node *n, struct str line, struct timed_result *ret)
{
	struct str outcome = node_get_str(n, "outcome");

	if (!str_is(node_get_str(n, "event"), "result") || node_get(n, "passed_in"))
		return false;
	*ret = (struct timed_result){
		.is_check = str_is(node_get_str(n, "kind"), "check"),
		.gate = str_keep(a, node_get_str(n, "gate"), line),
		.place = str_keep(a, node_get_str(n, "place"), line),
		.key = str_keep(a, node_get_str(n, "key"), line),
		.part = str_keep(a, node_get_str(n, "part"), line),
		.slot = node_get_count(n, "slot", INT64_MAX),
		.log = str_keep(a, node_get_str(n, "log"), line),
		.outcome = str_is(outcome, "pass")   ? OUTCOME_PASS
			   : str_is(outcome, "fail") ? OUTCOME_FAIL
						     : OUTCOME_ERROR,
		.elapsed_ms = node_get_count(n, "ms", INT64_MAX),
	};
	return ret->part.n > 0 && clock_parse(node_get_str(n, "time"), &ret->ended_us);
}

void
history_parse(struct arena *a, struct str lines, struct history *ret)
{
	struct timed_result r;
	struct str line;

	*ret = (struct history){ .parts = strset_new(a, 0) };
	while (str_next(&lines, '\n', &line)) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct node n;

		if (json_parse_in_place(&scratch, line, STR_NONE, &n, IGNORED) < 0 ||
		    !read_result(a, &n, line, &r))
			continue;
		size_t part = strset_at(&ret->parts, r.part), count = part;

		if (strset_add(&ret->parts, r.part))
			(void)arena_push(a, ret->last, count);
		r.earlier = ret->last[part];
		*arena_push(a, ret->items, ret->count) = r;
		ret->last[part] = ret->count;
	}
}

/* The newest of a part; NULL: there is none. */
static const struct timed_result *
newest(const struct history *h, struct str part)
{
	size_t number = strset_at(&h->parts, part);

	return number < h->parts.count ? &h->items[h->last[number] - 1] : NULL;
}

static const struct timed_result *
earlier(const struct history *h, const struct timed_result *r)
{
	return r->earlier > 0 ? &h->items[r->earlier - 1] : NULL;
}

const struct timed_result *
history_last(const struct history *h, struct str part, int64_t slot)
{
	const struct timed_result *r = newest(h, part);

	while (r && r->slot != slot)
		r = earlier(h, r);
	return r;
}

static int
compare_times(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return a < b ? -1 : a > b;
}

int64_t
history_usual_ms(const struct history *h, struct str part, int64_t slot)
{
	int64_t passes[USUAL_OF], others[USUAL_OF];
	size_t pass_count = 0, other_count = 0;

	for (const struct timed_result *r = newest(h, part); r; r = earlier(h, r)) {
		if (r->slot != slot || r->outcome == OUTCOME_ERROR)
			continue;
		if (r->outcome == OUTCOME_PASS && pass_count < USUAL_OF)
			passes[pass_count++] = r->elapsed_ms;
		else if (r->outcome == OUTCOME_FAIL && other_count < USUAL_OF)
			others[other_count++] = r->elapsed_ms;
	}
	int64_t *times = pass_count > 0 ? passes : others;
	size_t count = pass_count > 0 ? pass_count : other_count;

	if (count == 0)
		return 0;
	sort(times, count, compare_times);
	return times[count / 2] > 0 ? times[count / 2] : 1;
}

/* ---- flaky checks ---- */

struct search {
	struct arena *arena;
	struct strset names;         /* part and key of... */
	struct timed_result *latest; /* ...the last result for each */
	struct timed_result *run;    /* the results of the run that is being read */
	size_t run_count;
	int64_t since_us, until_us;
	struct flaky_gates *found;
};

static void
note_change(struct search *s, const struct timed_result *k)
{
	struct flaky_gate *g = NULL;

	if (k->ended_us < s->since_us || (s->until_us > 0 && k->ended_us >= s->until_us))
		return;
	for (size_t i = 0; i < s->found->count && !g; i++)
		if (str_eq(s->found->items[i].name, k->gate) && str_eq(s->found->items[i].place, k->place))
			g = &s->found->items[i];
	if (!g) {
		g = arena_push(s->arena, s->found->items, s->found->count);
		*g = (struct flaky_gate){ .name = k->gate, .place = k->place.s ? k->place : STR("") };
	}
	g->changes++;
	g->last_us = k->ended_us;
}

/* The run has ended: its results for these keys count. */
static void
read_run(struct search *s, const struct node *n)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct node *items = node_get_list(n, "keys");
	struct strset keys = strset_new(&scratch, items->count);

	for (size_t i = 0; i < items->count; i++)
		if (items->items[i].kind == NODE_STRING)
			(void)strset_add(&keys, items->items[i].text);
	for_each (k, s->run, s->run_count) {
		struct str name = str_cat(s->arena, k->part, " ", k->key);
		size_t at = strset_at(&s->names, name), count = at;

		if (!strset_has(&keys, k->key))
			continue;
		if (strset_add(&s->names, name))
			*arena_push(s->arena, s->latest, count) = *k;
		else if (s->latest[at].outcome != k->outcome)
			note_change(s, k);
		s->latest[at].outcome = k->outcome;
	}
	s->run = NULL;
	s->run_count = 0;
}

void
flaky_fold(struct arena *a, struct str lines, int64_t since_us, int64_t until_us, struct flaky_gates *ret)
{
	struct search s = { .arena = a,
			    .since_us = since_us,
			    .until_us = until_us,
			    .found = ret,
			    .names = strset_new(a, 0) };
	struct str line;

	*ret = (struct flaky_gates){ 0 };
	while (str_next(&lines, '\n', &line)) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct timed_result k;
		struct node n;

		if (json_parse_in_place(&scratch, line, STR_NONE, &n, IGNORED) < 0)
			continue;
		if (str_is(node_get_str(&n, "event"), "run"))
			read_run(&s, &n);
		else if (read_result(a, &n, line, &k) && k.is_check && k.key.s && k.gate.s &&
			 k.outcome != OUTCOME_ERROR)
			*arena_push(a, s.run, s.run_count) = k;
	}
}

int
flaky_read(struct arena *a, struct str root, int64_t since_us, int64_t until_us, struct flaky_gates *ret,
	   struct err *err)
{
	struct str path = journal_beside(a, root, "results.jsonl"), text = STR_NONE;

	*ret = (struct flaky_gates){ 0 };
	if (path.s && fs_read(a, path.s, JOURNAL_LIMIT_BYTES, &text, err) < 0)
		return err_wrap(err, "the results journal");
	if (text.s)
		flaky_fold(a, text, since_us, until_us, ret);
	return 0;
}
