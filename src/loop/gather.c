/* SPDX-License-Identifier: MIT */
/* Gathers what a decision needs, and no more: what costs time is only asked where it can change the decision. */
#include "loop/gather.h"

#include "base/path.h"
#include "client/client.h"
#include "loop/stuck.h"
#include "os/clock.h"
#include "os/env.h"

/* How long to wait for an answer that the client has not written to the transcript yet. */
#define ANSWER_MS 1000

static int64_t
start_of(const struct loop_state *s)
{
	int64_t us;

	return s->started_at.s && clock_parse(s->started_at, &us) ? us : 0;
}

static uint64_t
minutes_since(int64_t start_us)
{
	int64_t us = clock_real_us() - start_us;

	return start_us > 0 && us > 0 ? (uint64_t)us / 60000000 : 0;
}

static void
add_edit(struct loop_decision *d, const char *key, struct str value)
{
	d->edits.items[d->edits.count++] = (struct loop_edit){ key, value };
}

/* Counts tokens and cost, if they are limited. */
static void
count_usage(struct arena *a, const struct loop_state *s, const struct event *event, struct loop_decision *d)
{
	const struct loop_options *o = &s->options;
	const struct client *client = event->client ? event->client : client_default;
	const char *path;
	struct err err;

	d->usage = o->usage;
	if (o->max_tokens == 0 && o->max_cost == 0)
		return;
	if (client->transcript_line != claude_transcript_line || event->transcript_path.n == 0) {
		d->uncounted = str_fmt(a, "tokens are not counted, because %s",
				       event->transcript_path.n == 0
					       ? "the event names no transcript"
					       : "this client's transcript has another format");
		return;
	}
	if (str_cz(a, event->transcript_path, &path, &err) < 0 ||
	    usage_read(a, path, start_of(s), o->prices, o->price_count, &d->usage, &err) < 0) {
		d->usage = o->usage;
		d->uncounted = str_fmt(a, "tokens are not counted: %s", err.msg);
		return;
	}
	if (o->max_cost > 0 && d->usage.unknown_model.s)
		d->uncounted = str_fmt(a,
				       "max_cost_usd does not hold: the price of '" STR_FMT
				       "' is not known; set it in `prices`",
				       STR_ARG(d->usage.unknown_model));
	add_edit(d, "usage", loop_usage_text(a, &d->usage));
}

/* For how many iterations the loop has got nowhere. */
static uint64_t
look_for_progress(struct arena *a, const struct loop_state *s, struct str path, const struct event *event,
		  struct loop_decision *d)
{
	const struct loop_options *o = &s->options;

	if (o->stuck_after == 0)
		return 0;
	struct str root = str_copy(a, path_parent(path_parent(path)));
	struct loop_trace trace = loop_trace(a, root, event, client_final_message(a, event, ANSWER_MS));
	const char *how;

	d->stuck = loop_stuck_next(&o->stuck, &trace);
	add_edit(d, "progress", loop_stuck_text(a, &d->stuck));
	uint64_t longest = loop_stuck_longest(&d->stuck, &how);

	d->stuck_how = longest >= o->stuck_after ? how : NULL;
	return longest;
}

struct loop_decision
loop_gather(struct arena *a, const struct loop_state *s, struct str path, struct str refusal,
	    const struct event *event, enum loop_proof proof)
{
	struct loop_facts facts = {
		.owner = s->session_id,
		.session = event->session_id,
		.is_nested = s->session_id.n == 0 && client_is_nested(a, event, env_get),
		.is_refused = refusal.s != NULL,
		.is_paused = s->is_paused,
		.waits_for_background = s->waits_for_background,
		.background_tasks = event->background_tasks + event->wake_ups,
		.is_held = s->options.prompted == PROMPTED_NOW,
		.waits = s->waits,
		.proof = proof,
		.iteration = s->iteration,
		.max_iterations = s->max_iterations,
	};
	struct loop_decision d = { .step = loop_decide(&facts) };

	/* Reading the message takes time, so it is only read where it can change the decision. */
	if ((s->promise.s || s->options.outcome_count > 0) &&
	    (d.step == LOOP_CONTINUES || d.step == LOOP_LIMIT || d.step == LOOP_HELD)) {
		d.promised = loop_promised(a, s, client_final_message(a, event, ANSWER_MS));
		if (d.promised)
			facts.promised = d.promised->is_done ? PROMISED_DONE : PROMISED_STOPPED;
		if (facts.proof == PROOF_NOT_ASKED && loop_options_verify(&s->options))
			facts.proof = PROOF_DUE;
		d.step = loop_decide(&facts);
	}
	/* The history has what an ended loop has used. */
	if (d.step == LOOP_CONTINUES || loop_step_reason(d.step))
		count_usage(a, s, event, &d);
	if (d.step != LOOP_CONTINUES)
		return d;
	if (s->options.steer.s)
		add_edit(&d, "steer", STR("null")); /* once */
	facts.minutes = s->options.max_minutes > 0 ? minutes_since(start_of(s)) : 0;
	facts.max_minutes = s->options.max_minutes;
	facts.tokens = (uint64_t)d.usage.tokens;
	facts.max_tokens = s->options.max_tokens;
	facts.cost = d.usage.cost;
	facts.max_cost = s->options.max_cost;
	facts.idle = look_for_progress(a, s, path, event, &d);
	facts.stuck_after = s->options.stuck_after;
	d.step = loop_decide(&facts);
	return d;
}
