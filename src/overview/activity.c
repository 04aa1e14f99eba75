/* SPDX-License-Identifier: MIT */
/* Folds decisions, loops, commits and the results of gates into the facts of a report. Reads nothing itself. */
#include "overview/activity.h"

#include "loop/state.h"
#include "os/clock.h"

/* A commit and the end of a loop have no fraction of a second: they may have been at any moment of it. */
#define SECOND_US 1000000
/* A larger number is none that a journal of ours has; so sums of them do not overflow. */
#define NUMBER_MAX ((INT64_C(1) << 40) - 1)

struct activity
activity_new(struct arena *a)
{
	return (struct activity){
		.arena = a,
		.known = arena_new(a, struct session_names),
		.gate_places = strset_new(a, 0),
		.texts = strset_new(a, 0),
	};
}

void
activity_free(struct activity *f)
{
	arena_free(&f->of_sessions);
}

/* Never absent, and independent of the line. */
static struct str
text_of(struct arena *a, const struct node *n, const char *key)
{
	struct str text = node_get_str(n, key);

	return text.s ? str_copy(a, text) : STR("");
}

/* The same for a text that many lines have: it is kept once. */
static struct str
common_text(struct activity *f, const struct node *n, const char *key)
{
	struct str text = node_get_str(n, key);
	size_t at = strset_at(&f->texts, text);

	if (text.n == 0)
		return STR("");
	if (at == f->texts.count)
		(void)strset_add(&f->texts, str_copy(f->arena, text));
	return f->texts.items[at];
}

/* ---- what has the same session ---- */

static struct activity_by_id *
by_id(struct activity *f, struct str id, size_t *ret_at)
{
	*ret_at = session_names_add(f->arena, f->known, id);
	while (f->by_id_count <= *ret_at)
		(void)arena_push(f->arena, f->by_id, f->by_id_count);
	return &f->by_id[*ret_at];
}

/* The next session with this id, or the first one if `s` is NULL; NULL: there are no more. */
static struct activity_session *
next_of_id(struct activity *f, size_t id_at, const struct activity_session *s)
{
	size_t number = s ? s->same_id : f->by_id[id_at].session;

	return number > 0 ? &f->sessions[number - 1] : NULL;
}

static void
index_session(struct activity *f, size_t number)
{
	struct activity_session *s = &f->sessions[number - 1], *other = NULL, *last = NULL;
	size_t *first = &by_id(f, s->id, &s->id_at)->session;

	s->same_id = 0;
	while ((other = next_of_id(f, s->id_at, other)))
		last = other;
	*(last ? &last->same_id : first) = number;
}

static void
index_loops(struct activity *f)
{
	size_t number;

	for (size_t i = 0; i < f->by_id_count; i++)
		f->by_id[i].loop = 0;
	for (size_t i = f->loop_count; i > 0; i--) {
		struct activity_by_id *of = by_id(f, f->loops[i - 1].session, &number);

		f->loops[i - 1].same_session = of->loop;
		of->loop = i;
	}
}

static struct activity_session *
session_of(struct activity *f, const struct node *n, int64_t time_us)
{
	struct str project = node_get_str(n, "project"), id = node_get_str(n, "session");
	struct activity_session *s = NULL;
	size_t number;

	(void)by_id(f, id, &number);
	while ((s = next_of_id(f, number, s)))
		if (str_eq(s->project, project))
			return s;
	s = arena_push(&f->of_sessions, f->sessions, f->session_count);
	*s = (struct activity_session){
		.project = common_text(f, n, "project"),
		.id = f->known->ids.items[number],
		.client = common_text(f, n, "client"),
		.first_us = time_us,
	};
	index_session(f, f->session_count);
	return s;
}

static bool
has_place(struct str in)
{
	return in.n > 0 && !str_is(in, ".");
}

/* The index of the gate, which is added if is_new; gate_count: there is none. */
static size_t
gate_index(struct activity *f, const struct activity_gate *like, bool is_new)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str place = str_cat(&scratch, like->name, "\n", has_place(like->in) ? like->in : STR(""), "\n",
				   like->reviewer, "\n", like->project);
	size_t i = strset_at(&f->gate_places, place);

	if (i == f->gate_count && is_new) {
		(void)strset_add(&f->gate_places, str_copy(f->arena, place));
		*arena_push(f->arena, f->gates, f->gate_count) = *like;
	}
	return i;
}

