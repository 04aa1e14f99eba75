/* SPDX-License-Identifier: MIT */
/* The facts of a report as one JSON object, for scripts. */
#include "cmd/report/facts.h"
#include "doc/json.h"
#include "os/clock.h"

#include <inttypes.h>

static void
add_time(struct arena *a, struct buf *b, const char *key, int64_t time_us)
{
	if (time_us > 0)
		json_add_member(b, key, clock_format_millis(a, time_us));
}

static void
add_count(struct buf *b, const struct facts_count *c)
{
	json_add_member_int(b, "commits", (int64_t)c->commits);
	json_add_member_int(b, "files", (int64_t)c->files);
	json_add_member_int(b, "added", (int64_t)c->added);
	json_add_member_int(b, "removed", (int64_t)c->removed);
}

static void
add_usage(struct buf *b, const struct facts_usage *u)
{
	if (!u->is_known)
		return;
	json_add_member_int(b, "tokens", u->tokens);
	json_add_key(b, "cost_usd");
	buf_addf(b, "%" PRId64 ".%09" PRId64, u->cost / 1000000000, u->cost % 1000000000);
}

static void
add_place(struct buf *b, const struct facts_gate *g)
{
	json_add_member(b, "gate", g->name);
	json_add_member(b, "in", g->in);
	if (g->reviewer.n > 0)
		json_add_member(b, "reviewer", g->reviewer);
}

static void
add_iteration(struct arena *a, struct buf *b, const struct facts *f, const struct facts_iteration *i)
{
	add_time(a, b, "time", i->time_us);
	if (i->took_ms >= 0)
		json_add_member_int(b, "took_ms", i->took_ms);
	json_add_member_int(b, "hook_ms", i->hook_ms);
	json_add_member(b, "decision", i->is_block ? STR("block") : STR("allow"));
	json_add_member(b, "policy", i->policy);
	json_add_member(b, "status", i->status);
	json_add_member(b, "message", i->message);
	if (i->number > 0) {
		json_add_member_int(b, "number", i->number);
		json_add_member_int(b, "of", i->of);
	}
	add_count(b, &i->count);
	json_add_key(b, "commit_list");
	buf_addc(b, '[');
	for (size_t k = 0; k < i->count.commits; k++) {
		buf_add(b, k > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "commit", i->commits[k].hash);
		json_add_member(b, "subject", i->commits[k].subject);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
	add_usage(b, &i->usage);
	json_add_key(b, "gates");
	buf_addc(b, '[');
	for (size_t k = 0; k < i->result_count; k++) {
		const struct facts_result *r = &i->results[k];

		buf_add(b, k > 0 ? STR(",{") : STR("{"));
		add_place(b, &f->gates[r->gate]);
		json_add_member(b, "outcome", gate_outcome_name(r->outcome));
		json_add_member_int(b, "ms", r->ms);
		json_add_member_bool(b, "reused", r->is_reused);
		json_add_member_bool(b, "flaky", r->is_flaky);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_session(struct arena *a, struct buf *b, const struct facts *f, const struct facts_session *s)
{
	json_add_member(b, "project", s->project);
	json_add_member(b, "session", s->id);
	json_add_member(b, "client", s->client);
	add_time(a, b, "first", s->first_us);
	add_time(a, b, "last", s->last_us);
	json_add_member_int(b, "blocks", (int64_t)s->blocks);
	json_add_member_int(b, "denied", (int64_t)s->denied);
	json_add_member_int(b, "asked", (int64_t)s->asked);
	add_count(b, &s->count);
	add_usage(b, &s->usage);
	if (s->unknown_model.s)
		json_add_member(b, "unknown_model", s->unknown_model);
	json_add_key(b, "iterations");
	buf_addc(b, '[');
	for (size_t k = 0; k < s->iteration_count; k++) {
		buf_add(b, k > 0 ? STR(",{") : STR("{"));
		add_iteration(a, b, f, &s->iterations[k]);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_loop(struct arena *a, struct buf *b, const struct facts_loop *l)
{
	json_add_member(b, "project", l->project);
	json_add_member(b, "session", l->session);
	json_add_member(b, "reason", l->reason);
	add_time(a, b, "started", l->started_us);
	add_time(a, b, "ended", l->ended_us);
	json_add_member_int(b, "iterations", l->iterations);
	if (l->most > 0)
		json_add_member_int(b, "max_iterations", l->most);
	add_usage(b, &l->usage);
}

static void
add_gate(struct buf *b, const struct facts_gate *g)
{
	json_add_member(b, "project", g->project);
	add_place(b, g);
	json_add_member_int(b, "runs", (int64_t)g->runs);
	json_add_member_int(b, "passed", (int64_t)g->passed);
	json_add_member_int(b, "failed", (int64_t)g->failed);
	json_add_member_int(b, "errors", (int64_t)g->errors);
	json_add_member_int(b, "reused", (int64_t)g->reused);
	json_add_member_int(b, "flaky", (int64_t)g->flaky);
	json_add_member_int(b, "median_ms", g->median_ms);
	json_add_member_int(b, "p95_ms", g->p95_ms);
	json_add_member_int(b, "total_ms", g->total_ms);
}

/* `"key":[{`...`},{`...`}]` */
#define ADD_LIST(b, key, count, add)                                 \
	do {                                                         \
		json_add_key((b), (key));                            \
		buf_addc((b), '[');                                  \
		for (size_t i_ = 0; i_ < (count); i_++) {            \
			buf_add((b), i_ > 0 ? STR(",{") : STR("{")); \
			add;                                         \
			buf_addc((b), '}');                          \
		}                                                    \
		buf_addc((b), ']');                                  \
	} while (0)

struct str
facts_json(struct arena *a, const struct facts *f)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addc(&b, '{');
	if (f->project.s)
		json_add_member(&b, "project", f->project);
	add_time(a, &b, "made", f->now_us);
	add_time(a, &b, "first", f->first_us);
	add_time(a, &b, "last", f->last_us);
	json_add_member_int(&b, "stops", (int64_t)f->stops);
	json_add_member_int(&b, "blocks", (int64_t)f->blocks);
	json_add_member_int(&b, "denied", (int64_t)f->denied);
	json_add_member_int(&b, "asked", (int64_t)f->asked);
	add_count(&b, &f->count);
	add_usage(&b, &f->usage);
	ADD_LIST(&b, "sessions", f->session_count, add_session(a, &b, f, &f->sessions[i_]));
	ADD_LIST(&b, "loops", f->loop_count, add_loop(a, &b, &f->loops[i_]));
	ADD_LIST(&b, "gates", f->gate_count, add_gate(&b, &f->gates[i_]));
	json_add_key(&b, "notes");
	json_add_strings(&b, f->notes.items, f->notes.count);
	buf_add(&b, STR("}\n"));
	return buf_str(&b);
}
