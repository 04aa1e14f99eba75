/* SPDX-License-Identifier: MIT */
/* Finds flaky checks in a results journal. */
#include "record/flaky.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"
#include "record/journal.h"

/* The last result of a check for a key. */
struct keyed_result {
	struct str part, key, name, place;
	bool has_passed;
	int64_t time_us;
};

struct search {
	struct arena *arena;
	struct keyed_result *results; /* those of the run that is being read come last */
	size_t count, capacity, run_begin;
	int64_t since_us, until_us;
	struct flaky_gates *found;
	size_t found_capacity;
};

static void
note_change(struct search *s, const struct keyed_result *k)
{
	struct flaky_gate *g = NULL;

	if (k->time_us < s->since_us || (s->until_us > 0 && k->time_us >= s->until_us))
		return;
	for (size_t i = 0; i < s->found->count && !g; i++)
		if (str_eq(s->found->items[i].name, k->name) && str_eq(s->found->items[i].place, k->place))
			g = &s->found->items[i];
	if (!g) {
		arena_make_room(s->arena, s->found->items, s->found->count, &s->found_capacity);
		g = &s->found->items[s->found->count++];
		*g = (struct flaky_gate){ .name = k->name, .place = k->place };
	}
	g->changes++;
	g->last_us = k->time_us;
}

static void
read_result(struct search *s, const struct node *n)
{
	struct str outcome = node_get_str(n, "outcome");
	struct keyed_result k = {
		.part = node_get_str(n, "part"),
		.key = node_get_str(n, "key"),
		.name = node_get_str(n, "gate"),
		.place = node_get_str(n, "place"),
		.has_passed = str_is(outcome, "pass"),
	};

	if (!k.key.s || !k.part.s || !k.name.s || !str_is(node_get_str(n, "kind"), "check") ||
	    (!k.has_passed && !str_is(outcome, "fail")) || !clock_parse(node_get_str(n, "time"), &k.time_us))
		return;
	k.place = k.place.s ? k.place : STR("");
	arena_make_room(s->arena, s->results, s->count, &s->capacity);
	s->results[s->count++] = k;
}

static bool
has_key(const struct node *keys, struct str key)
{
	for (size_t i = 0; keys && keys->kind == NODE_LIST && i < keys->count; i++)
		if (keys->items[i].kind == NODE_STRING && str_eq(keys->items[i].text, key))
			return true;
	return false;
}

/* Of an earlier run; NULL: there is none. */
static struct keyed_result *
find_earlier(struct search *s, const struct keyed_result *k)
{
	for (size_t i = s->run_begin; i-- > 0;)
		if (str_eq(s->results[i].key, k->key) && str_eq(s->results[i].part, k->part))
			return &s->results[i];
	return NULL;
}

/* The run has ended: its results for these keys count. */
static void
read_run(struct search *s, const struct node *n)
{
	const struct node *keys = node_get(n, "keys");
	size_t end = s->count;

	s->count = s->run_begin;
	for (size_t i = s->run_begin; i < end; i++) {
		struct keyed_result k = s->results[i], *earlier = find_earlier(s, &k);

		if (!has_key(keys, k.key))
			continue;
		if (earlier && earlier->has_passed != k.has_passed)
			note_change(s, &k);
		if (earlier)
			earlier->has_passed = k.has_passed;
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
		struct node n;
		struct err ignored;

		if (json_parse_in_place(a, line, STR_NONE, &n, &ignored) < 0)
			continue;
		if (str_is(node_get_str(&n, "event"), "result"))
			read_result(&s, &n);
		else if (str_is(node_get_str(&n, "event"), "run"))
			read_run(&s, &n);
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