static void
read_results(struct activity *f, struct str project, const struct node *gates, struct activity_iteration *to)
{
	to->results = arena_array(f->arena, gates->count, struct activity_result);
	for_each (g, gates->items, gates->count) {
		struct str outcome = node_get_str(g, "outcome");
		struct activity_gate like = {
			.project = project,
			.name = common_text(f, g, "gate"),
			.in = common_text(f, g, "in"),
			.reviewer = common_text(f, g, "reviewer"),
		};

		if (like.name.n == 0)
			continue;
		to->results[to->result_count++] = (struct activity_result){
			.gate = (uint32_t)gate_index(f, &like, true),
			.outcome = str_is(outcome, "pass")    ? OUTCOME_PASS
				   : str_is(outcome, "fail")  ? OUTCOME_FAIL
				   : str_is(outcome, "error") ? OUTCOME_ERROR
							      : OUTCOME_SKIPPED,
			.ms = node_get_count(g, "ms", NUMBER_MAX),
			.is_reused = node_get_bool(g, "reused"),
			.is_flaky = node_get_bool(g, "flaky"),
		};
	}
}

void
activity_add_decision(struct activity *f, const struct decision *d)
{
	const struct node *n = &d->fields;
	struct activity_session *s = session_of(f, n, d->time_us);
	struct str decision = node_get_str(n, "decision");

	s->last_us = d->time_us;
	s->denied += str_is(decision, "deny");
	s->asked += str_is(decision, "ask");
	if (node_get_str(n, "transcript").n > 0)
		s->transcript = text_of(f->arena, n, "transcript");
	if (!str_is(node_get_str(n, "event"), "Stop"))
		return;
	struct activity_iteration *i = arena_new(f->arena, struct activity_iteration);

	*(s->last_iteration ? &s->last_iteration->next : &s->iterations) = i;
	s->last_iteration = i;
	s->iteration_count++;
	*i = (struct activity_iteration){
		.time_us = d->time_us,
		.took_ms = -1,
		.hook_ms = node_get_count(n, "ms", NUMBER_MAX),
		.is_block = str_is(decision, "block"),
		.policy = common_text(f, n, "policy"),
		.status = common_text(f, n, "status"),
		.message = common_text(f, n, "message"),
		.number = node_get_count(n, "number", NUMBER_MAX),
		.of = node_get_count(n, "of", NUMBER_MAX),
	};
	s->blocks += i->is_block;
	read_results(f, s->project, node_get_list(n, "gates"), i);
}

void
activity_add_loop(struct activity *f, const struct node *line, const struct decision_filter *filter)
{
	const struct node *cost = node_get(line, "cost_usd");
	struct activity_loop l = {
		.project = text_of(f->arena, line, "project"),
		.session = text_of(f->arena, line, "session"),
		.reason = text_of(f->arena, line, "reason"),
		.iterations = node_get_count(line, "passes", NUMBER_MAX),
	};

	if (!clock_parse(node_get_str(line, "time"), &l.ended_us))
		return;
	(void)clock_parse(node_get_str(line, "started_at"), &l.started_us);
	if ((filter->project.s && !str_eq(l.project, filter->project) &&
	     !str_starts(l.project, str_cat(f->arena, filter->project, "/"))) ||
	    l.ended_us < filter->since_us || (filter->until_us > 0 && l.ended_us >= filter->until_us))
		return;
	if (cost && loop_dollars_parse(cost->text, &l.usage.cost)) {
		l.usage.is_known = true;
		l.usage.tokens = node_get_count(line, "tokens", NUMBER_MAX);
	}
	*arena_push(f->arena, f->loops, f->loop_count) = l;
}

/* A block is followed by work at once. After an allowed stop somebody may have slept: then the model's first message says when
 * the work began, or the start of a loop. */
static int64_t
start_of(const struct activity *f, const struct activity_session *s, const struct activity_iteration *before,
	 const struct activity_iteration *i)
{
	int64_t after_us = before ? before->time_us : 0, loop_us = 0;

	if (before && before->is_block)
		return before->time_us;
	for (size_t k = f->by_id[s->id_at].loop; k > 0 && loop_us == 0; k = f->loops[k - 1].same_session)
		if (f->loops[k - 1].started_us > after_us && f->loops[k - 1].started_us < i->time_us)
			loop_us = f->loops[k - 1].started_us;
	if (loop_us > 0 && (i->first_message_us == 0 || loop_us < i->first_message_us))
		return loop_us;
	return i->first_message_us > after_us ? i->first_message_us : 0;
}

void
activity_fold_times(struct activity *f)
{
	index_loops(f);
	for_each (s, f->sessions, f->session_count) {
		const struct activity_iteration *before = NULL;

		for (struct activity_iteration *i = s->iterations; i; before = i, i = i->next) {
			i->from_us = start_of(f, s, before, i);
			if (i->from_us > 0 && i->from_us <= i->time_us)
				i->took_ms = (i->time_us - i->from_us) / 1000;
		}
		if (s->iterations && s->iterations->from_us > 0 && s->iterations->from_us < s->first_us)
			s->first_us = s->iterations->from_us;
		if (f->first_us == 0 || s->first_us < f->first_us)
			f->first_us = s->first_us;
		if (s->last_us > f->last_us)
			f->last_us = s->last_us;
	}
	for (size_t k = 0; k < f->loop_count; k++)
		if (f->loops[k].ended_us > f->last_us)
			f->last_us = f->loops[k].ended_us;
	if (f->first_us == 0 && f->loop_count > 0)
		f->first_us = f->loops[0].started_us > 0 ? f->loops[0].started_us : f->loops[0].ended_us;
}

