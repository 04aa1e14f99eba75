/* SPDX-License-Identifier: MIT */
/* Folds decisions, loops and commits into the facts of a report. Reads nothing itself. */
#include "cmd/report/facts.h"

#include "base/path.h"
#include "loop/options.h"
#include "os/clock.h"

#include <stdlib.h>

/* 0: it is absent, or none that a journal of ours has; so sums of them do not overflow. */
static int64_t
number_of(const struct node *n, const char *key)
{
	const struct node *value = node_get(n, key);

	return value && value->kind == NODE_INT && value->integer > 0 && value->integer < INT64_C(1) << 40
		       ? value->integer
		       : 0;
}

/* Never absent, and independent of the line. */
static struct str
text_of(struct arena *a, const struct node *n, const char *key)
{
	struct str text = node_get_str(n, key);

	return text.s ? str_copy(a, text) : STR("");
}

static struct facts_session *
session_of(struct facts *f, const struct node *n, int64_t time_us)
{
	struct str project = node_get_str(n, "project"), id = node_get_str(n, "session");

	for (size_t i = f->session_count; i-- > 0;)
		if (str_eq(f->sessions[i].id, id) && str_eq(f->sessions[i].project, project))
			return &f->sessions[i];
	arena_make_room(f->arena, f->sessions, f->session_count, &f->session_capacity);
	struct facts_session *s = &f->sessions[f->session_count++];

	*s = (struct facts_session){
		.project = text_of(f->arena, n, "project"),
		.id = text_of(f->arena, n, "session"),
		.client = text_of(f->arena, n, "client"),
		.first_us = time_us,
	};
	return s;
}

static void
read_results(struct facts *f, struct str project, const struct node *gates, struct facts_iteration *to)
{
	if (!gates || gates->kind != NODE_LIST)
		return;
	to->results = arena_array(f->arena, gates->count, struct facts_result);
	for (size_t i = 0; i < gates->count; i++) {
		const struct node *g = &gates->items[i];
		struct str outcome = node_get_str(g, "outcome");
		struct facts_gate like = {
			.project = project,
			.name = text_of(f->arena, g, "gate"),
			.in = text_of(f->arena, g, "in"),
			.reviewer = text_of(f->arena, g, "reviewer"),
		};

		if (like.name.n == 0)
			continue;
		to->results[to->result_count++] = (struct facts_result){
			.gate = facts_gate_index(f, &like),
			.outcome = str_is(outcome, "pass")    ? OUTCOME_PASS
				   : str_is(outcome, "fail")  ? OUTCOME_FAIL
				   : str_is(outcome, "error") ? OUTCOME_ERROR
							      : OUTCOME_SKIPPED,
			.ms = number_of(g, "ms"),
			.is_reused = node_get_bool(g, "reused"),
			.is_flaky = node_get_bool(g, "flaky"),
		};
	}
}

void
facts_add_decision(struct facts *f, const struct decision *d)
{
	const struct node *n = &d->fields;
	struct facts_session *s = session_of(f, n, d->time_us);
	struct str decision = node_get_str(n, "decision");

	s->last_us = d->time_us;
	s->denied += str_is(decision, "deny");
	s->asked += str_is(decision, "ask");
	if (node_get_str(n, "transcript").n > 0)
		s->transcript = text_of(f->arena, n, "transcript");
	if (!str_is(node_get_str(n, "event"), "Stop"))
		return;
	arena_make_room(f->arena, s->iterations, s->iteration_count, &s->capacity);
	struct facts_iteration *i = &s->iterations[s->iteration_count++];

	*i = (struct facts_iteration){
		.time_us = d->time_us,
		.took_ms = -1,
		.hook_ms = number_of(n, "ms"),
		.is_block = str_is(decision, "block"),
		.policy = text_of(f->arena, n, "policy"),
		.status = text_of(f->arena, n, "status"),
		.message = text_of(f->arena, n, "message"),
		.number = number_of(n, "number"),
		.of = number_of(n, "of"),
	};
	s->blocks += i->is_block;
	read_results(f, s->project, node_get(n, "gates"), i);
}

/* The project itself, or a directory below it. */
static bool
is_within(struct str dir, struct str project)
{
	return str_eq(dir, project) ||
	       (str_starts(dir, project) && dir.n > project.n && dir.s[project.n] == '/');
}

void
facts_add_loop(struct facts *f, const struct node *line, const struct decision_filter *filter)
{
	const struct node *cost = node_get(line, "cost_usd");
	struct facts_loop l = {
		.project = text_of(f->arena, line, "project"),
		.session = text_of(f->arena, line, "session"),
		.reason = text_of(f->arena, line, "reason"),
		.iterations = number_of(line, "passes"),
	};

	if (!clock_parse(node_get_str(line, "time"), &l.ended_us))
		return;
	(void)clock_parse(node_get_str(line, "started_at"), &l.started_us);
	if ((filter->project.s && !is_within(l.project, filter->project)) || l.ended_us < filter->since_us ||
	    (filter->until_us > 0 && l.ended_us >= filter->until_us))
		return;
	if (cost && loop_dollars_parse(cost->text, &l.usage.cost)) {
		l.usage.is_known = true;
		l.usage.tokens = number_of(line, "tokens");
	}
	arena_make_room(f->arena, f->loops, f->loop_count, &f->loop_capacity);
	f->loops[f->loop_count++] = l;
}

