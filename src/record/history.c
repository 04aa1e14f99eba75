/* SPDX-License-Identifier: MIT */
/* Reads the times of results from the lines of the journal. */
#include "record/history.h"

#include "doc/json.h"
#include "os/clock.h"

#include <stdlib.h>

/* As many results count for the usual time. */
#define USUAL_OF 9

static int64_t
number_of(const struct node *n, const char *key)
{
	const struct node *value = node_get(n, key);

	return value && value->kind == NODE_INT && value->integer >= 0 ? value->integer : 0;
}

static bool
read_line(struct arena *a, struct str line, struct timed_result *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;
	struct err ignored;

	if (json_parse_in_place(&scratch, line, STR_NONE, &n, &ignored) < 0 ||
	    !str_is(node_get_str(&n, "event"), "result") || node_get(&n, "passed_in"))
		return false;
	struct str outcome = node_get_str(&n, "outcome"), log = node_get_str(&n, "log");

	*ret = (struct timed_result){
		.part = str_keep(a, node_get_str(&n, "part"), line),
		.slot = number_of(&n, "slot"),
		.log = str_keep(a, log, line),
		.outcome = str_is(outcome, "pass")   ? OUTCOME_PASS
			   : str_is(outcome, "fail") ? OUTCOME_FAIL
						     : OUTCOME_ERROR,
		.elapsed_ms = number_of(&n, "ms"),
	};
	return ret->part.n > 0 && clock_parse(node_get_str(&n, "time"), &ret->ended_us);
}

void
history_parse(struct arena *a, struct str lines, struct history *ret)
{
	size_t capacity = 0;
	struct timed_result r;
	struct str line;

	*ret = (struct history){ 0 };
	while (str_next(&lines, '\n', &line)) {
		if (!read_line(a, line, &r))
			continue;
		arena_make_room(a, ret->items, ret->count, &capacity);
		ret->items[ret->count++] = r;
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
	qsort(times, count, sizeof(*times), compare_times);
	return times[count / 2] > 0 ? times[count / 2] : 1;
}