/* ---- a part of them ---- */

void
activity_keep_session(struct activity *f, struct str name)
{
	struct activity all = *f;

	f->session_count = f->loop_count = f->gate_count = 0;
	f->gates = NULL;
	f->gate_places = strset_new(f->arena, 0);
	f->by_id_count = 0;
	f->by_id = NULL;
	f->first_us = f->last_us = 0;
	for (size_t i = 0; i < all.loop_count; i++)
		if (session_is_named(all.loops[i].session, name))
			f->loops[f->loop_count++] = all.loops[i];
	for (size_t k = 0; k < all.session_count; k++) {
		struct activity_session s = all.sessions[k];

		if (!session_is_named(s.id, name))
			continue;
		for (struct activity_iteration *i = s.iterations; i; i = i->next)
			for (size_t r = 0; r < i->result_count; r++)
				i->results[r].gate = (uint32_t)gate_index(f, &all.gates[i->results[r].gate],
									  true);
		f->sessions[f->session_count++] = s;
		index_session(f, f->session_count);
	}
	activity_fold_times(f);
}

/* ---- sums ---- */

static int
by_end(const void *x, const void *y)
{
	const struct activity_loop *a = x, *b = y;
	int64_t ends[2] = { a->ended_us ? a->ended_us : INT64_MAX, b->ended_us ? b->ended_us : INT64_MAX };

	return (ends[0] > ends[1]) - (ends[0] < ends[1]);
}

/* The tokens of a loop whose limits did not count them are those of its session in its time. */
static void
fill_loop(struct activity *f, struct activity_loop *l)
{
	const struct activity_session *s = NULL;
	size_t number;

	(void)by_id(f, l->session, &number);
	while (!l->usage.is_known && l->started_us > 0 && (s = next_of_id(f, number, s))) {
		l->usage.is_known = s->usage.is_known;
		for (const struct activity_iteration *i = s->iterations; i && s->usage.is_known;
		     i = i->next) {
			if (i->time_us < l->started_us ||
			    (l->ended_us > 0 && i->time_us > l->ended_us + SECOND_US))
				continue;
			l->usage.tokens += i->usage.tokens;
			l->usage.cost += i->usage.cost;
		}
	}
}

void
activity_fold_sums(struct activity *f)
{
	sort(f->loops, f->loop_count, by_end);
	for_each (s, f->sessions, f->session_count) {
		f->stops += s->iteration_count;
		f->blocks += s->blocks;
		f->denied += s->denied;
		f->asked += s->asked;
		f->usage.is_known |= s->usage.is_known;
		f->usage.tokens += s->usage.tokens;
		f->usage.cost += s->usage.cost;
	}
	activity_sum_commits(f);
	for (size_t k = 0; k < f->loop_count; k++)
		fill_loop(f, &f->loops[k]);
}

/* ---- gates: how often each ran and failed, how long it takes, and how often it is flaky ---- */

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
		size_t index = gate_index(f, &like, false);

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

/* Counts what a gate did at a stop. The times of those that ran go to the gate's own. */
static void
count_result(struct activity_gate *g, const struct activity_result *r, int64_t *times)
{
	g->reused += r->is_reused;
	if (r->is_reused || r->outcome == OUTCOME_SKIPPED)
		return;
	times[g->runs++] = r->ms;
	g->total_ms += r->ms;
	g->passed += r->outcome == OUTCOME_PASS;
	g->failed += r->outcome == OUTCOME_FAIL;
	g->errors += r->outcome == OUTCOME_ERROR;
	g->flaky += r->is_flaky;
}

void
activity_fold_gates(struct activity *f)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	int64_t **times = arena_array(&scratch, f->gate_count, int64_t *);
	size_t *most = arena_array(&scratch, f->gate_count, size_t);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t k = 0; k < f->session_count; k++)
			for (const struct activity_iteration *i = f->sessions[k].iterations; i; i = i->next)
				for (size_t r = 0; r < i->result_count; r++) {
					size_t gate = i->results[r].gate;

					if (pass == 0)
						most[gate]++;
					else
						count_result(&f->gates[gate], &i->results[r], times[gate]);
				}
		for (size_t i = 0; i < f->gate_count && pass == 0; i++)
			times[i] = arena_array(&scratch, most[i], int64_t);
	}
	for (size_t i = 0; i < f->gate_count; i++) {
		struct activity_gate *g = &f->gates[i];

		sort(times[i], g->runs, by_number);
		g->median_ms = percentile(times[i], g->runs, 50);
		g->p95_ms = percentile(times[i], g->runs, 95);
	}
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
