/* SPDX-License-Identifier: MIT */
/* Folds decisions, loops, commits and the results of gates into the facts of a report. Reads nothing itself. */
#include "overview/activity.h"

#include "loop/state.h"
#include "os/clock.h"

/* A larger number is none that a journal of ours has; so sums of them do not overflow. */
#define NUMBER_MAX ((INT64_C(1) << 40) - 1)

/* Never absent, and independent of the line. */
static struct str
text_of(struct arena *a, const struct node *n, const char *key)
{
	struct str text = node_get_str(n, key);

	return text.s ? str_copy(a, text) : STR("");
}

static struct activity_session *
session_of(struct activity *f, const struct node *n, int64_t time_us)
{
	struct str project = node_get_str(n, "project"), id = node_get_str(n, "session");

	for (size_t i = f->session_count; i-- > 0;)
		if (str_eq(f->sessions[i].id, id) && str_eq(f->sessions[i].project, project))
			return &f->sessions[i];
	struct activity_session *s = arena_push(f->arena, f->sessions, f->session_count);

	*s = (struct activity_session){
		.project = text_of(f->arena, n, "project"),
		.id = text_of(f->arena, n, "session"),
		.client = text_of(f->arena, n, "client"),
		.first_us = time_us,
	};
	return s;
}

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

/* A new one where there is none. */
static size_t
gate_index(struct activity *f, const struct activity_gate *like)
{
	size_t i = find_gate(f, like);

	if (i < f->gate_count)
		return i;
	*arena_push(f->arena, f->gates, f->gate_count) = *like;
	return i;
}

