/* SPDX-License-Identifier: MIT */
/* State files of a loop: whatever parses can be counted, adopted and paused, and reads back with the new value and all
 * else as it was. The first bytes are the number, the rest is the file; the file is also the prompt of a new loop. */
#include "base/utf8.h"
#include "loop/state.h"

#include <stdlib.h>
#include <string.h>

#define OWNER STR("a \"new\" \\ owner: #1\n")

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct loop_edits no_edits = { 0 };

static void
check(bool holds)
{
	if (!holds)
		abort();
}

static struct loop_state
read_back(struct arena *a, struct str text)
{
	struct loop_state s;
	struct err err;

	check(loop_state_parse(a, text, &s, &err) == 0);
	return s;
}

/* All that the changes below must not touch. */
static bool
is_same_loop(const struct loop_state *x, const struct loop_state *y)
{
	return str_eq(x->prompt, y->prompt) && str_eq(x->promise, y->promise) &&
	       !x->promise.s == !y->promise.s && x->max_iterations == y->max_iterations &&
	       x->is_strict == y->is_strict && x->waits_for_background == y->waits_for_background &&
	       str_eq(x->started_at, y->started_at) && str_eq(x->doc.body, y->doc.body);
}

/* What a stop writes in addition to the iteration. */
static void
change_more(struct arena *a, const struct loop_state *s, uint64_t number)
{
	struct usage usage = { .read = { .offset = number, .mark = ~number },
			       .tokens = (int64_t)number,
			       .cost = 1,
			       .unknown_model = STR("new-model:7"),
			       .last = { { number | 1, { 1, 2, 3, 4, (int64_t)number } } },
			       .last_count = 1 };
	struct loop_stuck stuck = { number | 1, ~number, number, 2, 3 };
	struct loop_edits edits = { .items = { { "usage", loop_usage_text(a, &usage) },
					       { "progress", loop_stuck_text(a, &stuck) },
					       { "steer", STR("null") } },
				    .count = 3 };
	struct loop_state after = read_back(a, loop_state_with_iteration(a, s, number, STR_NONE, &edits));
	const struct loop_options *o = &after.options;

	check(is_same_loop(s, &after) && after.iteration == number && !o->steer.s);
	check(o->usage.read.offset == usage.read.offset && o->usage.read.mark == usage.read.mark &&
	      o->usage.tokens == usage.tokens && str_eq(o->usage.unknown_model, usage.unknown_model) &&
	      o->usage.last_count == 1 &&
	      memcmp(&o->usage.last[0], &usage.last[0], sizeof(usage.last[0])) == 0);
	check(memcmp(&o->stuck, &stuck, sizeof(stuck)) == 0);
}

static void
change(struct arena *a, const struct loop_state *s, uint64_t number)
{
	struct str text = loop_state_with_iteration(a, s, number, STR_NONE, &no_edits);
	struct loop_state counted = read_back(a, text);

	check(is_same_loop(s, &counted) && counted.iteration == number && counted.is_paused == s->is_paused);
	check(str_eq(counted.session_id, s->session_id));
	/* the same number again changes nothing */
	check(str_eq(loop_state_with_iteration(a, &counted, number, STR_NONE, &no_edits), text));

	struct loop_state adopted = read_back(a, loop_state_with_iteration(a, s, number, OWNER, &no_edits));

	check(is_same_loop(s, &adopted) && adopted.iteration == number && str_eq(adopted.session_id, OWNER));

	change_more(a, s, number);
	struct loop_state paused = read_back(a, loop_state_with_active(a, s, false));

	check(is_same_loop(s, &paused) && paused.iteration == s->iteration && paused.is_paused);

	struct loop_state resumed = read_back(a, loop_state_with_active(a, &paused, true));

	check(is_same_loop(s, &resumed) && resumed.iteration == s->iteration && !resumed.is_paused);
}

static void
begin(struct arena *a, struct str prompt, uint64_t number)
{
	struct loop_spec spec = {
		.prompt = prompt,
		.max_iterations = number,
		.promise = str_sub(prompt, 0, number % 64),
		.started_at = STR("2026-11-15T04:17:39Z"),
	};

	/* `ralph start` takes neither a blank prompt nor such a promise; a CR LF at the end is the end of a line */
	if (str_trim(prompt).n == 0 || str_ends(prompt, STR("\r")) || !utf8_is_valid(spec.promise) ||
	    str_trim(spec.promise).n == 0)
		return;
	struct loop_state s = read_back(a, loop_state_new(a, &spec));

	check(str_eq(s.prompt, prompt) && str_eq(s.promise, spec.promise) && s.iteration == 1 &&
	      s.max_iterations == number && !s.is_paused && !s.session_id.s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s;
	struct err err;
	uint32_t number;

	if (n < sizeof(number))
		return 0;
	memcpy(&number, data, sizeof(number));
	number %= (uint32_t)LOOP_NUMBER_MAX + 1;
	struct str text = { (const char *)data + sizeof(number), n - sizeof(number) };

	if (loop_state_parse(&a, text, &s, &err) == 0)
		change(&a, &s, number);
	else
		check(err.msg[0] != '\0');
	begin(&a, text, number);
	return 0;
}