/* When a loop of the session began, between these times; 0: none did. */
static int64_t
loop_start_between(const struct facts *f, const struct facts_session *s, int64_t after_us, int64_t before_us)
{
	for (size_t i = 0; i < f->loop_count; i++) {
		const struct facts_loop *l = &f->loops[i];

		if (str_eq(l->session, s->id) && l->started_us > after_us && l->started_us < before_us)
			return l->started_us;
	}
	return 0;
}

/* A block is followed by work at once. After an allowed stop somebody may have slept: then the model's first message says when
 * the work began, or the start of a loop. */
static int64_t
start_of(const struct facts *f, const struct facts_session *s, size_t index)
{
	const struct facts_iteration *i = &s->iterations[index],
				     *before = index > 0 ? &s->iterations[index - 1] : NULL;
	int64_t after_us = before ? before->time_us : 0, loop_us;

	if (before && before->is_block)
		return before->time_us;
	loop_us = loop_start_between(f, s, after_us, i->time_us);
	if (loop_us > 0 && (i->first_message_us == 0 || loop_us < i->first_message_us))
		return loop_us;
	return i->first_message_us > after_us ? i->first_message_us : 0;
}

void
facts_fold_times(struct facts *f)
{
	for (size_t k = 0; k < f->session_count; k++) {
		struct facts_session *s = &f->sessions[k];

		for (size_t n = 0; n < s->iteration_count; n++) {
			struct facts_iteration *i = &s->iterations[n];

			i->from_us = start_of(f, s, n);
			if (i->from_us > 0 && i->from_us <= i->time_us)
				i->took_ms = (i->time_us - i->from_us) / 1000;
		}
		if (s->iteration_count > 0 && s->iterations[0].from_us > 0 &&
		    s->iterations[0].from_us < s->first_us)
			s->first_us = s->iterations[0].from_us;
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

/* ---- commits ---- */

/* Adds the commits of a span, whose files count once. */
static void
add_commits(struct arena *a, struct facts_count *to, const struct made_commit *commits, size_t count)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most += commits[i].files.count;
	struct strset seen = strset_new(a, most);

	to->commits += count;
	for (size_t i = 0; i < count; i++) {
		to->added += commits[i].added;
		to->removed += commits[i].removed;
		for (size_t k = 0; k < commits[i].files.count; k++)
			to->files += strset_add(&seen, commits[i].files.items[k]);
	}
}

/* The time of a commit has no fraction: it may have been made at any moment of its second. */
#define SECOND_US 1000000

/* When the work of an iteration can have begun, at the earliest; INT64_MAX: nobody knows. */
static int64_t
earliest(const struct facts_session *s, size_t index)
{
	if (s->iterations[index].from_us > 0)
		return s->iterations[index].from_us;
	return index > 0 ? s->iterations[index - 1].time_us : INT64_MAX;
}

/* The iteration of a session, from `at` on, in which a commit was made; NULL: none. A commit in the second of a stop belongs to the
 * work after it only if that before it can't be. */
static struct facts_iteration *
maker_in(struct facts_session *s, size_t at, const struct made_commit *c)
{
	for (; at < s->iteration_count; at++) {
		int64_t from_us = earliest(s, at);

		if (from_us < c->time_us + SECOND_US)
			return &s->iterations[at];
		if (from_us < INT64_MAX)
			break;
	}
	return NULL;
}

/* Of several sessions in the same work tree, the one that stopped first after it. `at` has a place in each session, which only moves
 * forward. */
static struct facts_iteration *
maker_of(struct facts *f, struct str project, const struct made_commit *c, size_t *at, size_t *ret_session)
{
	struct facts_iteration *best = NULL;

	for (size_t k = 0; k < f->session_count; k++) {
		struct facts_session *s = &f->sessions[k];

		if (!str_eq(s->project, project))
			continue;
		while (at[k] < s->iteration_count && s->iterations[at[k]].time_us < c->time_us)
			at[k]++;
		struct facts_iteration *maker = maker_in(s, at[k], c);

		if (!maker || (best && best->time_us <= maker->time_us))
			continue;
		best = maker;
		*ret_session = k;
	}
	return best;
}

void
facts_add_commits(struct facts *f, struct str project, const struct made_commit *commits, size_t count)
{
	struct facts_iteration **makers = arena_array(f->arena, count, struct facts_iteration *);
	size_t *sessions = arena_array(f->arena, count, size_t);
	size_t *at = arena_array(f->arena, f->session_count, size_t);
	struct made_commit *own = arena_array(f->arena, count, struct made_commit);
	size_t n;

	for (size_t c = 0; c < count; c++)
		makers[c] = maker_of(f, project, &commits[c], at, &sessions[c]);
	for (size_t k = 0; k < f->session_count; k++) {
		n = 0;
		for (size_t c = 0; c < count; c++)
			if (makers[c] && sessions[c] == k)
				own[n++] = commits[c];
		add_commits(f->arena, &f->sessions[k].count, own, n);
	}
	/* Those of one iteration lie next to each other, except for those of other sessions. */
	for (size_t c = 0; c < count; c++) {
		struct facts_iteration *maker = makers[c];

		if (!maker || maker->commits)
			continue;
		n = 0;
		for (size_t i = c; i < count && commits[i].time_us <= maker->time_us; i++)
			n += makers[i] == maker;
		maker->commits = arena_array(f->arena, n, struct made_commit);
		n = 0;
		for (size_t i = c; i < count && commits[i].time_us <= maker->time_us; i++)
			if (makers[i] == maker)
				maker->commits[n++] = commits[i];
		add_commits(f->arena, &maker->count, maker->commits, n);
	}
}

/* ---- a part of them ---- */

void
facts_keep_session(struct facts *f, struct str beginning)
{
	struct facts all = *f;

	f->session_count = f->loop_count = f->gate_count = f->gate_capacity = 0;
	f->gates = NULL;
	f->first_us = f->last_us = 0;
	for (size_t i = 0; i < all.loop_count; i++)
		if (str_starts(all.loops[i].session, beginning))
			f->loops[f->loop_count++] = all.loops[i];
	for (size_t k = 0; k < all.session_count; k++) {
		struct facts_session s = all.sessions[k];

		if (!str_starts(s.id, beginning))
			continue;
		for (size_t n = 0; n < s.iteration_count; n++)
			for (size_t r = 0; r < s.iterations[n].result_count; r++) {
				size_t *gate = &s.iterations[n].results[r].gate;

				*gate = facts_gate_index(f, &all.gates[*gate]);
			}
		f->sessions[f->session_count++] = s;
	}
	facts_fold_times(f);
}

/* ---- sums ---- */

/* Of a project, whose files count once whichever session changed them. */
static void
sum_commits(struct facts *f, struct str project)
{
	struct made_commit *all;
	size_t count = 0, n = 0;

	for (size_t k = 0; k < f->session_count; k++)
		count += str_eq(f->sessions[k].project, project) ? f->sessions[k].count.commits : 0;
	all = arena_array(f->arena, count, struct made_commit);
	for (size_t k = 0; k < f->session_count; k++) {
		const struct facts_session *s = &f->sessions[k];

		for (size_t i = 0; i < s->iteration_count && str_eq(s->project, project); i++)
			for (size_t c = 0; c < s->iterations[i].count.commits; c++)
				all[n++] = s->iterations[i].commits[c];
	}
	add_commits(f->arena, &f->count, all, n);
}

static int
by_end(const void *x, const void *y)
{
	const struct facts_loop *a = x, *b = y;
	int64_t ends[2] = { a->ended_us ? a->ended_us : INT64_MAX, b->ended_us ? b->ended_us : INT64_MAX };

	return (ends[0] > ends[1]) - (ends[0] < ends[1]);
}

/* The tokens of a loop whose limits did not count them are those of its session in its time. */
static void
fill_loop(const struct facts *f, struct facts_loop *l)
{
	for (size_t k = 0; k < f->session_count; k++) {
		const struct facts_session *s = &f->sessions[k];

		if (!str_eq(s->id, l->session) || l->usage.is_known || !s->usage.is_known ||
		    l->started_us == 0)
			continue;
		l->usage.is_known = true;
		for (size_t n = 0; n < s->iteration_count; n++) {
			const struct facts_iteration *i = &s->iterations[n];

			if (i->time_us < l->started_us ||
			    (l->ended_us > 0 && i->time_us > l->ended_us + SECOND_US))
				continue;
			l->usage.tokens += i->usage.tokens;
			l->usage.cost += i->usage.cost;
		}
	}
}

void
facts_fold_sums(struct facts *f)
{
	if (f->loop_count > 1)
		qsort(f->loops, f->loop_count, sizeof(f->loops[0]), by_end);
	for (size_t k = 0; k < f->session_count; k++) {
		const struct facts_session *s = &f->sessions[k];
		size_t first = 0;

		while (!str_eq(f->sessions[first].project, s->project))
			first++;
		if (first == k)
			sum_commits(f, s->project);
		f->stops += s->iteration_count;
		f->blocks += s->blocks;
		f->denied += s->denied;
		f->asked += s->asked;
		f->usage.is_known |= s->usage.is_known;
		f->usage.tokens += s->usage.tokens;
		f->usage.cost += s->usage.cost;
	}
	for (size_t k = 0; k < f->loop_count; k++)
		fill_loop(f, &f->loops[k]);
}