static void
read_results(struct activity *f, struct str project, const struct node *gates, struct activity_iteration *to)
{
	to->results = arena_array(f->arena, gates->count, struct activity_result);
	for (size_t i = 0; i < gates->count; i++) {
		const struct node *g = &gates->items[i];
		struct str outcome = node_get_str(g, "outcome");
		struct activity_gate like = {
			.project = project,
			.name = text_of(f->arena, g, "gate"),
			.in = text_of(f->arena, g, "in"),
			.reviewer = text_of(f->arena, g, "reviewer"),
		};

		if (like.name.n == 0)
			continue;
		to->results[to->result_count++] = (struct activity_result){
			.gate = gate_index(f, &like),
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
	struct activity_iteration *i = arena_push(f->arena, s->iterations, s->iteration_count);

	*i = (struct activity_iteration){
		.time_us = d->time_us,
		.took_ms = -1,
		.hook_ms = node_get_count(n, "ms", NUMBER_MAX),
		.is_block = str_is(decision, "block"),
		.policy = text_of(f->arena, n, "policy"),
		.status = text_of(f->arena, n, "status"),
		.message = text_of(f->arena, n, "message"),
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
start_of(const struct activity *f, const struct activity_session *s, size_t index)
{
	const struct activity_iteration *i = &s->iterations[index],
					*before = index > 0 ? &s->iterations[index - 1] : NULL;
	int64_t after_us = before ? before->time_us : 0, loop_us = 0;

	if (before && before->is_block)
		return before->time_us;
	for (size_t k = 0; k < f->loop_count && loop_us == 0; k++) {
		const struct activity_loop *l = &f->loops[k];

		if (str_eq(l->session, s->id) && l->started_us > after_us && l->started_us < i->time_us)
			loop_us = l->started_us;
	}
	if (loop_us > 0 && (i->first_message_us == 0 || loop_us < i->first_message_us))
		return loop_us;
	return i->first_message_us > after_us ? i->first_message_us : 0;
}

void
activity_fold_times(struct activity *f)
{
	for (size_t k = 0; k < f->session_count; k++) {
		struct activity_session *s = &f->sessions[k];

		for (size_t n = 0; n < s->iteration_count; n++) {
			struct activity_iteration *i = &s->iterations[n];

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
add_commits(struct arena *a, struct activity_count *to, const struct made_commit *commits, size_t count)
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

/* The iteration of a session, from `at` on, in which a commit was made; NULL: none. A commit in the second of a stop belongs to the
 * work after it only if that before it can't be. */
static struct activity_iteration *
maker_in(struct activity_session *s, size_t at, const struct made_commit *c)
{
	for (; at < s->iteration_count; at++) {
		/* When its work can have begun, at the earliest; INT64_MAX: nobody knows. */
		int64_t from_us = s->iterations[at].from_us > 0 ? s->iterations[at].from_us
				  : at > 0                      ? s->iterations[at - 1].time_us
								: INT64_MAX;

		if (from_us < c->time_us + SECOND_US)
			return &s->iterations[at];
		if (from_us < INT64_MAX)
			break;
	}
	return NULL;
}

/* Of several sessions in the same work tree, the one that stopped first after it. `at` has a place in each session, which only moves
 * forward. */
static struct activity_iteration *
maker_of(struct activity *f, struct str project, const struct made_commit *c, size_t *at)
{
	struct activity_iteration *best = NULL;

	for (size_t k = 0; k < f->session_count; k++) {
		struct activity_session *s = &f->sessions[k];

		if (!str_eq(s->project, project))
			continue;
		while (at[k] < s->iteration_count && s->iterations[at[k]].time_us < c->time_us)
			at[k]++;
		struct activity_iteration *maker = maker_in(s, at[k], c);

		if (maker && (!best || best->time_us > maker->time_us))
			best = maker;
	}
	return best;
}

/* Of a session, or of all sessions of the project if it is NULL: a file counts once whichever session changed it. */
static void
sum_commits(struct activity *f, struct str project, const struct activity_session *only,
	    struct activity_count *to)
{
	struct made_commit *all = NULL;
	size_t n = 0;

	for (size_t k = 0; k < f->session_count; k++) {
		const struct activity_session *s = &f->sessions[k];

		if (only ? s != only : !str_eq(s->project, project))
			continue;
		for (size_t i = 0; i < s->iteration_count; i++)
			for (size_t c = 0; c < s->iterations[i].count.commits; c++)
				*arena_push(f->arena, all, n) = s->iterations[i].commits[c];
	}
	add_commits(f->arena, to, all, n);
}

void
activity_add_commits(struct activity *f, struct str project, const struct made_commit *commits, size_t count)
{
	struct activity_iteration **makers = arena_array(f->arena, count, struct activity_iteration *);
	size_t *at = arena_array(f->arena, f->session_count, size_t);

	for (size_t c = 0; c < count; c++)
		makers[c] = maker_of(f, project, &commits[c], at);
	/* Those of one iteration lie next to each other, except for those of other sessions. */
	for (size_t c = 0; c < count; c++) {
		struct activity_iteration *maker = makers[c];
		size_t n = 0;

		if (!maker || maker->commits)
			continue;
		for (size_t i = c; i < count && commits[i].time_us <= maker->time_us; i++)
			if (makers[i] == maker)
				*arena_push(f->arena, maker->commits, n) = commits[i];
		add_commits(f->arena, &maker->count, maker->commits, n);
	}
	for (size_t k = 0; k < f->session_count; k++)
		if (str_eq(f->sessions[k].project, project))
			sum_commits(f, project, &f->sessions[k], &f->sessions[k].count);
}

/* ---- a part of them ---- */

void
activity_keep_session(struct activity *f, struct str name)
{
	struct activity all = *f;

	f->session_count = f->loop_count = f->gate_count = 0;
	f->gates = NULL;
	f->first_us = f->last_us = 0;
	for (size_t i = 0; i < all.loop_count; i++)
		if (session_is_named(all.loops[i].session, name))
			f->loops[f->loop_count++] = all.loops[i];
	for (size_t k = 0; k < all.session_count; k++) {
		struct activity_session s = all.sessions[k];

		if (!session_is_named(s.id, name))
			continue;
		for (size_t n = 0; n < s.iteration_count; n++)
			for (size_t r = 0; r < s.iterations[n].result_count; r++) {
				size_t *gate = &s.iterations[n].results[r].gate;

				*gate = gate_index(f, &all.gates[*gate]);
			}
		f->sessions[f->session_count++] = s;
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
fill_loop(const struct activity *f, struct activity_loop *l)
{
	for (size_t k = 0; k < f->session_count; k++) {
		const struct activity_session *s = &f->sessions[k];

		if (!str_eq(s->id, l->session) || l->usage.is_known || !s->usage.is_known ||
		    l->started_us == 0)
			continue;
		l->usage.is_known = true;
		for (size_t n = 0; n < s->iteration_count; n++) {
			const struct activity_iteration *i = &s->iterations[n];

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
	for (size_t k = 0; k < f->session_count; k++) {
		const struct activity_session *s = &f->sessions[k];
		size_t first = 0;

		while (!str_eq(f->sessions[first].project, s->project))
			first++;
		if (first == k)
			sum_commits(f, s->project, NULL, &f->count);
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
	sort(times, g->runs, by_number);
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
