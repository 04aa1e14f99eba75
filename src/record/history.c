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

	*ret = (struct history){ 0 };
	while (str_next(&lines, '\n', &line)) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct node n;

		if (json_parse_in_place(&scratch, line, STR_NONE, &n, IGNORED) == 0 &&
		    read_result(a, &n, line, &r))
			*arena_push(a, ret->items, ret->count) = r;
	}
}

static bool
is_of(const struct timed_result *r, struct str part, int64_t slot)
{
	return r->slot == slot && str_eq(r->part, part);
}

const struct timed_result *
history_last(const struct history *h, struct str part, int64_t slot)
{
	for (size_t i = h->count; i-- > 0;)
		if (is_of(&h->items[i], part, slot))
			return &h->items[i];
	return NULL;
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

	for (size_t i = h->count; i-- > 0;) {
		const struct timed_result *r = &h->items[i];

		if (!is_of(r, part, slot) || r->outcome == OUTCOME_ERROR)
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
	struct timed_result
		*results; /* the last for each key; those of the run that is being read come last */
	size_t count, run_begin;
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
	const struct node *keys = node_get_list(n, "keys");
	size_t end = s->count;

	s->count = s->run_begin;
	for (size_t i = s->run_begin; i < end; i++) {
		struct timed_result k = s->results[i], *earlier = NULL;
		bool counts = false;

		for (size_t j = 0; j < keys->count && !counts; j++)
			counts = keys->items[j].kind == NODE_STRING && str_eq(keys->items[j].text, k.key);
		if (!counts)
			continue;
		for (size_t j = s->run_begin; j-- > 0 && !earlier;)
			if (str_eq(s->results[j].key, k.key) && str_eq(s->results[j].part, k.part))
				earlier = &s->results[j];
		if (earlier && earlier->outcome != k.outcome)
			note_change(s, &k);
		if (earlier)
			earlier->outcome = k.outcome;
		else
			s->results[s->count++] = k;
	}
	s->run_begin = s->count;
}

void
flaky_fold(struct arena *a, struct str lines, int64_t since_us, int64_t until_us, struct flaky_gates *ret)
{
	struct search s = { .arena = a, .since_us = since_us, .until_us = until_us, .found = ret };
	struct str line;

	*ret = (struct flaky_gates){ 0 };
	while (str_next(&lines, '\n', &line)) {
		struct timed_result k;
		struct node n;

		if (json_parse_in_place(a, line, STR_NONE, &n, IGNORED) < 0)
			continue;
		if (str_is(node_get_str(&n, "event"), "run"))
			read_run(&s, &n);
		else if (read_result(a, &n, line, &k) && k.is_check && k.key.s && k.gate.s &&
			 k.outcome != OUTCOME_ERROR)
			*arena_push(a, s.results, s.count) = k;
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
